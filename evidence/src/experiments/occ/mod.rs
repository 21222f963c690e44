//! Claims on occupancy and partitioning.

pub mod threads;
