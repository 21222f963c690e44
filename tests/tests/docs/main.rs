//! The documents are correct where a test can check them: the tests, files and links that they name
//! exist, and the code that they show is the code of the project.
//!
//! Invariant `documents-name-what-exists`: Documents name tests and paths that exist, and the code
//! that they show is compiled code.

mod map;
mod names;
mod report;

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use test_support::workspace::{self, root};

/// Returns the names of all test functions of the workspace.
fn tests() -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for path in workspace::sources() {
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
    names
}

/// Returns the code spans of a document.
fn quoted(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter(|line| !line.starts_with("```")).flat_map(|line| line.split('`').skip(1).step_by(2))
}

/// Returns path and text of each document.
fn documents() -> Vec<(String, String)> {
    let mut paths = ["README.md", "CONTRIBUTING.md", "SECURITY.md"].map(str::to_owned).to_vec();
    for folder in ["docs", "docs/extending", "docs/decisions"] {
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

/// Tests: `documents-name-what-exists`.
#[test]
fn every_test_that_a_document_names_exists() {
    let tests = tests();
    let (mut named, mut missing) = (0, Vec::new());
    for (document, text) in documents() {
        // Names of tests differ from all else in backquotes by the word in front: test `name`.
        for cell in text.split("test `").skip(1).chain(text.split("**test** `").skip(1)) {
            let name = cell.split('`').next().unwrap_or_default();
            if name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_') {
                named += 1;
                missing.extend((!tests.contains(name)).then(|| format!("{document}: `{name}`")));
            }
        }
    }
    assert!(missing.is_empty(), "tests that do not exist:\n{}", missing.join("\n"));
    assert!(named >= 20, "the documents name tests; {named} were found");
}

/// Tests: `scheduling-rules`.
#[test]
fn every_scheduling_rule_names_tests_that_exist() {
    let tests = tests();
    let text = fs::read_to_string(root().join("docs/extending/rules.md")).expect("the page is readable");
    let mut rules = 0;
    for row in text.lines().filter(|line| line.starts_with("| **")) {
        let cells: Vec<&str> = row.trim_matches('|').split(" | ").collect();
        let [rule, test, mutant] = cells[..] else { panic!("expected a rule and two tests: {row}") };
        for cell in [test, mutant] {
            let name = cell.trim().strip_prefix("test `").and_then(|cell| cell.strip_suffix('`'));
            let name = name.unwrap_or_else(|| panic!("`{cell}` does not name a test for {rule}"));
            assert!(
                tests.contains(name),
                "docs/extending/rules.md names the test `{name}`, which does not exist"
            );
        }
        rules += 1;
    }
    assert!(rules >= 11, "the page has the rules; {rules} were found");
}

/// Tests: `documents-name-what-exists`.
#[test]
fn every_path_that_a_document_names_exists() {
    let tops = [
        "machine/",
        "language/",
        "analysis/",
        "course/",
        "doors/",
        "kernels/",
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
            let is_placeholder = name.contains("NAME") || name.starts_with("doors/web/dist/");
            let is_path = plain && !is_placeholder && tops.iter().any(|top| name.starts_with(top));
            if is_path && !root().join(name).exists() {
                missing.push(format!("{document}: `{name}`"));
            }
        }
    }
    assert!(missing.is_empty(), "paths that do not exist:\n{}", missing.join("\n"));
}

/// Returns the anchors of a document's headings, as GitHub makes them: lower case, hyphens for
/// blanks, without punctuation; a repeated heading gets a number.
fn anchors(text: &str) -> BTreeSet<String> {
    let mut anchors = BTreeSet::new();
    let mut fenced = false;
    for line in text.lines() {
        fenced ^= line.starts_with("```");
        let title = line.trim_start_matches('#');
        if fenced || title.len() == line.len() || !title.starts_with(' ') {
            continue;
        }
        let kept = title.trim().chars().filter(|c| c.is_alphanumeric() || " -_".contains(*c));
        let anchor: String = kept.map(|c| if c == ' ' { '-' } else { c }).collect::<String>().to_lowercase();
        let repeated = (1..).map(|n| format!("{anchor}-{n}"));
        let free = std::iter::once(anchor.clone()).chain(repeated).find(|name| !anchors.contains(name));
        anchors.extend(free);
    }
    anchors
}

#[test]
fn every_link_has_a_target() {
    let mut broken = Vec::new();
    for (document, text) in documents() {
        let path = root().join(&document);
        let folder = path.parent().expect("a document is in a folder");
        for rest in text.split("](").skip(1) {
            let link = rest.split(')').next().unwrap_or_default();
            let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
            if link.contains("://") {
                continue;
            }
            let target = if file.is_empty() { path.clone() } else { folder.join(file) };
            let found = target.exists()
                && (anchor.is_empty()
                    || fs::read_to_string(&target).is_ok_and(|text| anchors(&text).contains(anchor)));
            if !found {
                broken.push(format!("{document}: {link}"));
            }
        }
    }
    assert!(broken.is_empty(), "links without a target:\n{}", broken.join("\n"));
}

#[test]
fn anchors_are_those_of_github() {
    let anchors = anchors("# `warpsim run`\n```\n# code\n```\n## C++ & G80's L1\n## C++ & G80's L1\n#[x]\n");
    let expected = ["c--g80s-l1", "c--g80s-l1-1", "warpsim-run"];
    assert_eq!(anchors.iter().map(String::as_str).collect::<Vec<_>>(), expected);
}

/// Tests: `documents-name-what-exists`.
#[test]
fn code_from_a_file_is_the_code_of_that_file() {
    let mut shown = 0;
    for (document, text) in documents() {
        for part in text.split("<!-- from ").skip(1) {
            let (path, rest) =
                part.split_once(" -->\n```rust\n").expect("a block of Rust follows the marker");
            let (code, _) = rest.split_once("\n```\n").expect("a block ends");
            let file = fs::read_to_string(root().join(path));
            let file = file.unwrap_or_else(|e| panic!("{document} shows {path}: {e}"));
            assert!(file.contains(code), "{document} shows code that is not in {path}:\n{code}");
            shown += 1;
        }
    }
    assert!(shown >= 9, "the guides show compiled code; {shown} blocks were found");
}
