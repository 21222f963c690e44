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
    mem::coalescing::CLAIMS,
    mem::coulomb::CLAIMS,
    mem::constant_limit::CLAIMS,
    mem::constants::CLAIMS,
    mem::generic::CLAIMS,
    mem::local_memory::CLAIMS,
    mem::pending_loads::CLAIMS,
    mem::split::CLAIMS,
    mem::transfers::CLAIMS,
    mem::walk::CLAIMS,
    perf::coulomb::CLAIMS,
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
