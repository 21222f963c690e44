//! Speed.

pub mod atomics;
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
pub mod roofs;
pub mod switching;
pub mod together;
