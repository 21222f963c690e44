//! The experiments, in directories named after the sections of the claims table.

mod fp;
mod mem;
pub mod perf;
mod simt;

use super::Experiment;

/// All experiments, one list per file.
pub static FAMILIES: &[&[Experiment]] = &[
    simt::products::EXPERIMENTS,
    simt::barriers::EXPERIMENTS,
    fp::rounding::EXPERIMENTS,
    fp::order::EXPERIMENTS,
    mem::coulomb::EXPERIMENTS,
    mem::pending_loads::EXPERIMENTS,
    mem::transfers::EXPERIMENTS,
    perf::granularity::EXPERIMENTS,
    perf::inner_loop::EXPERIMENTS,
    perf::coulomb::EXPERIMENTS,
    perf::cutoff::EXPERIMENTS,
    perf::latency_table::EXPERIMENTS,
    perf::peaks::EXPERIMENTS,
    perf::concurrent_kernels::EXPERIMENTS,
    perf::histogram::EXPERIMENTS,
    perf::mri::EXPERIMENTS,
    fp::image::EXPERIMENTS,
];
