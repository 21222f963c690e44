//! Compares the output of a program with the right output.

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

impl std::fmt::Display for Difference {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let cut = |text: &str| match text.char_indices().nth(LONGEST) {
            Some((end, _)) => format!("{}…", &text[..end]),
            None => text.to_owned(),
        };
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
            (Some(expected), Some(found)) => equal(expected, found, abs, rel),
            _ => false,
        };
        if !is_equal {
            let text = |line: Option<&str>| line.map(|line| line.trim_end().to_owned());
            return Some(Difference { line, expected: text(expected), found: text(found) });
        }
    }
}

fn equal(expected: &str, found: &str, abs: f64, rel: f64) -> bool {
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
}
