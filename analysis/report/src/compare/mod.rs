//! The comparison of two reports: which run is faster, and why.
//!
//! `report` reads reports, `account` divides a run's time, `difference` compares two runs, `input`
//! and `moved` list differences, `cause` finds the cause, `answer` states it, `page` with `text`
//! and `document` prints the comparison.

pub mod account;
pub mod answer;
pub mod cause;
pub mod difference;
pub mod document;
mod input;
pub mod moved;
pub mod outcome;
pub mod page;
pub mod report;
pub mod text;
