//! Columns: lists of facts and tables of numbers, at most [`WIDTH`] characters wide.

use super::Details;
use comfy_table::{CellAlignment, ColumnConstraint, ContentArrangement, Table, Width};
use isa::diag::MAX_QUOTED;
use std::borrow::Cow;
use textwrap::{Options, WordSeparator, WordSplitter};

/// Maximum width of a line.
pub const WIDTH: u16 = 100;

/// Maximum width of a line in narrow tables.
pub const NARROW: u16 = 80;

/// Stands for an empty line while a table is laid out; no text contains it.
const GAP: &str = "\u{1}";

/// Returns the heading of a section.
pub fn heading(title: &str) -> String {
    heading_within(title, WIDTH)
}

/// Returns the heading of a section, `width` characters wide.
pub fn heading_within(title: &str, width: u16) -> String {
    let rest = usize::from(width).saturating_sub(title.chars().count() + 4);
    format!("\n== {title} {}\n", "=".repeat(rest))
}

/// Adds a line.
pub fn line(out: &mut String, text: impl AsRef<str>) {
    out.push_str(text.as_ref());
    out.push('\n');
}

/// Wraps `head` followed by the words of `text` to lines of at most `width` characters, if the
/// words permit it. Lines after the first begin with `indent` blanks.
pub fn wrapped(head: &str, text: &str, indent: usize, width: usize) -> Vec<String> {
    if text.is_empty() {
        return vec![head.trim_end().to_owned()];
    }
    let indent = " ".repeat(indent);
    let options = Options::new(width)
        .initial_indent(head)
        .subsequent_indent(&indent)
        .break_words(false)
        .word_separator(WordSeparator::AsciiSpace)
        .word_splitter(WordSplitter::NoHyphenation);
    textwrap::wrap(text, options).into_iter().map(Cow::into_owned).collect()
}

/// Joins the words of `text` with single blanks, and wraps them to lines of at most `width`
/// characters that begin with `indent`.
pub fn filled(text: &str, indent: &str, width: usize) -> String {
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    wrapped(indent, &words, indent.len(), width).join("\n")
}

/// Format of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Column {
    /// Text, at least this wide.
    Words(u16),
    /// Numbers, right-aligned, at least this wide.
    Numbers(u16),
    /// The last column: text that uses the remaining width and wraps.
    Rest,
}

/// A table in progress.
pub struct Columns {
    table: Table,
    /// Whether each column contains numbers.
    numbers: Vec<bool>,
    /// Whether rows with only zeros are omitted.
    without_zeros: bool,
}

impl Columns {
    /// A table with these columns.
    pub fn new(columns: &[Column]) -> Self {
        let mut table = Table::new();
        table.load_style(comfy_table::presets::NOTHING);
        table.set_content_arrangement(ContentArrangement::Dynamic).set_width(WIDTH - 1);
        // The first row defines the columns; it has the titles, or is empty and never printed.
        table.set_header(vec![""; columns.len()]);
        for (i, column) in columns.iter().enumerate() {
            let Some(target) = table.column_mut(i) else { continue };
            target.set_padding((1, 0));
            match column {
                Column::Words(width) => {
                    target.set_constraint(ColumnConstraint::LowerBoundary(Width::Fixed(*width)));
                }
                Column::Numbers(width) => {
                    target.set_constraint(ColumnConstraint::LowerBoundary(Width::Fixed(*width)));
                    target.set_cell_alignment(CellAlignment::Right);
                }
                Column::Rest => {}
            }
        }
        let numbers = columns.iter().map(|column| matches!(column, Column::Numbers(_))).collect();
        Self { table, numbers, without_zeros: false }
    }

    /// Omits rows with only zeros, unless `details` requests all rows.
    #[must_use]
    pub fn detailed(mut self, details: Details) -> Self {
        self.without_zeros = match details {
            Details::Most => true,
            Details::All => false,
        };
        self
    }

    /// Limits the width to [`NARROW`] characters.
    #[must_use]
    pub fn narrow(mut self) -> Self {
        self.table.set_width(NARROW - 1);
        self
    }

