//! Typed reading of a [`Node`] tree that goes on after an error, so that everything wrong is told at once.
//!
//! A failed access returns `None` and leaves a diagnostic behind; what stands inside a struct that is itself
//! wrong is not complained of again. The path of every value read well is kept with its place, so that rules
//! over several fields can name the places of the values they compare.

use super::codes;
use super::tree::{Field, Kind, Node};
use isa::diag::Diagnostic;
use isa::span::Span;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fmt::Display;
use std::ops::RangeInclusive;

/// Collects diagnostics and the places of values.
#[derive(Debug, Default)]
pub struct Reader {
    diagnostics: RefCell<Vec<Diagnostic>>,
    places: RefCell<BTreeMap<String, Span>>,
}

/// `word` or `word(…)` as read.
#[derive(Debug)]
pub struct Tagged<'r> {
    /// The word, one of those asked for.
    pub word: &'static str,
    /// What stands in its parenthesis, as a struct.
    pub fields: Fields<'r>,
    /// What stands in its parenthesis, as it stands.
    pub args: Option<&'r Node>,
    /// The whole of it.
    pub span: Span,
}

impl Reader {
    /// Leaves a diagnostic.
    pub fn push(&self, diagnostic: Diagnostic) {
        self.diagnostics.borrow_mut().push(diagnostic);
    }

    /// What was left, and the place of each path read well.
    pub fn finish(self) -> (Vec<Diagnostic>, BTreeMap<String, Span>) {
        (self.diagnostics.into_inner(), self.places.into_inner())
    }

    /// Complains that `node` is not what was `expected`.
    pub fn wrong_type(&self, node: &Node, what: &str, expected: &str) {
        let message = format!("{what} must be {expected}, not {}", node.describe());
        let label = format!("expected {expected}");
        self.push(Diagnostic::error(codes::WRONG_TYPE, message, node.span, label));
    }

    fn ranged<T: PartialOrd + Display>(
        &self,
        node: &Node,
        what: &str,
        value: T,
        range: &RangeInclusive<T>,
    ) -> Option<T> {
        if range.contains(&value) {
            return Some(value);
        }
        let label = format!("must be from {} to {}", range.start(), range.end());
        let message = format!("{what} is out of range: {value}");
        self.push(Diagnostic::error(codes::OUT_OF_RANGE, message, node.span, label));
        None
    }

    /// An integer in a range; `what` names it in complaints.
    pub fn int(&self, node: &Node, what: &str, range: &RangeInclusive<i128>) -> Option<i128> {
        let Kind::Int(value) = node.kind else {
            self.wrong_type(node, what, "an integer");
            return None;
        };
        self.ranged(node, what, value, range)
    }

    /// A number, with or without a fraction.
    pub fn number(&self, node: &Node, what: &str) -> Option<f64> {
        match node.kind {
            Kind::Int(value) => Some(value as f64),
            Kind::Float(value) => Some(value),
            _ => {
                self.wrong_type(node, what, "a number");
                None
            }
        }
    }

    /// A string.
    pub fn string<'n>(&self, node: &'n Node, what: &str) -> Option<&'n str> {
        let Kind::Str(text) = &node.kind else {
            self.wrong_type(node, what, "a string in double quotes");
            return None;
        };
        Some(text)
    }

    /// `true` or `false`.
    pub fn bool(&self, node: &Node, what: &str) -> Option<bool> {
        let Kind::Bool(value) = node.kind else {
            self.wrong_type(node, what, "true or false");
            return None;
        };
        Some(value)
    }

    /// The items of a list or of a tuple.
    pub fn items<'n>(&self, node: &'n Node, what: &str) -> Option<&'n [Node]> {
        let (Kind::List(items) | Kind::Tuple(items)) = &node.kind else {
            self.wrong_type(node, what, "a list `[…]`");
            return None;
        };
        Some(items)
    }

    /// One of some words; a bare word, or a word in quotes.
    pub fn choice<T: Copy>(&self, node: &Node, what: &str, words: &[(&'static str, T)]) -> Option<T> {
        let names: Vec<&'static str> = words.iter().map(|(w, _)| *w).collect();
        let (word, args) = self.word(node, what, &names)?;
        if let Some(args) = args {
            self.wrong_type(args, &format!("{what} {word}"), "a word without arguments");
            return None;
        }
        words.iter().find(|(w, _)| *w == word).map(|(_, t)| *t)
    }

    /// One of some words, with what stands in parentheses behind it.
    pub fn tagged<'r>(&'r self, node: &'r Node, what: &str, words: &[&'static str]) -> Option<Tagged<'r>> {
        let (word, args) = self.word(node, what, words)?;
        let fields = match args {
            Some(args) if matches!(args.kind, Kind::Struct(_)) => self.fields(args, what),
            Some(args) if !matches!(&args.kind, Kind::Tuple(_)) => {
                self.wrong_type(args, &format!("{what} {word}"), "followed by `(field: value, …)`");
                return None;
            }
            _ => Fields::new(self, what.to_owned(), node.span, Some(&[])),
        };
        Some(Tagged { word, fields, args, span: node.span })
    }

    fn word<'n>(
        &self,
        node: &'n Node,
        what: &str,
        words: &[&'static str],
    ) -> Option<(&'static str, Option<&'n Node>)> {
        let (name, span, args) = match &node.kind {
            Kind::Variant { name, name_span, args } => (name, *name_span, args.as_deref()),
            Kind::Str(text) => (text, node.span, None),
            _ => {
                self.wrong_type(node, what, &format!("one of {}", words.join(", ")));
                return None;
            }
        };
        let known = words.iter().copied().find(|w| w == name);
        if known.is_none() {
            let message = format!("{what} cannot be `{name}`");
            let label = nearest(name, words.iter().copied())
                .map_or_else(|| "unknown word".to_owned(), |n| format!("did you mean `{n}`?"));
            let note = format!("one of: {}", words.join(", "));
            self.push(Diagnostic::error(codes::UNKNOWN_WORD, message, span, label).note(note));
        }
        known.map(|word| (word, args))
    }

    /// The fields of a struct that stands at `path` (empty for the whole file).
    pub fn fields<'r>(&'r self, node: &'r Node, path: &str) -> Fields<'r> {
        let entries: Option<&[Field]> = match &node.kind {
            Kind::Struct(fields) => Some(fields),
            Kind::Tuple(items) if items.is_empty() => Some(&[]),
            _ => {
                let what = if path.is_empty() { "the file" } else { path };
                self.wrong_type(node, what, "a struct `(field: value, …)`");
                None
            }
        };
        let head = Span { start: node.span.start, end: node.span.start + 1 };
        Fields::new(self, path.to_owned(), head, entries)
    }
}

