//! Ctrl-C on a run under way: the report so far comes out, whole, and says what it is.

use crate::common::{command, scratch};
use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

fn interrupt(process: u32) {
    send("-INT", process);
}

fn send(signal: &str, process: u32) {
    let sent = Command::new("kill").args([signal, &process.to_string()]).status().expect("there is a kill");
    assert!(sent.success());
}

/// Whether the tests run under `nohup`, so that the program ignores hangups too.
fn hangups_are_ignored() -> bool {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask =
        status.lines().find_map(|line| u64::from_str_radix(line.strip_prefix("SigIgn:")?.trim(), 16).ok());
    mask.is_some_and(|mask| mask & 1 != 0)
}

/// A run of minutes, interrupted when it has told of its progress once.
///
/// Tests: `interrupts`.
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
    for part in ["matmul_tiled: ", " of 16,384 blocks, ", " cycles, ", " M warp instructions/s"] {
        assert!(line.contains(part), "{part} is not in {line}");
    }
    interrupt(run.id());
    let (mut out, mut rest) = (String::new(), String::new());
    run.stdout.take().expect("it is piped").read_to_string(&mut out).expect("it is text");
    errors.read_to_string(&mut rest).expect("it is text");
    assert_eq!(run.wait().expect("it ends").code(), Some(130), "{rest}");
    assert!(rest.contains("interrupted: kernel `matmul_tiled`"), "{rest}");
    // Where the resident warps were.
    for part in ["SM 0 slot 0: block (", ", warp 0", "blocks have not started (from block ", "help: "] {
        assert!(rest.contains(part), "{part} is not in {rest}");
    }
    assert!(out.contains("interrupted at cycle") && out.contains("UNCHECKED"), "{out}");

    let text = std::fs::read_to_string(&json).expect("it was written");
    let document: serde_json::Value = serde_json::from_str(&text).expect("it is JSON");
    let report = &document["runs"][0];
    assert_eq!(report["verdict"]["kind"], "interrupted");
    assert_eq!(report["verdict"]["cycle"], report["timing"]["cycles"]);
    let stuck = &report["verdict"]["stuck"];
    assert!(stuck["warps"].as_array().is_some_and(|warps| !warps.is_empty()), "{stuck}");
    assert!(report["instructions"]["warp"].as_u64().is_some_and(|n| n > 0));
    assert_eq!(document["check"]["passed"], serde_json::Value::Null);
}

/// Points that are done when Ctrl-C comes are there, whole, and no other.
///
/// Tests: `interrupts`.
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

/// The files of a folder.
fn files(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("it is there").map(|entry| entry.expect("it can be read"));
    entries.map(|entry| entry.file_name().into_string().expect("UTF-8")).collect()
}

/// Starts the program, which writes a file of `folder`, and waits until it has begun one.
fn begun(arguments: &[&str], folder: &Path) -> Child {
    let mut command = command(arguments);
    let child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().expect("it runs");
    while files(folder).is_empty() {
        std::thread::sleep(Duration::from_millis(5));
    }
    child
}

/// Waits for its end: exit code and standard error.
fn ended(mut child: Child) -> (Option<i32>, String) {
    let mut told = String::new();
    child.stderr.take().expect("it is piped").read_to_string(&mut told).expect("it is text");
    (child.wait().expect("it ends").code(), told)
}

/// What has been traced by then is written, whole.
///
/// Tests: `interrupts`.
#[test]
fn ctrl_c_ends_a_trace_with_what_there_is() {
    let folder = scratch("interrupt-trace");
    let out = folder.join("trace.txt");
    let path = out.to_str().expect("UTF-8");
    let trace = begun(&["trace", "matmul-tiled", "--size", "2048", "--out", path], &folder);
    // The first piece has been written, so the launch is under way.
    let grown = |file: &String| fs::metadata(folder.join(file)).is_ok_and(|m| m.len() > 0);
    while !files(&folder).iter().any(grown) {
        std::thread::sleep(Duration::from_millis(5));
    }
    interrupt(trace.id());
    let (code, told) = ended(trace);
    assert_eq!(code, Some(130), "{told}");
    assert!(
        told.contains("Ctrl-C received") && told.contains("interrupted: kernel `matmul_tiled`"),
        "{told}"
    );
    assert_eq!(files(&folder), ["trace.txt"]);
}

/// A command that does not listen ends at once; no half of a file is left.
///
/// Tests: `interrupts`.
#[test]
fn ctrl_c_leaves_no_temporary_file() {
    let folder = scratch("interrupt-validate");
    let out = folder.join("page.md");
    let validate = begun(&["validate", "--jobs", "1", "--markdown", out.to_str().expect("UTF-8")], &folder);
    interrupt(validate.id());
    let (code, told) = ended(validate);
    assert_eq!((code, told.as_str()), (Some(130), ""));
    assert_eq!(files(&folder), [] as [&str; 0]);
}

/// The second one does not wait for a report.
///
/// Tests: `interrupts`.
#[test]
fn ctrl_c_twice_ends_at_once_and_leaves_no_temporary_file() {
    let folder = scratch("interrupt-twice");
    let out = folder.join("page.md");
    let book = begun(&["book", "all", "--jobs", "1", "--markdown", out.to_str().expect("UTF-8")], &folder);
    interrupt(book.id());
    interrupt(book.id());
    let (code, told) = ended(book);
    assert_eq!(code, Some(130), "{told}");
    assert!(files(&folder).iter().all(|file| file == "page.md"), "{:?}", files(&folder));
}

/// A system that shuts down and a terminal that closes are heard as Ctrl-C is: the report comes,
/// and the exit code names the signal.
///
/// Tests: `interrupts`.
#[test]
fn termination_and_hangup_end_a_run_with_the_report_so_far() {
    for (signal, code) in [("-TERM", 143), ("-HUP", 129)] {
        if signal == "-HUP" && hangups_are_ignored() {
            continue;
        }
        let folder = scratch(&format!("interrupt{signal}"));
        let out = folder.join("report.json");
        let path = out.to_str().expect("UTF-8");
        let arguments = ["run", "matmul-tiled", "--size", "2048", "--progress", "always", "--json", path];
        let mut run =
            command(&arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it runs");
        let mut errors = BufReader::new(run.stderr.take().expect("it is piped"));
        let mut line = String::new();
        errors.read_line(&mut line).expect("it is text");
        send(signal, run.id());
        let (mut printed, mut rest) = (String::new(), String::new());
        run.stdout.take().expect("it is piped").read_to_string(&mut printed).expect("it is text");
        errors.read_to_string(&mut rest).expect("it is text");
        assert_eq!(run.wait().expect("it ends").code(), Some(code), "{rest}");
        assert!(printed.contains("interrupted at cycle"), "{printed}");
        assert_eq!(files(&folder), ["report.json"]);
    }
}

/// A command without a report so far ends at once, and leaves no temporary file.
///
/// Tests: `interrupts`.
#[test]
fn termination_and_hangup_leave_no_temporary_file() {
    for (signal, code) in [("-TERM", 143), ("-HUP", 129)] {
        if signal == "-HUP" && hangups_are_ignored() {
            continue;
        }
        let folder = scratch(&format!("interrupt-validate{signal}"));
        let out = folder.join("page.md");
        let path = out.to_str().expect("UTF-8");
        let validate = begun(&["validate", "--jobs", "1", "--markdown", path], &folder);
        send(signal, validate.id());
        let (ended, told) = ended(validate);
        assert_eq!((ended, told.as_str()), (Some(code), ""));
        assert_eq!(files(&folder), [] as [&str; 0]);
    }
}
