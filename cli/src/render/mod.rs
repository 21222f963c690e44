//! Reports as text for people.

mod classes;
mod ledgers;
mod memory;
mod number;
mod stuck;
mod table;
pub mod text;
pub mod verdict;
