//! Claims on occupancy and partitioning.

pub mod registers;
pub mod threads;
