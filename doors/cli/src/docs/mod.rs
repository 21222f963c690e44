//! Tests that the documentation agrees with the program.
//!
//! Invariant `documents-show-outputs`: Commands in the documents are run by tests, and their
//! outputs are what the program prints.

mod commands;
mod fields;

use crate::codes;
use crate::launch_file;
use std::path::Path;

const ERRORS: &str = include_str!("../../../../docs/ERRORS.md");
const LAUNCH: &str = include_str!("../../../../docs/LAUNCH.md");

/// Holds that a page of docs is what `now` makes of it. With `BLESS=1` it is written.
fn renew(name: &str, now: impl FnOnce(&str) -> String) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs").join(name);
    let old = std::fs::read_to_string(&path).expect("the page is readable").replace("\r\n", "\n");
    let now = now(&old);
    if now == old {
        return;
    }
    let bless = std::env::var_os("BLESS").is_some_and(|value| value == "1");
    let differs = old.lines().zip(now.lines()).find(|(old, new)| old != new);
    assert!(bless, "docs/{name} is old; run the test with BLESS=1. First difference: {differs:#?}");
    std::fs::write(path, now).expect("the page is writable");
}

/// Iterates over every code of every stage with its meaning.
fn codes() -> impl Iterator<Item = (&'static str, &'static str)> {
    codes::all().map(|(code, meaning, _)| (code, meaning))
}

#[test]
fn every_code_is_documented_and_no_other() {
    let mut rows: Vec<String> = codes().map(|(code, meaning)| format!("| {code} | {meaning} |")).collect();
    rows.sort();
    let documented: Vec<&str> =
        ERRORS.lines().filter(|l| l.starts_with("| E") || l.starts_with("| W")).collect();
    assert_eq!(documented, rows, "docs/ERRORS.md should have these rows:\n{}", rows.join("\n"));
}

#[test]
fn every_code_has_one_meaning() {
    let all: Vec<&str> = codes().map(|(code, _)| code).collect();
    for (i, code) in all.iter().enumerate() {
        assert!(!all[..i].contains(code), "{code}");
    }
}

#[test]
fn every_function_and_type_of_launch_files_is_documented() {
    for (name, ..) in report::formula::Function::TABLE {
        assert!(LAUNCH.contains(name), "{name}");
    }
    for (name, _) in launch_file::TYPES {
        assert!(LAUNCH.contains(name), "{name}");
    }
}
