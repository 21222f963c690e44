//! The experiments, in directories named after the sections of the claims table.

mod fp;
mod mem;
mod occ;
pub mod perf;
mod simt;

use super::Experiment;

/// All experiments, one list per file.
pub static FAMILIES: &[&[Experiment]] = &[
    occ::threads::EXPERIMENTS,
    occ::registers::EXPERIMENTS,
    occ::shared_memory::EXPERIMENTS,
    simt::indices::EXPERIMENTS,
    simt::branches::EXPERIMENTS,
    simt::functions::EXPERIMENTS,
    simt::loops::EXPERIMENTS,
    simt::reductions::EXPERIMENTS,
    simt::products::EXPERIMENTS,
    simt::barriers::EXPERIMENTS,
    simt::races::EXPERIMENTS,
    fp::product::EXPERIMENTS,
    fp::subnormal::EXPERIMENTS,
    fp::rounding::EXPERIMENTS,
    fp::special::EXPERIMENTS,
    fp::order::EXPERIMENTS,
    mem::coulomb::EXPERIMENTS,
    mem::constants::EXPERIMENTS,
    mem::generic::EXPERIMENTS,
    mem::local_memory::EXPERIMENTS,
    mem::pending_loads::EXPERIMENTS,
    mem::split::EXPERIMENTS,
    mem::transfers::EXPERIMENTS,
    mem::transpose::EXPERIMENTS,
    perf::granularity::EXPERIMENTS,
    perf::inner_loop::EXPERIMENTS,
    perf::coulomb::EXPERIMENTS,
    perf::cutoff::EXPERIMENTS,
    perf::latency_table::EXPERIMENTS,
    perf::peaks::EXPERIMENTS,
    perf::switching::EXPERIMENTS,
    perf::concurrent_kernels::EXPERIMENTS,
    perf::histogram::EXPERIMENTS,
    perf::mri::EXPERIMENTS,
    fp::image::EXPERIMENTS,
];
