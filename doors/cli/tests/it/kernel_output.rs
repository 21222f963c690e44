//! Output of kernels: printed text on standard output before the report and in the JSON report,
//! failed assertions on standard error, and traps of the device heap.

use crate::common::{Run, scratch, warpsim_with};

/// Runs a kernel of `output.ptx` in one block of 3 threads, with more fields of the launch file.
fn run(entry: &str, fields: &str, options: &[&str]) -> Run {
    let folder = scratch(&format!("output-{entry}-{}-{}", fields.len(), options.concat().len()));
    let launch = folder.join("launch.ron");
    let text = format!("(entry: \"{entry}\", grid: 1, block: 3, params: []{fields})");
    std::fs::write(&launch, text).expect("written");
    let launch = launch.to_str().expect("UTF-8");
    let mut arguments = vec!["run", "output.ptx", "--launch", launch, "--chip", "fermi"];
    arguments.extend(options);
    warpsim_with(&arguments)
}

const PRINTED: &str = "thread 0: 0.000000\nthread 1: 0.500000\nthread 2: 1.000000\n";

#[test]
fn printed_text_comes_before_the_report() {
    for options in [&[][..], &["--functional"], &["--details=all"], &["-O0"]] {
        let Run { code, stdout, stderr } = run("prints", "", options);
        assert_eq!((code, stderr.as_str()), (Some(0), ""), "{options:?}");
        assert!(stdout.starts_with(PRINTED), "{options:?}: {stdout}");
    }
}

#[test]
fn printed_text_is_in_the_json_report() {
    let Run { code, stdout, .. } = run("prints", "", &["--json", "-"]);
    let document: serde_json::Value = serde_json::from_str(&stdout).expect("JSON only");
    assert_eq!((code, &document["runs"][0]["output"]["printed"]), (Some(0), &PRINTED.into()));
}

#[test]
fn checkers_find_nothing_in_the_device_library() {
    for check in ["race", "memory", "init", "sync"] {
        let Run { code, stdout, stderr } = run("prints", "", &["--check", check]);
        assert_eq!(code, Some(0), "{check}: {stdout}{stderr}");
        assert!(stdout.starts_with(PRINTED), "{check}: {stdout}");
    }
}

#[test]
fn a_small_buffer_overflows_with_a_warning() {
    // 33 threads of two launch files: the buffer holds 1024 bytes.
    let Run { code, stdout, stderr } = run("prints", ", printf_bytes: 1024", &[]);
    assert_eq!((code, stderr.as_str()), (Some(0), ""));
    assert!(stdout.starts_with(PRINTED));
    let Run { code, stderr, .. } = run("prints", ", printf_bytes: 7", &[]);
    assert_eq!(code, Some(2), "{stderr}");
    assert!(stderr.contains("printf_bytes"), "{stderr}");
}

#[test]
fn a_failed_assertion_is_a_message_and_a_trap() {
    for machine in [&[][..], &["--functional"]] {
        let Run { code, stderr, .. } = run("fails", "", machine);
        assert_eq!(code, Some(3), "{stderr}");
        let message = "k.cu:7: void fails(): block: [0,0,0], thread: [2,0,0] Assertion `i < 2` failed.\n";
        assert!(stderr.starts_with(message), "{stderr}");
        for part in ["a device-side assertion failed", "call.uni __assertfail", "thread (2,0,0)"] {
            assert!(stderr.contains(part), "{part}: {stderr}");
        }
    }
}

#[test]
fn an_invalid_free_is_a_trap_at_its_call() {
    let Run { code, stderr, .. } = run("frees", ", heap_bytes: 4096", &[]);
    assert_eq!(code, Some(3), "{stderr}");
    for part in ["not allocated on the device heap", "call.uni free", "help: pass an address"] {
        assert!(stderr.contains(part), "{part}: {stderr}");
    }
}
