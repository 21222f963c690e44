//! Views of evidence: claims of the course texts and published measurements, each with what was
//! expected and what was simulated.
//!
//! `choice` selects rows. `parts` writes results as text, Markdown and HTML; `claims` makes the
//! parts of claims. `result` runs a claim, `recorded` has the last recorded verdicts, `document`
//! writes claims as JSON, and `picture` draws the numbers of a claim. The tests `results` and
//! `page` record all results, and write them into `docs/BOOK.md`.

pub mod choice;
pub mod claims;
pub mod document;
#[cfg(test)]
mod page;
pub mod parts;
pub mod picture;
pub mod recorded;
pub mod result;
#[cfg(test)]
mod results;

pub use result::ClaimResult;
