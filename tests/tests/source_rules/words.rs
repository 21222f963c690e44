//! The language of comments, messages and documents: words that a reader does not find in the
//! literature of the field.

use super::texts::{self, Kind, Text, starts_with_any};

/// Words that are not used, each with the word to use instead. A pattern matches whole words in
/// lower case.
const WORDS: &[(&str, &str)] = &[
    ("hot cycle", "shader cycle"),
    ("hot cycles", "shader cycles"),
    ("hot clock", "shader clock"),
    ("ledger", "claims table, issue slot breakdown or warp state breakdown"),
    ("ledgers", "breakdowns"),
    ("mail", "message, reply or pending load"),
    ("foretold", "predicted"),
    ("mended", "corrected"),
    ("nobody", "a noun: no thread, no warp, no reader"),
    ("whoever", "a noun"),
    ("whatever", "a noun: any, every"),
    ("of its own", "separate, private"),
    ("for what", "for which, and a noun"),
    ("such as have", "a noun with `that have`"),
    ("goes home", "returns, arrives"),
    ("comes home", "returns, arrives"),
    ("house", "project"),
    ("road", "path"),
    ("is laid over", "overrides, is applied"),
    ("neighbour", "neighbor (American spelling)"),
    ("neighbours", "neighbors (American spelling)"),
    ("colour", "color (American spelling)"),
    ("colours", "colors (American spelling)"),
];

/// Uses that are correct: path, word and reason.
const CORRECT: &[(&str, &str, &str)] = &[
    ("docs/GLOSSARY.md", "hot clock", "the glossary explains NVIDIA's name once"),
    ("docs/HARDWARE.md", "hot clock", "the sources use NVIDIA's name"),
    ("docs/MODEL.md", "hot clock", "the page defines the shader cycle"),
    ("report/src/metrics/tests.rs", "", "a test of the same words in the texts of metrics"),
    ("tests/tests/source_rules/", "", "this test lists the words"),
];

/// Files and folders that are not rewritten. Remove an entry when its texts are.
const NOT_YET: &[&str] = &[
    "docs/book/",
    "cli/tests/it/reports.rs",
    "docs/ARCHITECTURE.md",
    "isa/src/lower/slots/mod.rs",
    "kernels/data/book-claims.md",
    "kernels/src/book/experiments/perf/cutoff/times.rs",
    "kernels/src/book/experiments/simt/barriers.rs",
    "kernels/src/cutoff/mod.rs",
    "sim-core/src/counters/units.rs",
    "sim-core/src/host/start.rs",
    "tests/litmus/corw.ptx",
    "tests/litmus/mp-fence-other-warp.ptx",
    "tests/tests/it/atomics.rs",
    "tests/tests/it/concurrent.rs",
    "tests/tests/it/debug.rs",
    "tests/tests/it/spaces.rs",
];

/// Folders and files within `NOT_YET` that are rewritten.
const DONE: &[&str] = &[];

/// The texts of a file that the rule is about, by line.
fn lines(text: &Text) -> Vec<(usize, String)> {
    match text.kind {
        Kind::Rust => texts::rust_words(&text.text),
        Kind::Markdown => {
            texts::prose(&text.text).map(|(number, line)| (number, texts::without_code(line))).collect()
        }
        Kind::Ptx | Kind::Ron => {
            let comment = |(i, line): (usize, &str)| Some((i + 1, line.split_once("//")?.1.to_owned()));
            text.text.lines().enumerate().filter_map(comment).collect()
        }
    }
}

/// Whether `line` has `word` as a whole word.
fn has(line: &str, word: &str) -> bool {
    let part = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
    line.match_indices(word).any(|(at, _)| {
        let before = line[..at].chars().next_back();
        let after = line[at + word.len()..].chars().next();
        !before.is_some_and(part) && !after.is_some_and(part)
    })
}

fn uses(text: &Text) -> Vec<String> {
    let mut found = Vec::new();
    for (number, line) in lines(text) {
        let line = line.to_lowercase();
        for (word, instead) in WORDS.iter().filter(|(word, _)| has(&line, word)) {
            let is_correct = |(path, correct, _): &(&str, &str, &str)| {
                text.path.starts_with(path) && (correct.is_empty() || correct == word)
            };
            if !CORRECT.iter().any(is_correct) {
                found.push(format!("{}:{number}: \"{word}\"; use {instead}", text.path));
            }
        }
    }
    found
}

#[test]
fn texts_use_the_words_of_the_field() {
    let (mut found, mut exempt) = (Vec::new(), Vec::new());
    for text in texts::all() {
        let is_exempt = starts_with_any(&text.path, NOT_YET) && !starts_with_any(&text.path, DONE);
        let uses = uses(&text);
        if !is_exempt {
            found.extend(uses);
        } else if !uses.is_empty() {
            exempt.push(text.path);
        }
    }
    // With `--nocapture`: entries that can be removed.
    for entry in NOT_YET.iter().filter(|entry| !exempt.iter().any(|path| path.starts_with(*entry))) {
        println!("NOT_YET has {entry}, whose texts use none of the words: remove the entry");
    }
    super::none(&found);
}

#[test]
fn words_are_found_in_comments_messages_and_prose_only() {
    let find = |kind, text: &str| uses(&Text { path: String::new(), kind, text: text.to_owned() }).len();
    assert_eq!(find(Kind::Rust, "let ledger = 1; // Nobody waits.\nf(\"a hot cycle\");\n"), 2);
    assert_eq!(find(Kind::Markdown, "The `ledger` of colours.\n```\nwhatever\n```\nThe ledgers.\n"), 2);
    assert_eq!(find(Kind::Ron, "house: 1, // the road\n"), 1);
    assert_eq!(find(Kind::Ptx, "// warehouse, e-mail, broadcast, for whatever-else\n"), 0);
}
