//! Tests of the short report: its text for ten kernels on three chips, and the experiments of
//! `--why`.

use crate::common::{Run, scratch, warpsim, warpsim_with};
use serde_json::Value;

/// Kernels with a size at which they take a fraction of a second.
const KERNELS: [(&str, &str); 10] = [
    ("vecadd", "16384"),
    ("matmul-naive", "64"),
    ("matmul-tiled", "64"),
    ("matmul-16x16-1x2-prefetch", "64"),
    ("reduce-interleaved", "8192"),
    ("reduce-halving", "8192"),
    ("dot-product", "64"),
    ("block-transpose", "64"),
    ("coulomb-v3", "32"),
    ("mri-fhd-sfu", "4"),
];

/// Runs a kernel and returns its report.
fn report(line: &str) -> String {
    let Run { code, stdout, stderr } = warpsim(line);
    assert_eq!(code, Some(0), "{line}: {stderr}");
    stdout
}

#[test]
fn ten_kernels_on_three_chips() {
    for (kernel, size) in KERNELS {
        let mut all = String::new();
        for chip in ["g80", "gt200", "fermi"] {
            let text = report(&format!("run {kernel} --size {size} --chip {chip}"));
            let lines = text.lines().count();
            assert!(lines <= 27, "{kernel} on {chip} takes {lines} lines\n{text}");
            assert!(text.lines().all(|l| l.chars().count() <= 80 && l == l.trim_end()), "{text}");
            assert!(text.contains("\nlimited by "), "{text}");
            all += &text;
            all.push('\n');
        }
        insta::assert_snapshot!(kernel, all);
    }
}

#[test]
fn overrides_and_options_are_stated() {
    let text = report(
        "run matmul-tiled --chip g80 --size 64 --set sm.max_warps=48 --registers 11 -O0 --barriers hardware",
    );
    for part in [
        "sm.max_warps=48",
        "sm.max_warps=48 has no effect: sm.max_threads=768 allows 24 warps",
        "-O0",
        "--barriers hardware",
    ] {
        assert!(text.contains(part), "{part} is missing in\n{text}");
    }
}

#[test]
fn the_known_error_of_the_naive_product_is_stated() {
    assert!(report("run matmul-naive --chip g80 --size 32").contains("known error: "));
    assert!(!report("run matmul-naive --size 32 --chip gt200").contains("known error: "));
}

#[test]
fn details_leave_out_rows_that_are_zero() {
    let most = report("run vecadd --chip g80 --size 3200 --details");
    let all = report("run vecadd --chip g80 --size 3200 --details=all");
    assert!(!most.contains("replayed: bank conflict") && all.contains("replayed: bank conflict"), "{most}");
    assert!(most.contains("equals all slots: ") && most.contains("equals resident warp cycles: "), "{most}");
}

#[test]
fn experiments_confirm_the_limit() {
    let Run { code, stdout, .. } = warpsim("run matmul-tiled --chip g80 --size 64 --why --json -");
    assert_eq!(code, Some(0));
    let document: Value = serde_json::from_str(&stdout).expect("JSON");
    let why = &document["why"];
    assert_eq!(why["limited_by"], document["runs"][0]["timing"]["limits"]["limited_by"]);
    assert_eq!((&why["limited_by"], &why["confirmed"]), (&Value::from("issue_rate"), &Value::from(true)));
    let gains = why["gains"].as_array().expect("a list");
    assert!(gains.len() > 10 && gains[0]["twice"].as_f64() > Some(1.2), "{gains:?}");
    let (program, kernels) = gains.split_last().expect("gains");
    assert_eq!(program["resource"], "pcie", "what counts the whole program is last");
    assert!(
        kernels.windows(2).all(|pair| pair[0]["twice"].as_f64() >= pair[1]["twice"].as_f64()),
        "largest first"
    );
}

#[test]
fn an_override_without_effect_is_found_by_experiment() {
    let text = report(
        "run vecadd --chip g80 --size 3200 --why --set sm.lsu.same_word=one_transfer --set clocks.memory_mhz=300",
    );
    assert!(text.contains("sm.lsu.same_word=one_transfer: no effect"), "{text}");
    assert!(
        text.contains("clocks.memory_mhz=300: ") && text.contains("times as slow as without it"),
        "{text}"
    );
}

#[test]
fn experiments_need_time() {
    for options in ["--functional", "--racecheck", "--sample"] {
        let Run { code, stderr, .. } = warpsim(&format!("run vecadd --chip g80 --size 3200 --why {options}"));
        assert_eq!(code, Some(2), "{options}");
        assert!(stderr.contains("--why compares times of whole runs"), "{stderr}");
    }
}

#[test]
fn the_shares_of_the_slots_sum_to_one() {
    for chip in ["g80", "gt200", "fermi", "gtx460"] {
        let Run { code, stdout, .. } =
            warpsim(&format!("run matmul-tiled-8 --size 48 --chip {chip} --json -"));
        assert_eq!(code, Some(0));
        let document: Value = serde_json::from_str(&stdout).expect("JSON");
        let shares = document["runs"][0]["timing"]["limits"]["slots"].as_object().expect("an object");
        let sum: f64 = shares.values().map(|share| share.as_f64().expect("a number")).sum();
        assert!((sum - 1.0).abs() < 1e-9, "{chip}: {shares:?}");
    }
}

#[test]
fn a_kernel_that_traps_keeps_its_report_under_why() {
    let launch = scratch("why").join("trap.ron");
    let text = "(entry: \"out_of_bounds\", grid: 2, block: 64, params: [buf(\"o\")], buffers: {\"o\": (type: u32, len: 64)})";
    std::fs::write(&launch, text).expect("written");
    let launch = launch.to_str().expect("UTF-8");
    let Run { code, stdout, stderr } =
        warpsim_with(&["run", "endings.ptx", "--chip", "g80", "--launch", launch, "--why"]);
    assert_eq!(code, Some(3), "{stderr}");
    assert!(stdout.starts_with("ended      trapped") && !stdout.contains("\nlimited by "), "{stdout}");
    assert!(stderr.contains("is out of bounds") && stderr.contains("--why needs a timed run"), "{stderr}");
}

/// A field with the name of an SM's resource in another part of the chip is not taken for the
/// resource.
#[test]
fn only_the_resources_of_the_sm_are_compared() {
    let with =
        |set: &str| report(&format!("run vecadd --size 3200 --chip fermi --cache prefer-l1 --set {set}"));
    assert!(!with("sm.l1.prefer_l1.shared_bytes=32768").contains("has no effect"));
    assert!(with("sm.registers=65536").contains("sm.registers=65536 has no effect: "));
}
