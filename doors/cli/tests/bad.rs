//! Tests with bad input: one file for each code of a diagnostic, with the program's message as a
//! snapshot.
//!
//! The folder `bad/` has one of these files for each code:
//!
//! - `CODE.ptx`, a PTX text;
//! - `CODE.ron`, a launch file for `fine.ptx`;
//! - `CODE.edit`, changes of a copy of the G80's chip file (`- old` and `+ new`);
//! - `CODE.set`, `--set` arguments, one per line;
//! - `CODE.experiment`, an experiment file;
//! - `CODE.rubric`, the rubric of an exercise.
//!
//! Texts that are too long for a file are generated here. A code of `docs/ERRORS.md` without a case
//! fails the test, and so does a case whose message does not have its code.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const ERRORS: &str = include_str!("../../../docs/ERRORS.md");
const CHIP: &str = include_str!("../../../configs/g80.ron");

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/bad")
}

/// Returns a folder for generated files.
fn scratch() -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("bad");
    std::fs::create_dir_all(&folder).expect("a scratch folder");
    folder
}

/// Returns all documented codes.
fn documented() -> Vec<&'static str> {
    let rows = ERRORS.lines().filter_map(|l| l.strip_prefix("| ")?.split(' ').next());
    rows.filter(|c| c.len() == 5 && c.starts_with(['E', 'W']) && c[1..].bytes().all(|b| b.is_ascii_digit()))
        .collect()
}

/// Returns the case files by code: (extension, text).
fn cases() -> BTreeMap<String, (String, String)> {
    let mut cases = BTreeMap::new();
    for entry in std::fs::read_dir(folder()).expect("the folder of cases") {
        let path = entry.expect("an entry").path();
        let part = |s: Option<&std::ffi::OsStr>| s.and_then(|s| s.to_str()).unwrap_or_default().to_owned();
        let (code, extension) = (part(path.file_stem()), part(path.extension()));
        if ["ptx", "ron", "edit", "set", "experiment", "rubric"].contains(&extension.as_str())
            && code != "fine"
        {
            let text = std::fs::read_to_string(&path).expect("text").replace("\r\n", "\n");
            assert!(cases.insert(code.clone(), (extension, text)).is_none(), "{code} has two cases");
        }
    }
    for (code, text) in [("E0104", too_many_errors()), ("E0403", too_many_values())] {
        cases.insert(code.to_owned(), ("made".to_owned(), text));
    }
    cases
}

/// Returns a kernel with an error on every line.
fn too_many_errors() -> String {
    ".version 1.4\n.target sm_10\n.entry k (.param .u32 out)\n{\n".to_owned()
        + &"    mov.u32 %r1 5;\n".repeat(1100)
        + "}\n"
}

/// Returns a kernel with more live values than any machine has registers.
fn too_many_values() -> String {
    let mut text =
        ".version 1.4\n.target sm_10\n.entry k (.param .u32 out)\n{\n    .reg .u32 %r<70000>;\n".to_owned();
    (0..70_000).for_each(|i| writeln!(text, "    mov.u32 %r{i}, %clock;").expect("a string grows"));
    (1..70_000).rev().for_each(|i| writeln!(text, "    add.u32 %r0, %r0, %r{i};").expect("a string grows"));
    text + "    st.global.u32 [%r1], %r0;\n    exit;\n}\n"
}

