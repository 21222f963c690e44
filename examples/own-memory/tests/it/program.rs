//! The program with the components of this crate: a chip selects them by their words.

use super::{report, warpsim};

/// Shader cycles of the launch of a report.
fn cycles(report: &serde_json::Value) -> u64 {
    report["runs"][0]["timing"]["cycles"].as_u64().expect("a timed run has cycles")
}

#[test]
fn each_word_selects_its_component() {
    for (chip, set) in [
        ("fermi", "sm.l1.prefetch=stride"),
        ("fermi", "sm.throttle=miss_rate(misses: 20)"),
        ("fermi", "partition.map=exclusive_or"),
        ("gt200", "partition.map=exclusive_or"),
        ("g80", "sm.lsu.rule=covering"),
        ("gt200", "sm.lsu.rule=sectors(bytes: 64)"),
        ("g80", "partition.dram.scheduler=slices(cycles: 30)"),
    ] {
        for kernel in ["matmul-naive", "reduce-interleaved"] {
            let mine = report(kernel, chip, &["partitions=4", set]);
            let built_in = report(kernel, chip, &["partitions=4"]);
            assert!(cycles(&mine) > 0 && mine != built_in, "{kernel}, {chip}, {set}");
        }
    }
}

/// The example is the rule of capability 1.2 and 1.3, stated once more.
#[test]
fn the_covering_rule_is_the_rule_of_segments() {
    for kernel in ["block-transpose", "matmul-naive", "vecadd", "matmul-16x16-1x1"] {
        let [built_in, mine] = ["segments", "covering"].map(|rule| {
            let mut report = report(kernel, "gt200", &[&format!("sm.lsu.rule={rule}")]);
            report["runs"][0]["timing"].take()
        });
        assert_eq!(built_in, mine, "{kernel}");
    }
}

#[test]
fn wrong_words_are_refused() {
    for (set, message) in [
        ("partition.map=exclusive", "did you mean `exclusive_or`?"),
        ("sm.lsu.rule=sectors(bytes: 16)", "bytes is out of range: 16"),
        ("sm.throttle=miss_rate(hits: 3)", "hits"),
    ] {
        let (code, _, stderr) = warpsim(&["run", "vecadd", "--chip", "g80", "--set", set]);
        assert!(code == 2 && stderr.contains(message), "{set}: {stderr}");
    }
    // Caches need the messages of the rule `lines`.
    let (code, _, stderr) = warpsim(&["run", "vecadd", "--chip", "fermi", "--set", "sm.lsu.rule=covering"]);
    assert!(code == 2 && stderr.contains("requires the coalescing rule `lines`"), "{stderr}");
}
