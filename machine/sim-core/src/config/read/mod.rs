//! Typed reading of a [`Node`] tree. Reading continues after an error, so that all complaints are
//! reported at once.
//!
//! A failed access returns `None` and records a complaint. The fields of a record that is itself
//! wrong cause no further complaints. The place of every good value is kept with its path, so that
//! rules over several fields can show the places of the values that they compare.

use super::codes;
use super::tree::{Field, Node, NodeKind};
use crate::words::Worded;
pub use fields::Fields;
use isa::diag::{Diagnostic, cut_flood, is_flood, nearest};
use isa::span::Span;
use std::cell::{Ref, RefCell};
use std::collections::BTreeMap;
use std::fmt::Display;
use std::ops::RangeInclusive;

mod fields;

/// Collects complaints and the places of values.
#[derive(Debug, Default)]
pub struct Reader {
    diagnostics: RefCell<Vec<Diagnostic>>,
    places: RefCell<BTreeMap<String, Span>>,
    /// Names of the execution units of the chip file, for the fields that refer to a unit.
    units: RefCell<Vec<String>>,
}

/// A value `word` or `word(…)`.
#[derive(Debug)]
pub struct Tagged<'r> {
    /// The word, one of the expected words.
    pub word: &'static str,
    /// The parenthesis as a struct.
    pub fields: Fields<'r>,
    /// The node of the parenthesis.
    pub args: Option<&'r Node>,
    /// The whole value.
    pub node: &'r Node,
}

impl<'r> Tagged<'r> {
    /// The fields in the parenthesis; `None` if it has values without names.
    pub fn named(self, reader: &Reader, what: &str) -> Option<Fields<'r>> {
        if let Some(args @ Node { kind: NodeKind::Tuple(items), .. }) = self.args
            && !items.is_empty()
        {
            reader.wrong_type(args, &format!("{what} {}", self.word), "`(field: value, …)`");
            return None;
        }
        Some(self.fields.at(self.node.span))
    }

    /// The values in the parenthesis; `None` if they are not as many as `names`.
    pub fn positions(&self, reader: &Reader, what: &str, names: &[&str]) -> Option<&'r [Node]> {
        match self.args.map(|args| &args.kind) {
            Some(NodeKind::Tuple(items)) if items.len() == names.len() => Some(items),
            _ => {
                let Self { word, node, .. } = self;
                reader.wrong_type(node, what, &format!("`{word}({})`", names.join(", ")));
                None
            }
        }
    }
}

impl Reader {
    /// Records the names of the execution units.
    pub fn set_units(&self, names: Vec<String>) {
        *self.units.borrow_mut() = names;
    }

