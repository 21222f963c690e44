//! The optimizer makes no built-in kernel slower, with and without scheduled blocks.

use isa::Options;
use kernels::{Settings, Workload};
use sim_core::host::{Gpu, Mode};
use warpsim_tests::device::{CHIPS, chip_with};

/// Largest ratio of the cycles of optimized code to those of `-O0`.
const SLOWER: f64 = 1.01;

/// A workload whose number of loop iterations depends on the order of the threads, and so on
/// timing.
const BY_CHANCE: &str = "mri-fhd-scatter-cas";

/// Returns the cycles of all launches of a workload at its largest small size.
fn cycles(chip: &str, workload: &'static Workload, options: Options) -> u64 {
    let mut gpu = Gpu::new(chip_with(chip, &[]));
    let size = workload.small_sizes.iter().copied().max();
    let settings = Settings { size, mode: Mode::Timed, ..Settings::default() };
    let module = workload.compile_with(options).unwrap_or_else(|e| panic!("{}: {e}", workload.name));
    let run = workload
        .run(module, &mut gpu, settings)
        .unwrap_or_else(|e| panic!("{} on {chip} with {options:?}: {e}", workload.name));
    run.reports.iter().filter_map(|report| report.timing.as_ref()).map(|timing| timing.cycles).sum()
}

/// Tests: `optimizing-is-no-slower`.
#[test]
fn no_kernel_is_slower_with_optimization() {
    let scheduled = Options { schedule: true, ..Options::default() };
    let (mut slower, mut faster) = (Vec::new(), 0);
    for (chip, workload) in CHIPS.iter().flat_map(|chip| kernels::all().iter().map(move |w| (chip, w))) {
        let limits = chip_with(chip, &[]);
        let fits = workload.block.count() <= u64::from(limits.limits.threads_per_block);
        let old = limits.capability < workload.target().expect("it has a target");
        if old || !fits || workload.name == BY_CHANCE {
            continue;
        }
        let plain = cycles(chip, workload, Options::PLAIN);
        for (how, options) in [("-O3", Options::default()), ("-O3 --schedule true", scheduled)] {
            let optimized = cycles(chip, workload, options);
            if optimized as f64 > plain as f64 * SLOWER {
                slower
                    .push(format!("{} on {chip}, {how}: {optimized} cycles, {plain} at -O0", workload.name));
            }
            faster += usize::from(optimized < plain);
        }
    }
    assert!(slower.is_empty(), "\n{}", slower.join("\n"));
    assert!(faster > 0, "no kernel is faster");
}
