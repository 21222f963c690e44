//! Typed reading of a [`Node`] tree that goes on after an error, so that everything wrong is told
//! at once.
//!
//! A failed access returns `None` and leaves a diagnostic behind; what stands inside a struct that
//! is itself wrong is not complained of again. The path of every value read well is kept with its
//! place, so that rules over several fields can name the places of the values they compare.

use super::codes;
use super::tree::{Field, Kind, Node};
use crate::words::Worded;
pub use fields::Fields;
use isa::diag::{Diagnostic, cut_flood, is_flood, nearest};
use isa::span::Span;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fmt::Display;
use std::ops::RangeInclusive;

mod fields;

/// Collects diagnostics and the places of values.
#[derive(Debug, Default)]
pub struct Reader {
    diagnostics: RefCell<Vec<Diagnostic>>,
    places: RefCell<BTreeMap<String, Span>>,
    /// What was asked for, by path; only where somebody wants to know.
    ranges: Option<RefCell<BTreeMap<String, Range>>>,
    /// Paths of the optional fields that are not given; noted together with the ranges.
    absent: RefCell<Vec<String>>,
}

/// Stands in for a field that is not given, where only its range is wanted.
static ABSENT: Node = Node { span: Span { start: 0, end: 0 }, kind: Kind::Other };

/// What a field may hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Range {
    /// A whole number, or several, within these bounds.
    Int(RangeInclusive<i128>),
    /// A number, with or without a fraction.
    Number,
    /// A string.
    Text,
    /// `true` or `false`.
    Bool,
    /// One of these words.
    Words(Vec<&'static str>),
}

