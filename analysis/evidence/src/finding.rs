//! Findings of an experiment. Each finding compares one number or one statement with the claim.

use super::tally::Sampled;
use std::fmt::Display;

/// Result of the comparison of a finding with its claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Verdict {
    /// An exact number matches, or a statement holds.
    Passed,
    /// A measured number is within its tolerance band.
    Within,
    /// Shown without a verdict: the claim gives no band.
    Reported,
    /// A measured number is outside its band.
    Outside,
    /// An exact number does not match, or a statement does not hold.
    Failed,
}

impl Verdict {
    /// Word for tables.
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

/// One result of an experiment, compared with the claim.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// Name of the quantity: `16x16 tiles, GFLOP/s`.
    pub what: String,
    /// Value in the claim, with its band.
    pub expected: String,
    /// Value in the simulation.
    pub simulated: String,
    /// Deviation of a measured number from the expected one, in percent.
    pub error: Option<f64>,
    /// Value of a measured number in the simulation.
    pub value: Option<f64>,
    /// Numbers of the claim and of the simulation, for pictures.
    pub numbers: Vec<(Option<f64>, f64)>,
    /// Result of the comparison.
    pub verdict: Verdict,
}

/// A value that must match exactly: a number, which pictures show too, or a text.
pub trait Exact: PartialEq + Display {
    /// The number; `None` for a text.
    fn number(&self) -> Option<f64>;
}

/// Implements [`Exact`] for types of numbers.
macro_rules! numbers {
    ($($number:ty)*) => {$(
        impl Exact for $number {
            fn number(&self) -> Option<f64> {
                Some(*self as f64)
            }
        }
    )*};
}
numbers!(i32 u32 u64 usize f64);

/// Implements [`Exact`] for types without a number.
macro_rules! texts {
    ($($text:ty)*) => {$(
        impl Exact for $text {
            fn number(&self) -> Option<f64> {
                None
            }
        }
    )*};
}
texts!(bool String &str);

impl Finding {
    /// A number or text that must match exactly.
    #[expect(clippy::needless_pass_by_value, reason = "callers have just computed what they hand over")]
    pub fn exact<T: Exact>(what: impl Into<String>, expected: T, simulated: T) -> Self {
        let verdict = if expected == simulated { Verdict::Passed } else { Verdict::Failed };
        let numbers = simulated.number().map(|simulated| (expected.number(), simulated));
        Self {
            what: what.into(),
            expected: expected.to_string(),
            simulated: simulated.to_string(),
            error: None,
            value: None,
            numbers: numbers.into_iter().collect(),
            verdict,
        }
    }

    /// A list of numbers that must match exactly, in the same order.
    pub fn exact_list(what: impl Into<String>, expected: &[f64], simulated: &[f64]) -> Self {
        Self::exact(what, list(expected), list(simulated)).with_numbers(expected, simulated)
    }

    /// The finding with the numbers that it compares; without numbers if the lists have different
    /// lengths.
    #[must_use]
    pub fn with_numbers(self, expected: &[f64], simulated: &[f64]) -> Self {
        let pairs = || expected.iter().copied().map(Some).zip(simulated.iter().copied());
        let numbers = if expected.len() == simulated.len() { pairs().collect() } else { Vec::new() };
        Self { numbers, ..self }
    }

    /// A statement that must hold: an order, a ratio, a refused launch that names its limit.
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
            value: None,
            numbers: Vec::new(),
            verdict,
        }
    }

    /// A number measured on silicon that must be matched within `band` percent.
    pub fn measured(what: impl Into<String>, expected: f64, band: f64, simulated: f64) -> Self {
        let error = 100.0 * (simulated / expected - 1.0);
        let verdict = if error.abs() <= band { Verdict::Within } else { Verdict::Outside };
        Self {
            what: what.into(),
            expected: format!("{} ±{} %", significant(expected), significant(band)),
            simulated: significant(simulated),
            error: Some(error),
            value: Some(simulated),
            numbers: vec![(Some(expected), simulated)],
            verdict,
        }
    }

    /// A value that is shown without a verdict.
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
            value: None,
            numbers: Vec::new(),
            verdict: Verdict::Reported,
        }
    }
}

/// Results of one experiment.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Shown {
    /// What was run, in one line: kernels, sizes, chips.
    pub ran: String,
    /// Findings, in the order of the report.
    pub findings: Vec<Finding>,
    /// Explanations: sentences with numbers from the reports.
    pub why: Vec<String>,
    /// For findings outside their band: the known part of the cause, and what was tried.
    pub cause: Option<String>,
    /// Share of the grid that was simulated, if launches were sampled.
    pub sampled: Option<Sampled>,
}

impl Shown {
    /// Results without findings.
    pub fn new(ran: impl Into<String>) -> Self {
        Self { ran: ran.into(), ..Self::default() }
    }

    /// Adds a finding.
    pub fn find(&mut self, finding: Finding) {
        self.findings.push(finding);
    }

    /// Adds an explanation.
    pub fn because(&mut self, sentence: impl Into<String>) {
        self.why.push(sentence.into());
    }

    /// Verdict of the experiment: that of the worst finding, ignoring findings without a verdict.
    pub fn verdict(&self) -> Verdict {
        let judged = self.findings.iter().map(|finding| finding.verdict).filter(|v| *v != Verdict::Reported);
        let without = if self.findings.is_empty() { Verdict::Failed } else { Verdict::Reported };
        judged.max().unwrap_or(without)
    }
}

/// Numbers as text, separated by commas.
pub fn list(numbers: &[f64]) -> String {
    numbers.iter().map(f64::to_string).collect::<Vec<_>>().join(", ")
}

/// A number as text: four significant digits, whole numbers in full.
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
    fn the_worst_finding_decides_the_verdict() {
        let mut shown = Shown::new("");
        assert_eq!(shown.verdict(), Verdict::Failed, "an experiment without findings");
        shown.find(Finding::reported("registers", "", "10"));
        assert_eq!(shown.verdict(), Verdict::Reported, "no finding has a verdict");
        shown.find(Finding::exact("blocks", 3, 3));
        assert_eq!(shown.verdict(), Verdict::Passed, "reported findings do not count");
        shown.find(Finding::measured("GFLOP/s", 100.0, 15.0, 114.9));
        assert_eq!(shown.verdict(), Verdict::Within);
        shown.find(Finding::measured("GFLOP/s", 100.0, 15.0, 80.0));
        assert_eq!(shown.verdict(), Verdict::Outside);
        shown.find(Finding::shape("order", "a before b", "b before a", false));
        assert_eq!(shown.verdict(), Verdict::Failed);
    }

    #[test]
    fn numbers_have_four_significant_digits() {
        assert_eq!(
            [0.123_456, 21.6, 345.6, 8192.0, 7894.06].map(significant),
            ["0.1235", "21.60", "345.6", "8192", "7894"]
        );
    }
}
