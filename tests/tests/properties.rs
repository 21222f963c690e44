//! Do the rules always hold? Random kernels, launches and chips against the invariants of the
//! design.
//!
//! The cases are the same in every run. The ignored tests draw many more, new ones in every run:
//! `cargo test -p warpsim-tests --test properties -- --ignored`. What they find becomes a test in
//! `found.rs`.

use proptest::strategy::Strategy;
use warpsim_tests::check::{self, Checked, RESULT_CASES};
use warpsim_tests::draw::{Draw, hold};
use warpsim_tests::generate::Case;
use warpsim_tests::generate::case::case;

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

/// For random timing parameters and every policy the timed machine leaves the same bytes as the
/// functional one, and every block runs exactly once.
///
/// Tests: `timing-changes-no-result`.
#[test]
fn timing_changes_no_result() {
    hold(&case(), Draw::Same, RESULT_CASES, timed_is_functional);
}

/// What the assembler leaves out changes no byte: random programs with and without it, on both
/// machines.
///
/// Tests: `optimizing-changes-no-result`.
#[test]
fn optimization_changes_no_result() {
    hold(&case(), Draw::Same, RESULT_CASES / 2, check::optimization_changes_no_result);
}

/// Report and memory are the same bytes for any number of threads, any window, idle cycles skipped
/// or ticked.
///
/// Tests: `the-host-changes-nothing`.
#[test]
fn the_host_changes_nothing() {
    hold(&far(), Draw::Same, 32, check::host_changes_nothing);
}

/// Report and memory are the same bytes however often the host threads and their islands change.
///
/// Tests: `host-threads-follow-work`.
#[test]
fn shuffling_threads_changes_nothing() {
    hold(&case(), Draw::Same, 12, check::shuffling_changes_nothing);
}

/// Slots and warp cycles are all accounted for, once each.
///
/// Tests: `exact-breakdowns`.
#[test]
fn the_ledgers_are_exact() {
    hold(&case(), Draw::Same, 256, check::breakdowns_are_exact);
}

/// The same where some blocks deadlock, at any end that the launch can have.
///
/// Tests: `identities-at-any-end`.
#[test]
fn the_ledgers_are_exact_at_any_end() {
    hold(&case(), Draw::Same, 192, check::breakdowns_are_exact_at_any_end);
}

/// A hang, a limit or a trap stops every island in the same cycle whatever the host does, and the
/// books are exact there, too.
#[test]
fn stops_are_exact() {
    hold(&far(), Draw::Same, 24, check::stops_are_exact);
}

/// As [`timing_changes_no_result`], for longer.
#[test]
#[ignore = "minutes"]
fn timing_changes_no_result_at_length() {
    hold(&case(), Draw::New, 10_000, timed_is_functional);
}

/// As [`optimization_changes_no_result`], for longer.
#[test]
#[ignore = "minutes"]
fn optimization_changes_no_result_at_length() {
    hold(&case(), Draw::New, 10_000, check::optimization_changes_no_result);
}

/// As [`the_host_changes_nothing`], for longer.
#[test]
#[ignore = "minutes"]
fn the_host_changes_nothing_at_length() {
    hold(&far(), Draw::New, 500, check::host_changes_nothing);
}

/// As [`shuffling_threads_changes_nothing`], for longer.
#[test]
#[ignore = "minutes"]
fn shuffling_threads_changes_nothing_at_length() {
    hold(&case(), Draw::New, 1_000, check::shuffling_changes_nothing);
}

/// As [`the_ledgers_are_exact`], for longer.
#[test]
#[ignore = "minutes"]
fn the_ledgers_are_exact_at_length() {
    hold(&case(), Draw::New, 10_000, check::breakdowns_are_exact);
}

/// As [`the_ledgers_are_exact_at_any_end`], for longer.
#[test]
#[ignore = "minutes"]
fn the_ledgers_are_exact_at_any_end_at_length() {
    hold(&case(), Draw::New, 5_000, check::breakdowns_are_exact_at_any_end);
}

/// As [`stops_are_exact`], for longer.
#[test]
#[ignore = "minutes"]
fn stops_are_exact_at_length() {
    hold(&far(), Draw::New, 1_000, check::stops_are_exact);
}
