//! Do the rules always hold? Random kernels, launches and chips against the invariants of the design.
//!
//! The ignored tests are the same with many more cases: `cargo test --test properties -- --ignored`.

use proptest::strategy::Strategy;
use proptest::test_runner::{Config, TestCaseError, TestRunner};
use warpsim_tests::check::{self, Checked};
use warpsim_tests::generate::Case;
use warpsim_tests::generate::case::case;

/// Runs `property` over `cases` random cases.
fn hold(cases: u32, property: fn(&Case) -> Checked) {
    hold_for(&case(), cases, property);
}

/// Chips with longer crossbars, so that runs have fewer windows.
fn far() -> impl Strategy<Value = Case> {
    (case(), 40u32..200).prop_map(|(case, latency)| {
        let launch = (2 * latency + 50).to_string();
        let sets = [("crossbar.latency", &*latency.to_string()), ("dispatch.launch_cycles", &*launch)];
        Case { chip: case.chip.with(&sets), ..case }
    })
}

fn hold_for(cases_of: &impl Strategy<Value = Case>, cases: u32, property: fn(&Case) -> Checked) {
    let config = Config { cases, max_shrink_iters: 4_000, failure_persistence: None, ..Config::default() };
    let result = TestRunner::new(config).run(cases_of, |case| property(&case).map_err(TestCaseError::fail));
    if let Err(e) = result {
        panic!("{e}");
    }
}

fn timed_is_functional(case: &Case) -> Checked {
    check::timed_is_functional(case, None)
}

/// For random timing parameters, all depths 1 and every policy, the timed machine leaves the same bytes as the
/// functional one, and every block runs exactly once.
#[test]
fn timing_changes_no_result() {
    hold(check::RESULT_CASES, timed_is_functional);
}

/// Report and memory are the same bytes for any number of threads, any window, idle cycles skipped or ticked.
#[test]
fn the_host_changes_nothing() {
    hold_for(&far(), 32, check::host_changes_nothing);
}

/// Slots and warp cycles are all accounted for, once each.
#[test]
fn the_ledgers_are_exact() {
    hold(256, check::ledgers_are_exact);
}

/// As [`timing_changes_no_result`], for longer.
#[test]
#[ignore = "minutes"]
fn timing_changes_no_result_at_length() {
    hold(10_000, timed_is_functional);
}

/// As [`the_host_changes_nothing`], for longer.
#[test]
#[ignore = "minutes"]
fn the_host_changes_nothing_at_length() {
    hold_for(&far(), 500, check::host_changes_nothing);
}

/// As [`the_ledgers_are_exact`], for longer.
#[test]
#[ignore = "minutes"]
fn the_ledgers_are_exact_at_length() {
    hold(10_000, check::ledgers_are_exact);
}
