//! The text files of the repository: sources and documents, with their comments and prose.

use std::fs;
use std::path::{Path, PathBuf};
use test_support::workspace::{files, relative, root};

/// Files that the project did not write, or that are damaged on purpose.
const NOT_OURS: [&str; 2] = ["tests/fuzz/", "doors/cli/tests/bad/"];

/// Kind of a text file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextKind {
    /// Rust source.
    Rust,
    /// PTX text, or a template of one.
    Ptx,
    /// Chip file or launch file.
    Ron,
    /// Document.
    Markdown,
}

/// A text file of the repository.
pub struct Text {
    /// Path from the root, with slashes.
    pub path: String,
    pub kind: TextKind,
    pub text: String,
}

/// Returns all text files, in the order of their paths.
pub fn all() -> Vec<Text> {
    let paths = files(&root(), &["rs", "ptx", "template", "ron", "md"]);
    let text = |path: PathBuf| {
        let name = relative(&path);
        let kind = kind(&path).filter(|_| !starts_with_any(&name, &NOT_OURS))?;
        let text = fs::read_to_string(&path).expect("a text file is readable").replace("\r\n", "\n");
        Some(Text { path: name, kind, text })
    };
    let all: Vec<Text> = paths.into_iter().filter_map(text).collect();
    assert!(all.len() > 500, "the repository has texts; {} were found", all.len());
    all
}

/// Whether `path` begins with one of `prefixes`.
pub fn starts_with_any(path: &str, prefixes: &[&str]) -> bool {
    prefixes.iter().any(|prefix| path.starts_with(prefix))
}

fn kind(path: &Path) -> Option<TextKind> {
    match path.extension()?.to_str()? {
        "rs" => Some(TextKind::Rust),
        "ptx" | "template" => Some(TextKind::Ptx),
        "ron" => Some(TextKind::Ron),
        "md" => Some(TextKind::Markdown),
        _ => None,
    }
}

/// Returns the lines of a document that are prose, numbered from 1: lines outside of code blocks.
pub fn prose(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut fenced = false;
    text.lines().enumerate().filter_map(move |(i, line)| {
        let fence = line.trim_start().starts_with("```");
        let is_prose = !fenced && !fence;
        fenced ^= fence;
        is_prose.then_some((i + 1, line))
    })
}

/// Returns a line of a document without its code spans.
pub fn without_code(line: &str) -> String {
    line.split('`').step_by(2).collect::<Vec<_>>().join(" ")
}

/// Returns the comments and string literals of a Rust source by line, numbered from 1.
///
/// Raw strings are skipped: they hold PTX and other inputs of tests.
pub fn rust_words(text: &str) -> Vec<(usize, String)> {
    let bytes: Vec<char> = text.chars().collect();
    let mut words: Vec<(usize, String)> = Vec::new();
    let (mut at, mut line) = (0, 1);
    while let Some(&c) = bytes.get(at) {
        let next = bytes.get(at + 1).copied();
        match c {
            '/' if next == Some('/') => {
                let end = bytes[at..].iter().position(|c| *c == '\n').map_or(bytes.len(), |n| at + n);
                words.push((line, bytes[at..end].iter().collect()));
                at = end;
            }
            'r' if matches!(next, Some('"' | '#'))
                && !at.checked_sub(1).is_some_and(|i| is_word(bytes[i])) =>
            {
                let end = end_of_raw(&bytes, at);
                line += bytes[at..end].iter().filter(|c| **c == '\n').count();
                at = end;
            }
            // A character literal, such as '"', and not a lifetime.
            '\'' if next == Some('\\') => at += 4,
            '\'' if bytes.get(at + 2) == Some(&'\'') => at += 3,
            '"' => {
                let mut literal = String::new();
                at += 1;
                while let Some(&c) = bytes.get(at).filter(|c| **c != '"') {
                    if c == '\\' && bytes.get(at + 1) != Some(&'\n') {
                        literal.push(' ');
                        at += 2;
                        continue;
                    }
                    if c == '\n' {
                        words.push((line, std::mem::take(&mut literal)));
                        line += 1;
                    } else {
                        literal.push(c);
                    }
                    at += 1;
                }
                words.push((line, literal));
                at += 1;
            }
            _ => {
                line += usize::from(c == '\n');
                at += 1;
            }
        }
    }
    words
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// End of the raw string or raw identifier that begins at `at`.
fn end_of_raw(text: &[char], at: usize) -> usize {
    let hashes = text[at + 1..].iter().take_while(|c| **c == '#').count();
    let start = at + 1 + hashes;
    if text.get(start) != Some(&'"') {
        return start;
    }
    let ends = |i: &usize| {
        text[*i] == '"' && text[i + 1..].iter().take(hashes).filter(|c| **c == '#').count() == hashes
    };
    (start + 1..text.len()).find(ends).map_or(text.len(), |end| end + 1 + hashes)
}

#[test]
fn comments_and_strings_are_found() {
    let text = "let a = 'x'; // one\nlet b = \"two \\\" \\\n    three\";\nlet c = r#\"four \" \"#; /// five\nlet d = '\"';\nf(\"six\");\n";
    let words: Vec<(usize, String)> =
        rust_words(text).into_iter().map(|(line, word)| (line, word.trim().to_owned())).collect();
    let expected = [(1, "// one"), (2, "two   \\"), (3, "three"), (4, "/// five"), (6, "six")];
    assert_eq!(words.iter().map(|(line, word)| (*line, word.as_str())).collect::<Vec<_>>(), expected);
}
