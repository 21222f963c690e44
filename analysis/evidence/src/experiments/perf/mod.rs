//! Claims on performance.

pub mod concurrent_kernels;
pub mod coulomb;
pub mod cutoff;
pub mod granularity;
pub mod histogram;
pub mod inner_loop;
pub mod latency_table;
pub mod mri;
pub mod peaks;
pub mod products;
