//! Occupancy and partitioning.

pub mod shared_memory;
