//! Reports as text for people.

mod classes;
mod ledgers;
mod memory;
pub mod number;
pub mod races;
mod stuck;
pub mod table;
pub mod text;
pub mod verdict;