    /// The names of the execution units; none if they could not be read.
    pub fn units(&self) -> Ref<'_, [String]> {
        Ref::map(self.units.borrow(), Vec::as_slice)
    }

    /// Records a complaint, unless there are too many already.
    pub fn push(&self, diagnostic: Diagnostic) {
        let mut diagnostics = self.diagnostics.borrow_mut();
        if !is_flood(&diagnostics) {
            diagnostics.push(diagnostic);
        }
    }

    /// Returns the complaints, and the place of each good value by its path.
    pub fn finish(self) -> (Vec<Diagnostic>, BTreeMap<String, Span>) {
        let mut diagnostics = self.diagnostics.into_inner();
        cut_flood(&mut diagnostics);
        (diagnostics, self.places.into_inner())
    }

    /// Records the complaint that `node` is not of the `expected` type.
    pub fn wrong_type(&self, node: &Node, what: &str, expected: &str) {
        let message = format!("{what} must be {expected}, found {}", node.describe());
        let label = format!("expected {expected}");
        self.push(Diagnostic::error(codes::WRONG_TYPE, node.span, message).label(label));
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
        self.push(Diagnostic::error(codes::OUT_OF_RANGE, node.span, message).label(label));
        None
    }

    /// An integer in a range; `what` is its name in complaints.
    pub fn int(&self, node: &Node, what: &str, range: &RangeInclusive<i128>) -> Option<i128> {
        let NodeKind::Int(value) = node.kind else {
            self.wrong_type(node, what, "an integer");
            return None;
        };
        self.ranged(node, what, value, range)
    }

    /// A number, with or without a fraction.
    pub fn number(&self, node: &Node, what: &str) -> Option<f64> {
        match node.kind {
            NodeKind::Int(value) => Some(value as f64),
            NodeKind::Float(value) => Some(value),
            _ => {
                self.wrong_type(node, what, "a number");
                None
            }
        }
    }

    /// A name or a path: a string without control characters, which could imitate other text of a
    /// message.
    pub fn string<'n>(&self, node: &'n Node, what: &str) -> Option<&'n str> {
        let name = self.text(node, what)?;
        if name.contains(char::is_control) {
            let message = format!("{what} has control characters: `{}`", name.escape_debug());
            self.push(
                Diagnostic::error(codes::CONTROL, node.span, message).label("expected printable characters"),
            );
            return None;
        }
        Some(name)
    }

    /// A string of any characters.
    pub fn text<'n>(&self, node: &'n Node, what: &str) -> Option<&'n str> {
        let NodeKind::Str(text) = &node.kind else {
            self.wrong_type(node, what, "a string in double quotes");
            return None;
        };
        Some(text)
    }

    /// `true` or `false`.
    pub fn bool(&self, node: &Node, what: &str) -> Option<bool> {
        let NodeKind::Bool(value) = node.kind else {
            self.wrong_type(node, what, "true or false");
            return None;
        };
        Some(value)
    }

    /// The items of a list or of a tuple.
    pub fn items<'n>(&self, node: &'n Node, what: &str) -> Option<&'n [Node]> {
        let (NodeKind::List(items) | NodeKind::Tuple(items)) = &node.kind else {
            self.wrong_type(node, what, "a list `[…]`");
            return None;
        };
        Some(items)
    }

    /// One of some words, with or without quotes.
    pub fn choice<T: Copy>(&self, node: &Node, what: &str, words: &[(&'static str, T)]) -> Option<T> {
        let names: Vec<&'static str> = words.iter().map(|(w, _)| *w).collect();
        let (word, args) = self.word(node, what, &names)?;
        if let Some(args) = args {
            self.wrong_type(args, &format!("{what} {word}"), "a word without arguments");
            return None;
        }
        words.iter().find(|(w, _)| *w == word).map(|(_, t)| *t)
    }

    /// One of some words, with its arguments in parentheses.
    pub fn tagged<'r>(&'r self, node: &'r Node, what: &str, words: &[&'static str]) -> Option<Tagged<'r>> {
        let (word, args) = self.word(node, what, words)?;
        let fields = match args {
            Some(args) if matches!(args.kind, NodeKind::Struct(_)) => self.fields(args, what),
            Some(args) if !matches!(&args.kind, NodeKind::Tuple(_)) => {
                self.wrong_type(args, &format!("{what} {word}"), "a word with `(field: value, …)`");
                return None;
            }
            _ => Fields::of_word(self, what.to_owned(), node.span, word),
        };
        Some(Tagged { word, fields, args, node })
    }

    /// A word of an enum, with its arguments.
    pub fn worded<T: Worded>(&self, node: &Node, what: &str) -> Option<T> {
        let words: Vec<&'static str> = T::list().iter().map(|word| word.word).collect();
        let tagged = self.tagged(node, what, &words)?;
        let value = T::of(tagged.word, |argument| match argument.default {
            Some(default) if tagged.fields.optional(argument.name).is_none() => Some(default),
            _ => tagged.fields.u64(argument.name, argument.least..=argument.most),
        });
        tagged.fields.finish();
        value
    }

    fn word<'n>(
        &self,
        node: &'n Node,
        what: &str,
        words: &[&'static str],
    ) -> Option<(&'static str, Option<&'n Node>)> {
        let (name, span, args) = match &node.kind {
            NodeKind::Variant { name, name_span, args } => (name, *name_span, args.as_deref()),
            NodeKind::Str(text) => (text, node.span, None),
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
            self.push(Diagnostic::error(codes::UNKNOWN_WORD, span, message).label(label).meant(near));
        }
        known.map(|word| (word, args))
    }

    /// The fields of the struct at `path` (empty for the whole file).
    pub fn fields<'r>(&'r self, node: &'r Node, path: &str) -> Fields<'r> {
        let entries: Option<&[Field]> = match &node.kind {
            NodeKind::Struct(fields) => Some(fields),
            NodeKind::Tuple(items) if items.is_empty() => Some(&[]),
            _ => {
                let what = if path.is_empty() { "the file" } else { path };
                self.wrong_type(node, what, "a struct `(field: value, …)`");
                None
            }
        };
        Fields::new(self, path.to_owned(), node.span, entries)
    }

    /// The fields of the struct at `path`, or the word `none` if there is no such part.
    pub fn fields_or_none<'r>(&'r self, node: &'r Node, path: &str) -> Option<Option<Fields<'r>>> {
        if matches!(&node.kind, NodeKind::Variant { name, args: None, .. } if name == "none") {
            return Some(None);
        }
        if matches!(node.kind, NodeKind::Struct(_)) {
            return Some(Some(self.fields(node, path)));
        }
        self.wrong_type(node, path, "a struct `(field: value, …)` or `none`");
        None
    }
}

#[cfg(test)]
mod tests {
    use super::super::tree;
    use super::*;

    /// The result of reading `text` with `access`, and the codes and messages of the complaints.
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
    fn optional_fields_words_and_lists_are_read() {
        let text = "(n: 4, init: iota(start: 2), sizes: [1, 2, 300], scale: 2, grid: (1, 2))";
        let ((), complaints) = read(text, |f| {
            assert_eq!(f.u64("n", 1..=4), Some(4));
            assert!(f.optional("seed").is_none());
            let init =
                f.optional("init").and_then(|n| f.reader().tagged(n, "init", &["zero", "iota"])).unwrap();
            assert_eq!((init.word, init.fields.u64("start", 0..=9)), ("iota", Some(2)));
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
    fn reading_continues_after_an_error() {
        let text = "(a: \"x\", b: 7, b: 8, inner: 3, word: two)";
        let (values, complaints) = read(text, |f| {
            let inner = f.record("inner");
            let values =
                (f.u64("a", 0..=9), f.u64("b", 0..=9), inner.u64("deep", 0..=1), f.read("c", Reader::bool));
            inner.finish();
            (values, f.read("word", |r, n, p| r.choice(n, p, &[("one", 1), ("tow", 2)])))
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
    fn unexpected_arguments_are_refused_and_missing_ones_named() {
        let ((), complaints) = read("(a: one(1), b: two(5), c: two)", |f| {
            let _ = f.read("a", |r, n, p| r.choice(n, p, &[("one", 1)]));
            for name in ["b", "c"] {
                let tagged = f.optional(name).and_then(|n| f.reader().tagged(n, name, &["two"])).unwrap();
                let _ = tagged.fields.u64("n", 0..=9);
                tagged.fields.finish();
            }
        });
        assert_eq!(complaints.len(), 3, "{complaints:?}");
        assert!(complaints[0].starts_with("E0505 a one must be a word without arguments"), "{complaints:?}");
        assert!(complaints[1..].iter().all(|c| c.starts_with("E0503 missing field `n`")), "{complaints:?}");
    }
}