/// Returns the exit code and the message of a case.
fn complaint(code: &str, extension: &str, text: &str) -> (Option<i32>, String) {
    let file = format!("{code}.{extension}");
    let mut arguments: Vec<&str> = vec!["run"];
    let mut cwd = folder();
    let made = format!("{code}.{}", if extension == "edit" { "ron" } else { "ptx" });
    match extension {
        "ptx" => arguments.extend([file.as_str(), "--launch", "fine.ron"]),
        "ron" => arguments.extend(["fine.ptx", "--launch", file.as_str()]),
        "experiment" => arguments = vec!["experiment", file.as_str(), "--store", "/nowhere/s.sqlite"],
        "rubric" => {
            cwd = scratch().join(code);
            std::fs::create_dir_all(&cwd).expect("a folder");
            std::fs::write(cwd.join("exercise.ron"), text).expect("written");
            arguments = vec!["lab", "test", "."];
        }
        "set" => {
            arguments.extend(["vecadd", "--size", "32"]);
            text.lines().for_each(|set| arguments.extend(["--set", set]));
        }
        "edit" => {
            let line = |mark| text.lines().find_map(|l| l.strip_prefix(mark)).expect("`- old` and `+ new`");
            assert_eq!(CHIP.matches(line("- ")).count(), 1, "{code}: the G80 has this once");
            cwd = scratch();
            std::fs::write(cwd.join(&made), CHIP.replace(line("- "), line("+ ").trim_end()))
                .expect("written");
            arguments.extend(["vecadd", "--size", "32", "--chip", made.as_str()]);
        }
        _ => {
            cwd = scratch();
            std::fs::write(cwd.join(&made), text).expect("written");
            std::fs::copy(folder().join("fine.ron"), cwd.join("fine.ron")).expect("copied");
            arguments.extend([made.as_str(), "--launch", "fine.ron"]);
        }
    }
    let mut command = Command::new(env!("CARGO_BIN_EXE_warpsim"));
    let output = command.args(arguments).current_dir(cwd).stdin(Stdio::null()).output().expect("it starts");
    (output.status.code(), String::from_utf8(output.stderr).expect("UTF-8"))
}

/// Removes line numbers of the built-in chip from a snapshot, because they change when the chip
/// file gains lines.
fn without_lines(text: &str) -> String {
    let number = |line: &str| {
        line.trim_start()
            .split(' ')
            .next()
            .is_some_and(|n| n.bytes().all(|b| b.is_ascii_digit()) && !n.is_empty())
    };
    let mut out = String::new();
    for line in text.lines() {
        let mut line = line.to_owned();
        if let Some((before, after)) = line.split_once(" | ").filter(|(before, _)| number(before)) {
            line = format!("{} | {after}", "N".repeat(before.len()));
        }
        for file in [".ron:", "(built-in chip):"] {
            if let Some((before, after)) = line.split_once(file) {
                let column = after.split_once(':').map_or(after, |(_, column)| column);
                line = format!("{before}{file}N:{column}");
            }
        }
        out.extend([line.as_str(), "\n"]);
    }
    out
}

/// Every documented code has a case, and every case a code.
///
/// Tests: `every-code-has-a-case`.
#[test]
fn every_code_has_a_bad_file() {
    let cases = cases();
    let missing: Vec<&str> = documented().into_iter().filter(|code| !cases.contains_key(*code)).collect();
    assert!(missing.is_empty(), "codes without a case in doors/cli/tests/bad: {missing:?}");
    let unknown: Vec<&String> = cases.keys().filter(|code| !documented().contains(&code.as_str())).collect();
    assert!(unknown.is_empty(), "cases without a code in docs/ERRORS.md: {unknown:?}");
}

/// Each bad file is reported with its code, as in its snapshot, and a warning does not stop the
/// run.
///
/// Tests: `every-code-has-a-case`.
#[test]
fn the_message_of_every_bad_file_matches_its_snapshot() {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("bad");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    let mut wrong = Vec::new();
    for (code, (extension, text)) in cases() {
        let (exit, said) = complaint(&code, &extension, &text);
        let warns = ["E0520", "E0521"].contains(&code.as_str()) || code.starts_with('W');
        if exit != Some(if warns { 0 } else { 2 }) || !said.contains(&format!("[{code}]")) {
            wrong.extend([format!("{code}: exit code {exit:?}"), said]);
            continue;
        }
        // For a text with very many errors, only the first.
        let shown = said.split("\n\n").next().filter(|_| code == "E0104").unwrap_or(&said);
        let shown =
            if extension == "edit" || extension == "set" { without_lines(shown) } else { shown.to_owned() };
        settings.bind(|| insta::assert_snapshot!(code.as_str(), shown));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
