//! The fields of one struct, each read by name and type.

use super::super::codes;
use super::super::tree::{Field, Node};
use super::Reader;
use isa::diag::{Diagnostic, nearest};
use isa::span::{Span, Spanned};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::ops::RangeInclusive;

/// A struct whose fields are read one by one. [`finish`](Self::finish) then complains of the fields
/// that were not read.
#[derive(Debug)]
pub struct Fields<'r> {
    reader: &'r Reader,
    path: String,
    /// The place of the whole struct, and the place of complaints about it.
    span: Span,
    head: Span,
    /// The key of a record of a map.
    key: Option<Spanned<String>>,
    entries: Option<&'r [Field]>,
    /// The word, if the struct is a word without parentheses.
    word: Option<&'static str>,
    asked: RefCell<Vec<&'static str>>,
}

impl<'r> Fields<'r> {
    pub(super) fn new(reader: &'r Reader, path: String, span: Span, entries: Option<&'r [Field]>) -> Self {
        let head = Span { end: span.start + 1, ..span };
        let mut seen: BTreeMap<&str, Span> = BTreeMap::new();
        for field in entries.unwrap_or_default() {
            if let Some(first) = seen.insert(&field.name, field.name_span) {
                let message = format!("duplicate field `{}`", field.name);
                let diagnostic =
                    Diagnostic::error(codes::DUPLICATE_FIELD, field.name_span, message).label("second value");
                reader.push(diagnostic.at(first, "first value"));
            }
        }
        Self { reader, path, span, head, key: None, entries, word: None, asked: RefCell::default() }
    }

    /// The fields of `word` without parentheses: none.
    pub(super) fn of_word(reader: &'r Reader, path: String, span: Span, word: &'static str) -> Self {
        Self { word: Some(word), head: span, ..Self::new(reader, path, span, Some(&[])) }
    }

    /// These fields as a record of a map under `key`.
    #[must_use]
    pub fn keyed(self, key: Spanned<String>) -> Self {
        Self { key: Some(key), ..self }
    }

    /// These fields as the arguments of a word at `span`, which includes the word.
    pub(super) fn at(self, span: Span) -> Self {
        Self { span, ..self }
    }

    /// The key of a record of a map.
    pub fn key(&self) -> Option<&Spanned<String>> {
        self.key.as_ref()
    }

    /// The reader that collects the complaints.
    pub fn reader(&self) -> &'r Reader {
        self.reader
    }

    /// The full path of a field, such as `sm.max_warps`.
    pub fn path_of(&self, name: &str) -> String {
        if self.path.is_empty() { name.to_owned() } else { format!("{}.{name}", self.path) }
    }

    /// The place of the whole struct.
    pub fn span(&self) -> Span {
        self.span
    }

    /// The place of complaints about the whole struct: its opening parenthesis, or its word.
    pub fn head(&self) -> Span {
        self.head
    }

    fn entry(&self, name: &'static str) -> Option<&'r Field> {
        self.asked.borrow_mut().push(name);
        self.entries?.iter().find(|f| f.name == name)
    }

    /// A field that may be absent.
    pub fn optional(&self, name: &'static str) -> Option<&'r Node> {
        self.entry(name).map(|f| &f.value)
    }

    /// A field that must not be absent.
    pub fn required(&self, name: &'static str) -> Option<&'r Node> {
        let found = self.entry(name).map(|f| &f.value);
        if found.is_none() && self.entries.is_some() {
            let whole = if self.path.is_empty() { "the file" } else { &self.path };
            let message = format!("missing field `{name}` in {whole}");
            let label = format!("expected `{name}` here");
            let diagnostic = Diagnostic::error(codes::MISSING_FIELD, self.head, message).label(label);
            self.reader.push(match self.word {
                Some(word) => diagnostic.help(format!("write the field in parentheses: `{word}({name}: 1)`")),
                None => diagnostic,
            });
        }
        found
    }

    /// Reads a required field with a typed access of the reader, and keeps its place if the value
    /// is good.
    pub fn read<T>(
        &self,
        name: &'static str,
        access: impl FnOnce(&'r Reader, &'r Node, &str) -> Option<T>,
    ) -> Option<T> {
        let node = self.required(name)?;
        let path = self.path_of(name);
        let value = access(self.reader, node, &path)?;
        self.reader.places.borrow_mut().insert(path, node.span);
        Some(value)
    }

    /// A u64 in a range.
    pub fn u64(&self, name: &'static str, range: RangeInclusive<u64>) -> Option<u64> {
        let range = i128::from(*range.start())..=i128::from(*range.end());
        self.read(name, |r, n, p| r.int(n, p, &range)).map(|v| v as u64)
    }

    /// A struct. If it is missing or wrong, its fields are `None` without further complaints.
    #[must_use]
    pub fn record(&self, name: &'static str) -> Fields<'r> {
        let path = self.path_of(name);
        match self.required(name) {
            Some(node) => self.reader.fields(node, &path),
            None => Fields::new(self.reader, path, self.span, None),
        }
    }

    /// Complains of the fields that were not read.
    pub fn finish(self) {
        let asked = self.asked.borrow();
        for field in self.entries.unwrap_or_default() {
            if asked.iter().any(|a| *a == field.name) {
                continue;
            }
            let whole = if self.path.is_empty() { "the file" } else { &self.path };
            let message = format!("unknown field `{}` in {whole}", field.name);
            let near = nearest(&field.name, asked.iter().copied());
            let mut known: Vec<&str> = Vec::new();
            for name in asked.iter().copied() {
                if !known.contains(&name) {
                    known.push(name);
                }
            }
            let note = format!("known fields: {}", known.join(", "));
            let diagnostic =
                Diagnostic::error(codes::UNKNOWN_FIELD, field.name_span, message).label("unknown field");
            self.reader.push(diagnostic.note(note).meant(near));
        }
    }
}
