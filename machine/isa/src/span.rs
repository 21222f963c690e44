//! Byte ranges of the source text, and the line of each byte.

use serde::Serialize;

/// A half-open byte range `start..end` of one source text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize)]
pub struct Span {
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// The range `start..end`.
    pub fn new(start: usize, end: usize) -> Self {
        Self { start: start as u32, end: end as u32 }
    }

    /// The smallest range that covers both.
    #[must_use]
    pub fn to(self, other: Self) -> Self {
        Self { start: self.start.min(other.start), end: self.end.max(other.end) }
    }

    /// Returns the span as an index range into the text.
    pub fn range(self) -> std::ops::Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// A value with its position in a text.
#[derive(Clone, Debug, PartialEq)]
pub struct Spanned<T> {
    /// Value at this place.
    pub value: T,
    /// Position.
    pub span: Span,
}

/// Start offsets of the lines of a text; converts a byte offset to a line number in O(log n).
#[derive(Clone, Debug)]
pub struct LineIndex {
    starts: Vec<u32>,
}

impl LineIndex {
    /// Scans `text` once.
    pub fn new(text: &str) -> Self {
        let mut starts = vec![0];
        starts.extend(text.bytes().enumerate().filter(|(_, b)| *b == b'\n').map(|(i, _)| i as u32 + 1));
        Self { starts }
    }

    /// Returns the one-based line of a byte offset.
    pub fn line(&self, offset: u32) -> u32 {
        self.starts.partition_point(|s| *s <= offset) as u32
    }

    /// Returns the text of a one-based line without its newline; empty if `text`, the indexed text,
    /// has no such line.
    pub fn text<'t>(&self, text: &'t str, line: u32) -> &'t str {
        let Some(start) = line.checked_sub(1).and_then(|line| self.starts.get(line as usize)) else {
            return "";
        };
        let end = self.starts.get(line as usize).map_or(text.len(), |next| *next as usize - 1);
        &text[*start as usize..end]
    }

    /// Returns the one-based column (in bytes) of a byte offset.
    pub fn column(&self, offset: u32) -> u32 {
        offset - self.starts[self.line(offset) as usize - 1] + 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_returns_each_line_without_its_newline() {
        let text = "one\n\nthree";
        let lines = LineIndex::new(text);
        let found = [0, 1, 2, 3, 4].map(|line| lines.text(text, line));
        assert_eq!(found, ["", "one", "", "three", ""]);
        assert_eq!(LineIndex::new("").text("", 1), "");
    }
}
