//! The advice of the race checker is applied to the programs that get it, and the result is run and
//! checked: no finding is left, none is new, and the results are right.
//!
//! The programs are in `tests/data/advice`. Their first line has the kinds of the expected advice,
//! one for each finding. A kind that says where to insert or to replace a text is applied here by
//! rule. Of a program with another kind, `NAME.changed.cu` has the changed program.

#[expect(dead_code, reason = "each test uses a part")]
mod common;

use common::{Setup, checked};
use sim_core::check::{Advice, AdviceKind, Checks, Finding, Severity};
use std::fs;
use std::path::{Path, PathBuf};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/advice")
}

/// Runs a program with all checkers; returns whether it ended well, what it printed, and its
/// findings except those that are right on all hardware.
fn check(text: &str, chip: &str) -> (bool, String, Vec<Finding>) {
    let (run, reports) = checked("test.cu", text, chip, Checks::ALL, Setup::default());
    let findings = reports.into_iter().filter_map(|report| report.checks).flat_map(|checks| checks.findings);
    let findings: Vec<Finding> = findings.filter(|finding| finding.severity != Severity::Info).collect();
    let printed = format!("{}{}{}", run.out, run.err, run.message);
    (run.code == 0 && run.out == "right\n", printed, findings)
}

/// The condition of an `if`, with its parentheses.
fn condition(line: &str) -> &str {
    let start = line.find('(').expect("a condition");
    let mut depth = 0;
    for (at, byte) in line.bytes().enumerate().skip(start) {
        depth += i32::from(byte == b'(') - i32::from(byte == b')');
        if depth == 0 {
            return &line[start..=at];
        }
    }
    panic!("{line}")
}

/// Applies an advice to the lines of a program. Returns `false` if it has no rule.
fn apply(lines: &mut Vec<String>, advice: &Advice) -> bool {
    let barrier = || "__syncthreads();".to_owned();
    let at = advice.line.map(|line| line as usize - 1);
    let before = advice.before.map(|line| line as usize - 1);
    match (advice.kind, at, before) {
        (AdviceKind::Barrier, None, Some(before)) => lines.insert(before, barrier()),
        (AdviceKind::LoopBarrier, Some(at), None) => {
            let end = (at..lines.len()).find(|line| lines[*line].ends_with(';')).expect("the body");
            let head = condition(&lines[at]).to_owned();
            lines[at] = lines[at].replace(&head, &format!("{head} {{"));
            lines[end] += " __syncthreads(); }";
        }
        (AdviceKind::SplitIf, Some(at), Some(before)) => {
            let again = format!("}} __syncthreads(); if {} {{", condition(&lines[at]));
            lines.insert(before, again);
        }
        (AdviceKind::SplitReturn, Some(at), Some(before)) => {
            let stays = format!("if (!{}) {{", condition(&lines[at]));
            let end = (before..lines.len()).find(|line| lines[*line] == "}").expect("the kernel's end");
            lines.insert(end, "}".to_owned());
            lines.insert(before, format!("}} __syncthreads(); {stays}"));
            lines[at] = stays;
        }
        (AdviceKind::Volatile, None, None) => {
            let name = advice.variable.as_ref().expect("the variable");
            let declares =
                |line: &&mut String| line.contains("__shared__") && line.contains(&format!(" {name}["));
            let line = lines.iter_mut().find(declares).expect("the declaration");
            *line = line.replace("__shared__", "__shared__ volatile");
        }
        (AdviceKind::Atomic, Some(at), None) => {
            let statement = lines[at].trim().trim_end_matches(';').to_owned();
            let (word, value) = if let Some((word, value)) = statement.split_once(" += ") {
                (word, value)
            } else if let Some(word) = statement.strip_suffix("++") {
                (word, "1")
            } else {
                let (word, value) = statement.split_once(" = ").expect("an update");
                (word, value.strip_prefix(word).and_then(|rest| rest.strip_prefix(" + ")).expect("a sum"))
            };
            lines[at] = format!("atomicAdd(&{word}, {value});");
        }
        _ => return false,
    }
    true
}

/// Checks a program, changes it as it is advised, and checks it again; returns what is wrong.
fn follow(path: &Path, chip: &str) -> Vec<String> {
    let text = fs::read_to_string(path).expect("readable");
    let name = format!("{} ({chip})", path.file_stem().expect("a name").to_string_lossy());
    let (is_right, printed, findings) = check(&text, chip);
    let mut advice: Vec<Advice> = findings.iter().filter_map(|finding| finding.advice.clone()).collect();
    let mut kinds: Vec<&str> = advice.iter().map(|advice| advice.kind.name()).collect();
    kinds.sort_unstable();
    let expected = text.lines().next().and_then(|line| line.strip_prefix("// advice:")).expect("the kinds");
    let mut expected: Vec<&str> = expected.split_whitespace().collect();
    expected.sort_unstable();
    let all_have = |has: &dyn Fn(&Finding) -> bool| findings.iter().all(has);
    let is_explained = all_have(&|finding| finding.help.as_ref().is_some_and(|help| !help.is_empty()));
    if kinds != expected || !all_have(&|finding| finding.advice.is_some()) || !is_explained {
        return vec![format!("{name}: expected {expected:?}, found {kinds:?}\n{printed}\n{findings:#?}")];
    }
    if findings.is_empty() {
        let is_silent = is_right && !printed.contains("[warp_synchronous]");
        return if is_silent { Vec::new() } else { vec![format!("{name}: {printed}")] };
    }
    // From the end of the text, and changes of a line before insertions there, so that the numbers
    // of the lines stay right.
    advice.sort_by_key(|one| (std::cmp::Reverse(one.before.max(one.line)), one.before.is_some()));
    advice.dedup();
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let by_rule = advice.iter().all(|advice| apply(&mut lines, advice));
    let changed = path.with_extension("changed.cu");
    if by_rule == changed.exists() {
        return vec![format!("{name}: `.changed.cu` belongs to programs whose advice has no rule")];
    }
    let applied =
        if by_rule { lines.join("\n") + "\n" } else { fs::read_to_string(&changed).expect("readable") };
    let (is_right, printed, findings) = check(&applied, chip);
    if is_right && findings.is_empty() {
        return Vec::new();
    }
    vec![format!("{name}: after {advice:#?}\n{printed}\n{applied}")]
}

fn follow_all(chip: &str) {
    let mut paths: Vec<PathBuf> =
        fs::read_dir(folder()).expect("readable").map(|entry| entry.expect("readable").path()).collect();
    paths.retain(|path| {
        let name = path.file_name().expect("a name").to_string_lossy();
        name.ends_with(".cu") && !name.ends_with(".changed.cu")
    });
    paths.sort();
    assert!(paths.len() >= 25, "{} programs", paths.len());
    let wrong: Vec<String> = paths.iter().flat_map(|path| follow(path, chip)).collect();
    assert!(wrong.is_empty(), "{} of {} programs\n{}", wrong.len(), paths.len(), wrong.join("\n"));
}

/// Tests: `advice-can-be-followed`.
#[test]
fn the_advice_for_races_can_be_followed() {
    follow_all("fermi");
}

/// Tests: `advice-can-be-followed`.
#[test]
fn the_advice_is_the_same_on_older_chips() {
    follow_all("gt200");
}
