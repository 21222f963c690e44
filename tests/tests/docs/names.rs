//! Every identifier in backquotes on a page exists in the code.

use super::{documents, quoted};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use test_support::workspace::root;

/// A page that is not checked: it names programs that are not in the repository.
const OTHERS: &str = "docs/PROGRAMS.md";

/// Names that are not in the sources, by the reason.
const ELSEWHERE: [(&str, &[&str]); 9] = [
    ("words of the report that serde makes of variants", &["endless_loop", "lost_reply"]),
    ("names that code composes", &["ch5", "ch8", "ch9", "held_"]),
    ("functions that are missing", &["rnorm"]),
    ("made-up names of recipes", &["barrier_exit_cycles", "mru", "repeat8"]),
    ("commands and packages of the system", &["elvish", "nohup", "powershell", "wine64"]),
    ("an environment variable that a library reads", &["NO_COLOR"]),
    ("names of the debug adapter protocol and of an editor", &["reverse_continue", "setVariable"]),
    (
        "crates that were not chosen",
        &["ctrlc", "cursive", "jsonschema", "serde_rusqlite", "termion", "termwiz"],
    ),
    (
        "names in the sources of docs/HARDWARE.md",
        &[
            "FMAD",
            "LDU",
            "_and",
            "_or",
            "brk",
            "dram_latency",
            "ksync2_test4",
            "max_cta",
            "preret",
            "rop_latency",
            "simpleP2P",
        ],
    ),
];

/// Beginnings of names that CUDA and its compilers define.
const CUDA: [&str; 6] = ["cuda", "__", "_Z", "compute_", "sm_", "nv"];

/// Iterates over the identifiers of a text.
fn identifiers(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    words.filter(|word| word.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_'))
}

/// Whether a code span is a name or a path of names, such as `WarpTable::status` or `step()`.
fn is_name(span: &str) -> bool {
    let span = span.strip_suffix("()").unwrap_or(span);
    let is_part = |part: &str| {
        part.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
            && part.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
    };
    !span.is_empty() && span.split("::").all(is_part)
}

/// Adds the identifiers of all sources below `folder`, without comments of Rust, and the parts of
/// the names of files.
fn collect(folder: &Path, names: &mut BTreeSet<String>) {
    const SKIPPED: [&str; 5] = ["target", "node_modules", "dist", "corpus", "artifacts"];
    for entry in fs::read_dir(folder).expect("a folder is readable") {
        let path = entry.expect("an entry is readable").path();
        let name = path.file_name().expect("an entry has a name").to_string_lossy().into_owned();
        if path.is_dir() {
            let is_source = !SKIPPED.contains(&name.as_str()) && path != root().join("docs");
            if is_source && (!name.starts_with('.') || name == ".ci") {
                names.extend(identifiers(&name).map(str::to_owned));
                collect(&path, names);
            }
            continue;
        }
        names.extend(identifiers(&name).map(str::to_owned));
        let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
        if ["md", "snap", "lock", "json"].contains(&extension) && name != "package.json" {
            continue;
        }
        // Other files are not texts.
        let Ok(mut text) = fs::read_to_string(&path) else { continue };
        if path.ends_with("tests/docs/names.rs") {
            // Without the list of exceptions.
            text = text.split_once("\n];\n").expect("the list ends").1.to_owned();
        }
        let comment = |line: &str| extension == "rs" && line.trim_start().starts_with("//");
        names.extend(text.lines().filter(|line| !comment(line)).flat_map(identifiers).map(str::to_owned));
    }
}

fn names() -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    collect(&root(), &mut names);
    // The names of metrics are composed; a test of `report` compares the page with the registry.
    let metrics = fs::read_to_string(root().join("docs/METRICS.md")).expect("the page is readable");
    for row in metrics.lines().filter(|line| line.starts_with("| `")) {
        let cell = row.split(" | ").next().unwrap_or_default();
        names.extend(identifiers(&cell.replace("<br>", " ")).map(str::to_owned));
    }
    names
}

/// Tests: `documents-name-what-exists`.
#[test]
fn every_identifier_that_a_document_names_exists() {
    let names = names();
    let exists = |word: &str| {
        names.contains(word)
            || CUDA.iter().any(|begin| word.starts_with(begin))
            || ELSEWHERE.iter().any(|(_, words)| words.contains(&word))
    };
    let (mut checked, mut missing) = (0, Vec::new());
    for (document, text) in documents() {
        if document == OTHERS {
            continue;
        }
        for span in quoted(&text).filter(|span| is_name(span)) {
            checked += 1;
            if !identifiers(span).all(exists) {
                missing.push(format!("{document}: `{span}`"));
            }
        }
    }
    assert!(missing.is_empty(), "names that do not exist in the code:\n{}", missing.join("\n"));
    assert!(checked >= 4000, "the documents name identifiers; {checked} were found");
}

#[test]
fn names_elsewhere_are_in_no_source_and_on_a_page() {
    let names = names();
    let named: BTreeSet<String> = documents()
        .iter()
        .flat_map(|(_, text)| quoted(text).filter(|span| is_name(span)).flat_map(identifiers))
        .map(str::to_owned)
        .collect();
    for word in ELSEWHERE.iter().flat_map(|(_, words)| *words) {
        assert!(named.contains(*word), "no page names `{word}`: remove it from ELSEWHERE");
        assert!(!names.contains(*word), "a source has `{word}`: remove it from ELSEWHERE");
    }
}

#[test]
fn names_are_identifiers_and_paths() {
    assert!(["step()", "WarpTable::status", "MOST_LINES", "x1"].into_iter().all(is_name));
    assert!(!["a b", "1x", "--why", "a.b", "a::", ""].into_iter().any(is_name));
}
