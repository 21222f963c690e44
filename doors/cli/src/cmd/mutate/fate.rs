//! Fate of a mutant, and the checks that notice it.

use sim_core::check::{Check, Checks};

/// A kind of checks that notices a mutant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Notice {
    /// A result is not as expected.
    Result,
    /// The mutant traps.
    Trap,
    /// It hangs, or runs far longer than the program.
    Hang,
    /// The chip refuses its launch.
    Refused,
    /// A checker finds an error.
    Checker(Check),
    /// A metric is not as expected.
    Metric,
}

impl Notice {
    /// An error of a checker.
    pub fn of(check: Check) -> Self {
        Self::Checker(check)
    }

    /// All of them, in the order of reports.
    pub fn all() -> Vec<Self> {
        let checkers = Checks::ALL.iter().map(Self::Checker);
        [Self::Result, Self::Trap, Self::Hang, Self::Refused]
            .into_iter()
            .chain(checkers)
            .chain([Self::Metric])
            .collect()
    }

    /// The word of reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Result => "result",
            Self::Trap => "trap",
            Self::Hang => "hang",
            Self::Refused => "refused",
            Self::Checker(check) => check.name(),
            Self::Metric => "metric",
        }
    }
}

/// Fate of a mutant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fate {
    /// Checks noticed it, each with its message; at least one.
    Noticed(Vec<(Notice, String)>),
    /// No check noticed it.
    Survived,
    /// Its code is the program's code: it was not run.
    Equivalent,
    /// The compiler refuses it: it was not run.
    Invalid,
}
