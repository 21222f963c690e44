//! Threads, warps and divergence.

pub mod blocks;
pub mod branches;
pub mod functions;
pub mod indices;
