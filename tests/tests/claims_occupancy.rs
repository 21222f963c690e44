//! Occupancy of launches, beyond what rows OCC-12 and OCC-13 of the claims ledger give numbers for
//! (`warpsim book OCC-12` runs the rows): the second size of shared memory as launched, and what
//! the tiled product asks for.
//!
//! Tests: `course-texts`, `occupancy`.

use kernels::book::Runner;
use kernels::book::residents::resident_with;
use sim_core::occupancy::Limiter;

/// 5 kB of shared memory per block fit three times; 5,152 bytes, with launch state and arguments,
/// are rounded to 5,632, of which 16,384 hold two.
#[test]
fn launch_state_and_arguments_cost_the_larger_blocks_one_of_three() {
    let runner = Runner::default();
    let chip = runner.chip("g80", &[]).unwrap_or_else(|e| panic!("{e}"));
    let found = resident_with(&runner, &chip, 64, |launch| launch.dynamic_shared = 5120);
    let found = found.unwrap_or_else(|e| panic!("{e}"));
    assert_eq!((found.needs.shared_bytes, found.shared_per_block), (5152, 5632));
    assert_eq!((found.limits.shared, found.blocks), (2, 2));
    assert_eq!(found.limiters, [Limiter::Shared]);
}

/// The product with tiles of 16 x 16 has 2,048 bytes of shared memory, 16 of parameters and the
/// published 10 registers; shared memory would allow six blocks.
#[test]
fn what_the_tiled_product_asks_for() {
    let runner = Runner::default();
    let chip = runner.chip("g80", &[]).unwrap_or_else(|e| panic!("{e}"));
    let outcome = runner.workload(chip, "matmul-tiled", 64).unwrap_or_else(|e| panic!("{e}"));
    let launch = &outcome.reports[0].launch;
    assert_eq!((launch.shared_bytes, launch.param_bytes, launch.registers), (2048, 16, 10));
    assert_eq!((launch.occupancy.limits.warps, launch.occupancy.limits.shared), (3, 6));
}
