//! The claims of the course texts as `warpsim book` shows them.
//!
//! `choice` selects claims, `result` runs one, `recorded` has the last recorded verdicts, and
//! `text` and `document` write lists and results as text and as JSON.

pub mod choice;
pub mod document;
pub mod recorded;
pub mod result;
pub mod text;

pub use result::ClaimResult;
