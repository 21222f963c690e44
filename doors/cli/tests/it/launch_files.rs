//! Tests of launch files: their features and their errors.

use crate::common::{Run, command, data, scratch, warpsim, warpsim_with};
use std::fs;
use std::path::Path;
use test_support::workspace::root;

#[test]
fn all_errors_of_a_launch_file_are_reported_together() {
    let Run { code, stdout, stderr } = warpsim("run symbols.ptx --launch errors.ron");
    assert_eq!((code, stdout.as_str()), (Some(2), ""));
    insta::assert_snapshot!(stderr);
}

#[test]
fn errors_of_ptx_and_launch_file_are_reported_together() {
    let Run { code, stderr, .. } = warpsim("run broken.ptx --launch syntax.ron");
    assert_eq!(code, Some(2));
    insta::assert_snapshot!(stderr);
}

#[test]
fn symbols_files_dumps_and_expectations_work_together() {
    for machine in [&[][..], &["--functional"]] {
        let folder = scratch(&format!("symbols-{}", machine.len()));
        for file in ["symbols.ptx", "symbols.ron", "x.bin", "y.expected.bin"] {
            fs::copy(data().join(file), folder.join(file)).expect("copied");
        }
        // Paths in a launch file are relative to the launch file, not to the current folder.
        let launch = folder.join("symbols.ron");
        let mut arguments = vec!["run", "symbols.ptx", "--launch", launch.to_str().expect("UTF-8")];
        arguments.extend(machine);
        let Run { code, stdout, stderr } = warpsim_with(&arguments);
        assert_eq!(code, Some(0), "{stderr}");
        assert!(stdout.contains("PASSED: symbol `done`: all 1 elements are as expected"), "{stdout}");
        assert_eq!(fs::read(folder.join("done.out")).expect("dumped"), 42u32.to_le_bytes());
        assert_eq!(
            fs::read(folder.join("y.out")).expect("dumped"),
            fs::read(folder.join("y.expected.bin")).expect("there")
        );
    }
}

#[test]
fn metrics_and_checkers_can_be_expected() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("expected-metrics");
    fs::create_dir_all(&folder).expect("a folder");
    let example = root().join("examples/saxpy");
    fs::copy(example.join("saxpy.ptx"), folder.join("saxpy.ptx")).expect("copied");
    let text = fs::read_to_string(example.join("saxpy.ron")).expect("a launch file");
    let own = "expect: [(metric: \"cycles <= 100\"), (metric: \"gld_requests > 0\"), (check: race), ";
    fs::write(folder.join("saxpy.ron"), text.replacen("expect: [", own, 1)).expect("written");
    let run = |more: &[&str]| {
        let words = [&["run", "saxpy.ptx", "--launch", "saxpy.ron"], more].concat();
        let output = command(&words).current_dir(&folder).output().expect("the program starts");
        (output.status.code(), String::from_utf8([output.stdout, output.stderr].concat()).expect("text"))
    };
    let (code, timed) = run(&[]);
    assert_eq!(code, Some(1), "{timed}");
    assert!(timed.contains("FAILED: metric `cycles <= 100` does not hold: `cycles` is "), "{timed}");
    assert!(timed.contains("PASSED: metric `gld_requests > 0` holds"), "{timed}");
    assert!(timed.contains("UNCHECKED: check `race`: `--check race` runs it"), "{timed}");
    assert!(!timed.contains("error: metric `gld_requests > 0`"), "{timed}");
    let (code, checked) = run(&["--check", "race"]);
    assert_eq!(code, Some(0), "{checked}");
    assert!(checked.contains("PASSED: check `race`: 0 errors"), "{checked}");
    assert!(checked.contains("UNCHECKED: metric `cycles <= 100`: `cycles` is unknown"), "{checked}");
}

#[test]
fn a_failed_expectation_is_code_1_and_names_the_first_wrong_element() {
    let folder = scratch("wrong");
    let text = fs::read_to_string(data().join("symbols.ron")).expect("there");
    let text = text.replace("x.bin", data().join("x.bin").to_str().expect("UTF-8"));
    let text = text.replace("y.expected.bin", data().join("y.expected.bin").to_str().expect("UTF-8"));
    fs::write(
        folder.join("wrong.ron"),
        text.replace("scale[0] * x[i] +", "i < 5 ? y[i] + 2 * i + 0.5 : 0 *"),
    )
    .expect("written");
    let launch = folder.join("wrong.ron");
    let Run { code, stdout, stderr } =
        warpsim_with(&["run", "symbols.ptx", "--launch", launch.to_str().expect("UTF-8")]);
    assert_eq!(code, Some(1), "{stderr}");
    let message = "buffer `y`: 11 of 16 elements are wrong; the first is at index 5: expected 0, found 10.5";
    let stdout = stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        stdout.contains(&format!("FAILED: {message}")) && stderr.contains(&format!("error: {message}")),
        "{stdout}{stderr}"
    );
}

