//! Tests of Ctrl-C during a run: the report so far is printed completely, and states the
//! interruption.

use crate::common::{command, scratch};
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

fn interrupt(process: u32) {
    send("-INT", process);
}

fn send(signal: &str, process: u32) {
    let sent = Command::new("kill").args([signal, &process.to_string()]).status().expect("kill exists");
    assert!(sent.success());
}

/// Whether the tests run under `nohup`, so that the program also ignores hangups.
fn hangups_are_ignored() -> bool {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask =
        status.lines().find_map(|line| u64::from_str_radix(line.strip_prefix("SigIgn:")?.trim(), 16).ok());
    mask.is_some_and(|mask| mask & 1 != 0)
}

/// A run of minutes is interrupted after its first progress line.
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
        .expect("the program starts");
    let mut errors = BufReader::new(run.stderr.take().expect("a pipe"));
    let mut line = String::new();
    errors.read_line(&mut line).expect("UTF-8");
    for part in ["matmul_tiled: ", " of 16,384 blocks, ", " cycles, ", " M warp instructions/s"] {
        assert!(line.contains(part), "{part} is not in {line}");
    }
    interrupt(run.id());
    let (mut out, mut rest) = (String::new(), String::new());
    run.stdout.take().expect("a pipe").read_to_string(&mut out).expect("UTF-8");
    errors.read_to_string(&mut rest).expect("UTF-8");
    assert_eq!(run.wait().expect("it ends").code(), Some(130), "{rest}");
    assert!(rest.contains("interrupted: kernel `matmul_tiled`"), "{rest}");
    // The positions of the resident warps.
    for part in ["SM 0 slot 0: block (", ", warp 0", "blocks have not started (from block ", "help: "] {
        assert!(rest.contains(part), "{part} is not in {rest}");
    }
    assert!(out.contains("interrupted at cycle") && out.contains("UNCHECKED"), "{out}");

    let text = std::fs::read_to_string(&json).expect("the file was written");
    let document: serde_json::Value = serde_json::from_str(&text).expect("valid JSON");
    let report = &document["runs"][0];
    assert_eq!(report["verdict"]["kind"], "interrupted");
    assert_eq!(report["verdict"]["cycle"], report["timing"]["cycles"]);
    let stuck = &report["verdict"]["stuck"];
    assert!(stuck["warps"].as_array().is_some_and(|warps| !warps.is_empty()), "{stuck}");
    assert!(report["instructions"]["warp"].as_u64().is_some_and(|n| n > 0));
    assert_eq!(document["check"]["passed"], serde_json::Value::Null);
}

/// Exactly the points that are finished at Ctrl-C have a row.
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
        .expect("the program starts");
    let mut rows = BufReader::new(sweep.stdout.take().expect("a pipe"));
    let mut read = String::new();
    // The head and the first point.
    rows.read_line(&mut read).expect("UTF-8");
    rows.read_line(&mut read).expect("UTF-8");
    interrupt(sweep.id());
    rows.read_to_string(&mut read).expect("UTF-8");
    let mut rest = String::new();
    sweep.stderr.take().expect("a pipe").read_to_string(&mut rest).expect("UTF-8");
    assert_eq!(sweep.wait().expect("it ends").code(), Some(130), "{rest}");
    let rows: Vec<&str> = read.lines().collect();
    assert!(rows.len() == 2 && rows[1].starts_with("16,finished,"), "{rows:?}");
    assert!(rest.contains("interrupted: 1 of 3 points are done"), "{rest}");
}

