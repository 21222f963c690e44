//! The scheduling rules of `docs/RULES.md`, each a function of a [`Film`]: everything that the
//! machine told while it ran a case. A rule returns how often it was put to the test, so that a
//! suite can see that it was not idle, or the sentence that is broken and where.

pub mod barriers;
pub mod blocks;
pub mod decisions;
pub mod film;
pub mod lanes;
pub mod scheduling;

pub use film::Film;

/// How often a rule was put to the test; or how it is broken.
pub type Held = Result<u64, String>;

/// A rule.
pub type Rule = fn(&Film) -> Held;
