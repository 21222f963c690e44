//! Claims on performance.

pub mod atomics;
pub mod concurrent_kernels;
pub mod coulomb;
pub mod cutoff;
pub mod double;
pub mod granularity;
pub mod histogram;
pub mod inner_loop;
pub mod latency_hiding;
pub mod latency_table;
pub mod mri;
pub mod peaks;
pub mod products;
pub mod rooflines;
pub mod switching;
