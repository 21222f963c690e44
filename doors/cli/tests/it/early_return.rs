//! Threads that return before a barrier: the program of `tests/data/early_return` with the embedded
//! compiler, under the checkers, and under all schedules.
//!
//! Tests: `exits-are-exits`.

use crate::common::{Run, warpsim};

const FOLDER: &str = "../../../../tests/data/early_return";
const EXPECTED: &str = include_str!("../../../../tests/data/early_return/expected.tsv");

fn assert_expected(arguments: &str) {
    let Run { code, stdout, stderr } =
        warpsim(&format!("run {FOLDER}/kernels.cu --compiler embedded {arguments}"));
    assert_eq!(code, Some(0), "{arguments}: {stdout}{stderr}");
    for line in EXPECTED.lines() {
        assert!(stdout.lines().any(|printed| printed == line), "{arguments}: no {line}\n{stdout}");
    }
    assert!(!stderr.contains("error["), "{arguments}: {stderr}");
}

#[test]
fn the_embedded_compiler_lets_threads_return() {
    for chip in ["g80", "gt200", "fermi"] {
        assert_expected(&format!("--chip {chip}"));
        assert_expected(&format!("--chip {chip} --functional"));
    }
}

/// The checkers do not call a return a mistake.
#[test]
fn a_return_before_a_barrier_is_no_finding() {
    assert_expected("--chip fermi --check sync");
}

#[test]
fn every_schedule_lets_threads_return() {
    for chip in ["g80", "fermi"] {
        let Run { code, stdout, stderr } =
            warpsim(&format!("explore {FOLDER}/shapes.ptx --launch {FOLDER}/works.ron --chip {chip}"));
        assert_eq!(code, Some(0), "{stdout}{stderr}");
        assert!(stdout.contains("as expected"), "{stdout}");
    }
}
