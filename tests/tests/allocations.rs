//! After warm-up nothing allocates per cycle: a run of many more instructions allocates hardly more often.

use kernels::Settings;
use sim_core::host::Gpu;
use warpsim_tests::device::g80_with;

/// Warp instructions of a workload at a size, and how often the run allocated.
fn run(workload: &str, size: u64) -> (u64, u64) {
    let mut gpu = Gpu::new(g80_with(&[]));
    let mut instructions = 0;
    let info = allocation_counter::measure(|| {
        let settings = Settings { size: Some(size), ..Settings::default() };
        let outcome = kernels::run(workload, &mut gpu, settings).expect("it runs");
        instructions = outcome.reports.iter().map(|r| r.instructions.warp).sum();
    });
    (instructions, info.count_total)
}

/// Pages of device memory are made when they are written, and queues grow until they have once been full; no more.
#[test]
fn nothing_allocates_per_cycle() {
    for (workload, small, large) in
        [("matmul-tiled", 128, 256), ("matmul-naive", 64, 128), ("reduce-halving", 32_768, 262_144)]
    {
        let ((few, before), (many, after)) = (run(workload, small), run(workload, large));
        assert!(many >= 7 * few, "{workload}: the larger run is much larger");
        let (more, instructions) = (after.saturating_sub(before), many - few);
        assert!(more < 1_000, "{workload}: {more} more allocations for {instructions} more instructions");
    }
}
