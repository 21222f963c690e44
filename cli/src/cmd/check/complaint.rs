//! Diagnostics in JSON, with lines and columns instead of byte ranges.

use isa::diag::{Diagnostic, Severity};
use isa::source::Source;
use isa::span::LineIndex;
use serde::Serialize;

/// A diagnostic.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Complaint {
    /// Severity.
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

/// Returns all diagnostics, in the order of the text.
pub fn all(diagnostics: &[Diagnostic], source: &Source) -> Vec<Complaint> {
    let (lines, files) = (LineIndex::new(&source.text), source.files());
    let at = |start: u32| {
        files
            .at(lines.line(start))
            .map_or((None, 0), |(file, line)| (Some(file.name.clone()).filter(|_| !files.is_single()), line))
    };
    let mut sorted: Vec<&Diagnostic> = diagnostics.iter().collect();
    sorted.sort_by_key(|d| d.labels.first().map_or(0, |(span, _)| span.start));
    let complaint = |d: &Diagnostic| Complaint {
        severity: d.severity,
        code: d.code,
        file: d.labels.first().and_then(|(span, _)| at(span.start).0),
        line: d.labels.first().map(|(span, _)| at(span.start).1),
        column: d.labels.first().map(|(span, _)| lines.column(span.start)),
        message: d.message.clone(),
        labels: d
            .labels
            .iter()
            .map(|(span, text)| Label {
                file: at(span.start).0,
                line: at(span.start).1,
                column: lines.column(span.start),
                bytes: span.end.saturating_sub(span.start),
                text: text.clone(),
            })
            .collect(),
        notes: d.notes.iter().chain(&d.helps).cloned().collect(),
    };
    sorted.into_iter().map(complaint).collect()
}
