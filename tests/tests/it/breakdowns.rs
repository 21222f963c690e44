//! The issue slot breakdown and the warp state breakdown of the built-in kernels: their identities,
//! and that the name of a wait does not depend on when the simulator last visited the SM.

use kernels::Settings;
use sim_core::config::Chip;
use sim_core::host::{Gpu, LaunchSettings, RunOptions};
use sim_core::stats::Report;

/// Returns the reports of a built-in workload at a small size.
fn reports(chip: &str, name: &str, size: u64, options: RunOptions) -> Vec<Report> {
    let mut gpu = Gpu::new(Chip::builtin(chip).expect("a built-in chip"));
    kernels::run(
        name,
        &mut gpu,
        Settings { size: Some(size), launches: LaunchSettings { options, ..LaunchSettings::default() } },
    )
    .expect("it runs")
    .reports
}

const CASES: [(&str, u64); 5] = [
    ("vecadd", 5_000),
    ("matmul-naive", 32),
    ("matmul-tiled", 64),
    ("reduce-interleaved", 4_096),
    ("reduce-halving", 4_096),
];

/// With one scheduler, slots without a resident warp are exactly the issue cycles in which no block
/// was resident.
#[test]
fn slots_without_a_warp_are_the_cycles_without_a_block() {
    for (chip, (name, size)) in ["g80", "gt200"].into_iter().flat_map(|chip| CASES.map(|case| (chip, case))) {
        for report in reports(chip, name, size, RunOptions::default()) {
            let timing = report.timing.expect("a timed run");
            assert_eq!(timing.slots.schedulers, 1);
            let active: u64 = timing.sms.iter().map(|sm| sm.active_issue_cycles).sum();
            let of_first = timing.slots.total / u64::from(timing.slots.ports);
            assert_eq!(timing.slots.outcomes.no_warp, of_first - active, "{name} on {chip}");
        }
    }
}

/// An SM that is simulated in every issue cycle reports the same waits as one that skips idle
/// cycles.
///
/// Tests: `exact-breakdowns`.
#[test]
fn skipping_idle_cycles_does_not_change_the_breakdowns() {
    for (chip, (name, size)) in ["g80", "fermi"].into_iter().flat_map(|chip| CASES.map(|case| (chip, case))) {
        let json = |skip_idle| {
            let options = RunOptions { skip_idle, ..RunOptions::default() };
            serde_json::to_string(&reports(chip, name, size, options)).expect("a report serializes")
        };
        assert_eq!(json(true), json(false), "{name} on {chip}");
    }
}
