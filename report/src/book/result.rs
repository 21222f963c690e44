//! The result of running a claim.

use kernels::RunError;
use kernels::book::{self, Claim, Runner, Shown, Verdict};

/// Outcome of a claim.
#[derive(Clone, Debug, PartialEq)]
pub enum State {
    /// The claim's program ran to its end.
    Shown(Shown),
    /// The claim's program failed, with this message.
    Error(String),
    /// The claim has no program.
    NoProgram,
    /// The claim was not run, or was stopped.
    NotRun,
}

/// A claim and its outcome.
#[derive(Clone, Debug)]
pub struct ClaimResult {
    /// The claim.
    pub claim: &'static Claim,
    /// The outcome.
    pub state: State,
}

/// All verdicts, in the order in which they are counted.
pub const WORDS: [&str; 8] = [
    Verdict::Passed.word(),
    Verdict::Within.word(),
    Verdict::Reported.word(),
    Verdict::Outside.word(),
    Verdict::Failed.word(),
    ERROR,
    NO_PROGRAM,
    NOT_RUN,
];
const ERROR: &str = "ERROR";
const NO_PROGRAM: &str = "no program";
const NOT_RUN: &str = "not run";

impl ClaimResult {
    /// Runs a claim.
    pub fn run(claim: &'static Claim, runner: &Runner) -> Self {
        let Some(experiment) = book::experiment(&claim.id) else {
            return Self { claim, state: State::NoProgram };
        };
        Self::of(claim, experiment.run(runner))
    }

    /// The outcome of a claim's program.
    pub fn of(claim: &'static Claim, shown: Result<Shown, RunError>) -> Self {
        let state = match shown {
            Ok(shown) => State::Shown(shown),
            Err(why) => State::Error(why.to_string()),
        };
        Self { claim, state }
    }

    /// A claim that is not run.
    pub fn not_run(claim: &'static Claim) -> Self {
        let state = if book::experiment(&claim.id).is_some() { State::NotRun } else { State::NoProgram };
        Self { claim, state }
    }

    /// Returns the findings, if the program ran to its end.
    pub fn shown(&self) -> Option<&Shown> {
        match &self.state {
            State::Shown(shown) => Some(shown),
            State::Error(_) | State::NoProgram | State::NotRun => None,
        }
    }

    /// Returns the verdict, one of [`WORDS`].
    pub fn word(&self) -> &'static str {
        match &self.state {
            State::Shown(shown) => shown.verdict().word(),
            State::Error(_) => ERROR,
            State::NoProgram => NO_PROGRAM,
            State::NotRun => NOT_RUN,
        }
    }

    /// Whether an exact or shape finding failed, or there are no findings. A measured finding
    /// outside its band is not a failure.
    pub fn is_failure(&self) -> bool {
        match &self.state {
            State::Shown(shown) => shown.verdict() == Verdict::Failed,
            State::Error(_) | State::NoProgram => true,
            State::NotRun => false,
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
    use kernels::book::{Finding, claims_table};

    /// The claim `id` with these findings.
    fn result(id: &str, findings: Vec<Finding>) -> ClaimResult {
        let mut shown = Shown::new("a kernel on a chip");
        for finding in findings {
            shown.find(finding);
        }
        ClaimResult::of(claims_table::claim(id).expect("in the claims table"), Ok(shown))
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