/// A signal also ends the host code of a program, and the point that it stops is no row: its exit
/// code is that of the signal, not of the program.
///
/// Tests: `interrupts`.
#[test]
fn ctrl_c_ends_the_host_code_of_a_sweep_without_a_row() {
    let file = scratch("interrupt-host-code").join("endless.cu");
    let program = "__global__ void fill(int *x) { x[threadIdx.x] = 1; }
int main() {
    int *x;
    cudaMalloc(&x, 4096);
    fill<<<1, 32>>>(x);
    cudaThreadSynchronize();
    for (volatile int i = 0;;) i = 0;
}
";
    fs::write(&file, program).expect("the folder is writable");
    let mut sweep = command(&["sweep", file.to_str().expect("UTF-8"), "--metrics", "cycles"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut rows = BufReader::new(sweep.stdout.take().expect("a pipe"));
    let mut read = String::new();
    rows.read_line(&mut read).expect("UTF-8");
    while processor_time(sweep.id()).is_some_and(|ticks| ticks < 20) {
        std::thread::sleep(Duration::from_millis(5));
    }
    interrupt(sweep.id());
    rows.read_to_string(&mut read).expect("UTF-8");
    let (code, rest) = ended(sweep);
    assert_eq!((code, read.lines().count()), (Some(130), 1), "{read}{rest}");
    assert!(rest.contains("interrupted: 0 of 1 points are done"), "{rest}");
}

/// Returns the names of the files of a folder.
fn files(folder: &Path) -> Vec<String> {
    let entries =
        fs::read_dir(folder).expect("the folder exists").map(|entry| entry.expect("a readable entry"));
    entries.map(|entry| entry.file_name().into_string().expect("UTF-8")).collect()
}

/// Starts the program, which writes a file in `folder`, and waits until it has created one.
fn started(arguments: &[&str], folder: &Path) -> Child {
    let mut command = command(arguments);
    let child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().expect("the program starts");
    while files(folder).is_empty() {
        std::thread::sleep(Duration::from_millis(5));
    }
    child
}

/// Waits for the end of the program; returns exit code and standard error.
fn ended(mut child: Child) -> (Option<i32>, String) {
    let mut errors = String::new();
    child.stderr.take().expect("a pipe").read_to_string(&mut errors).expect("UTF-8");
    (child.wait().expect("it ends").code(), errors)
}

/// The trace up to the interruption is written completely.
///
/// Tests: `interrupts`.
#[test]
fn ctrl_c_ends_a_trace_with_the_events_so_far() {
    let folder = scratch("interrupt-trace");
    let out = folder.join("trace.txt");
    let path = out.to_str().expect("UTF-8");
    let trace = started(&["trace", "matmul-tiled", "--size", "2048", "--out", path], &folder);
    // The first part has been written, so the launch is running.
    let grown = |file: &String| fs::metadata(folder.join(file)).is_ok_and(|m| m.len() > 0);
    while !files(&folder).iter().any(grown) {
        std::thread::sleep(Duration::from_millis(5));
    }
    interrupt(trace.id());
    let (code, errors) = ended(trace);
    assert_eq!(code, Some(130), "{errors}");
    assert!(
        errors.contains("Ctrl-C received") && errors.contains("interrupted: kernel `matmul_tiled`"),
        "{errors}"
    );
    assert_eq!(files(&folder), ["trace.txt"]);
}

/// A command that does not handle Ctrl-C ends immediately, without a partial file.
///
/// Tests: `interrupts`.
#[test]
fn ctrl_c_leaves_no_temporary_file() {
    let folder = scratch("interrupt-validate");
    let out = folder.join("page.md");
    let validate = started(&["validate", "--jobs", "1", "--markdown", out.to_str().expect("UTF-8")], &folder);
    interrupt(validate.id());
    let (code, errors) = ended(validate);
    assert_eq!((code, errors.as_str()), (Some(130), ""));
    assert_eq!(files(&folder), [] as [&str; 0]);
}

/// The second Ctrl-C does not wait for a report.
///
/// Tests: `interrupts`.
#[test]
fn a_second_ctrl_c_ends_immediately_and_leaves_no_temporary_file() {
    let folder = scratch("interrupt-twice");
    let out = folder.join("page.md");
    let book = started(&["book", "all", "--jobs", "1", "--markdown", out.to_str().expect("UTF-8")], &folder);
    interrupt(book.id());
    interrupt(book.id());
    let (code, errors) = ended(book);
    assert_eq!(code, Some(130), "{errors}");
    assert!(files(&folder).iter().all(|file| file == "page.md"), "{:?}", files(&folder));
}

/// A system shutdown and a closing terminal are handled like Ctrl-C: the report is printed, and the
/// exit code names the signal.
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
        let mut run = command(&arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let mut errors = BufReader::new(run.stderr.take().expect("a pipe"));
        let mut line = String::new();
        errors.read_line(&mut line).expect("UTF-8");
        send(signal, run.id());
        let (mut printed, mut rest) = (String::new(), String::new());
        run.stdout.take().expect("a pipe").read_to_string(&mut printed).expect("UTF-8");
        errors.read_to_string(&mut rest).expect("UTF-8");
        assert_eq!(run.wait().expect("it ends").code(), Some(code), "{rest}");
        assert!(printed.contains("interrupted at cycle"), "{printed}");
        assert_eq!(files(&folder), ["report.json"]);
    }
}

/// A command without a partial report ends immediately, without a temporary file.
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
        let validate = started(&["validate", "--jobs", "1", "--markdown", path], &folder);
        send(signal, validate.id());
        let (ended, errors) = ended(validate);
        assert_eq!((ended, errors.as_str()), (Some(code), ""));
        assert_eq!(files(&folder), [] as [&str; 0]);
    }
}

/// Returns the processor time of a process, in clock ticks; `None` after its end.
fn processor_time(process: u32) -> Option<u64> {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    let fields: Vec<&str> = stat.rsplit_once(") ")?.1.split(' ').collect();
    Some(fields.get(11)?.parse::<u64>().ok()? + fields.get(12)?.parse::<u64>().ok()?)
}

/// After the last launch the program writes its picture into a pipe that is full.
///
/// Tests: `interrupts`.
#[cfg(target_os = "linux")]
#[test]
fn a_signal_after_the_last_launch_ends_the_program() {
    let pipe = scratch("interrupt-pipe").join("picture.svg");
    assert!(Command::new("mkfifo").arg(&pipe).status().expect("mkfifo exists").success());
    // Opened for reading and writing, a pipe waits for no other process. It has 64 KiB.
    let mut end = fs::File::options().read(true).write(true).open(&pipe).expect("a pipe");
    end.write_all(&vec![b' '; 1 << 16]).expect("it is empty");
    for (signal, code) in [("-TERM", 143), ("-INT", 130)] {
        let mut picture = command(&["picture", "stalls", "vecadd", "--size", "512", "--svg"])
            .arg(&pipe)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("the program starts");
        // It waits when it needs no more processor time: possibly less than a tick in all.
        let (mut before, mut equal) = (None, 0);
        while equal < 20 {
            std::thread::sleep(Duration::from_millis(100));
            let now = processor_time(picture.id());
            equal = if now.is_some() && now == before { equal + 1 } else { 0 };
            before = now;
            assert_eq!(picture.try_wait().expect("it exists"), None, "the pipe is full");
        }
        send(signal, picture.id());
        let ended = (0..300).find_map(|_| {
            std::thread::sleep(Duration::from_millis(100));
            picture.try_wait().expect("it exists")
        });
        if ended.is_none() {
            picture.kill().expect("it runs");
        }
        assert_eq!(ended.and_then(|status| status.code()), Some(code), "{signal}");
    }
}
