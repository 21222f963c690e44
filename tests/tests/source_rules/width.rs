//! Comments and prose have at most 100 columns.

use super::texts::{self, Text, TextKind, starts_with_any};

/// Columns that a comment line or a line of prose may have.
const COLUMNS: usize = 100;

/// A line that is too long, with the path of its file.
fn too_long(text: &Text) -> Vec<String> {
    let lines: Vec<(usize, &str)> = match text.kind {
        TextKind::Markdown => {
            // Tables, headings and comments of one line cannot be wrapped.
            let fixed = |line: &str| starts_with_any(line.trim_start(), &["|", "#", "<!--"]);
            texts::prose(&text.text).filter(|(_, line)| !fixed(line)).collect()
        }
        // A comment beside a value is part of the chip files' table of values and sources, and must
        // stay on the line of its value: the program prints it as the source of the value.
        TextKind::Rust | TextKind::Ptx | TextKind::Ron => comments(&text.text),
    };
    let long = lines.into_iter().filter(|(_, line)| line.chars().count() > COLUMNS && can_wrap(line));
    long.map(|(number, line)| {
        format!("{}:{number}: {} columns, at most {COLUMNS}", text.path, line.chars().count())
    })
    .collect()
}

/// Comment lines, without tables, code blocks of doc comments, pseudo code, which is indented by at
/// least three columns, and the lists of outcomes of litmus tests.
fn comments(text: &str) -> Vec<(usize, &str)> {
    let mut fenced = false;
    let mut lines = Vec::new();
    for (i, line) in text.lines().enumerate() {
        let Some(comment) = line.trim_start().strip_prefix("//") else {
            fenced = false;
            continue;
        };
        let words = comment.trim_start_matches(['/', '!']);
        let fence = words.trim_start().starts_with("```");
        if !fenced && !fence && !starts_with_any(words, &[" |", "   ", " allowed:"]) {
            lines.push((i + 1, line));
        }
        fenced ^= fence;
    }
    lines
}

/// Whether a line has a space at which it can be wrapped: not within a link or a code span.
fn can_wrap(line: &str) -> bool {
    let words = line.trim_start().trim_start_matches(['/', '!', '-', '*']).trim();
    let (mut brackets, mut code) = (0_i32, false);
    words.chars().any(|c| {
        match c {
            '`' => code = !code,
            '[' | '(' => brackets += 1,
            ']' | ')' => brackets -= 1,
            _ => {}
        }
        c == ' ' && brackets <= 0 && !code
    })
}

#[test]
fn comments_and_prose_have_at_most_100_columns() {
    super::none(&texts::all().iter().flat_map(too_long).collect::<Vec<_>>());
}

#[test]
fn long_lines_are_found() {
    let find = |kind, text: &str| too_long(&Text { path: String::new(), kind, text: text.to_owned() }).len();
    let long = "word ".repeat(25);
    assert_eq!(find(TextKind::Rust, &format!("    /// {long}\nlet a = 1; // {long}\n")), 1);
    assert_eq!(find(TextKind::Rust, &format!("/// ```text\n/// {long}\n/// ```\n/// {long}\n")), 1);
    assert_eq!(find(TextKind::Ptx, &format!("//     {long}\n// {long}\n")), 1);
    assert_eq!(find(TextKind::Ron, &format!("    warps: 24, // {long}\n// {long}\n")), 1);
    assert_eq!(find(TextKind::Markdown, &format!("{long}\n| {long} |\n# {long}\n```\n{long}\n```\n")), 1);
    assert_eq!(find(TextKind::Markdown, &format!("- [{long}](a.md)\n{}\n", "ä".repeat(100))), 0);
}
