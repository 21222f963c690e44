//! The index of invariants: every invariant of the code has tests, and `docs/INVARIANTS.md` lists
//! them.
//!
//! A module comment states an invariant of its module in a paragraph that begins with "Invariant",
//! a key in backquotes and a colon. A test that holds the invariant names the key in the last
//! paragraph of its comment, after "Tests:"; a file whose tests are not functions names it in its
//! module comment. `BLESS=1` writes the page.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use test_support::workspace::{self, relative, root};

/// Crates, in the order of the page, with their headings.
const CRATES: [(&str, &str); 12] = [
    ("machine/isa", "PTX text to program"),
    ("machine/sim-core", "The machine"),
    ("kernels", "Kernels"),
    ("analysis/report", "Launch files and reports"),
    ("analysis/evidence", "Claims and measurements"),
    ("analysis/figures", "Pictures"),
    ("analysis/studies", "Experiments"),
    ("language/cudart", "CUDA programs"),
    ("doors/web/lab", "The browser lab"),
    ("analysis/check", "Property tests and exploration"),
    ("doors/cli", "The program"),
    ("tests", "The tests themselves"),
];

struct Invariant {
    /// File of the module.
    file: String,
    text: String,
    /// Functions and files that hold it.
    tests: Vec<String>,
}

/// All invariants by key, and everything that is wrong with the marks.
#[derive(Default)]
struct Index {
    invariants: BTreeMap<String, Invariant>,
    /// Key, the test that names it.
    tests: Vec<(String, String)>,
    wrong: Vec<String>,
}

/// The keys of a list such as "`a`, `b`."
fn keys(list: &str) -> impl Iterator<Item = String> {
    list.split('`').skip(1).step_by(2).map(str::to_owned)
}

impl Index {
    fn of_workspace() -> Self {
        let mut index = Self::default();
        for path in workspace::sources() {
            let name = relative(&path);
            let text = fs::read_to_string(&path).expect("a source file is readable");
            index.module_comment(&name, &text);
            index.functions(&name, &text);
        }
        for (key, test) in std::mem::take(&mut index.tests) {
            match index.invariants.get_mut(&key) {
                Some(invariant) => invariant.tests.push(test),
                None => index.wrong.push(format!("{test}: no module states the invariant `{key}`")),
            }
        }
        let untested = index.invariants.iter().filter(|(_, invariant)| invariant.tests.is_empty());
        let untested = untested.map(|(key, invariant)| format!("{}: no test for `{key}`", invariant.file));
        index.wrong.extend(untested.collect::<Vec<_>>());
        index
    }

    /// Reads the paragraphs of a module comment.
    fn module_comment(&mut self, file: &str, text: &str) {
        let lines = text.lines().map_while(|line| line.strip_prefix("//!"));
        let comment = lines.map(str::trim).collect::<Vec<_>>().join("\n");
        for paragraph in comment.split("\n\n").map(|paragraph| paragraph.replace('\n', " ")) {
            if let Some(list) = paragraph.strip_prefix("Tests: ") {
                self.tests.extend(keys(list).map(|key| (key, format!("`{file}`"))));
            }
            let Some(rest) = paragraph.strip_prefix("Invariant `") else { continue };
            let (key, text) = rest.split_once("`: ").expect("a colon follows the key");
            let (file, text) = (file.to_owned(), text.trim().to_owned());
            let invariant = Invariant { file, text, tests: Vec::new() };
            if let Some(other) = self.invariants.insert(key.to_owned(), invariant) {
                self.wrong.push(format!("{}: another module states `{key}`", other.file));
            }
        }
    }

