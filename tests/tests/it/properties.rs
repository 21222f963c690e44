//! Checks the invariants of the design with random kernels, launches and chips.
//!
//! The cases are the same in every run. The ignored tests draw many more cases, new ones in every
//! run: `cargo test -p warpsim-tests --test it properties:: -- --ignored`. A case that fails
//! becomes a test in `found.rs`.

use proptest::strategy::Strategy;
use warpsim_check::draw::Checked;
use warpsim_check::draw::{Draw, for_all};
use warpsim_check::generate::Case;
use warpsim_check::generate::case::case;
use warpsim_check::properties::host_changes_nothing;
use warpsim_check::run::Prepared;
use warpsim_tests::check::{self, RESULT_CASES};

/// Chips with longer crossbars, so that runs have fewer windows.
fn far() -> impl Strategy<Value = Case> {
    (case(), 40u32..200).prop_map(|(case, latency)| {
        let launch = (2 * latency + 50).to_string();
        let sets = [("crossbar.latency", &*latency.to_string()), ("dispatch.launch_cycles", &*launch)];
        Case { chip: case.chip.with(&sets), ..case }
    })
}

fn timed_is_functional(case: &Case) -> Checked {
    check::timed_is_functional(case, None)
}

/// For random timing parameters and every policy, timed mode leaves the same bytes as functional
/// mode, and every block runs exactly once.
///
/// Tests: `timing-changes-no-result`.
#[test]
fn timing_changes_no_result() {
    for_all(&case(), Draw::Same, RESULT_CASES, timed_is_functional);
}

/// The assembler's optimizations change no byte: random programs with and without them, in both
/// modes.
///
/// Tests: `optimizing-changes-no-result`.
#[test]
fn optimization_changes_no_result() {
    for_all(&case(), Draw::Same, RESULT_CASES / 2, check::optimization_changes_no_result);
}

/// A schedule and spilled registers change no byte.
///
/// Tests: `scheduling-changes-no-result`, `spilling-changes-no-result`.
#[test]
fn schedules_and_register_limits_change_no_result() {
    for_all(&case(), Draw::Same, RESULT_CASES / 2, check::register_limits_change_no_result);
}

/// Report and memory have the same bytes for any number of threads and any window, and whether idle
/// cycles are skipped or simulated.
///
/// Tests: `the-host-changes-nothing`.
#[test]
fn the_host_changes_nothing() {
    for_all(&far(), Draw::Same, 32, |case| host_changes_nothing(&Prepared::new(case)));
}

/// Report and memory have the same bytes for any assignment of components to host threads, even if
/// it changes often.
///
/// Tests: `host-threads-follow-work`.
#[test]
fn shuffling_threads_changes_nothing() {
    for_all(&case(), Draw::Same, 12, check::shuffling_changes_nothing);
}

/// Every issue slot and every warp cycle is counted exactly once.
///
/// Tests: `exact-breakdowns`.
#[test]
fn the_breakdowns_are_exact() {
    for_all(&case(), Draw::Same, 256, check::breakdowns_are_exact);
}

/// The same if some blocks deadlock, for any end that the launch can have.
///
/// Tests: `identities-at-any-end`.
#[test]
fn the_breakdowns_are_exact_at_any_end() {
    for_all(&case(), Draw::Same, 192, check::breakdowns_are_exact_at_any_end);
}

/// A hang, a limit or a trap stops every component in the same cycle with any settings of the host,
/// and the breakdowns are exact there, too.
#[test]
fn stops_are_exact() {
    for_all(&far(), Draw::Same, 24, check::stops_are_exact);
}

/// The same as [`timing_changes_no_result`], with more cases.
#[test]
#[ignore = "minutes"]
fn timing_changes_no_result_at_length() {
    for_all(&case(), Draw::New, 10_000, timed_is_functional);
}

/// The same as [`optimization_changes_no_result`], with more cases.
#[test]
#[ignore = "minutes"]
fn optimization_changes_no_result_at_length() {
    for_all(&case(), Draw::New, 10_000, check::optimization_changes_no_result);
}

/// The same as [`schedules_and_register_limits_change_no_result`], with more cases.
#[test]
#[ignore = "minutes"]
fn schedules_and_register_limits_change_no_result_at_length() {
    for_all(&case(), Draw::New, 10_000, check::register_limits_change_no_result);
}

/// The same as [`the_host_changes_nothing`], with more cases.
#[test]
#[ignore = "minutes"]
fn the_host_changes_nothing_at_length() {
    for_all(&far(), Draw::New, 500, |case| host_changes_nothing(&Prepared::new(case)));
}

/// The same as [`shuffling_threads_changes_nothing`], with more cases.
#[test]
#[ignore = "minutes"]
fn shuffling_threads_changes_nothing_at_length() {
    for_all(&case(), Draw::New, 1_000, check::shuffling_changes_nothing);
}

/// The same as [`the_breakdowns_are_exact`], with more cases.
#[test]
#[ignore = "minutes"]
fn the_breakdowns_are_exact_at_length() {
    for_all(&case(), Draw::New, 10_000, check::breakdowns_are_exact);
}

/// The same as [`the_breakdowns_are_exact_at_any_end`], with more cases.
#[test]
#[ignore = "minutes"]
fn the_breakdowns_are_exact_at_any_end_at_length() {
    for_all(&case(), Draw::New, 5_000, check::breakdowns_are_exact_at_any_end);
}

/// The same as [`stops_are_exact`], with more cases.
#[test]
#[ignore = "minutes"]
fn stops_are_exact_at_length() {
    for_all(&far(), Draw::New, 1_000, check::stops_are_exact);
}
