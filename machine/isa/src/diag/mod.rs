//! Diagnostics: a code, a message, labels on spans of the source, notes and help, drawn on the
//! source lines.
//!
//! PTX files, configuration files and launch files share this type, so that all errors look alike
//! to a user.

mod draw;

use crate::source::Source;
use crate::span::Span;
use serde::Serialize;
use std::fmt;

/// Severity of a diagnostic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub enum Severity {
    /// The input cannot be used.
    Error,
    /// The input is accepted but probably does not mean what the user intended.
    Warning,
    /// Additional information.
    Note,
}

/// One error, warning or note about a source text.
#[derive(Clone, Debug)]
pub struct Diagnostic {
    /// Severity.
    pub severity: Severity,
    /// Stable code, such as `E0102`; documented in `docs/ERRORS.md`.
    pub code: &'static str,
    /// One sentence that says what is wrong.
    pub message: String,
    /// Spans with a short message each; the first one is the primary label.
    pub labels: Vec<(Span, String)>,
    /// Facts that explain the message.
    pub notes: Vec<String>,
    /// Instructions for the user.
    pub helps: Vec<String>,
}

/// The first line: severity, code and message.
impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let severity = match self.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Note => "note",
        };
        write!(f, "{severity}[{}]: {}", self.code, self.message)
    }
}

impl std::error::Error for Diagnostic {}

impl Diagnostic {
    /// An error with one labeled span.
    pub fn error(
        code: &'static str,
        message: impl Into<String>,
        span: Span,
        label: impl Into<String>,
    ) -> Self {
        Self {
            severity: Severity::Error,
            code,
            message: quoted(message.into()),
            labels: vec![(span, quoted(label.into()))],
            notes: Vec::new(),
            helps: Vec::new(),
        }
    }

    /// A warning with one labeled span.
    pub fn warning(
        code: &'static str,
        message: impl Into<String>,
        span: Span,
        label: impl Into<String>,
    ) -> Self {
        Self { severity: Severity::Warning, ..Self::error(code, message, span, label) }
    }

    /// Adds a note.
    #[must_use]
    pub fn note(mut self, note: impl Into<String>) -> Self {
        self.notes.push(quoted(note.into()));
        self
    }

    /// Adds an instruction for the user.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.helps.push(quoted(help.into()));
        self
    }

    /// Adds the help ``did you mean `x`?`` if a candidate is close to the misspelled word.
    #[must_use]
    pub fn meant(self, near: Option<impl std::fmt::Display>) -> Self {
        match near {
            Some(near) => self.help(format!("did you mean `{near}`?")),
            None => self,
        }
    }

    /// Adds a secondary label.
    #[must_use]
    pub fn label(mut self, span: Span, label: impl Into<String>) -> Self {
        self.labels.push((span, quoted(label.into())));
        self
    }

    /// Whether the input cannot be used.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }

    /// Returns the diagnostic drawn on its source lines, without color.
    pub fn render(&self, file_name: &str, text: &str) -> String {
        draw::draw(self, text, |_| (file_name, 0))
    }
}

/// Maximum number of characters of one token, or of a list of names, in a message.
pub const MAX_QUOTED: usize = 200;

/// Returns a message in which the text between each pair of backquotes has at most [`MAX_QUOTED`]
/// characters.
fn quoted(message: String) -> String {
    if message.len() <= MAX_QUOTED {
        return message;
    }
    let parts = message.split('`').enumerate().map(|(i, part)| match part.char_indices().nth(MAX_QUOTED) {
        Some(_) if i % 2 == 1 => {
            let end = part.char_indices().nth(MAX_QUOTED - 1).map_or(part.len(), |(end, _)| end);
            format!("{}…", &part[..end])
        }
        _ => part.to_owned(),
    });
    parts.collect::<Vec<_>>().join("`")
}

/// Returns a comma-separated list of names for a message: as many as fit into [`MAX_QUOTED`]
/// characters, and the number of the remaining ones.
pub fn listed<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    let mut names = names.into_iter().peekable();
    let mut out = names.next().unwrap_or_default().to_owned();
    while let Some(name) = names.next_if(|name| out.len() + name.len() + 2 <= MAX_QUOTED) {
        out += ", ";
        out += name;
    }
    match names.count() {
        0 => out,
        more => format!("{out} and {more} more"),
    }
}

/// Maximum number of diagnostics that are drawn for one text; the others are counted.
pub const MAX_DRAWN: usize = 100;

/// Code of the error for a text that is too long or has too many errors.
const FLOOD: &str = "E0104";

/// Draws all diagnostics, errors first, in source order. At most [`MAX_DRAWN`] diagnostics are
/// drawn and the rest are counted. An error about too many errors comes first.
pub fn render_all(diagnostics: &[Diagnostic], file_name: &str, text: &str) -> String {
    render_with(diagnostics, |diagnostic| diagnostic.render(file_name, text))
}

/// Draws all diagnostics of a source text as [`render_all`] does, each in its file.
pub fn render_source(diagnostics: &[Diagnostic], source: &Source) -> String {
    render_with(diagnostics, |diagnostic| draw::draw(diagnostic, &source.text, |byte| source.file_at(byte)))
}

