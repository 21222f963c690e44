//! The result of running a claim.

use crate::outcome::State;
use crate::{Claim, Runner, Shown, Verdict};
use kernels::RunError;

/// A claim and its outcome.
#[derive(Clone, Debug)]
pub struct ClaimResult {
    /// The claim.
    pub claim: &'static Claim,
    /// The outcome.
    pub state: State,
}

/// All verdicts, in the order in which they are counted.
pub const WORDS: [&str; 7] = [
    Verdict::Passed.word(),
    Verdict::Within.word(),
    Verdict::Reported.word(),
    Verdict::Outside.word(),
    Verdict::Failed.word(),
    ERROR,
    NOT_RUN,
];
const ERROR: &str = "ERROR";
const NOT_RUN: &str = "not run";

impl ClaimResult {
    /// Runs a claim.
    pub fn run(claim: &'static Claim, runner: &Runner) -> Self {
        Self::of(claim, crate::show(runner, claim))
    }

    /// The outcome of a claim's program.
    pub fn of(claim: &'static Claim, shown: Result<Shown, RunError>) -> Self {
        Self { claim, state: State::of(shown) }
    }

    /// A claim that is not run.
    pub fn not_run(claim: &'static Claim) -> Self {
        Self { claim, state: State::NOT_RUN }
    }

    /// Returns the findings, if the program ran to its end.
    pub fn shown(&self) -> Option<&Shown> {
        self.state.shown()
    }

    /// Returns the verdict, one of [`WORDS`].
    pub fn word(&self) -> &'static str {
        match &self.state {
            State::Shown(shown) => shown.verdict().word(),
            State::Error(_) => ERROR,
            State::NotRun(word, _) => word,
        }
    }

    /// Whether an exact or shape finding failed, or there are no findings. A measured finding
    /// outside its band is not a failure.
    pub fn is_failure(&self) -> bool {
        match &self.state {
            State::Shown(shown) => shown.verdict() == Verdict::Failed,
            State::Error(_) => true,
            State::NotRun(..) => false,
        }
    }
}

/// Returns the number of claims with each verdict, without verdicts that no claim has:
/// `2 passed, 1 FAILED`.
pub fn tally(results: &[ClaimResult]) -> Vec<(&'static str, usize)> {
    let count = |word: &'static str| (word, results.iter().filter(|o| o.word() == word).count());
    WORDS.into_iter().map(count).filter(|(_, number)| *number > 0).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Finding, claims};

    /// The claim `id` with these findings.
    fn result(id: &str, findings: Vec<Finding>) -> ClaimResult {
        let mut shown = Shown::new("a kernel on a chip");
        for finding in findings {
            shown.find(finding);
        }
        ClaimResult::of(claims::claim(id).expect("in the claims table"), Ok(shown))
    }

    #[test]
    fn the_worst_finding_decides_and_only_required_findings_fail() {
        let exact = |simulated: u32| Finding::exact("n", 3, simulated);
        let measured = |simulated: f64| Finding::measured("rate", 100.0, 15.0, simulated);
        let cases = [
            (vec![exact(3)], "passed", false),
            (vec![exact(3), measured(114.0)], "within band", false),
            (vec![measured(116.0), exact(3)], "OUTSIDE BAND", false),
            (vec![measured(116.0), exact(4)], "FAILED", true),
            (vec![], "FAILED", true),
        ];
        let mut all = Vec::new();
        for (findings, word, fails) in cases {
            let result = result("OCC-12", findings);
            assert_eq!((result.word(), result.is_failure()), (word, fails));
            all.push(result);
        }
        let error = ClaimResult::of(all[0].claim, Err(RunError::Wrong("7".to_owned())));
        assert!(error.is_failure() && error.word() == "ERROR" && error.shown().is_none());
        all.push(error);
        let counts = [("passed", 1), ("within band", 1), ("OUTSIDE BAND", 1), ("FAILED", 2), ("ERROR", 1)];
        assert_eq!(tally(&all), counts);
    }
}
