//! The scheduling rules of `docs/extending/rules.md`, each a function of a [`Trace`]: all events of
//! the machine during a case. A rule returns the number of times it was tested, so that a suite can
//! check that it was not idle, or a description of the violation.

pub mod barriers;
pub mod blocks;
pub mod decisions;
pub mod lanes;
pub mod scheduling;
pub mod trace;

pub use trace::Trace;

/// Number of times a rule was tested; or its violation.
pub type RuleResult = Result<u64, String>;

/// A rule.
pub type Rule = fn(&Trace) -> RuleResult;