/// The candidate nearest to `word`, if any is near.
pub fn nearest<'c>(word: &str, candidates: impl Iterator<Item = &'c str>) -> Option<&'c str> {
    let mut best: Option<(f64, &str)> = None;
    for candidate in candidates {
        let score = strsim::jaro_winkler(word, candidate);
        if score > best.map_or(0.7, |(s, _)| s) {
            best = Some((score, candidate));
        }
    }
    best.map(|(_, c)| c)
}

/// A struct whose fields are taken one by one; [`finish`](Self::finish) then complains of those nobody took.
#[derive(Debug)]
pub struct Fields<'r> {
    reader: &'r Reader,
    path: String,
    head: Span,
    entries: Option<&'r [Field]>,
    asked: RefCell<Vec<&'static str>>,
}

impl<'r> Fields<'r> {
    fn new(reader: &'r Reader, path: String, head: Span, entries: Option<&'r [Field]>) -> Self {
        let mut seen: BTreeMap<&str, Span> = BTreeMap::new();
        for field in entries.unwrap_or_default() {
            if let Some(first) = seen.insert(&field.name, field.name_span) {
                let message = format!("field `{}` is given twice", field.name);
                let diagnostic =
                    Diagnostic::error(codes::DUPLICATE_FIELD, message, field.name_span, "again here");
                reader.push(diagnostic.label(first, "before that here"));
            }
        }
        Self { reader, path, head, entries, asked: RefCell::default() }
    }

    /// The reader that collects the complaints.
    pub fn reader(&self) -> &'r Reader {
        self.reader
    }

    /// The full path of a field, such as `sm.max_warps`.
    pub fn path_of(&self, name: &str) -> String {
        if self.path.is_empty() { name.to_owned() } else { format!("{}.{name}", self.path) }
    }

    /// Where a struct is complained of: its opening parenthesis.
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

    /// A field that must be there.
    pub fn required(&self, name: &'static str) -> Option<&'r Node> {
        let found = self.optional(name);
        if found.is_none() && self.entries.is_some() {
            let whole = if self.path.is_empty() { "the file" } else { &self.path };
            let message = format!("field `{name}` of {whole} is missing");
            let label = format!("`{name}` must be given in here");
            self.reader.push(Diagnostic::error(codes::MISSING_FIELD, message, self.head, label));
        }
        found
    }

    /// Takes a required field through one of the reader's typed accesses, and keeps its place if it is good.
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

    /// A u32 in a range.
    pub fn u32(&self, name: &'static str, range: RangeInclusive<u32>) -> Option<u32> {
        let range = i128::from(*range.start())..=i128::from(*range.end());
        self.read(name, |r, n, p| r.int(n, p, &range)).map(|v| v as u32)
    }

    /// A u64 in a range.
    pub fn u64(&self, name: &'static str, range: RangeInclusive<u64>) -> Option<u64> {
        let range = i128::from(*range.start())..=i128::from(*range.end());
        self.read(name, |r, n, p| r.int(n, p, &range)).map(|v| v as u64)
    }

    /// A string.
    pub fn string(&self, name: &'static str) -> Option<&'r str> {
        self.read(name, Reader::string)
    }

    /// `true` or `false`.
    pub fn bool(&self, name: &'static str) -> Option<bool> {
        self.read(name, Reader::bool)
    }

    /// One of some words.
    pub fn choice<T: Copy>(&self, name: &'static str, words: &[(&'static str, T)]) -> Option<T> {
        self.read(name, |r, n, p| r.choice(n, p, words))
    }

    /// A struct. Where it is missing or wrong, its fields read as `None` without further complaint.
    pub fn record(&self, name: &'static str) -> Fields<'r> {
        let path = self.path_of(name);
        match self.required(name) {
            Some(node) => self.reader.fields(node, &path),
            None => Fields::new(self.reader, path, self.head, None),
        }
    }

    /// Complains of fields that nobody asked for.
    pub fn finish(self) {
        let asked = self.asked.borrow();
        for field in self.entries.unwrap_or_default() {
            if asked.iter().any(|a| *a == field.name) {
                continue;
            }
            let whole = if self.path.is_empty() { "the file" } else { &self.path };
            let message = format!("{whole} has no field `{}`", field.name);
            let label = nearest(&field.name, asked.iter().copied())
                .map_or_else(|| "unknown field".to_owned(), |n| format!("did you mean `{n}`?"));
            let note = format!("fields: {}", asked.join(", "));
            let diagnostic = Diagnostic::error(codes::UNKNOWN_FIELD, message, field.name_span, label);
            self.reader.push(diagnostic.note(note));
        }
    }
}
