//! Compares the output of a program with the right output.

use std::collections::BTreeSet;

/// The first line that differs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Number of the line, from 1.
    pub line: usize,
    /// The right line; `None` if the output has more lines.
    pub expected: Option<String>,
    /// The line of the program; `None` if its output has fewer lines.
    pub found: Option<String>,
}

/// Longest part of a line in messages.
const LONGEST: usize = 160;

impl Difference {
    /// The line of the program with its number.
    pub fn found(&self) -> String {
        format!("line {}: `{}`", self.line, cut(self.found.as_deref().unwrap_or_default()))
    }
}

/// The first part of a line.
pub fn cut(text: &str) -> String {
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

impl std::fmt::Display for Difference {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match (&self.expected, &self.found) {
            (Some(expected), Some(found)) => {
                write!(f, "line {}: expected `{}`, found `{}`", self.line, cut(expected), cut(found))
            }
            (Some(expected), None) => {
                write!(f, "line {}: expected `{}`, but the output ends", self.line, cut(expected))
            }
            (None, found) => {
                let found = found.as_deref().unwrap_or_default();
                write!(f, "line {}: expected the end of the output, found `{}`", self.line, cut(found))
            }
        }
    }
}

/// The lines of an output, divided by whether the right output has such lines.
#[derive(Debug)]
pub struct Compared<'t> {
    /// Lines that can be results, with their numbers from 1.
    pub lines: Vec<(usize, &'t str)>,
    /// Extra lines, with their numbers: their first word, apart from numbers, begins no line of the
    /// right output, and a line of one word is extra only if the right output has no such line.
    pub extra: Vec<(usize, &'t str)>,
}

impl<'t> Compared<'t> {
    /// Divides the lines of `found`.
    pub fn new(expected: &str, found: &'t str) -> Self {
        let first = |line: &str| line.split_whitespace().next().map(without_numbers);
        let has_one = |line: &str| line.split_whitespace().count() == 1;
        let known: BTreeSet<Option<String>> = expected.trim_end().lines().map(first).collect();
        let has_words = expected.trim_end().lines().any(has_one);
        let is_result =
            |(_, line): &(usize, &str)| known.contains(&first(line)) || has_words && has_one(line);
        let (lines, extra) = (1..).zip(found.trim_end().lines()).partition(is_result);
        Self { lines, extra }
    }

    /// The text without the extra lines.
    pub fn text(&self) -> String {
        self.lines.iter().flat_map(|(_, line)| [*line, "\n"]).collect()
    }
}

/// A word without the characters of numbers.
fn without_numbers(word: &str) -> String {
    if word.parse::<f64>().is_ok() {
        return String::new();
    }
    word.chars().filter(|c| !c.is_ascii_digit() && !matches!(c, '.' | '+' | '-')).collect()
}

/// Returns the first difference. Words are compared; numbers may differ by `abs + rel *
/// |expected|`. Blanks between words and at the end do not count.
pub fn difference(expected: &str, found: &str, abs: f64, rel: f64) -> Option<Difference> {
    let (mut right, mut own) = (expected.trim_end().lines(), found.trim_end().lines());
    let mut line = 0;
    loop {
        line += 1;
        let (expected, found) = (right.next(), own.next());
        let is_equal = match (expected, found) {
            (None, None) => return None,
            (Some(expected), Some(found)) => is_same_line(expected, found, abs, rel),
            _ => false,
        };
        if !is_equal {
            let text = |line: Option<&str>| line.map(|line| line.trim_end().to_owned());
            return Some(Difference { line, expected: text(expected), found: text(found) });
        }
    }
}

/// Whether two lines are the same; see [`difference`].
pub fn is_same_line(expected: &str, found: &str, abs: f64, rel: f64) -> bool {
    let (mut right, mut own) = (expected.split_whitespace(), found.split_whitespace());
    loop {
        match (right.next(), own.next()) {
            (None, None) => return true,
            (Some(expected), Some(found)) if expected == found || near(expected, found, abs, rel) => {}
            _ => return false,
        }
    }
}

/// Whether both words are numbers, perhaps in brackets or with a comma, and near each other.
fn near(expected: &str, found: &str, abs: f64, rel: f64) -> bool {
    let is_part = |c: char| c.is_ascii_digit() || matches!(c, '.' | '-' | '+' | 'e' | 'E');
    let (start, end) = match (expected.find(is_part), expected.rfind(is_part)) {
        (Some(start), Some(end)) => (start, end + 1),
        _ => return false,
    };
    let (before, after) = (&expected[..start], &expected[end..]);
    let rest = found.strip_prefix(before).and_then(|rest| rest.strip_suffix(after));
    let numbers =
        expected[start..end].parse::<f64>().ok().zip(rest.and_then(|rest| rest.parse::<f64>().ok()));
    // NaN and infinities are words.
    numbers.is_some_and(|(expected, found)| {
        let error = (found - expected).abs();
        error.is_finite() && error <= abs + rel * expected.abs()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_may_differ_within_the_tolerance() {
        let same = |expected: &str, found: &str| difference(expected, found, 0.0, 1e-3).is_none();
        assert!(same("sum 1000.0\n", "sum 1000.5"));
        assert!(!same("sum 1000.0\n", "sum 1002"));
        assert!(same("c[3] = 12.5, d", "c[3] = 12.501, d"));
        assert!(!same("c[3] = 12.5, d", "c[4] = 12.5, d"));
        assert!(same("a  b\n\n", "a b  \n"));
        assert!(!same("1e400", "5"), "an infinity is near nothing");
        assert!(!same("ok", "OK") && !same("1", "one") && !same("2", "2x"));
    }

    #[test]
    fn the_first_line_that_differs_is_named() {
        let text = |expected: &str, found: &str| difference(expected, found, 0.0, 0.0).map(|d| d.to_string());
        assert_eq!(text("a\nb", "a\nc").as_deref(), Some("line 2: expected `b`, found `c`"));
        assert_eq!(text("a\nb", "a").as_deref(), Some("line 2: expected `b`, but the output ends"));
        assert_eq!(text("a", "a\nb").as_deref(), Some("line 2: expected the end of the output, found `b`"));
        assert_eq!(text("a", "a"), None);
    }

    /// A guess is no extra line: it looks like a result.
    #[test]
    fn extra_lines_begin_with_a_word_that_no_result_begins_with() {
        let extra = |expected: &str, found: &str| {
            Compared::new(expected, found).extra.into_iter().map(|(number, _)| number).collect::<Vec<_>>()
        };
        assert_eq!(
            extra("first: 1 2\nlast: 3\n", "i = 4\nfirst: 1 2\n\nthread 0 ends\nlast: 3\n"),
            [1, 3, 4]
        );
        assert_eq!(extra("sum: 3", "sum: 1\nsum: 2\nsum: 3"), [0; 0]);
        assert_eq!(extra("1 2\n3 4", "5 6\n-7e3 nan\n1 2\n3 4"), [0; 0]);
        assert_eq!(extra("yes", "no\nyes\nnot yet"), [3]);
        assert_eq!(extra("c[0] = 1", "c[12] = 2\nd[0] = 1"), [2]);
        assert_eq!(Compared::new("a: 1\nb: 2", "a: 1\nx y\nb: 2").text(), "a: 1\nb: 2\n");
    }
}