fn render_with(diagnostics: &[Diagnostic], draw: impl Fn(&Diagnostic) -> String) -> String {
    let mut sorted: Vec<&Diagnostic> = diagnostics.iter().collect();
    sorted.sort_by_key(|d| (d.code != FLOOD, !d.is_error(), d.labels.first().map_or(0, |(s, _)| s.start)));
    let drawn = sorted.iter().take(MAX_DRAWN).map(|diagnostic| draw(diagnostic));
    let more = sorted.len().saturating_sub(MAX_DRAWN);
    let rest = (more > 0).then(|| format!("… and {more} more diagnostics"));
    drawn.chain(rest).collect::<Vec<_>>().join("\n\n")
}

/// Maximum number of diagnostics of one text. The analysis stops after that many: 1000 errors are
/// enough to see what is wrong.
pub const MAX_ERRORS: usize = 1000;

/// Whether there are more than [`MAX_ERRORS`] diagnostics, so that the analysis stops.
pub fn is_flood(diagnostics: &[Diagnostic]) -> bool {
    diagnostics.len() > MAX_ERRORS
}

/// Truncates a flood of diagnostics to [`MAX_ERRORS`] and adds one error about the flood.
pub fn cut_flood(diagnostics: &mut Vec<Diagnostic>) {
    if is_flood(diagnostics) {
        let span = diagnostics[MAX_ERRORS].labels.first().map_or(Span::default(), |(span, _)| *span);
        diagnostics.truncate(MAX_ERRORS);
        let message = format!("the file has more than {MAX_ERRORS} errors");
        let flood = Diagnostic::error(FLOOD, message, span, "the analysis stops here");
        diagnostics.push(flood.help("correct the first errors and run the command again"));
    }
}

/// Maximum number of character pairs that [`nearest`] compares. It bounds the time of a suggestion
/// for any word and any number of candidates.
const MAX_COMPARED: usize = 1 << 18;

/// Returns the candidate most similar to a misspelled `word`, if one is close enough and has a
/// letter in common with it. Candidates are tried in order until the comparison limit is reached.
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let length = word.chars().take(MAX_QUOTED + 1).count();
    if length > MAX_QUOTED {
        return None;
    }
    let limit = (length / 3).max(1);
    let mut left = MAX_COMPARED;
    candidates
        .into_iter()
        // The edit distance is at least the difference of the lengths; a character has at most 4
        // bytes.
        .filter(|candidate| candidate.len() <= 4 * (length + limit))
        .map(|candidate| (candidate, candidate.chars().count()))
        .filter(|(_, other)| other.abs_diff(length) <= limit)
        .take_while(|(_, other)| {
            let enough = length * other <= left;
            left = left.saturating_sub(length * other);
            enough
        })
        .map(|(candidate, other)| (strsim::osa_distance(word, candidate), other, candidate))
        .filter(|(distance, other, _)| *distance <= limit && *distance < length.max(*other))
        .min_by_key(|(distance, ..)| *distance)
        .map(|(.., candidate)| candidate)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_suggestion_has_a_letter_in_common() {
        assert_eq!(nearest("z", ["x", "y"]), None);
        assert_eq!(nearest("x1", ["y1"]), Some("y1"));
        assert_eq!(nearest("ad", ["add"]), Some("add"));
        assert_eq!(nearest("", ["a"]), None);
    }

    #[test]
    fn a_suggestion_takes_bounded_time() {
        let long = "a".repeat(1_000_000);
        assert_eq!(nearest(&long, [&*long]), None);
        assert_eq!(nearest("aaa", [&*long, "aab"]), Some("aab"));
        let others: Vec<String> = (0..100_000).map(|i| format!("x{i:05}")).collect();
        assert_eq!(nearest("y00000", others.iter().map(String::as_str)), Some("x00000"));
        assert_eq!(nearest("y99999", others.iter().map(String::as_str)), None, "too far down");
    }

    #[test]
    fn a_message_quotes_at_most_200_characters_of_a_token() {
        let token = "\u{e9}".repeat(1000);
        let error = Diagnostic::error(
            "E0110",
            format!("expected `,`, found `{token}`, or `x`"),
            Span::new(0, 1),
            "l",
        );
        let found = error.message.split('`').nth(3).expect("the second quote");
        assert_eq!(found.chars().count(), MAX_QUOTED);
        assert!(found.ends_with('…') && error.message.ends_with("`, or `x`"), "{}", error.message);
        let short = "`".to_owned() + &"y".repeat(MAX_QUOTED) + "`";
        assert_eq!(quoted(short.clone()), short);
        assert_eq!(listed(["a", "b"]), "a, b");
        let names = vec!["name"; 100];
        assert_eq!(listed(names).len(), "name, ".len() * 33 - 2 + " and 67 more".len());
    }

    #[test]
    fn diagnostics_beyond_the_limit_are_counted_and_not_drawn() {
        let one = Diagnostic::error("E0110", "m", Span::new(0, 1), "l");
        let drawn = render_all(&vec![one; MAX_DRAWN + 7], "t.ptx", "x");
        assert_eq!(drawn.matches("error[E0110]").count(), MAX_DRAWN);
        assert!(drawn.ends_with("… and 7 more diagnostics"), "{drawn}");
        let mut flood = vec![Diagnostic::error("E0110", "m", Span::new(0, 1), "l"); MAX_DRAWN + 7];
        flood.push(Diagnostic::error(FLOOD, "too many", Span::new(1, 1), "l"));
        assert!(render_all(&flood, "t.ptx", "x").starts_with("error[E0104]: too many"));
    }
}
