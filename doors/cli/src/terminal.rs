//! The terminal of standard output, if there is one: its width, and whether it supports colors.

use crate::render::short::WIDTH;
use console::Term;

/// Minimum width of a line, below which a report is not readable.
const NARROWEST: usize = 60;

/// Returns the width of the short report: [`WIDTH`], or the width of a narrower terminal.
pub fn width() -> usize {
    let columns = Term::stdout().size_checked().map(|(_, columns)| usize::from(columns));
    columns.map_or(WIDTH, |columns| columns.clamp(NARROWEST, WIDTH))
}

/// Colored words at the beginning of a line.
const COLORED: [(&str, console::Color); 3] = [
    ("PASSED", console::Color::Green),
    ("FAILED", console::Color::Red),
    ("limited by", console::Color::Yellow),
];

/// Whether standard output is a terminal that supports colors, and `NO_COLOR` is not set.
pub fn has_colors() -> bool {
    console::colors_enabled()
}

/// Returns `text` with colors, if standard output is a terminal that supports them and `NO_COLOR`
/// is not set.
pub fn colored(text: &str) -> String {
    if !has_colors() {
        return text.to_owned();
    }
    let mut out = String::with_capacity(text.len() + 64);
    for line in text.split_inclusive('\n') {
        match COLORED.iter().find(|(word, _)| line.starts_with(word)) {
            Some((word, color)) => {
                out += &console::style(word).fg(*color).bold().to_string();
                out += &line[word.len()..];
            }
            None => out += line,
        }
    }
    out
}
