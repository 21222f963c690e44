//! Diagnostics: a code, a message, labels on spans of the source, and notes; rendered on the source line.
//!
//! The same type serves PTX files, configuration files and launch files, so that every kind of bad input
//! looks alike to a user.

use crate::span::Span;
use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};

/// How grave a diagnostic is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    /// The input cannot be used.
    Error,
    /// The input can be used, but probably says something other than meant.
    Warning,
    /// Worth knowing.
    Note,
}

/// One complaint about one text.
#[derive(Clone, Debug)]
pub struct Diagnostic {
    /// How grave it is.
    pub severity: Severity,
    /// Stable code, such as `E0102`; documented in `docs/ERRORS.md`.
    pub code: &'static str,
    /// One sentence: what is wrong.
    pub message: String,
    /// Spans with a few words each; the first one is primary.
    pub labels: Vec<(Span, String)>,
    /// What was expected, what to do, which capability is needed.
    pub notes: Vec<String>,
}

impl Diagnostic {
    /// An error with one labelled span.
    pub fn error(
        code: &'static str,
        message: impl Into<String>,
        span: Span,
        label: impl Into<String>,
    ) -> Self {
        Self {
            severity: Severity::Error,
            code,
            message: message.into(),
            labels: vec![(span, label.into())],
            notes: Vec::new(),
        }
    }

    /// A warning with one labelled span.
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
        self.notes.push(note.into());
        self
    }

    /// Adds a secondary label.
    #[must_use]
    pub fn label(mut self, span: Span, label: impl Into<String>) -> Self {
        self.labels.push((span, label.into()));
        self
    }

    /// Whether the input cannot be used.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }

    /// The diagnostic drawn on its source lines, without colour.
    pub fn render(&self, file_name: &str, text: &str) -> String {
        let level = match self.severity {
            Severity::Error => Level::ERROR,
            Severity::Warning => Level::WARNING,
            Severity::Note => Level::NOTE,
        };
        let annotations = self.labels.iter().enumerate().map(|(i, (span, label))| {
            let kind = if i == 0 { AnnotationKind::Primary } else { AnnotationKind::Context };
            let end = (span.end as usize).min(text.len());
            kind.span((span.start as usize).min(end)..end).label(label.as_str())
        });
        let snippet = Snippet::source(text).path(file_name).fold(true).annotations(annotations);
        let mut group = level.primary_title(self.message.as_str()).id(self.code).element(snippet);
        for note in &self.notes {
            group = group.element(Level::NOTE.message(note.as_str()));
        }
        Renderer::plain().render(&[group])
    }
}

/// The most diagnostics that are drawn of one text: nobody reads more, and each costs a walk over the text.
const MOST_DRAWN: usize = 100;

/// The code of the complaint that a text is too much of a bad thing to be looked at whole.
const FLOOD: &str = "E0104";

/// All diagnostics drawn one after the other, errors first in source order. Of very many the first hundred are
/// drawn and the rest counted; that there are too many even to look at comes before all.
pub fn render_all(diagnostics: &[Diagnostic], file_name: &str, text: &str) -> String {
    let mut sorted: Vec<&Diagnostic> = diagnostics.iter().collect();
    sorted.sort_by_key(|d| (d.code != FLOOD, !d.is_error(), d.labels.first().map_or(0, |(s, _)| s.start)));
    let drawn = sorted.iter().take(MOST_DRAWN).map(|d| d.render(file_name, text));
    let more = sorted.len().saturating_sub(MOST_DRAWN);
    let rest = (more > 0).then(|| format!("… and {more} more like these"));
    drawn.chain(rest).collect::<Vec<_>>().join("\n\n")
}

/// The candidate that a misspelt `word` most likely meant, if one is near enough and has a letter in common with it.
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let length = word.chars().count();
    let limit = (length / 3).max(1);
    candidates
        .into_iter()
        .map(|candidate| (strsim::damerau_levenshtein(word, candidate), candidate))
        .filter(|(distance, candidate)| {
            *distance <= limit && *distance < length.max(candidate.chars().count())
        })
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_suggestion_has_something_in_common() {
        assert_eq!(nearest("z", ["x", "y"]), None);
        assert_eq!(nearest("x1", ["y1"]), Some("y1"));
        assert_eq!(nearest("ad", ["add"]), Some("add"));
        assert_eq!(nearest("", ["a"]), None);
    }

    #[test]
    fn very_many_complaints_are_counted_and_not_drawn() {
        let one = Diagnostic::error("E0110", "m", Span::new(0, 1), "l");
        let drawn = render_all(&vec![one; MOST_DRAWN + 7], "t.ptx", "x");
        assert_eq!(drawn.matches("error[E0110]").count(), MOST_DRAWN);
        assert!(drawn.ends_with("… and 7 more like these"), "{drawn}");
        let mut flood = vec![Diagnostic::error("E0110", "m", Span::new(0, 1), "l"); MOST_DRAWN + 7];
        flood.push(Diagnostic::error(FLOOD, "too many", Span::new(1, 1), "l"));
        assert!(render_all(&flood, "t.ptx", "x").starts_with("error[E0104]: too many"));
    }
}
