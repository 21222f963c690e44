//! Diagnostics: a code, a message, labels on places of the source, notes and help, drawn on the
//! source lines.
//!
//! PTX, CUDA C, chip files and launch files share this type, so that all errors look alike to a
//! user.

mod draw;
mod places;

pub use places::{Found, Places};

use crate::span::Span;
use serde::Serialize;
use std::fmt;

/// Severity of a diagnostic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
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

/// One error, warning or note about a source text. `P` is the type of a place in the text.
#[derive(Clone, Debug, PartialEq)]
pub struct Diagnostic<P = Span> {
    /// Severity.
    pub severity: Severity,
    /// Stable code, such as `E0102`; documented in `docs/ERRORS.md`. Codes of CUDA C are words,
    /// such as `undeclared-name`.
    pub code: &'static str,
    /// One sentence that says what is wrong.
    pub message: String,
    /// Places with a short message each, which may be empty; the first one is the primary label.
    pub labels: Vec<(P, String)>,
    /// Facts that explain the message.
    pub notes: Vec<String>,
    /// Instructions for the user.
    pub helps: Vec<String>,
}

/// The first line: severity, code and message.
impl<P> fmt::Display for Diagnostic<P> {
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

impl<P: Copy> Diagnostic<P> {
    /// An error at a place.
    pub fn error(code: &'static str, place: P, message: impl Into<String>) -> Self {
        Self {
            severity: Severity::Error,
            code,
            message: quoted(message.into()),
            labels: vec![(place, String::new())],
            notes: Vec::new(),
            helps: Vec::new(),
        }
    }

    /// A warning at a place.
    pub fn warning(code: &'static str, place: P, message: impl Into<String>) -> Self {
        Self { severity: Severity::Warning, ..Self::error(code, place, message) }
    }

    /// Sets the text of the primary label.
    #[must_use]
    pub fn label(mut self, text: impl Into<String>) -> Self {
        if let Some((_, label)) = self.labels.first_mut() {
            *label = quoted(text.into());
        }
        self
    }

    /// Adds a secondary label.
    #[must_use]
    pub fn at(mut self, place: P, text: impl Into<String>) -> Self {
        self.labels.push((place, quoted(text.into())));
        self
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

    /// Whether the input cannot be used.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }

    /// Place of the primary label.
    pub fn place(&self) -> Option<P> {
        self.labels.first().map(|(place, _)| *place)
    }

    /// Returns the diagnostic drawn on its source lines, without color.
    pub fn render(&self, texts: &impl Places<P>) -> String {
        draw::draw(self, texts)
    }
}

impl Diagnostic {
    /// First byte of the primary label, by which diagnostics are sorted.
    pub fn start(&self) -> u32 {
        self.place().map_or(0, |span| span.start)
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
    render_source(diagnostics, &(file_name, text))
}

/// Draws all diagnostics of several texts as [`render_all`] does, each in its text.
pub fn render_source(diagnostics: &[Diagnostic], texts: &impl Places) -> String {
    let mut sorted: Vec<&Diagnostic> = diagnostics.iter().collect();
    sorted.sort_by_key(|d| (d.code != FLOOD, !d.is_error(), d.start()));
    let drawn = sorted.iter().take(MAX_DRAWN).map(|diagnostic| diagnostic.render(texts));
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
        let span = diagnostics[MAX_ERRORS].place().unwrap_or_default();
        diagnostics.truncate(MAX_ERRORS);
        let message = format!("the file has more than {MAX_ERRORS} errors");
        let flood = Diagnostic::error(FLOOD, span, message).label("the analysis stops here");
        diagnostics.push(flood.help("correct the first errors and run the command again"));
    }
}

/// Maximum number of character pairs that [`nearest`] compares. It bounds the time of a suggestion
/// for any word and any number of candidates.
const MAX_COMPARED: usize = 1 << 18;

/// Returns the candidate most similar to a misspelled `word`, if one is close enough and has a
/// letter in common with it. The order of the candidates is irrelevant: they are compared in the
/// order of the alphabet until the comparison limit is reached.
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let length = word.chars().take(MAX_QUOTED + 1).count();
    let limit = match length {
        0..=1 => return None,
        2..=4 => 1,
        5..=8 => 2,
        9..=MAX_QUOTED => 3,
        _ => return None,
    };
    // The edit distance is at least the difference of the lengths; a character has at most 4 bytes.
    let candidates = candidates.into_iter().filter(|other| other.len() <= 4 * (length + limit));
    let candidates = candidates.map(|other| (other, other.chars().count()));
    let mut near: Vec<(&str, usize)> =
        candidates.filter(|(other, count)| *other != word && count.abs_diff(length) <= limit).collect();
    near.sort_unstable();
    let mut left = MAX_COMPARED;
    let compared = near.into_iter().take_while(|(_, count)| {
        let enough = length * count <= left;
        left = left.saturating_sub(length * count);
        enough
    });
    let distance = |other: &str| {
        if other.eq_ignore_ascii_case(word) { 0 } else { strsim::osa_distance(word, other) }
    };
    compared
        .map(|(other, count)| (distance(other), count, other))
        .filter(|(distance, count, _)| *distance <= limit && *distance < length.max(*count))
        .min_by_key(|(distance, ..)| *distance)
        .map(|(.., other)| other)
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
        let error =
            Diagnostic::error("E0110", Span::new(0, 1), format!("expected `,`, found `{token}`, or `x`"))
                .label("l");
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
        let one = Diagnostic::error("E0110", Span::new(0, 1), "m").label("l");
        let drawn = render_all(&vec![one; MAX_DRAWN + 7], "t.ptx", "x");
        assert_eq!(drawn.matches("error[E0110]").count(), MAX_DRAWN);
        assert!(drawn.ends_with("… and 7 more diagnostics"), "{drawn}");
        let mut flood = vec![Diagnostic::error("E0110", Span::new(0, 1), "m").label("l"); MAX_DRAWN + 7];
        flood.push(Diagnostic::error(FLOOD, Span::new(1, 1), "too many").label("l"));
        assert!(render_all(&flood, "t.ptx", "x").starts_with("error[E0104]: too many"));
    }
}
