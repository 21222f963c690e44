//! Reports as text for people.

pub mod book;
pub mod check;
mod classes;
pub mod devices;
pub mod disasm;
mod ledgers;
pub mod list;
mod memory;
pub mod number;
pub mod occupancy;
pub mod races;
mod stuck;
pub mod table;
pub mod text;
pub mod validate;
pub mod verdict;
