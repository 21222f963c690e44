//! The map of `docs/ARCHITECTURE.md`: the crates, each with its purpose and what it must not know.
//! `BLESS=1` writes it.

use std::fs;
use std::path::Path;
use test_support::workspace::{self, root};

const BEGIN: &str = "<!-- map: generated; BLESS=1 cargo test -p warpsim-tests --test docs -->\n";
const END: &str = "<!-- end of map -->\n";

/// Members of the workspace that the section about data and tests of the page describes.
const NOT_SHOWN: [&str; 5] =
    ["tests", "tests/support", "examples/new-scheduler", "examples/own-memory", "examples/own-scheduler"];

/// Returns the members of the workspace.
fn members() -> Vec<String> {
    let members = workspace::members().into_iter();
    members.filter(|member| !NOT_SHOWN.contains(&member.as_str())).collect()
}

/// Returns the paragraphs of the first comment of a file.
fn comment(path: &Path) -> Vec<String> {
    let text = fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let lines: Vec<&str> = text.lines().map_while(|line| line.strip_prefix("//!")).map(str::trim).collect();
    lines.split(|line| line.is_empty()).map(|lines| plain(&lines.join(" "))).collect()
}

/// Returns the sentence about what a crate must not know.
fn not_known(paragraphs: &[String]) -> Option<&str> {
    let sentences = paragraphs.iter().flat_map(|paragraph| sentences(paragraph));
    sentences.into_iter().find(|sentence| sentence.starts_with("It must not know"))
}

/// Returns a text without the targets of its links: `x` for [`x`](y) and for [`x`].
fn plain(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find("[`") {
        let Some(end) = rest[at..].find("`]") else { break };
        out += &rest[..at];
        out += &rest[at + 1..=at + end];
        rest = &rest[at + end + 2..];
        if let Some(target) = rest.strip_prefix('(') {
            rest = target.split_once(')').map_or(rest, |(_, after)| after);
        }
    }
    out + rest
}

/// Returns the sentences of a text. A period after a single letter ends no sentence.
fn sentences(text: &str) -> Vec<&str> {
    let mut sentences = Vec::new();
    let mut begin = 0;
    for (at, _) in text.match_indices(". ") {
        let before = text[..at].chars().rev().take_while(|c| c.is_alphanumeric()).count();
        if before != 1 && text[at + 2..].starts_with(|c: char| c.is_uppercase() || "`[".contains(c)) {
            sentences.push(&text[begin..=at]);
            begin = at + 2;
        }
    }
    sentences.push(&text[begin..]);
    sentences
}

/// Returns a text in lines of at most 100 columns.
fn wrapped(text: &str) -> String {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let last = lines.last_mut().expect("a line");
        if last.is_empty() {
            last.push_str(word);
        } else if last.chars().count() + 1 + word.chars().count() <= 100 {
            last.extend([" ", word]);
        } else {
            lines.push(word.to_owned());
        }
    }
    lines.join("\n")
}

fn map() -> String {
    let mut out = "\n".to_owned();
    for member in members() {
        let source = root().join(&member).join("src");
        let paragraphs = comment(&source.join("lib.rs"));
        let not_known = not_known(&paragraphs).filter(|words| !paragraphs[0].contains(words));
        let words = format!("{} {}", paragraphs[0], not_known.unwrap_or_default());
        out.extend([format!("### `{member}`\n\n{}\n\n", wrapped(&words))]);
    }
    out
}

/// Tests: `documents-name-what-exists`.
#[test]
fn the_map_has_the_first_sentence_of_each_module() {
    let path = root().join("docs/ARCHITECTURE.md");
    let page = fs::read_to_string(&path).expect("the page is readable").replace("\r\n", "\n");
    let (before, rest) = page.split_once(BEGIN).expect("the page has the line before the map");
    let (old, after) = rest.split_once(END).expect("the page has the line after the map");
    let now = map();
    if old == now {
        return;
    }
    let bless = std::env::var_os("BLESS").is_some_and(|value| value == "1");
    let differs = old.lines().zip(now.lines()).find(|(old, new)| old != new);
    assert!(bless, "docs/ARCHITECTURE.md has an old map; run the test with BLESS=1: {differs:#?}");
    fs::write(path, format!("{before}{BEGIN}{now}{END}{after}")).expect("the page is writable");
}

#[test]
fn every_crate_says_what_it_must_not_know() {
    for member in members() {
        let found = not_known(&comment(&root().join(&member).join("src/lib.rs"))).is_some();
        assert!(found, "the comment of {member}/src/lib.rs has no sentence \"It must not know …\"");
    }
}

#[test]
fn sentences_end_at_a_period_before_a_capital_letter() {
    let text = "After S. Podlozhnyuk, see [`A`](b::A) and [`c`]. The next. not this";
    let plain = plain(text);
    assert_eq!(plain, "After S. Podlozhnyuk, see `A` and `c`. The next. not this");
    assert_eq!(sentences(&plain), ["After S. Podlozhnyuk, see `A` and `c`.", "The next. not this"]);
}
