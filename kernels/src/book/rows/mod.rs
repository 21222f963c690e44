//! The row programs, by the names of the rows.

mod fp;
mod mem;
mod occ;
mod perf;
mod simt;

use super::Claim;

/// All of them, a list for each file.
pub static FAMILIES: &[&[Claim]] =
    &[occ::shared_memory::CLAIMS, mem::coulomb::CLAIMS, perf::coulomb::CLAIMS, perf::cutoff::CLAIMS];
