//! The claims of the course texts as `warpsim book` shows them.
//!
//! `choice` selects claims, `result` runs one, `recorded` has the last recorded verdicts, `text`
//! and `document` write lists and results as text and as JSON, and `picture` draws the numbers of a
//! claim. The tests `results` and `page` record all results, and write them into `docs/BOOK.md`.

pub mod choice;
pub mod document;
#[cfg(test)]
mod page;
pub mod picture;
pub mod recorded;
pub mod result;
#[cfg(test)]
mod results;
pub mod text;

pub use result::ClaimResult;
