//! The recipes of `docs/extending/README.md`: the first step of a recipe is a patch, and the
//! compiler then names exactly the files of the steps that the page marks **compiler**.
//!
//! All patches are applied to one copy of `isa` and `sim-core`, which is checked once: half a
//! minute. Steps in later crates are not compared, because the compiler stops at the first crate
//! with an error.

use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use test_support::workspace::root;

/// Members of the workspace that are copied and checked. Their tests include files of the folders
/// after them.
const MEMBERS: [&str; 4] =
    ["machine/isa", "machine/sim-core/state-derive", "machine/sim-core", "tests/support"];
const FOLDERS: [&str; 2] = ["configs", "kernels/ptx"];
const FILES: [&str; 3] = ["Cargo.toml", "Cargo.lock", "rust-toolchain.toml"];

/// A recipe: its patch, and the files that the compiler must name.
struct Recipe {
    title: String,
    patch: String,
    named: BTreeSet<String>,
}

/// Returns the paths of source files in the code spans of a text.
fn sources(text: &str) -> impl Iterator<Item = &str> {
    let spans = text.split('`').skip(1).step_by(2);
    let is_rust = |span: &str| Path::new(span).extension().is_some_and(|extension| extension == "rs");
    spans.filter(move |span| span.contains("/src/") && is_rust(span) && !span.contains(' '))
}

/// Returns the files of the steps that the page marks **compiler**, up to a later **start**, which
/// begins a second part. "Same file" is the last file that a step names; at first it is the file of
/// the patch.
fn named(steps: &str, patched: &str) -> BTreeSet<String> {
    let mut named = BTreeSet::new();
    let mut last = patched;
    for step in steps.split("\n\n").flat_map(|paragraph| paragraph.split(". **")) {
        let of_compiler = step.starts_with("compiler**");
        if step.starts_with("start**") && !named.is_empty() {
            break;
        }
        let mut found = sources(step).peekable();
        if of_compiler && found.peek().is_none() && step.contains("same file") {
            named.insert(last.to_owned());
        }
        for source in found {
            last = source;
            if of_compiler {
                named.insert(source.to_owned());
            }
        }
    }
    named.retain(|file| MEMBERS.iter().any(|member| file.starts_with(&format!("{member}/"))));
    named
}

/// Returns the recipes of a page that begin with a patch.
fn recipes(page: &str) -> Vec<Recipe> {
    let mut recipes = Vec::new();
    for section in page.split("\n## ").skip(1) {
        let title = section.lines().next().unwrap_or_default();
        for part in section.split("```diff\n").skip(1) {
            let (patch, steps) = part.split_once("```\n").expect("a patch ends");
            let patched = patch.lines().rev().find_map(|line| line.strip_prefix("+++ b/"));
            let named = named(steps, patched.expect("a patch names its files"));
            recipes.push(Recipe { title: title.to_owned(), patch: patch.to_owned(), named });
        }
    }
    recipes
}

fn copy(from: &Path, to: &Path) {
    if from.is_dir() {
        fs::create_dir_all(to).expect("a folder can be made");
        for entry in fs::read_dir(from).expect("a folder is readable") {
            let name = entry.expect("an entry is readable").file_name();
            copy(&from.join(&name), &to.join(&name));
        }
    } else if fs::read(from).ok() != fs::read(to).ok() {
        fs::copy(from, to).expect("a file can be copied");
    }
}

/// Copies the members into a workspace of their own.
fn workspace(scratch: &Path) {
    for member in MEMBERS {
        let _ = fs::remove_dir_all(scratch.join(member));
    }
    for name in MEMBERS.iter().chain(&FOLDERS).chain(&FILES) {
        copy(&root().join(name), &scratch.join(name));
    }
    let manifest = fs::read_to_string(root().join("Cargo.toml")).expect("the manifest is readable");
    let (before, rest) = manifest.split_once("\nmembers = [").expect("the manifest has members");
    let (_, after) = rest.split_once("\nexclude").expect("the list of members is before other lists");
    let manifest = format!("{before}\nmembers = {MEMBERS:?}\nexclude{after}");
    fs::write(scratch.join("Cargo.toml"), manifest).expect("the manifest is writable");
}

