//! The components, each alone or in the program.

mod program;
mod srrip;

use std::process::Command;

/// Runs a command of the program. Returns its exit code, and both outputs.
fn warpsim(words: &[&str]) -> (i32, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_own-memory")).args(words).output();
    let output = output.expect("the program starts");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code().expect("it exits"), text(&output.stdout), text(&output.stderr))
}

/// The JSON report of a run of a built-in kernel. Its results are right.
fn report(kernel: &str, chip: &str, sets: &[&str]) -> serde_json::Value {
    let mut words = vec!["run", kernel, "--chip", chip, "--json", "-"];
    for set in sets {
        words.extend(["--set", set]);
    }
    let (code, stdout, stderr) = warpsim(&words);
    assert_eq!(code, 0, "{words:?}: {stderr}");
    serde_json::from_str(&stdout).expect("a report is JSON")
}