    /// Reads the comments of functions.
    fn functions(&mut self, file: &str, text: &str) {
        let (mut list, mut is_test) = (String::new(), false);
        for line in text.lines().map(str::trim) {
            if let Some(comment) = line.strip_prefix("///") {
                if comment.starts_with(" Tests: ") || !list.is_empty() {
                    list += comment;
                }
            } else if line == "#[test]" {
                is_test = true;
            } else if let Some(name) = line.strip_prefix("pub ").unwrap_or(line).strip_prefix("fn ") {
                let name = name.split(['(', '<']).next().unwrap_or(name);
                if !is_test && !list.is_empty() {
                    self.wrong.push(format!("{file}: `{name}` holds an invariant but is no test"));
                }
                self.tests.extend(keys(&list).map(|key| (key, format!("`{name}`"))));
                (list, is_test) = (String::new(), false);
            } else if !line.starts_with("#[") {
                list.clear();
            }
        }
    }

    /// The page of the documentation.
    fn page(&self) -> String {
        let mut out = "# Invariants\n\n\
            Every rule that the code keeps, the module whose comment states it, and the tests that hold it.\n\
            The test `tests/tests/invariants.rs` writes this page from the comments in the code: change them,\n\
            and run `BLESS=1 cargo test -p warpsim-tests --test invariants`. A file in place of a test means\n\
            all tests of the file. [extending/rules.md](extending/rules.md) has the scheduling rules.\n"
            .to_owned();
        for (folder, title) in CRATES {
            let mut rows: Vec<(&String, &Invariant)> = self
                .invariants
                .iter()
                .filter(|(_, invariant)| {
                    invariant.file.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'))
                })
                .collect();
            rows.sort_by_key(|(key, invariant)| (&invariant.file, *key));
            let _ =
                write!(out, "\n## {title}: `{folder}`\n\n| module | invariant | tests |\n|---|---|---|\n");
            for (_, Invariant { file, text, tests }) in rows {
                let module = file.strip_prefix(folder).unwrap_or(file);
                let module = module.strip_prefix("/src").unwrap_or(module).trim_start_matches('/');
                let _ = writeln!(out, "| [{module}](../{file}) | {text} | {} |", tests.join(", "));
            }
        }
        out
    }
}

#[test]
fn every_invariant_has_tests_and_every_test_an_invariant() {
    let index = Index::of_workspace();
    assert!(index.wrong.is_empty(), "\n{}", index.wrong.join("\n"));
    assert!(index.invariants.len() >= 100, "{} invariants", index.invariants.len());
}

#[test]
fn the_page_of_invariants_is_that_of_the_code() {
    let path = root().join("docs/INVARIANTS.md");
    let page = Index::of_workspace().page();
    if fs::read_to_string(&path).is_ok_and(|old| old.replace("\r\n", "\n") == page) {
        return;
    }
    if std::env::var_os("BLESS").is_some_and(|value| value == "1") {
        fs::write(&path, page).expect("the page is writable");
        return;
    }
    panic!("docs/INVARIANTS.md is not up to date; run this test with BLESS=1");
}

/// A mark without an invariant, an invariant without a test and a mark on no test are found.
#[test]
fn wrong_marks_are_found() {
    let mut index = Index::default();
    index.module_comment(
        "machine/isa/src/a.rs",
        "//! A.\n//!\n//! Invariant `one`: It\n//! holds.\n\nfn f() {}\n",
    );
    index.functions("machine/isa/src/a.rs", "/// Says.\n///\n/// Tests: `one`, `two`.\n#[test]\nfn t() {}\n");
    index.functions(
        "machine/isa/src/b.rs",
        "/// Tests: `one`.\nfn no_test() {}\n\n/// Other.\n#[test]\nfn u() {}\n",
    );
    assert_eq!(index.invariants["one"].text, "It holds.");
    let named: Vec<(&str, &str)> =
        index.tests.iter().map(|(key, test)| (key.as_str(), test.as_str())).collect();
    assert_eq!(named, [("one", "`t`"), ("two", "`t`"), ("one", "`no_test`")]);
    assert_eq!(index.wrong, ["machine/isa/src/b.rs: `no_test` holds an invariant but is no test"]);
}
