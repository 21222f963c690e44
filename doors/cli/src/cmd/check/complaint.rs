//! Diagnostics in JSON, with lines and columns instead of byte ranges.

use isa::diag::{Diagnostic, Places as _, Severity};
use isa::source::Source;
use isa::span::{LineIndex, Span};
use serde::Serialize;
use sim_core::config::source::Complaints;

/// A diagnostic.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Complaint {
    /// Error, warning or note.
    pub severity: Severity,
    /// Its code, documented in `docs/ERRORS.md`.
    pub code: &'static str,
    /// File of the first label, if several files are linked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// Line of the first label in its file, from 1.
    pub line: Option<u32>,
    /// Column of the first label in bytes, from 1.
    pub column: Option<u32>,
    /// Description of the problem.
    pub message: String,
    /// Labels, the primary one first.
    pub labels: Vec<Label>,
    /// Expected input, or advice.
    pub notes: Vec<String>,
}

/// A label of a diagnostic.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Label {
    /// File, if several files are linked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// Line in the file, from 1.
    pub line: u32,
    /// Column in bytes, from 1.
    pub column: u32,
    /// Length in bytes.
    pub bytes: u32,
    /// Text of the label.
    pub text: String,
}

impl Complaint {
    /// Whether the diagnostic is an error.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}

/// Position of a byte: file, line and column.
type Place = (Option<String>, u32, u32);

/// Returns all diagnostics, in the order of the text.
pub fn all(diagnostics: &[Diagnostic], source: &Source) -> Vec<Complaint> {
    let (lines, files) = (LineIndex::new(&source.text), source.files());
    let at = |span: Span| {
        let found = files.at(lines.line(span.start));
        let (file, line) = found.map_or((None, 0), |(file, line)| (Some(file.name.clone()), line));
        (file.filter(|_| !files.is_single()), line, lines.column(span.start))
    };
    let mut sorted: Vec<&Diagnostic> = diagnostics.iter().collect();
    sorted.sort_by_key(|d| d.start());
    sorted.into_iter().map(|diagnostic| Complaint::of(diagnostic, at)).collect()
}

/// Returns the diagnostics of a chip, in their order. Each label has its text: a file, its base or
/// an argument.
pub fn of_chip(complaints: &Complaints) -> Vec<Complaint> {
    let at = |span: Span| match complaints.sources.find(span) {
        Some(found) => {
            let (line, column) = found.location();
            (Some(found.name.to_owned()), line as u32, column as u32)
        }
        None => (None, 0, 0),
    };
    complaints.diagnostics.iter().map(|diagnostic| Complaint::of(diagnostic, at)).collect()
}

impl Complaint {
    /// Returns a diagnostic whose labels have the positions that `at` returns.
    fn of(diagnostic: &Diagnostic, at: impl Fn(Span) -> Place) -> Self {
        let first = diagnostic.labels.first().map(|(span, _)| at(*span));
        let (file, line, column) =
            first.map_or((None, None, None), |(file, line, column)| (file, Some(line), Some(column)));
        let label = |(span, text): &(Span, String)| {
            let ((file, line, column), text) = (at(*span), text.clone());
            Label { file, line, column, bytes: span.end.saturating_sub(span.start), text }
        };
        Self {
            severity: diagnostic.severity,
            code: diagnostic.code,
            file,
            line,
            column,
            message: diagnostic.message.clone(),
            labels: diagnostic.labels.iter().map(label).collect(),
            notes: diagnostic.notes.iter().chain(&diagnostic.helps).cloned().collect(),
        }
    }
}
