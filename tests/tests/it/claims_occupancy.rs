//! Occupancy of launches beyond the numbers of the claims OCC-12 and OCC-13 (`warpsim book OCC-12`
//! runs a claim): the second size of shared memory as launched, and the resources of the tiled
//! product.
//!
//! Tests: `course-texts`, `occupancy`.

use evidence::Runner;
use evidence::residents::resident_with;
use sim_core::occupancy::Limiter;

/// Three blocks with 5 kB of shared memory each would fit. With the launch state and the arguments
/// these are 5,152 bytes, which are rounded up to 5,632; two of them fit into 16,384 bytes.
#[test]
fn launch_state_and_arguments_reduce_three_blocks_to_two() {
    let runner = Runner::default();
    let chip = runner.chip("g80", &[]).unwrap_or_else(|e| panic!("{e}"));
    let found = resident_with(&runner, &chip, 64, |launch| launch.dynamic_shared = 5120);
    let found = found.unwrap_or_else(|e| panic!("{e}"));
    assert_eq!((found.needs.shared_bytes, found.shared_per_block), (5152, 5632));
    assert_eq!((found.limits.shared, found.blocks), (2, 2));
    assert_eq!(found.limiters, [Limiter::Shared]);
}

/// The product with tiles of 16 × 16 needs 2,048 bytes of shared memory, 16 bytes of parameters and
/// the published 10 registers. The shared memory would allow six blocks.
#[test]
fn the_tiled_product_needs_the_published_resources() {
    let runner = Runner::default();
    let chip = runner.chip("g80", &[]).unwrap_or_else(|e| panic!("{e}"));
    let outcome = runner.workload(chip, "matmul-tiled", 64).unwrap_or_else(|e| panic!("{e}"));
    let launch = &outcome.reports[0].launch;
    assert_eq!((launch.shared_bytes, launch.param_bytes, launch.registers), (2048, 16, 10));
    assert_eq!((launch.occupancy.limits.warps, launch.occupancy.limits.shared), (3, 6));
}
