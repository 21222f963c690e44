//! Reports of rows: a name, and a text that is indented behind it.

use super::table::wrapped;

/// Characters before the text of a row.
pub const INDENT: usize = 11;

/// A report in progress, of lines of at most `width` characters.
pub struct Rows {
    /// The lines so far.
    pub text: String,
    /// Characters of a line.
    pub width: usize,
}

impl Rows {
    /// Adds a row that begins with `name`; later lines of a long text are indented.
    pub fn row(&mut self, name: &str, text: &str) {
        for line in wrapped(&format!("{name:<INDENT$}"), text, INDENT, self.width) {
            self.line(&line);
        }
    }

    /// Adds a line, cut at the width.
    pub fn line(&mut self, line: &str) {
        self.text += &cut(line.trim_end(), self.width);
        self.text.push('\n');
    }
}

/// Returns the text, or its beginning with a mark that it was cut.
pub fn cut(text: &str, width: usize) -> String {
    if text.chars().count() <= width {
        return text.to_owned();
    }
    text.chars().take(width.saturating_sub(1)).chain(['…']).collect()
}
