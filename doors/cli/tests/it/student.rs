//! The path of a student: a program that is right and slow, its first report, and the sentence that
//! names the cause. No launch file, no other command.

use crate::common::{Run, warpsim_with};
use test_support::workspace::root;

/// Runs a program of `tests/data/student`, and returns its report as one line of words.
fn report(name: &str) -> String {
    let file = root().join("tests/data/student").join(name);
    let Run { code, stdout, stderr } =
        warpsim_with(&["run", file.to_str().expect("UTF-8"), "--chip", "fermi"]);
    assert_eq!((code, stdout.as_str()), (Some(0), "PASSED\n"), "{stderr}");
    stderr.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Checks that the report of a program has these words.
fn says(name: &str, words: &[&str]) {
    let report = report(name);
    for words in words {
        assert!(report.contains(words), "{name} does not say `{words}`:\n{report}");
    }
}

#[test]
fn sums_of_rows_are_not_coalesced() {
    says(
        "rows.cu",
        &[
            "limited by global-memory latency",
            "coalescing ! 31.88 per request; 100 % not coalesced (line 11)",
        ],
    );
}

#[test]
fn a_tile_stored_by_columns_has_bank_conflicts() {
    says("product.cu", &["limited by shared-memory bank conflicts", "bank conflicts !", "(line 16)"]);
}

#[test]
fn a_sum_with_spread_threads_diverges() {
    says("reduction.cu", &["divergence ! 73.4 % of branches (line 13); 70 % of lanes active"]);
}

#[test]
fn a_histogram_with_few_bins_waits_for_atomics() {
    says(
        "histogram.cu",
        &["limited by atomics: operations on one word, one after the other, take 99 %", "9: atomicAdd("],
    );
}

#[test]
fn a_stencil_with_too_much_shared_memory_has_few_warps() {
    says(
        "stencil.cu",
        &[
            "limited by resident warps",
            "1 of 48 warps can be resident on an SM",
            "occupancy 2 % (1 warp per SM), limited by shared memory",
        ],
    );
}
