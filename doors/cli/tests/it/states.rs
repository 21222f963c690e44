//! Saved states through the program: a run that is continued from a file prints and writes the same
//! bytes, and a file that does not fit is refused with a message.

use crate::common::{Run, scratch, warpsim};
use std::fs;
use std::path::Path;

/// Runs a command that must succeed, and returns the bytes of its JSON document.
fn document(line: &str, folder: &Path, name: &str) -> (String, Vec<u8>) {
    let json = folder.join(name);
    let Run { code, stdout, stderr } = warpsim(&format!("{line} --json {}", json.display()));
    assert_eq!((code, stderr.as_str()), (Some(0), ""), "{line}");
    (stdout, fs::read(json).expect("the document"))
}

fn refused(line: &str) -> String {
    let Run { code, stderr, .. } = warpsim(line);
    assert_eq!(code, Some(2), "{line}: {stderr}");
    stderr
}

/// Tests: `saved-states`.
#[test]
fn a_continued_run_prints_and_writes_the_same_bytes() {
    let folder = scratch("states");
    let file = folder.join("a.state");
    let other = folder.join("b.state");
    for (run, when) in [
        ("run matmul-tiled --size 64 --chip fermi", "--at-cycle 3000"),
        ("run reduce-repeated --chip g80", "--at-cycle 500 --at-launch 2"),
        ("run vecadd --size 100000 --chip gt200", "--at-block 200"),
    ] {
        let plain = document(run, &folder, "plain.json");
        let save = format!("{run} --save-state {} {when}", file.display());
        assert!(document(&save, &folder, "saved.json") == plain, "{save}");
        for threads in [1, 3] {
            let load = format!("{run} --load-state {} --threads {threads}", file.display());
            assert!(document(&load, &folder, "loaded.json") == plain, "{load}");
        }
        let again = format!("{run} --load-state {} --save-state {} {when}", file.display(), other.display());
        assert!(document(&again, &folder, "again.json") == plain, "{again}");
        assert!(fs::read(&file).expect("a state") == fs::read(&other).expect("a state"), "{again}");
    }
}

#[test]
fn a_file_that_does_not_fit_is_refused() {
    let folder = scratch("states-refused");
    let file = folder.join("a.state");
    let name = file.display().to_string();
    let run = "run vecadd --size 5000";
    document(&format!("{run} --save-state {name} --at-cycle 1000"), &folder, "a.json");
    for (line, message) in [
        ("run vecadd --size 6000", "a launch with another grid, other blocks or other arguments"),
        ("run matadd --size 32", "from another kernel"),
        ("run vecadd --size 5000 --chip gt200", "on another chip, or with other overrides"),
        ("run vecadd --size 5000 --set sm.max_blocks=4", "on another chip, or with other overrides"),
        ("run vecadd --size 5000 --max-cycles 1000", "has a limit of 1000 cycles"),
        ("run vecadd --size 5000 --warmup 3", "from a launch with another grid"),
    ] {
        let stderr = refused(&format!("{line} --load-state {name}"));
        assert!(stderr.contains(message), "{line}: {stderr}");
    }
    let bytes = fs::read(&file).expect("a state");
    for (what, changed) in [
        ("cut", bytes[..bytes.len() / 2].to_vec()),
        ("longer", [&bytes[..], b"x"].concat()),
        ("changed", bytes.iter().rev().copied().rev().map(|byte| byte ^ u8::from(byte == 0x7f)).collect()),
        ("empty", Vec::new()),
        ("text", b"(name: \"g80\")\n".to_vec()),
    ] {
        let path = folder.join(what);
        fs::write(&path, changed).expect("written");
        let stderr = refused(&format!("{run} --load-state {}", path.display()));
        assert!(stderr.starts_with("error: cannot load ") && stderr.lines().count() == 1, "{what}: {stderr}");
    }
    let missing = refused(&format!("{run} --load-state {}", folder.join("none").display()));
    assert!(missing.contains("cannot load"), "{missing}");
    assert!(refused(&format!("{run} --load-state {name} --functional")).contains("cannot be used with"));
    assert!(refused(&format!("{run} --save-state {name}")).contains("--at-cycle"));
    let same = refused(&format!("{run} --load-state {name} --save-state {name} --at-cycle 2000"));
    assert!(same.contains("which this run"), "{same}");
}

#[test]
fn a_state_that_was_not_reached_is_an_error_after_the_report() {
    let folder = scratch("states-pending");
    let file = folder.join("a.state");
    let name = file.display();
    let Run { code, stdout, stderr } =
        warpsim(&format!("run vecadd --size 5000 --save-state {name} --at-cycle 90000000"));
    assert_eq!(code, Some(2));
    assert!(stderr.contains("was not written: launch 1 has no state at cycle 90000000"), "{stderr}");
    assert!(stdout.starts_with("PASSED") && !file.exists(), "{stdout}");
    let run = "run reduce-repeated";
    document(&format!("{run} --save-state {name} --at-cycle 500 --at-launch 2"), &folder, "a.json");
    let one = warpsim(&format!("run vecadd --size 5000 --load-state {name}"));
    assert_eq!(one.code, Some(2));
    assert!(one.stderr.contains("was not loaded: the program has fewer launches"), "{}", one.stderr);
}

/// Tests: `warm-up`.
#[test]
fn a_warm_up_is_in_the_report_and_results_are_checked() {
    let folder = scratch("states-warm-up");
    let (text, json) = document("run vecadd --size 100000 --warmup 300", &folder, "a.json");
    assert!(
        text.contains("PASSED") && text.contains("300 blocks (") && text.contains("without timing"),
        "{text}"
    );
    let json: serde_json::Value = serde_json::from_slice(&json).expect("valid JSON");
    assert_eq!(json["runs"][0]["warmup"]["blocks"], 300);
    // All blocks would be without timing: the launch runs in full.
    let (_, json) = document("run vecadd --size 5000 --warmup 300", &folder, "b.json");
    let json: serde_json::Value = serde_json::from_slice(&json).expect("valid JSON");
    assert!(json["runs"][0].get("warmup").is_none());
}
