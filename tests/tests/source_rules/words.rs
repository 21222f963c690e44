//! The language of comments, messages and documents: words that a reader does not find in the
//! literature of the field.

use super::texts::{self, Text, TextKind};

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
    ("analysis/evidence/src/cutoff/times.rs", "neighbours", "the name of a variable in PTX"),
    ("kernels/src/cutoff/mod.rs", "neighbours", "the name of a variable in PTX"),
    ("analysis/report/src/metrics/tests.rs", "", "a test of the same words in the texts of metrics"),
    ("tests/tests/source_rules/", "", "this test lists the words"),
];

/// Words that leave out the noun. A reader has to look for it.
const MISSING_NOUN: [&str; 3] = ["that of", "those of", "of which"];

/// The texts of a file that the rule is about, by line.
fn lines(text: &Text) -> Vec<(usize, String)> {
    match text.kind {
        TextKind::Rust => texts::rust_words(&text.text),
        TextKind::Markdown => {
            texts::prose(&text.text).map(|(number, line)| (number, texts::without_code(line))).collect()
        }
        TextKind::Ptx | TextKind::Ron => {
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
    super::none(&texts::all().iter().flat_map(uses).collect::<Vec<_>>());
}

/// British endings, which no identifier has: fields of documents have the spelling of metrics.
const BRITISH: [&str; 7] =
    ["utilis", "serialis", "synchronis", "optimis", "normalis", "initialis", "behaviour"];

#[test]
fn identifiers_have_american_spelling() {
    let is_own =
        |text: &Text| text.kind == TextKind::Rust && !text.path.starts_with("tests/tests/source_rules/");
    let mut found = Vec::new();
    for text in texts::all().iter().filter(|text| is_own(text)) {
        for (number, line) in (1..).zip(text.text.lines()) {
            // A string is a text, an input or an old name.
            let code: String = line.split('"').step_by(2).collect::<Vec<_>>().join(" ").to_lowercase();
            for part in BRITISH.iter().filter(|part| code.contains(**part)) {
                found.push(format!("{}:{number}: \"{part}\"", text.path));
            }
        }
    }
    super::none(&found);
}

/// Returns the places of a text that leave out the noun, also where a line ends between the words.
fn missing_nouns(text: &Text) -> Vec<String> {
    let (mut found, mut last) = (Vec::new(), String::new());
    for (number, line) in lines(text) {
        let line = line.trim_start_matches(['/', '!', ' ', '*']).to_lowercase();
        let with_last = format!("{last} {line}");
        for words in MISSING_NOUN.iter().filter(|words| has(&with_last, words)) {
            found.push(format!("{}:{number}: \"{words}\"; name the noun", text.path));
        }
        last = line.split_whitespace().next_back().map(str::to_owned).unwrap_or_default();
    }
    found
}

#[test]
fn documents_leave_out_no_noun() {
    let documents = texts::all().into_iter().filter(|text| text.kind == TextKind::Markdown);
    super::none(&documents.flat_map(|text| missing_nouns(&text)).collect::<Vec<_>>());
}

#[test]
fn a_missing_noun_is_found_at_the_end_of_a_line() {
    let find =
        |kind, text: &str| missing_nouns(&Text { path: String::new(), kind, text: text.to_owned() }).len();
    assert_eq!(find(TextKind::Markdown, "The time is that\nof a load, most of which\nwaits.\n"), 2);
    assert_eq!(find(TextKind::Rust, "// Those\n// of the host.\nlet a = \"that of b\";\n"), 2);
    assert_eq!(find(TextKind::Markdown, "After that\n\nof these and `that of`.\n"), 0);
}

#[test]
fn words_are_found_in_comments_messages_and_prose_only() {
    let find = |kind, text: &str| uses(&Text { path: String::new(), kind, text: text.to_owned() }).len();
    assert_eq!(find(TextKind::Rust, "let ledger = 1; // Nobody waits.\nf(\"a hot cycle\");\n"), 2);
    assert_eq!(find(TextKind::Markdown, "The `ledger` of colours.\n```\nwhatever\n```\nThe ledgers.\n"), 2);
    assert_eq!(find(TextKind::Ron, "house: 1, // the road\n"), 1);
    assert_eq!(find(TextKind::Ptx, "// warehouse, e-mail, broadcast, for whatever-else\n"), 0);
}
