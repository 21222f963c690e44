//! Tests that the L1 shows the incoherence of silicon and no more: the litmus tests of
//! `tests/data/litmus-l1`, each on Fermi with and without its L1, with random timings.
//!
//! In each test the L1 of the reading SM contains the line of x before the race. If the file has a
//! relaxed outcome, it must be observed with an L1, and must never be observed without one. If the
//! file has none, no relaxed outcome may be observed on either chip. All other outcomes are those
//! of sequential consistency, on every chip. docs/MEMORY-MODEL.md has a table of all tests, which
//! must be complete.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use warpsim_tests::device::chip_with;
use warpsim_tests::litmus::run::Runner;
use warpsim_tests::litmus::{Litmus, Outcome, shown};

/// Smallest number of timings of a test, and the largest number while an outcome is missing.
const FEW: usize = 200;
const MOST: usize = 20_000;

fn tests() -> Vec<Litmus> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/litmus-l1");
    let mut tests: Vec<Litmus> = fs::read_dir(folder)
        .expect("the folder is readable")
        .map(|entry| {
            let path = entry.expect("a file").path();
            let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
            Litmus::read(&name, &fs::read_to_string(&path).expect("text")).unwrap_or_else(|e| panic!("{e}"))
        })
        .collect();
    tests.sort_by(|a, b| a.name.cmp(&b.name));
    assert!(tests.len() >= 7, "files are missing");
    tests
}

/// Returns chips of two Fermi SMs: with the L1, in several variants, or without an L1.
fn chips(l1: bool) -> Vec<sim_core::config::Chip> {
    let parts = |more: &[(&str, &str)]| {
        let all = [&[("clusters", "2"), ("partitions", "3")], more].concat();
        chip_with("fermi", &all)
    };
    if !l1 {
        return vec![parts(&[("sm.l1", "none")]), parts(&[("sm.l1", "none"), ("partition.l2", "none")])];
    }
    vec![
        parts(&[]),
        parts(&[("sm.l1.bytes", "1024"), ("sm.l1.hit_cycles", "5"), ("partition.l2", "none")]),
        parts(&[("sm.l1.misses", "1"), ("sm.l1.hit_cycles", "90"), ("partition.l2.misses", "2")]),
    ]
}

/// Returns the observed outcomes; continues until those of `must` have been observed.
fn seen(test: &Litmus, l1: bool, must: &[Outcome]) -> BTreeSet<Outcome> {
    let mut runner = Runner::on(test, chips(l1), 5);
    let mut seen = BTreeSet::new();
    for run in 0..MOST {
        if run >= FEW && must.iter().all(|outcome| seen.contains(outcome)) {
            break;
        }
        seen.insert(runner.timed().unwrap_or_else(|e| panic!("{}: {e}", test.name)));
    }
    seen
}

/// Tests: `stale-l1-lines`.
#[test]
fn stale_lines_are_read_only_where_silicon_reads_them() {
    for test in tests() {
        let with = seen(&test, true, &test.relaxed);
        let may = |outcome: &Outcome| test.allowed.contains(outcome) || test.relaxed.contains(outcome);
        assert!(with.iter().all(may), "{}: {with:?}", test.name);
        for outcome in &test.relaxed {
            assert!(with.contains(outcome), "{}: {} was never seen: {with:?}", test.name, shown(outcome));
        }
        let without = seen(&test, false, &test.allowed);
        assert_eq!(without, test.allowed.iter().cloned().collect(), "{} without an L1", test.name);
    }
}

#[test]
fn the_table_of_the_l1_is_complete() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/MEMORY-MODEL.md");
    let text = fs::read_to_string(path).expect("the page is readable");
    let rows: Vec<&str> = text.lines().filter(|line| line.starts_with("| **`")).collect();
    let tests = tests();
    assert_eq!(rows.len(), tests.len(), "a row for each test");
    for test in tests {
        let relaxed = test.relaxed.iter().map(|o| shown(o)).collect::<Vec<_>>().join(", ");
        let relaxed = if relaxed.is_empty() { "none" } else { &relaxed };
        let row = rows.iter().find(|row| row.starts_with(&format!("| **`{}`** |", test.name)));
        assert!(row.is_some_and(|row| row.contains(&format!("| {relaxed} |"))), "{}", test.name);
    }
}
