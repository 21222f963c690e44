//! Texts in which the places of diagnostics are: one file, several files, or files with macros.

use super::Diagnostic;
use crate::source::Source;
use crate::span::Span;
use std::ops::Range;
use std::sync::Arc;

/// A place in its file.
#[derive(Clone, Debug)]
pub struct Found<'t> {
    /// Name of the file.
    pub name: &'t str,
    /// The whole text of the file.
    pub text: &'t str,
    /// Bytes of the place in the text.
    pub range: Range<usize>,
    /// Whether messages name the lines of the file without their text.
    pub is_hidden: bool,
}

impl<'t> Found<'t> {
    /// A place in a file whose first byte has the number `first`.
    pub fn new(name: &'t str, text: &'t str, first: usize, span: Span) -> Self {
        let end = (span.end as usize).saturating_sub(first).min(text.len());
        let range = (span.start as usize).saturating_sub(first).min(end)..end;
        Self { name, text, range, is_hidden: false }
    }

    /// Line of the place, and its column in bytes, from 1.
    pub fn location(&self) -> (usize, usize) {
        let before = &self.text[..self.range.start];
        let line = before.rfind('\n').map_or(0, |newline| newline + 1);
        (before[..line].matches('\n').count() + 1, before.len() - line + 1)
    }
}

/// Texts with places of type `P`.
pub trait Places<P = Span> {
    /// Returns the file of a place, and the place in the text of the file.
    fn find(&self, place: P) -> Option<Found<'_>>;

    /// Returns the labels that are drawn, the primary one first.
    fn labels(&self, diagnostic: &Diagnostic<P>) -> Vec<(P, String)>
    where
        P: Clone,
    {
        diagnostic.labels.clone()
    }
}

/// The name and the text of one file.
impl Places for (&str, &str) {
    fn find(&self, span: Span) -> Option<Found<'_>> {
        Some(Found::new(self.0, self.1, 0, span))
    }
}

impl<P, T: Places<P>> Places<P> for Arc<T> {
    fn find(&self, place: P) -> Option<Found<'_>> {
        T::find(self, place)
    }
}

impl Places for Source {
    fn find(&self, span: Span) -> Option<Found<'_>> {
        let (name, range) = self.file_at(span.start as usize);
        Some(Found::new(name, &self.text[range.clone()], range.start, span))
    }
}
