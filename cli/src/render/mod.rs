//! Reports as text.

mod breakdowns;
mod checks;
mod classes;
pub mod findings;
mod memory;
pub mod number;
pub mod races;
pub mod short;
mod stuck;
pub mod table;
pub mod text;
pub mod verdict;
pub mod why;
