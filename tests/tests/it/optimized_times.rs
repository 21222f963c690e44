//! The optimizer makes no built-in kernel slower.

use isa::Options;
use kernels::{Settings, Workload};
use sim_core::host::{Gpu, LaunchSettings, Mode};
use warpsim_tests::device::chip_with;

/// Largest ratio of the cycles of optimized code to those of `-O0`.
const SLOWER: f64 = 1.01;

/// Kernels that run at a larger size. At their small sizes a few blocks determine the time, and
/// another order of their memory accesses changes it by up to 4 %, in both directions.
const LARGER: [(&str, u64); 8] = [
    ("cutoff-large-bin", 40),
    ("cutoff-small-bin", 40),
    ("histogram-words", 262_144),
    ("matmul-8x8-1x1-unrolled", 256),
    ("matmul-8x8-1x1-unrolled-prefetch", 128),
    ("matmul-8x8-1x4-unrolled-prefetch", 448),
    ("matmul-8x8-1x1", 96),
    ("matmul-tiled-8", 96),
];

/// A workload whose number of loop iterations depends on the order of the threads, and so on
/// timing.
const BY_CHANCE: &str = "mri-fhd-scatter-cas";

/// Returns the cycles of all launches of a workload.
fn cycles(chip: &str, workload: &'static Workload, options: Options) -> u64 {
    let mut gpu = Gpu::new(chip_with(chip, &[]));
    let larger = LARGER.iter().find(|(name, _)| *name == workload.name).map(|(_, size)| *size);
    let size = larger.or_else(|| workload.small_sizes.iter().copied().max());
    let settings =
        Settings { size, launches: LaunchSettings { mode: Mode::Timed, ..LaunchSettings::default() } };
    let module = workload.compile_with(options).unwrap_or_else(|e| panic!("{}: {e}", workload.name));
    let run = workload
        .run(module, &mut gpu, settings)
        .unwrap_or_else(|e| panic!("{} on {chip} with {options:?}: {e}", workload.name));
    run.reports.iter().filter_map(|report| report.timing.as_ref()).map(|timing| timing.cycles).sum()
}

/// Compares the cycles of all kernels on a chip with and without the optimizer. Scheduled blocks
/// may be slower where warps compete for memory or for a lock, but not on average.
fn no_kernel_is_slower(chip: &str) {
    let (mut slower, mut ratios) = (Vec::new(), Vec::new());
    let on = chip_with(chip, &[]);
    for workload in kernels::all() {
        let fits = workload.block.count() <= u64::from(on.limits.threads_per_block);
        let old = on.capability < workload.target().expect("it has a target");
        if old || !fits || workload.name == BY_CHANCE {
            continue;
        }
        let plain = cycles(chip, workload, Options::PLAIN) as f64;
        let optimized = cycles(chip, workload, Options::default()) as f64;
        if optimized > plain * SLOWER {
            slower.push(format!("{} on {chip}: {optimized} cycles, {plain} at -O0", workload.name));
        }
        if LARGER.iter().any(|(name, _)| *name == workload.name) {
            continue;
        }
        let scheduled = cycles(chip, workload, Options { schedule: true, ..Options::default() }) as f64;
        ratios.push(scheduled / optimized);
    }
    assert!(slower.is_empty(), "\n{}", slower.join("\n"));
    let mean = ratios.iter().sum::<f64>() / ratios.len() as f64;
    assert!(mean < 1.0, "{mean} for {} kernels", ratios.len());
}

/// Tests: `optimizing-is-no-slower`.
#[test]
fn no_kernel_is_slower_on_g80() {
    no_kernel_is_slower("g80");
}

/// Tests: `optimizing-is-no-slower`.
#[test]
fn no_kernel_is_slower_on_gt200() {
    no_kernel_is_slower("gt200");
}

/// Tests: `optimizing-is-no-slower`.
#[test]
fn no_kernel_is_slower_on_fermi() {
    no_kernel_is_slower("fermi");
}
