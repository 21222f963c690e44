//! Rules over the events of a run: a small temporal vocabulary, evaluated while the machine runs,
//! in memory that does not grow with the run.
//!
//! A [`Rule`] is stated about a [`Subject`] (a scheduler, a warp, two warps, an SM, the grid) with
//! [`always`], [`never()`] and [`when`]; what it says of a moment is a [`Formula`], which may look
//! back ([`Formula::previously`], [`Formula::once`], [`Formula::since`], [`count`]). A [`Property`]
//! is a rule with a name and a sentence, and a [`Checker`] tests properties while a kernel runs.
//!
//! ```
//! use warpsim_check::rule::{Property, Subject, count, issues, passed_over, when};
//!
//! // A warp that can issue all the time is passed over at most 7 times in a row.
//! let times = count(passed_over()).since(issues() & !passed_over());
//! let patient = Property::new(
//!     "patient",
//!     "A warp that can issue is passed over at most 7 times in a row.",
//!     Subject::Warp,
//!     when(passed_over()).always(times.at_most(7)),
//! );
//! assert_eq!(patient.name, "patient");
//! ```

mod barrier;
mod checker;
mod dominators;
mod formula;
mod grid;
mod lanes;
mod moment;
pub mod property;
mod setup;
mod slot;
mod sm;
mod statement;
mod words;

#[cfg(test)]
mod tests;

pub use checker::{Checker, Outcome, Violation};
pub use formula::{Formula, Number, count, gathered, is, spread};
pub use grid::Grid;
pub use moment::{Moment, Subject};
pub use property::Property;
pub use setup::{Fact, Facts, Setup, Warp};
pub use slot::{Slot, Wait};
pub use sm::{Scheduler, Sm};
pub use statement::{Rule, When, always, never, when};
pub use words::*;
