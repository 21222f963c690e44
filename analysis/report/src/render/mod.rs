//! Reports as text.

mod breakdowns;
mod checks;
mod classes;
pub mod ending;
pub mod findings;
mod memory;
pub mod output;
mod program;
pub mod relaxed;
pub mod rows;
pub mod short;
mod stuck;
pub mod table;
pub mod text;
mod timeline;
pub mod verdict;
pub mod why;

pub use crate::number;

/// How much of the full report is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Details {
    /// Rows that are not zero.
    Most,
    /// All rows.
    All,
}
