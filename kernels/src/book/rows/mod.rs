//! The row programs, by the names of the rows.

mod fp;
mod mem;
mod occ;
mod perf;
mod simt;

use super::Claim;

/// All of them, a list for each file.
pub static FAMILIES: &[&[Claim]] = &[
    occ::threads::CLAIMS,
    occ::square::CLAIMS,
    occ::slots::CLAIMS,
    occ::registers::CLAIMS,
    occ::shared_memory::CLAIMS,
    simt::indices::CLAIMS,
    simt::branches::CLAIMS,
    simt::blocks::CLAIMS,
    simt::functions::CLAIMS,
    simt::loops::CLAIMS,
    simt::reductions::CLAIMS,
    simt::products::CLAIMS,
    simt::barriers::CLAIMS,
    simt::races::CLAIMS,
    fp::product::CLAIMS,
    fp::subnormal::CLAIMS,
    fp::rounding::CLAIMS,
    fp::special::CLAIMS,
    fp::order::CLAIMS,
    mem::addition::CLAIMS,
    mem::coalescing::CLAIMS,
    mem::coulomb::CLAIMS,
    mem::constant_limit::CLAIMS,
    mem::constants::CLAIMS,
    mem::generic::CLAIMS,
    mem::local_memory::CLAIMS,
    mem::pending_loads::CLAIMS,
    mem::split::CLAIMS,
    mem::tiles::CLAIMS,
    mem::transfers::CLAIMS,
    mem::transpose::CLAIMS,
    mem::walk::CLAIMS,
    perf::granularity::CLAIMS,
    perf::inner_loop::CLAIMS,
    perf::roofs::CLAIMS,
    perf::coulomb::CLAIMS,
    perf::cutoff::CLAIMS,
    perf::atomics::CLAIMS,
    perf::double::CLAIMS,
    perf::latency_hiding::CLAIMS,
    perf::latency_table::CLAIMS,
    perf::peaks::CLAIMS,
    perf::switching::CLAIMS,
    perf::together::CLAIMS,
    perf::histogram::CLAIMS,
    perf::mri::CLAIMS,
    fp::image::CLAIMS,
];
