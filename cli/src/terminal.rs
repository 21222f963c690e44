//! The terminal that standard output goes to, if it is one: its width, and whether it shows colors.

use crate::render::short::WIDTH;
use console::Term;

/// Characters of a line below which a report cannot be read.
const NARROWEST: usize = 60;

/// Characters of a line of the short report: [`WIDTH`], or the width of a narrower terminal.
pub fn width() -> usize {
    let columns = Term::stdout().size_checked().map(|(_, columns)| usize::from(columns));
    columns.map_or(WIDTH, |columns| columns.clamp(NARROWEST, WIDTH))
}

/// Words at the beginning of a line that are set in color, and the color.
const COLORED: [(&str, console::Color); 3] = [
    ("PASSED", console::Color::Green),
    ("FAILED", console::Color::Red),
    ("limited by", console::Color::Yellow),
];

/// `text` with colors, if standard output is a terminal that shows them and `NO_COLOR` is not set.
pub fn colored(text: &str) -> String {
    if !console::colors_enabled() {
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
