//! Tests that the documentation agrees with the program.
//!
//! Invariant `documents-show-outputs`: Commands in the documents are run by tests, and their
//! outputs are those of the program.

use crate::args::Args;
use crate::codes;
use crate::launch_file;
use clap::CommandFactory;

const ERRORS: &str = include_str!("../../docs/ERRORS.md");
const LAUNCH: &str = include_str!("../../docs/LAUNCH.md");
const COMMANDS: &str = include_str!("../../docs/COMMANDS.md");

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
    for (name, ..) in experiment::formula::Function::TABLE {
        assert!(LAUNCH.contains(name), "{name}");
    }
    for (name, _) in launch_file::TYPES {
        assert!(LAUNCH.contains(name), "{name}");
    }
}

#[test]
fn every_command_has_its_section() {
    for command in Args::command().get_subcommands() {
        let title = format!("## `warpsim {}`\n", command.get_name());
        assert!(COMMANDS.contains(&title), "docs/COMMANDS.md has no section {title}");
    }
}