fn apply(patch: &str, scratch: &Path) -> bool {
    let mut git = Command::new("git");
    // Outside of a repository, so that paths are relative to the folder.
    git.args(["apply", "--unidiff-zero", "-"]).current_dir(scratch).env("GIT_CEILING_DIRECTORIES", root());
    let mut git = git.env("GIT_DIR", scratch).stdin(Stdio::piped()).spawn().expect("git runs");
    let input = git.stdin.as_mut().expect("git has an input");
    input.write_all(patch.as_bytes()).expect("git reads the patch");
    git.wait().expect("git ends").success()
}

/// Returns the files in which the compiler reports errors.
fn errors(scratch: &Path) -> BTreeSet<String> {
    let output = Command::new(env!("CARGO"))
        .args(["check", "-p", "sim-core", "--tests", "--keep-going", "--offline", "--message-format=json"])
        .env("CARGO_TARGET_DIR", scratch.join("target"))
        .current_dir(scratch)
        .output()
        .expect("cargo runs");
    let mut files = BTreeSet::new();
    for line in String::from_utf8_lossy(&output.stdout).lines() {
        let Ok(report) = serde_json::from_str::<Value>(line) else { continue };
        let message = &report["message"];
        let spans = message["spans"].as_array().filter(|_| message["level"] == "error");
        let primary = spans.into_iter().flatten().filter(|span| span["is_primary"] == true);
        files.extend(primary.filter_map(|span| span["file_name"].as_str().map(str::to_owned)));
    }
    assert!(!files.is_empty(), "the compiler ran: {}", String::from_utf8_lossy(&output.stderr));
    files
}

#[test]
#[ignore = "checks a copy of two crates: half a minute"]
fn the_compiler_names_the_steps_of_the_recipes() {
    let page = fs::read_to_string(root().join("docs/extending/README.md")).expect("the page is readable");
    let recipes = recipes(&page.replace("\r\n", "\n"));
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR")).join("recipes");
    workspace(&scratch);
    for Recipe { title, patch, .. } in &recipes {
        assert!(apply(patch, &scratch), "the patch of recipe {title} cannot be applied:\n{patch}");
    }
    let errors = errors(&scratch);
    let mut wrong = Vec::new();
    for Recipe { title, named, .. } in &recipes {
        let silent = named.difference(&errors);
        wrong.extend(silent.map(|file| format!("recipe {title} names {file}, the compiler does not")));
    }
    let all: BTreeSet<&String> = recipes.iter().flat_map(|recipe| &recipe.named).collect();
    wrong.extend(
        errors.iter().filter(|file| !all.contains(file)).map(|file| format!("no recipe names {file}")),
    );
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_page_has_recipes_with_patches_and_steps() {
    let page = fs::read_to_string(root().join("docs/extending/README.md")).expect("the page is readable");
    let recipes = recipes(&page.replace("\r\n", "\n"));
    assert!(recipes.len() >= 7, "{}", recipes.len());
    for Recipe { title, named, .. } in &recipes {
        assert!(!named.is_empty(), "recipe {title} has no step that the compiler names");
    }
}

#[test]
fn steps_of_the_compiler_name_files_of_the_copied_crates() {
    let steps = "1. **start** – `f` in `machine/sim-core/src/a.rs`: x\n2. **compiler** – `g`, same file: y\n\
                 3. **compiler** – `h` in `machine/sim-core/src/b.rs`.\n4. **compiler** – `analysis/report/src/c.rs`\n\
                 5. **test** `t` – `machine/sim-core/src/d.rs`\n\nText about `machine/sim-core/src/e.rs`.\n";
    let named: Vec<String> = named(steps, "machine/sim-core/src/z.rs").into_iter().collect();
    assert_eq!(named, ["machine/sim-core/src/a.rs", "machine/sim-core/src/b.rs"]);
}
