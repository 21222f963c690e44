//! Ctrl-C on a run under way: the report so far comes out, whole, and says what it is.

use crate::common::{command, scratch};
use std::io::{BufRead, BufReader, Read};
use std::process::{Command, Stdio};

fn interrupt(process: u32) {
    let sent = Command::new("kill").args(["-INT", &process.to_string()]).status().expect("there is a kill");
    assert!(sent.success());
}

/// A run of minutes, interrupted when it has told of its progress once.
#[test]
fn ctrl_c_ends_a_run_with_the_report_so_far() {
    let json = scratch("interrupt").join("report.json");
    let mut run = command(&["run", "matmul-tiled", "--size", "2048", "--progress", "always", "--json"])
        .arg(&json)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it runs");
    let mut errors = BufReader::new(run.stderr.take().expect("it is piped"));
    let mut line = String::new();
    errors.read_line(&mut line).expect("it is text");
    for part in ["matmul_tiled: ", " of 16,384 blocks, ", " cycles, ", " M warp instructions/s, ", " left"] {
        assert!(line.contains(part), "{part} is not in {line}");
    }
    interrupt(run.id());
    let (mut out, mut rest) = (String::new(), String::new());
    run.stdout.take().expect("it is piped").read_to_string(&mut out).expect("it is text");
    errors.read_to_string(&mut rest).expect("it is text");
    assert_eq!(run.wait().expect("it ends").code(), Some(130), "{rest}");
    assert!(rest.contains("interrupted: kernel `matmul_tiled`"), "{rest}");
    assert!(out.contains("interrupted at cycle") && out.contains("UNCHECKED"), "{out}");

    let text = std::fs::read_to_string(&json).expect("it was written");
    let document: serde_json::Value = serde_json::from_str(&text).expect("it is JSON");
    let report = &document["runs"][0];
    assert_eq!(report["verdict"]["kind"], "interrupted");
    assert_eq!(report["verdict"]["cycle"], report["timing"]["cycles"]);
    assert!(report["instructions"]["warp"].as_u64().is_some_and(|n| n > 0));
    assert_eq!(document["check"]["passed"], serde_json::Value::Null);
}

/// Points that are done when Ctrl-C comes are there, whole, and no other.
#[test]
fn ctrl_c_ends_a_sweep_with_the_points_so_far() {
    let arguments = ["--size", "16,2048,32", "--jobs", "1", "--metrics", "cycles"];
    let mut sweep = command(&["sweep", "matmul-tiled"])
        .args(arguments)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it runs");
    let mut rows = BufReader::new(sweep.stdout.take().expect("it is piped"));
    let mut read = String::new();
    // The head and the first point.
    rows.read_line(&mut read).expect("it is text");
    rows.read_line(&mut read).expect("it is text");
    interrupt(sweep.id());
    rows.read_to_string(&mut read).expect("it is text");
    let mut rest = String::new();
    sweep.stderr.take().expect("it is piped").read_to_string(&mut rest).expect("it is text");
    assert_eq!(sweep.wait().expect("it ends").code(), Some(130), "{rest}");
    let rows: Vec<&str> = read.lines().collect();
    assert!(rows.len() == 2 && rows[1].starts_with("16,finished,"), "{rows:?}");
    assert!(rest.contains("interrupted: 1 of 3 points are done"), "{rest}");
}
