//! Tests of `run --check`: the kernels with mistakes in `tests/data/checkers`, whose README says
//! which line a finding has, and the built-in kernels.

use crate::common::{Run, command, small, warpsim};
use serde::Deserialize;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// An expected finding.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq, PartialOrd, Ord)]
struct Expected {
    check: String,
    kind: String,
    line: u64,
}

/// Contents of `expect.ron`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    #[serde(rename = "title")]
    _title: String,
    findings: Vec<Expected>,
    hints: Vec<Expected>,
    fixed_hints: Vec<Expected>,
    chips: Vec<String>,
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/data/checkers")
}

/// Runs a file of a case, and returns the errors and the hints found.
fn found(case: &Path, file: &str, chip: &str) -> (Run, [BTreeSet<Expected>; 2]) {
    let arguments = ["run", file, "--launch", "launch.ron", "--check", "all", "--json", "-", "--chip", chip];
    let output = command(&arguments).current_dir(case).output().expect("the program starts");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
    let run = Run { code: output.status.code(), stdout: text(output.stdout), stderr: text(output.stderr) };
    let Ok(document) = serde_json::from_str::<serde_json::Value>(&run.stdout) else {
        panic!("{}: no report\n{}{}", case.display(), run.stdout, run.stderr);
    };
    let findings = document["runs"][0]["checks"]["findings"].as_array().expect("a list").clone();
    let of = |severity: &str| {
        let of = findings.iter().filter(|finding| finding["severity"] == severity);
        let text = |value: &serde_json::Value| value.as_str().expect("a string").to_owned();
        let expected = of.map(|finding| Expected {
            check: text(&finding["check"]),
            kind: text(&finding["kind"]),
            line: finding["line"].as_u64().expect("a number"),
        });
        compared(expected)
    };
    let all = [of("error"), of("hint")];
    (run, all)
}

fn compared(findings: impl IntoIterator<Item = Expected>) -> BTreeSet<Expected> {
    findings.into_iter().collect()
}

#[test]
fn every_mistake_is_found_at_its_line_and_nothing_else() {
    let mut wrong = Vec::new();
    let mut cases: Vec<PathBuf> =
        std::fs::read_dir(folder()).expect("readable").map(|entry| entry.expect("readable").path()).collect();
    cases.retain(|path| path.is_dir());
    cases.sort();
    assert!(cases.len() >= 60, "{} cases", cases.len());
    for path in &cases {
        let text = std::fs::read_to_string(path.join("expect.ron")).expect("readable");
        let case: Case = ron::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        for chip in &case.chips {
            let buggy = [compared(case.findings.clone()), compared(case.hints.clone())];
            let fixed = [BTreeSet::new(), compared(case.fixed_hints.clone())];
            for (file, expected) in [("buggy.ptx", buggy), ("fixed.ptx", fixed)] {
                let (run, found) = found(path, file, chip);
                let name = path.file_name().expect("a name").to_string_lossy();
                if found != expected {
                    wrong.push(format!(
                        "{name}/{file} on {chip}\n  expected {expected:?}\n  found    {found:?}"
                    ));
                }
                let errors = !found[0].is_empty();
                let code_fits = match run.code {
                    Some(0) => !errors,
                    Some(1 | 3 | 4) => file == "buggy.ptx",
                    _ => false,
                };
                if !code_fits {
                    wrong.push(format!("{name}/{file} on {chip}: exit code {:?}\n{}", run.code, run.stderr));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{} of {} cases\n{}", wrong.len(), cases.len(), wrong.join("\n"));
}

/// Built-in kernels with findings that docs/CHECKERS.md explains.
const EXPLAINED: [&str; 0] = [];

#[test]
fn built_in_kernels_have_no_mistakes() {
    let mut wrong = Vec::new();
    for workload in kernels::all() {
        if EXPLAINED.contains(&workload.name) || kernels::RACING.contains(&workload.name) {
            continue;
        }
        let run = warpsim(&format!("run {} --check all", small(workload)));
        if run.code != Some(0) || run.stdout.contains("hint") {
            wrong.push(format!("{}: {:?}\n{}{}", workload.name, run.code, run.stdout, run.stderr));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}
