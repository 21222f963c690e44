//! The report in the README is the program's own.

use std::path::Path;
use std::process::Command;

/// The arguments of the run whose report the README shows.
const ARGUMENTS: [&str; 2] = ["run", "matmul-tiled"];

/// What stands before and after the report.
const BEGIN: &str = "<!-- report: what the command prints; BLESS=1 rewrites it -->\n```text\n";
const END: &str = "```\n<!-- end of report -->\n";

#[test]
fn the_readme_shows_the_programs_report() {
    let output = Command::new(env!("CARGO_BIN_EXE_warpsim")).args(ARGUMENTS).output().expect("it runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let report = String::from_utf8(output.stdout).expect("the report is text");

    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../README.md");
    let readme = std::fs::read_to_string(&path).expect("README.md is there").replace("\r\n", "\n");
    let (before, rest) = readme.split_once(BEGIN).expect("the README has a place for the report");
    let (shown, after) = rest.split_once(END).expect("the place has an end");
    if shown == report {
        return;
    }
    if std::env::var_os("BLESS").is_some_and(|value| value == "1") {
        std::fs::write(&path, format!("{before}{BEGIN}{report}{END}{after}")).expect("README.md is writable");
        return;
    }
    let differs = shown.lines().zip(report.lines()).find(|(old, new)| old != new);
    panic!("README.md shows an old report; run the tests with BLESS=1. First difference: {differs:#?}");
}