impl Display for Range {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Int(range) => write!(f, "{} to {}", range.start(), range.end()),
            Self::Number => write!(f, "a number"),
            Self::Text => write!(f, "a string"),
            Self::Bool => write!(f, "true or false"),
            Self::Words(words) => write!(f, "one of: {}", words.join(", ")),
        }
    }
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
    /// A reader that also notes what every field may hold.
    pub fn noting_ranges() -> Self {
        Self { ranges: Some(RefCell::default()), ..Self::default() }
    }

    /// What the fields that were read may hold, by path.
    pub fn into_ranges(self) -> BTreeMap<String, Range> {
        self.ranges.map(RefCell::into_inner).unwrap_or_default()
    }

    /// Paths of the optional fields that are not given, in the order of reading.
    pub fn into_absent(self) -> Vec<String> {
        self.absent.into_inner()
    }

    fn note_range(&self, what: &str, range: impl FnOnce() -> Range) {
        if let Some(ranges) = &self.ranges {
            ranges.borrow_mut().insert(what.to_owned(), range());
        }
    }

    /// Leaves a diagnostic, unless there are too many already.
    pub fn push(&self, diagnostic: Diagnostic) {
        let mut diagnostics = self.diagnostics.borrow_mut();
        if !is_flood(&diagnostics) {
            diagnostics.push(diagnostic);
        }
    }

    /// What was left, and the place of each path read well.
    pub fn finish(self) -> (Vec<Diagnostic>, BTreeMap<String, Span>) {
        let mut diagnostics = self.diagnostics.into_inner();
        cut_flood(&mut diagnostics);
        (diagnostics, self.places.into_inner())
    }

    /// Complains that `node` is not what was `expected`.
    pub fn wrong_type(&self, node: &Node, what: &str, expected: &str) {
        let message = format!("{what} must be {expected}, found {}", node.describe());
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
        let label = format!("expected a value from {} to {}", range.start(), range.end());
        let message = format!("{what} is out of range: {value}");
        self.push(Diagnostic::error(codes::OUT_OF_RANGE, message, node.span, label));
        None
    }

    /// An integer in a range; `what` names it in complaints.
    pub fn int(&self, node: &Node, what: &str, range: &RangeInclusive<i128>) -> Option<i128> {
        self.note_range(what, || Range::Int(range.clone()));
        let Kind::Int(value) = node.kind else {
            self.wrong_type(node, what, "an integer");
            return None;
        };
        self.ranged(node, what, value, range)
    }

    /// A number, with or without a fraction.
    pub fn number(&self, node: &Node, what: &str) -> Option<f64> {
        self.note_range(what, || Range::Number);
        match node.kind {
            Kind::Int(value) => Some(value as f64),
            Kind::Float(value) => Some(value),
            _ => {
                self.wrong_type(node, what, "a number");
                None
            }
        }
    }

    /// A name or a path: a string without control characters, with which it could pass for other
    /// text of a message.
    pub fn string<'n>(&self, node: &'n Node, what: &str) -> Option<&'n str> {
        let name = self.text(node, what)?;
        if name.contains(char::is_control) {
            let message = format!("{what} has control characters: `{}`", name.escape_debug());
            self.push(Diagnostic::error(codes::CONTROL, message, node.span, "expected printable characters"));
            return None;
        }
        Some(name)
    }

    /// A string of any characters.
    pub fn text<'n>(&self, node: &'n Node, what: &str) -> Option<&'n str> {
        self.note_range(what, || Range::Text);
        let Kind::Str(text) = &node.kind else {
            self.wrong_type(node, what, "a string in double quotes");
            return None;
        };
        Some(text)
    }

    /// `true` or `false`.
    pub fn bool(&self, node: &Node, what: &str) -> Option<bool> {
        self.note_range(what, || Range::Bool);
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
                self.wrong_type(args, &format!("{what} {word}"), "a word with `(field: value, …)`");
                return None;
            }
            _ => Fields::of_word(self, what.to_owned(), node.span, word),
        };
        Some(Tagged { word, fields, args, span: node.span })
    }

    /// One of the words of an enum, with its argument.
    pub fn worded<T: Worded>(&self, node: &Node, what: &str) -> Option<T> {
        let tagged = self.tagged(node, what, T::WORDS)?;
        let value = T::of(tagged.word, |name, range| tagged.fields.u64(name, range));
        tagged.fields.finish();
        value
    }

    fn word<'n>(
        &self,
        node: &'n Node,
        what: &str,
        words: &[&'static str],
    ) -> Option<(&'static str, Option<&'n Node>)> {
        self.note_range(what, || Range::Words(words.to_vec()));
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
            let message = format!("unknown value `{name}` for {what}");
            let label = format!("expected one of: {}", words.join(", "));
            let near = nearest(name, words.iter().copied());
            self.push(Diagnostic::error(codes::UNKNOWN_WORD, message, span, label).meant(near));
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

#[cfg(test)]
mod tests {
    use super::super::tree;
    use super::*;

    /// What reading `text` with `access` gives, and the codes and messages of the complaints.
    fn read<T>(text: &str, access: impl FnOnce(&Fields) -> T) -> (T, Vec<String>) {
        let root = tree::parse(text, 0).unwrap();
        let reader = Reader::default();
        let fields = reader.fields(&root, "");
        let value = access(&fields);
        fields.finish();
        let (diagnostics, _) = reader.finish();
        let sentences = diagnostics.iter().map(|d| format!("{} {}", d.code, d.message)).collect();
        (value, sentences)
    }

    #[test]
    fn a_launch_like_file_is_read_with_optional_fields_and_lists() {
        let text = "(n: 4, init: iota(start: 2), sizes: [1, 2, 300], scale: 2, grid: (1, 2))";
        let ((), complaints) = read(text, |f| {
            assert_eq!(f.u32("n", 1..=4), Some(4));
            assert!(f.optional("seed").is_none());
            let init =
                f.optional("init").and_then(|n| f.reader().tagged(n, "init", &["zero", "iota"])).unwrap();
            assert_eq!((init.word, init.fields.u32("start", 0..=9)), ("iota", Some(2)));
            init.fields.finish();
            let sizes = f.read("sizes", Reader::items).unwrap();
            let bytes: Vec<_> = sizes.iter().map(|s| f.reader().int(s, "a size", &(0..=255))).collect();
            assert_eq!(bytes, [Some(1), Some(2), None]);
            assert_eq!(f.read("scale", Reader::number), Some(2.0));
            assert_eq!(f.read("grid", Reader::items).unwrap().len(), 2);
        });
        assert_eq!(complaints, ["E0506 a size is out of range: 300"]);
    }

    #[test]
    fn reading_goes_on_after_an_error() {
        let text = "(a: \"x\", b: 7, b: 8, inner: 3, word: two)";
        let (values, complaints) = read(text, |f| {
            let inner = f.record("inner");
            let values = (f.u32("a", 0..=9), f.u64("b", 0..=9), inner.u32("deep", 0..=1), f.bool("c"));
            inner.finish();
            (values, f.choice("word", &[("one", 1), ("tow", 2)]))
        });
        assert_eq!(values, ((None, Some(7), None, None), None));
        assert_eq!(
            complaints,
            [
                "E0504 duplicate field `b`",
                "E0505 inner must be a struct `(field: value, …)`, found an integer",
                "E0505 a must be an integer, found a string",
                "E0503 missing field `c` in the file",
                "E0507 unknown value `two` for word",
            ]
        );
    }

    #[test]
    fn arguments_are_refused_where_none_belong_and_asked_for_by_name() {
        let ((), complaints) = read("(a: one(1), b: two(5), c: two)", |f| {
            let _ = f.choice("a", &[("one", 1)]);
            for name in ["b", "c"] {
                let tagged = f.optional(name).and_then(|n| f.reader().tagged(n, name, &["two"])).unwrap();
                let _ = tagged.fields.u32("n", 0..=9);
                tagged.fields.finish();
            }
        });
        assert_eq!(complaints.len(), 3, "{complaints:?}");
        assert!(complaints[0].starts_with("E0505 a one must be a word without arguments"), "{complaints:?}");
        assert!(complaints[1..].iter().all(|c| c.starts_with("E0503 missing field `n`")), "{complaints:?}");
    }
}
