//! Reports as text for people.

mod ledgers;
mod memory;
mod number;
mod table;
pub mod text;
pub mod verdict;
