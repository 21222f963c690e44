//! Threads, warps and divergence.
