//! The documents are accurate: the tests and the files that they name exist.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the crate is in the workspace").to_owned()
}

/// Returns the names of all test functions of the workspace.
fn tests() -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for member in ["isa", "sim-core", "kernels", "cli", "tests", "examples"] {
        collect(&root().join(member), &mut names);
    }
    names
}

fn collect(folder: &Path, names: &mut BTreeSet<String>) {
    for entry in fs::read_dir(folder).expect("a folder is readable") {
        let path = entry.expect("an entry is readable").path();
        if path.is_dir() {
            collect(&path, names);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = fs::read_to_string(&path).expect("a source file is readable");
            let mut marked = false;
            for line in text.lines().map(str::trim) {
                if line == "#[test]" {
                    marked = true;
                } else if let Some(name) = line.strip_prefix("fn ").filter(|_| marked) {
                    names.insert(name.split('(').next().unwrap_or(name).to_owned());
                    marked = false;
                }
            }
        }
    }
}

/// Returns the texts between backquotes in a document.
fn quoted(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter(|line| !line.starts_with("```")).flat_map(|line| line.split('`').skip(1).step_by(2))
}

/// Returns the documents that the rules below apply to, with their paths.
fn documents() -> Vec<(String, String)> {
    let mut paths = vec!["README.md".to_owned(), "CONTRIBUTING.md".to_owned()];
    for folder in ["docs", "docs/book", "docs/decisions"] {
        for entry in fs::read_dir(root().join(folder)).expect("the folder is readable") {
            let name = entry.expect("an entry is readable").file_name().to_string_lossy().into_owned();
            if Path::new(&name).extension().is_some_and(|extension| extension == "md") {
                paths.push(format!("{folder}/{name}"));
            }
        }
    }
    let read = |path: String| (fs::read_to_string(root().join(&path)).expect("a document is readable"), path);
    paths.into_iter().map(read).map(|(text, path)| (path, text)).collect()
}

#[test]
fn every_test_that_the_architecture_names_exists() {
    let tests = tests();
    let text = fs::read_to_string(root().join("docs/ARCHITECTURE.md")).expect("the page is readable");
    // Test names differ from all other text in backquotes by their form: test `name_of_the_test`.
    let mut named = 0;
    for cell in text.split("test `").skip(1) {
        let name = cell.split('`').next().unwrap_or_default();
        assert!(tests.contains(name), "docs/ARCHITECTURE.md names the test `{name}`, which does not exist");
        named += 1;
    }
    assert!(named >= 20, "the page names the tests of its rules; {named} were found");
}

#[test]
fn every_scheduling_rule_names_tests_that_exist() {
    let tests = tests();
    let text = fs::read_to_string(root().join("docs/RULES.md")).expect("the page is readable");
    let mut rules = 0;
    for row in text.lines().filter(|line| line.starts_with("| **")) {
        let cells: Vec<&str> = row.trim_matches('|').split(" | ").collect();
        let [rule, held, noticed] = cells[..] else {
            panic!("not a rule, its test and the test of its mutant: {row}")
        };
        for cell in [held, noticed] {
            let name = cell.trim().strip_prefix("test `").and_then(|cell| cell.strip_suffix('`'));
            let name = name.unwrap_or_else(|| panic!("`{cell}` names no test for {rule}"));
            assert!(tests.contains(name), "docs/RULES.md names the test `{name}`, which does not exist");
        }
        rules += 1;
    }
    assert!(rules >= 11, "the page has the rules; {rules} were found");
}

#[test]
fn every_path_that_a_document_names_exists() {
    let tops = [
        "isa/",
        "sim-core/",
        "kernels/",
        "cli/",
        "configs/",
        "tests/",
        "examples/",
        "docs/",
        "scripts/",
        ".ci/",
    ];
    let mut missing = Vec::new();
    for (document, text) in documents() {
        for name in quoted(&text) {
            let plain = name.chars().all(|c| c.is_ascii_alphanumeric() || "/._-".contains(c));
            if plain && tops.iter().any(|top| name.starts_with(top)) && !root().join(name).exists() {
                missing.push(format!("{document}: `{name}`"));
            }
        }
    }
    assert!(missing.is_empty(), "paths that do not exist:\n{}", missing.join("\n"));
}

#[test]
fn every_link_leads_somewhere() {
    let mut broken = Vec::new();
    for (document, text) in documents() {
        let folder = root().join(&document);
        let folder = folder.parent().expect("a document is in a folder");
        for rest in text.split("](").skip(1) {
            let target = rest.split(')').next().unwrap_or_default();
            let target = target.split('#').next().unwrap_or_default();
            if !target.is_empty() && !target.contains("://") && !folder.join(target).exists() {
                broken.push(format!("{document}: {target}"));
            }
        }
    }
    assert!(broken.is_empty(), "links to nothing:\n{}", broken.join("\n"));
}

#[test]
fn code_from_a_file_is_the_code_of_that_file() {
    let mut shown = 0;
    for (document, text) in documents() {
        for part in text.split("<!-- from ").skip(1) {
            let (path, rest) =
                part.split_once(" -->\n```rust\n").expect("a marker is followed by a block of Rust");
            let (code, _) = rest.split_once("\n```\n").expect("a block ends");
            let file = fs::read_to_string(root().join(path));
            let file = file.unwrap_or_else(|e| panic!("{document} shows {path}: {e}"));
            assert!(file.contains(code), "{document} shows code that is not in {path}:\n{code}");
            shown += 1;
        }
    }
    assert!(shown >= 9, "the guide shows compiled code; {shown} blocks were found");
}
