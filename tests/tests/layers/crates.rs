//! The layers of crates: a folder of the repository is a layer, and imports run down.

use std::fs;
use std::path::Path;
use test_support::workspace::{files, members, relative, root};

/// The folders with shipped crates from the lowest one up, each with what the layer is.
const FOLDERS: [(&str, &str); 6] = [
    ("machine", "the chip and its programs"),
    ("kernels", "programs that come with it"),
    ("language", "CUDA C and C++, and the runtime"),
    ("analysis", "what looks at a run"),
    ("course", "lessons and exercises"),
    ("doors", "command line, page and Python"),
];

/// Crates that a lower folder may import: results as data and text, which a runtime returns.
const SHARED: [&str; 1] = ["report"];

/// Folders with texts that every crate may contain.
const DATA: [&str; 5] = ["configs/", "docs/", "examples/", "course/lessons/", "language/include/"];

/// Files that only tests contain.
const TESTS: [&str; 3] = ["/tests.rs", "/complaints.rs", "/mutants.rs"];

/// Returns the place of the folder of a path, counted from the lowest.
fn layer(path: &str) -> Option<usize> {
    FOLDERS.iter().position(|(folder, _)| path.split('/').next() == Some(folder))
}

fn manifest(member: &str) -> String {
    fs::read_to_string(root().join(member).join("Cargo.toml")).expect("the manifest is readable")
}

/// The name that other manifests use for a crate.
fn package(member: &str) -> String {
    let text = manifest(member);
    let line = text.lines().find_map(|line| line.strip_prefix("name = "));
    line.expect("a package has a name").trim_matches('"').to_owned()
}

/// Names of the crates that a manifest lists in `[dependencies]`, which tests may exceed.
fn dependencies(text: &str) -> impl Iterator<Item = &str> {
    let list = text.split("\n[dependencies]\n").nth(1).unwrap_or_default();
    let lines = list.lines().take_while(|line| !line.starts_with('['));
    lines.filter_map(|line| line.split(['.', ' ', '=']).next())
}

/// Every folder has crates, and a crate imports only crates of the same folder and of lower ones.
#[test]
fn imports_between_folders_run_down() {
    let mut members = members();
    members.push("doors/python".to_owned());
    let crates: Vec<(String, usize)> =
        members.iter().filter_map(|member| Some((package(member), layer(member)?))).collect();
    for (place, (folder, what)) in FOLDERS.iter().enumerate() {
        assert!(crates.iter().any(|(_, own)| *own == place), "{folder} ({what}) has no crate");
    }
    let mut wrong = Vec::new();
    for member in &members {
        let Some(own) = layer(member) else { continue };
        let text = manifest(member);
        for name in dependencies(&text).filter(|name| !SHARED.contains(name)) {
            if crates.iter().any(|(other, place)| other == name && *place > own) {
                wrong.push(format!("{member} imports {name}, which is higher"));
            }
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

/// The path from the root that an `include_str!` or `include_bytes!` of a file names.
fn included(file: &Path, line: &str) -> Option<String> {
    let rest = line.split_once("include_str!(").or_else(|| line.split_once("include_bytes!("))?.1;
    let mut path = file.parent()?.to_owned();
    for part in rest.split('"').nth(1)?.split('/') {
        if part == ".." {
            path.pop();
        } else {
            path.push(part);
        }
    }
    Some(relative(&path))
}

/// A crate contains files that belong to it, data that everyone may read, and files of lower
/// folders.
#[test]
fn files_of_other_crates_come_from_below() {
    let (mut wrong, mut seen) = (Vec::new(), 0);
    for member in members() {
        let Some(own) = layer(&member) else { continue };
        for file in files(&root().join(&member).join("src"), &["rs"]) {
            let text = fs::read_to_string(&file).expect("a source file is readable");
            let shipped = text.split("#[cfg(test)]").next().unwrap_or_default();
            let name = relative(&file);
            let is_test = TESTS.iter().any(|end| name.ends_with(end)) || name.contains("/tests/");
            for other in shipped.lines().filter(|_| !is_test).filter_map(|line| included(&file, line)) {
                seen += 1;
                let is_own = other.starts_with(&member);
                let is_data = DATA.iter().any(|folder| other.starts_with(folder));
                if !is_own && !is_data && layer(&other).is_none_or(|place| place >= own) {
                    wrong.push(format!("{}: contains {other}", relative(&file)));
                }
            }
        }
    }
    assert!(seen > 100, "the walk finds the texts");
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}
