//! What a row program finds: each finding is one number or one statement, beside what the ledger
//! expects.

use super::tally::Sampled;
use std::fmt::Display;

/// What comes of the comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Verdict {
    /// An exact number came out, or a shape did.
    Passed,
    /// A measured number came out within its band.
    Within,
    /// Shown without a verdict: the ledger gives no band.
    Reported,
    /// A measured number came out outside its band.
    Outside,
    /// An exact number or a shape did not come out.
    Failed,
}

impl Verdict {
    /// For tables.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Passed => "passed",
            Self::Within => "within band",
            Self::Reported => "reported",
            Self::Outside => "OUTSIDE BAND",
            Self::Failed => "FAILED",
        }
    }
}

/// One thing found.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// What it is: `16x16 tiles, GFLOP/s`.
    pub what: String,
    /// What the ledger says, with its band.
    pub expected: String,
    /// What came out.
    pub simulated: String,
    /// Simulated less expected in percent, of measured ones.
    pub error: Option<f64>,
    /// The comparison.
    pub verdict: Verdict,
}

impl Finding {
    /// A number or text that must come out as it is.
    #[expect(clippy::needless_pass_by_value, reason = "callers have just computed what they hand over")]
    pub fn exact<T: PartialEq + Display>(what: impl Into<String>, expected: T, simulated: T) -> Self {
        let verdict = if expected == simulated { Verdict::Passed } else { Verdict::Failed };
        let (expected, simulated) = (expected.to_string(), simulated.to_string());
        Self { what: what.into(), expected, simulated, error: None, verdict }
    }

    /// Numbers, as many and in the same order, that must come out as they are.
    pub fn exact_list(what: impl Into<String>, expected: &[f64], simulated: &[f64]) -> Self {
        Self::exact(what, list(expected), list(simulated))
    }

    /// A statement that must hold: an order, a ratio, a refusal that names its limit.
    pub fn shape(
        what: impl Into<String>,
        expected: impl Into<String>,
        simulated: impl Into<String>,
        holds: bool,
    ) -> Self {
        let verdict = if holds { Verdict::Passed } else { Verdict::Failed };
        Self {
            what: what.into(),
            expected: expected.into(),
            simulated: simulated.into(),
            error: None,
            verdict,
        }
    }

    /// A number read off silicon, to come out within `band` percent.
    pub fn measured(what: impl Into<String>, expected: f64, band: f64, simulated: f64) -> Self {
        let error = 100.0 * (simulated / expected - 1.0);
        let verdict = if error.abs() <= band { Verdict::Within } else { Verdict::Outside };
        Self {
            what: what.into(),
            expected: format!("{} ±{} %", significant(expected), significant(band)),
            simulated: significant(simulated),
            error: Some(error),
            verdict,
        }
    }

    /// What is shown without a verdict.
    pub fn reported(
        what: impl Into<String>,
        expected: impl Into<String>,
        simulated: impl Into<String>,
    ) -> Self {
        Self {
            what: what.into(),
            expected: expected.into(),
            simulated: simulated.into(),
            error: None,
            verdict: Verdict::Reported,
        }
    }
}

/// What running a row showed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Shown {
    /// What was run, in a line: kernels, sizes, chips.
    pub ran: String,
    /// The findings.
    pub findings: Vec<Finding>,
    /// Why it is so: sentences with numbers drawn from the reports.
    pub why: Vec<String>,
    /// Of findings outside their band: the cause as far as it was found, and what was tried.
    pub cause: Option<String>,
    /// What the numbers were estimated from, where launches were sampled.
    pub sampled: Option<Sampled>,
}

impl Shown {
    /// Nothing found yet.
    pub fn new(ran: impl Into<String>) -> Self {
        Self { ran: ran.into(), ..Self::default() }
    }

    /// With one more finding.
    pub fn find(&mut self, finding: Finding) {
        self.findings.push(finding);
    }

    /// With one more reason.
    pub fn because(&mut self, sentence: impl Into<String>) {
        self.why.push(sentence.into());
    }

    /// The row's verdict: that of its worst finding, of those that have one.
    pub fn verdict(&self) -> Verdict {
        let judged = self.findings.iter().map(|finding| finding.verdict).filter(|v| *v != Verdict::Reported);
        let without = if self.findings.is_empty() { Verdict::Failed } else { Verdict::Reported };
        judged.max().unwrap_or(without)
    }
}

/// Numbers in a row, in words.
pub fn list(numbers: &[f64]) -> String {
    numbers.iter().map(f64::to_string).collect::<Vec<_>>().join(", ")
}

/// A number for people: four significant digits, whole numbers as they are.
pub fn significant(value: f64) -> String {
    if !value.is_finite() || value == 0.0 || value.fract() == 0.0 && value.abs() < 1e15 {
        return value.to_string();
    }
    let digits = (3 - value.abs().log10().floor() as i32).clamp(0, 12) as usize;
    format!("{value:.digits$}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_worst_finding_is_the_rows_verdict() {
        let mut shown = Shown::new("");
        assert_eq!(shown.verdict(), Verdict::Failed, "a row that shows nothing");
        shown.find(Finding::reported("registers", "", "10"));
        assert_eq!(shown.verdict(), Verdict::Reported, "nothing to judge");
        shown.find(Finding::exact("blocks", 3, 3));
        assert_eq!(
            shown.verdict(),
            Verdict::Passed,
            "what is only reported does not count beside what is judged"
        );
        shown.find(Finding::measured("GFLOP/s", 100.0, 15.0, 114.9));
        assert_eq!(shown.verdict(), Verdict::Within);
        shown.find(Finding::measured("GFLOP/s", 100.0, 15.0, 80.0));
        assert_eq!(shown.verdict(), Verdict::Outside);
        shown.find(Finding::shape("order", "a before b", "b before a", false));
        assert_eq!(shown.verdict(), Verdict::Failed);
    }

    #[test]
    fn numbers_have_four_digits() {
        assert_eq!(
            [0.123_456, 21.6, 345.6, 8192.0, 7894.06].map(significant),
            ["0.1235", "21.60", "345.6", "8192", "7894"]
        );
    }
}