    /// Sets the columns' titles.
    #[must_use]
    pub fn titles(mut self, titles: &[&str]) -> Self {
        self.table.set_header(titles.iter().copied());
        self
    }

    /// Adds a row. A word that is far longer than a line is shortened.
    pub fn row(&mut self, cells: &[&str]) {
        let is_zero = |cell: &str| !cell.is_empty() && cell.chars().all(|c| matches!(c, '0' | '.' | '-'));
        let mut values =
            cells.iter().zip(&self.numbers).filter(|(_, number)| **number).map(|(cell, _)| cell).peekable();
        if self.without_zeros && values.peek().is_some() && values.all(|cell| is_zero(cell)) {
            return;
        }
        self.table.add_row(cells.iter().map(|cell| short_words(cell)));
    }

    /// Adds an empty line.
    pub fn gap(&mut self) {
        self.table.add_row([GAP]);
    }

    /// Whether no row has been added.
    pub fn is_empty(&self) -> bool {
        self.table.row_iter().next().is_none()
    }

    /// Returns the table, without blanks at line ends.
    pub fn draw(&self) -> String {
        let mut out = String::new();
        for line in self.table.to_string().lines().map(str::trim_end).filter(|l| !l.is_empty()) {
            if line.trim() != GAP {
                out += " ";
                out += line;
            }
            out.push('\n');
        }
        out
    }
}

/// Shortens each word of a cell to [`MAX_QUOTED`] characters: breaking a word into lines takes
/// quadratic time.
fn short_words(cell: &str) -> Cow<'_, str> {
    if cell.split(' ').all(|word| word.len() <= MAX_QUOTED) {
        return Cow::Borrowed(cell);
    }
    let short = |word: &str| match word.char_indices().nth(MAX_QUOTED) {
        Some((end, _)) => format!("{}…", &word[..end]),
        None => word.to_owned(),
    };
    Cow::Owned(cell.split(' ').map(short).collect::<Vec<_>>().join(" "))
}

/// A list of facts: name, value, unit, and a note.
pub struct Facts {
    columns: Columns,
}

impl Facts {
    /// An empty list; facts that are zero are omitted unless `details` requests all.
    pub fn new(details: Details) -> Self {
        let columns = [Column::Words(30), Column::Numbers(14), Column::Words(8), Column::Rest];
        Self { columns: Columns::new(&columns).detailed(details) }
    }

    /// Adds a fact.
    pub fn add(&mut self, what: &str, value: impl AsRef<str>, unit: &str, note: impl AsRef<str>) {
        self.columns.row(&[what, value.as_ref(), unit, note.as_ref()]);
    }

    /// Returns the list as text.
    pub fn draw(&self) -> String {
        if self.columns.is_empty() { String::new() } else { self.columns.draw() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_broken_at_blanks() {
        assert_eq!(filled("one two three", "", 7), "one two\nthree");
        assert_eq!(filled("one\ntwo three", "", 20), "one two three");
        assert_eq!(filled("longer-than-that x", "", 5), "longer-than-that\nx");
    }

    #[test]
    fn long_notes_wrap_within_the_width_and_stay_in_their_column() {
        let mut facts = Facts::new(Details::All);
        facts.add("a number", "1,234", "bytes", "words ".repeat(40));
        facts.add("another", "5", "", "short");
        let text = facts.draw();
        assert!(text.lines().all(|l| l.chars().count() <= usize::from(WIDTH) && l == l.trim_end()), "{text}");
        let lines: Vec<&str> = text.lines().collect();
        let column = lines[0].find("words").expect("the note");
        assert!(lines[1][..column].trim().is_empty() && lines[1][column..].starts_with("words"), "{text}");
        assert_eq!(lines.last().and_then(|l| l.find("short")), Some(column), "{text}");
    }

    #[test]
    fn headings_fill_the_line() {
        assert_eq!(heading("Time").trim_end().trim_start().chars().count(), usize::from(WIDTH));
    }
}
