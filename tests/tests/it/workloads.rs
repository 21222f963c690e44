//! The built-in workloads in both modes, at a small size and at one that does not fill the last
//! block.

use kernels::{HostRun, Settings, Workload};
use sim_core::config::builtin::simulated_names;
use sim_core::host::{Gpu, LaunchSettings, Mode};
use sim_core::stats::Report;
use sim_core::stats::report::RegistersSource;
use warpsim_tests::device::{CHIPS, MODES, chip_with, g80_with};
use warpsim_tests::identities;

fn run(chip: &str, workload: &str, size: u64, mode: Mode) -> HostRun {
    let mut gpu = Gpu::new(chip_with(chip, &[]));
    kernels::run(
        workload,
        &mut gpu,
        Settings { size: Some(size), launches: LaunchSettings { mode, ..LaunchSettings::default() } },
    )
    .unwrap_or_else(|e| panic!("{workload} {size} on {chip}: {e}"))
}

/// A workload that adds without atomics, to show that sums are lost.
const LOSES: &str = "mri-fhd-racing";
/// A workload whose number of loop iterations depends on the order of the threads, and so on
/// timing.
const BY_CHANCE: &str = "mri-fhd-scatter-cas";

/// Whether the workload's target needs a newer chip.
fn too_old(chip: &str, workload: &Workload) -> bool {
    chip_with(chip, &[]).capability < workload.target().expect("it has a target")
}

#[test]
fn a_workload_is_refused_by_a_chip_that_is_too_old_for_it() {
    let mut refused = 0;
    for (chip, workload) in CHIPS.iter().flat_map(|chip| kernels::all().iter().map(move |w| (chip, w))) {
        if too_old(chip, workload) {
            let mut gpu = Gpu::new(chip_with(chip, &[]));
            let refusal = kernels::run(workload.name, &mut gpu, Settings::default()).expect_err("too old");
            assert!(refusal.to_string().contains("capability"), "{} on {chip}: {refusal}", workload.name);
            refused += 1;
        }
    }
    assert!(refused > 0);
}

/// Tests: `kernels-are-right`.
#[test]
fn every_workload_is_correct_in_both_modes_at_any_size() {
    let racing = |name: &str| kernels::RACING.contains(&name) && name != LOSES;
    let right = || kernels::all().iter().filter(|w| !racing(w.name));
    for (chip, workload) in simulated_names().flat_map(|chip| right().map(move |w| (chip, w))) {
        let most = chip_with(chip, &[]).limits.threads_per_block;
        if workload.block.count() > u64::from(most) || too_old(chip, workload) {
            continue;
        }
        let sizes = workload.small_sizes;
        // A board that differs from its generation's chip only in numbers runs one size.
        let sizes = if CHIPS.contains(&chip) { sizes } else { sizes.get(1..2).unwrap_or(sizes) };
        for size in sizes {
            let outcomes = MODES.map(|mode| run(chip, workload.name, *size, mode));
            for outcome in &outcomes {
                let right = outcome.check.passed() != (workload.name == LOSES);
                assert!(right, "{}: {}", workload.name, outcome.summary);
                for report in &outcome.reports {
                    assert!(report.verdict.is_finished());
                    identities::check(report).unwrap_or_else(|e| panic!("{} {size}: {e}", workload.name));
                }
            }
            // The modes differ in time only: they execute the same instructions.
            let [functional, timed] = outcomes.map(|o| o.reports[0].clone());
            assert!(functional.timing.is_none() && timed.timing.is_some());
            if workload.name == BY_CHANCE {
                continue;
            }
            assert_eq!(functional.instructions.by_class, timed.instructions.by_class, "{}", workload.name);
            assert_eq!(functional.instructions.thread, timed.instructions.thread, "{}", workload.name);
            assert_eq!(
                functional.control.divergent_lines, timed.control.divergent_lines,
                "{}",
                workload.name
            );
        }
    }
}

/// At 10 registers per thread three blocks of the tiled product fit on an SM, at 11 only two: the
/// performance cliff (the book's sections 5.4 and 6.3; claim OCC-11). The result stays the same.
#[test]
fn one_register_more_costs_a_block() {
    let blocks = |registers| {
        let mut gpu = Gpu::new(g80_with(&[]));
        let settings =
            Settings { size: Some(64), launches: LaunchSettings { registers, ..LaunchSettings::default() } };
        let outcome = kernels::run("matmul-tiled", &mut gpu, settings).expect("it runs");
        assert!(outcome.check.passed());
        let launch = &outcome.reports[0].launch;
        (launch.registers, launch.registers_source, launch.occupancy.blocks)
    };
    assert_eq!(blocks(None), (10, RegistersSource::Given, 3));
    assert_eq!(blocks(Some(11)), (11, RegistersSource::Given, 2));
}

/// The race checker finds races only in the kernels that have one: those that the book prints with
/// a race, and the one that shows the lost sums.
///
/// Tests: `kernels-are-right`.
#[test]
fn only_kernels_with_a_race_have_one() {
    let mut racing = Vec::new();
    for workload in kernels::all() {
        // Fermi can run every kernel.
        let mut gpu = Gpu::new(chip_with("fermi", &[]));
        gpu.check_races(true);
        let size = workload.small_sizes.last().copied();
        let settings = Settings {
            size,
            launches: LaunchSettings { mode: Mode::Functional, ..LaunchSettings::default() },
        };
        let outcome = kernels::run(workload.name, &mut gpu, settings);
        let outcome = outcome.unwrap_or_else(|e| panic!("{}: {e}", workload.name));
        let races = |report: &Report| report.checks.as_ref().expect("it was checked").errors > 0;
        if outcome.reports.iter().any(races) {
            racing.push(workload.name);
        }
    }
    let mut expected = kernels::RACING.to_vec();
    expected.sort_unstable();
    racing.sort_unstable();
    assert_eq!(racing, expected);
}
