//! Reports as text for people.

mod classes;
mod ledgers;
mod memory;
pub mod number;
mod table;
pub mod text;
pub mod verdict;
