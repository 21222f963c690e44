//! The kernels of published measurements, one family per file, with host programs that measure them
//! as published.
//!
//! Their PTX has the instruction mix that a compiler of the time generated from the published
//! source.

pub mod copy;
pub mod coulomb;
pub mod histogram;
pub mod matmul;
pub mod mixbench;
pub mod mri;
pub mod reduce;
pub mod transpose;

use super::Scale;
use sim_core::stats::Report;

/// GB/s of `bytes` in the time of a launch, without the host's share.
fn gigabytes_per_second(bytes: f64, report: &Report) -> f64 {
    bytes / kernels::lab::Lab::kernel_ns(report)
}

/// Returns `short` or `full`.
fn by_scale<T>(scale: Scale, short: T, full: T) -> T {
    match scale {
        Scale::Short => short,
        Scale::Full => full,
    }
}
