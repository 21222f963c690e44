//! Diagnostics in JSON, with lines and columns instead of byte ranges.

use isa::diag::{Diagnostic, Severity};
use isa::span::LineIndex;
use serde::Serialize;

/// A diagnostic.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Complaint {
    /// Severity.
    pub severity: Severity,
    /// Its code, documented in `docs/ERRORS.md`.
    pub code: &'static str,
    /// Line of the first label, from 1.
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
    /// Line, from 1.
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

/// Returns all diagnostics, in the order of the text.
pub fn all(diagnostics: &[Diagnostic], text: &str) -> Vec<Complaint> {
    let lines = LineIndex::new(text);
    let mut sorted: Vec<&Diagnostic> = diagnostics.iter().collect();
    sorted.sort_by_key(|d| d.labels.first().map_or(0, |(span, _)| span.start));
    let complaint = |d: &Diagnostic| Complaint {
        severity: d.severity,
        code: d.code,
        line: d.labels.first().map(|(span, _)| lines.line(span.start)),
        column: d.labels.first().map(|(span, _)| lines.column(span.start)),
        message: d.message.clone(),
        labels: d
            .labels
            .iter()
            .map(|(span, text)| Label {
                line: lines.line(span.start),
                column: lines.column(span.start),
                bytes: span.end.saturating_sub(span.start),
                text: text.clone(),
            })
            .collect(),
        notes: d.notes.iter().chain(&d.helps).cloned().collect(),
    };
    sorted.into_iter().map(complaint).collect()
}
