//! Claims on occupancy and partitioning.

pub mod registers;
pub mod shared_memory;
pub mod slots;
pub mod square;
pub mod threads;