#[test]
fn the_kernels_own_launch_files_pass_on_both_machines() {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../../kernels");
    let mut names: Vec<String> = fs::read_dir(format!("{root}/launch"))
        .expect("there")
        .map(|entry| {
            entry.expect("readable").path().file_stem().expect("a name").to_string_lossy().into_owned()
        })
        .collect();
    names.sort();
    assert!(names.len() >= 3, "{names:?}");
    for name in names {
        let mapped = name.ends_with("_mapped");
        let kernel = name.trim_end_matches("_streams").trim_end_matches("_mapped");
        let (ptx, launch) = (format!("{root}/ptx/{kernel}.ptx"), format!("{root}/launch/{name}.ron"));
        for machine in [&[][..], &["--functional"]] {
            let mut arguments = vec!["run", ptx.as_str(), "--launch", launch.as_str()];
            arguments.extend(machine);
            // The default chip cannot map host memory.
            arguments.extend(if mapped { &["--chip", "gt200"][..] } else { &[] });
            let Run { code, stdout, stderr } = warpsim_with(&arguments);
            assert_eq!(code, Some(0), "{name}: {stderr}");
            assert!(stdout.starts_with("PASSED: "), "{name}: {stdout}");
        }
    }
}

#[test]
fn files_that_are_not_launch_files_do_not_panic() {
    let folder = scratch("odd");
    for (name, bytes) in [
        ("empty", &b""[..]),
        ("binary", &[0xff, 0xfe, 0]),
        ("number", b"7"),
        ("list", b"[]"),
        ("unit", b"()"),
    ] {
        let path = folder.join(name);
        fs::write(&path, bytes).expect("written");
        let Run { code, stderr, .. } =
            warpsim_with(&["run", "symbols.ptx", "--launch", path.to_str().expect("UTF-8")]);
        assert_eq!(code, Some(2), "{name}");
        assert!(stderr.contains("error"), "{name}: {stderr}");
    }
    let text = "(entry: \"scale_shift\", grid: 1, block: 1, params: [buf(\"x\"), buf(\"x\")], buffers: \
                {\"x\": (type: u64, len: 500000000)})";
    fs::write(folder.join("large"), text).expect("written");
    let large = folder.join("large");
    let Run { code, stderr, .. } =
        warpsim_with(&["run", "symbols.ptx", "--launch", large.to_str().expect("UTF-8")]);
    assert_eq!(code, Some(2));
    assert!(stderr.contains("exceed the device memory"), "{stderr}");
}

#[test]
fn inputs_of_a_run_are_not_overwritten() {
    let folder = scratch("inputs");
    for file in ["symbols.ptx", "x.bin", "y.expected.bin"] {
        fs::copy(data().join(file), folder.join(file)).expect("copied");
    }
    let text = fs::read_to_string(data().join("symbols.ron")).expect("there");
    let launch = folder.join("launch.ron");
    let launch_name = launch.to_str().expect("UTF-8");
    for (target, reason) in [
        ("./launch.ron", "which this run reads"),
        ("x.bin", "which this run reads"),
        ("../inputs/y.expected.bin", "which this run reads"),
        ("./done.out", "which this run also writes"),
    ] {
        fs::write(&launch, text.replace("\"y.out\"", &format!("\"{target}\""))).expect("written");
        let before = fs::read(folder.join(target)).ok();
        let Run { code, stderr, .. } = warpsim_with(&["run", "symbols.ptx", "--launch", launch_name]);
        assert_eq!(code, Some(2), "{stderr}");
        assert!(stderr.contains(reason), "{target}: {stderr}");
        assert_eq!(fs::read(folder.join(target)).ok(), before, "{target}");
    }
    let Run { code, stderr, .. } =
        warpsim_with(&["run", "symbols.ptx", "--launch", launch_name, "--json", launch_name]);
    assert!(code == Some(2) && stderr.contains("which this run reads"), "{stderr}");
}
