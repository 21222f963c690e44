//! Mapped host memory in launch files: results, report, and errors.

use crate::common::{Run, scratch, warpsim_with};
use serde_json::Value;
use std::fs;

const EXAMPLE: &str = include_str!("../../../../kernels/launch/vecadd_mapped.ron");
const PTX: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../kernels/ptx/vecadd.ptx");

/// Runs the vector addition with a launch file.
fn run(name: &str, launch: &str, more: &[&str]) -> Run {
    let path = scratch(name).join("mapped.ron");
    fs::write(&path, launch).expect("written");
    warpsim_with(&[&["run", PTX, "--launch", path.to_str().expect("UTF-8")], more].concat())
}

/// Returns the JSON document of a run that is accepted.
fn document(name: &str, launch: &str, chip: &str) -> Value {
    let Run { code, stdout, stderr } = run(name, launch, &["--chip", chip, "--json", "-"]);
    assert_eq!(code, Some(0), "{stderr}");
    serde_json::from_str(&stdout).expect("a document")
}

/// Returns the error of a file in which `from` is replaced by `to`, and its exit code.
fn error(name: &str, from: &str, to: &str, chip: &str) -> (Option<i32>, String) {
    assert!(EXAMPLE.contains(from), "{from}");
    let Run { code, stderr, .. } = run(name, &EXAMPLE.replacen(from, to, 1), &["--chip", chip]);
    (code, stderr)
}

#[test]
fn a_mapped_buffer_is_accessed_and_not_copied() {
    for chip in ["gt200", "c2050"] {
        let document = document("mapped-run", EXAMPLE, chip);
        assert_eq!(document["check"]["passed"], true);
        let events = document["timeline"]["events"].as_array().expect("a list");
        assert_eq!(events.len(), 1, "{chip}: {events:?}");
        let report = &document["runs"][0]["timing"];
        let mapped = &report["mapped"];
        let bytes = [&mapped["read_bytes"], &mapped["write_bytes"]].map(Value::as_u64);
        assert_eq!(bytes, [Some(2 * 4 * 65536), Some(4 * 65536)], "{chip}: {report}");
        assert_eq!(report["limits"]["limited_by"], "pcie", "{chip}: {report}");
        let link = report["limits"]["used"]["link"].as_f64().expect("a share");
        assert!((0.8..=1.0).contains(&link), "{chip}: {link}");
    }
    // Only the result is mapped.
    let text = EXAMPLE.replacen(", memory: mapped", "", 2);
    let document = document("mapped-result", &text, "gt200");
    assert_eq!(document["timeline"]["events"].as_array().map(Vec::len), Some(3));
    assert_eq!(document["runs"][0]["timing"]["mapped"]["read_bytes"], 0);
}

#[test]
fn the_report_has_a_section_only_with_mapped_memory() {
    let Run { code, stdout, stderr } = run("mapped-text", EXAMPLE, &["--chip", "fermi", "--details"]);
    assert_eq!(code, Some(0), "{stderr}");
    for part in ["Mapped host memory", "read over the link", "524,288 bytes"] {
        assert!(stdout.contains(part), "{part} is missing in\n{stdout}");
    }
    let text = EXAMPLE.replace(", memory: mapped", "");
    let Run { stdout, .. } = run("mapped-none", &text, &["--chip", "fermi", "--details"]);
    assert!(stdout.contains("DRAM") && !stdout.contains("Mapped host memory"), "{stdout}");
}

#[test]
fn a_chip_that_cannot_map_memory_refuses_the_file() {
    let (code, text) = error("mapped-g80", "iota(0, 1)", "iota(0, 1)", "g80");
    assert_eq!(code, Some(3), "{text}");
    assert!(text.contains("chip `g80` cannot map host memory (`pcie.mapped` is false)"), "{text}");
}

#[test]
fn wrong_uses_of_mapped_buffers_are_errors_of_the_file() {
    let (code, text) = error("mapped-word", "memory: mapped", "memory: maped", "gt200");
    assert_eq!(code, Some(2), "{text}");
    assert!(text.contains("error[") && text.contains("mapped"), "{text}");

    let calls = "streams: [copy_in(stream: 1, buf: \"a\"), launch(stream: 1)],\n    expect";
    let (code, text) = error("mapped-copy", "expect", calls, "gt200");
    assert_eq!(code, Some(2), "{text}");
    assert!(text.contains("error[E0609]: buffer `a` is mapped host memory, which needs no copy"), "{text}");

    let calls = "streams: [launch(stream: 1), synchronize],\n    expect";
    let (code, text) = error("mapped-streams", "expect", calls, "gt200");
    assert_eq!(code, Some(0), "{text}");
}

#[test]
fn a_checker_names_a_mapped_buffer() {
    let text = EXAMPLE.replace("len: 65536, init: iota", "len: 65000, init: iota");
    let text = text.replace("(buf: \"c\", formula: \"a[i] + b[i]\"),", "");
    let Run { code, stdout, stderr } = run("mapped-check", &text, &["--chip", "gt200", "--check", "memory"]);
    assert_ne!(code, Some(0));
    assert!([stdout, stderr].concat().contains("`a`"));
}
