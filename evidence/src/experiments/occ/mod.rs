//! Claims on occupancy and partitioning.

pub mod registers;
pub mod shared_memory;
pub mod threads;
