//! Sampling against full runs: what is estimated of the book's kernels is what a full run counts, within bounds, and the
//! estimate's books are as exact as any.

use kernels::Settings;
use sim_core::config::Chip;
use sim_core::host::{Gpu, Sampling};
use sim_core::stats::Report;
use sim_core::stats::report::Verdict;
use std::time::Instant;
use warpsim_tests::books;

/// Chip, its clusters (0: all it has), workload and size.
type Case = (&'static str, u32, &'static str, u64);

fn report(case: Case, sampling: Option<Sampling>) -> (Report, f64) {
    let (chip, clusters, name, size) = case;
    let mut chip = Chip::builtin(chip).expect("a built-in chip");
    if clusters > 0 {
        chip.clusters = clusters;
    }
    let mut gpu = Gpu::new(chip);
    gpu.sample(sampling);
    let before = Instant::now();
    let settings = Settings { size: Some(size), ..Settings::default() };
    let mut outcome = kernels::run(name, &mut gpu, settings).expect("it runs");
    assert_eq!(outcome.check.verdict(), outcome.reports[0].sampled.is_none().then_some(true));
    (outcome.reports.remove(0), before.elapsed().as_secs_f64())
}

#[test]
#[ignore = "a table"]
fn table() {
    let cases: [Case; 12] = [
        ("g80", 2, "matmul-tiled", 512),
        ("g80", 2, "matmul-naive", 256),
        ("g80", 0, "matmul-tiled", 768),
        ("g80", 0, "vecadd", 2_000_000),
        ("g80", 2, "vecadd", 1_000_000),
        ("g80", 0, "reduce-interleaved", 1_000_000),
        ("g80", 0, "reduce-halving", 1_000_000),
        ("gt200", 0, "matmul-tiled", 768),
        ("gt200", 0, "vecadd", 4_000_000),
        ("fermi", 0, "matmul-tiled", 768),
        ("fermi", 0, "vecadd", 4_000_000),
        ("fermi", 4, "reduce-halving", 2_000_000),
    ];
    for case in cases {
        let (full, full_s) = report(case, None);
        let (f, fi) = (full.timing.as_ref().expect("timed").cycles, full.instructions.warp);
        println!("{case:?}: full {f} cycles, {full_s:.2} s");
        for (waves, tolerance) in [(1, 0.01), (1, 0.02), (1, 0.05), (2, 0.01), (2, 0.03), (4, 0.02)] {
            let (r, s) = report(case, Some(Sampling { waves, tolerance }));
            let c = r.timing.as_ref().expect("timed").cycles;
            println!(
                "   {waves} waves {tolerance}: {:+.2} % cycles {:+.4} % inst, {s:.2} s  {:?} {:?}",
                100.0 * (c as f64 / f as f64 - 1.0),
                100.0 * (r.instructions.warp as f64 / fi as f64 - 1.0),
                r.sampled.as_ref().map(|s| (s.simulated, s.blocks, s.unit, s.wave, s.passes, s.work)),
                books::check(&r),
            );
            let _ = Verdict::Estimated;
        }
    }
}
