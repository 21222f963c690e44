//! The forms of fields: how a value is written in a chip file, and the Rust value that it becomes.

use super::{Effect, Field, Presence, Record, Value};
use crate::config::codes;
use crate::config::read::{Fields, Reader};
use crate::config::tree::Node;
use crate::words::{Named, Word, Worded};
use isa::diag::Diagnostic;
use isa::feature::{Feature, Features};
use isa::types::{Capability, Dim3};
use std::fmt::Display;
use std::ops::RangeInclusive;

/// How a field of type `T` is written.
pub trait Form<T> {
    /// Reads the field `name`. If it cannot be read, a complaint is left with the reader and the
    /// result is a fallback, such as the least value of the range.
    fn read(&self, fields: &Fields, name: &'static str) -> T;

    /// The values that the field accepts.
    fn value(&self) -> Value;

    /// Whether a file must give the field.
    fn presence(&self) -> Presence {
        Presence::Required
    }

    /// Adds the description of the field.
    fn describe(&self, row: Row, fields: &mut Vec<Field>) {
        fields.push(row.field(self.presence(), self.value()));
    }
}

/// The texts of a row.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// Name in the file.
    pub name: &'static str,
    /// Explanation.
    pub about: &'static str,
    /// Unit; empty for none.
    pub unit: &'static str,
    /// What a change of the value can change.
    pub effect: Option<Effect>,
}

impl Row {
    pub(super) fn field(self, presence: Presence, value: Value) -> Field {
        let Self { name, about, unit, effect } = self;
        Field { name, about, unit, effect, presence, value }
    }
}

/// An integer is written as itself; the range is that of the row.
macro_rules! integers {
    ($($type:ident)*) => {$(
        impl Form<$type> for RangeInclusive<$type> {
            fn read(&self, fields: &Fields, name: &'static str) -> $type {
                let range = i128::from(*self.start())..=i128::from(*self.end());
                let value = fields.read(name, |reader, node, what| reader.int(node, what, &range));
                value.map_or(*self.start(), |value| value as $type)
            }

            fn value(&self) -> Value {
                Value::Int(i128::from(*self.start())..=i128::from(*self.end()))
            }
        }
    )*};
}

integers! { u8 u16 u32 u64 }

/// A frequency in MHz, kept in kHz.
pub struct Megahertz;

impl Megahertz {
    const LEAST: f64 = 0.001;
    const MOST: f64 = 100_000.0;
}

impl Form<u64> for Megahertz {
    fn read(&self, fields: &Fields, name: &'static str) -> u64 {
        let megahertz = |reader: &Reader, node: &Node, what: &str| {
            let mhz = reader.number(node, what)?;
            if (Self::LEAST..=Self::MOST).contains(&mhz) {
                return Some((mhz * 1000.0).round() as u64);
            }
            let message = format!("{what} is out of range");
            let label = format!("expected a value from {} to {} MHz", Self::LEAST, Self::MOST);
            reader.push(Diagnostic::error(codes::OUT_OF_RANGE, message, node.span, label));
            None
        };
        fields.read(name, megahertz).unwrap_or(1)
    }

    fn value(&self) -> Value {
        Value::Number(Self::LEAST..=Self::MOST)
    }
}

/// A size in MiB, kept in bytes.
pub struct Mebibytes(pub RangeInclusive<u64>);

impl Form<u64> for Mebibytes {
    fn read(&self, fields: &Fields, name: &'static str) -> u64 {
        self.0.read(fields, name) << 20
    }

    fn value(&self) -> Value {
        self.0.value()
    }
}

/// A string without control characters.
pub struct Text;

impl Form<String> for Text {
    fn read(&self, fields: &Fields, name: &'static str) -> String {
        fields.string(name).unwrap_or_default().to_owned()
    }

    fn value(&self) -> Value {
        Value::Text
    }
}

/// A compute capability, such as `"1.3"`.
pub struct CapabilityText;

impl Form<Capability> for CapabilityText {
    fn read(&self, fields: &Fields, name: &'static str) -> Capability {
        let capability = |reader: &Reader, node: &Node, what: &str| {
            let text = reader.string(node, what)?;
            let parts = text.split_once('.');
            let parsed = parts.and_then(|(a, b)| Some(Capability::new(a.parse().ok()?, b.parse().ok()?)));
            let known = parsed.filter(|c| (1..=9).contains(&c.major) && c.minor <= 9);
            if known.is_none() {
                let message = format!("{what} is not a compute capability: `{text}`");
                let label = "expected a value such as \"1.0\"";
                reader.push(Diagnostic::error(codes::OUT_OF_RANGE, message, node.span, label));
            }
            known
        };
        fields.read(name, capability).unwrap_or(Capability::new(1, 0))
    }

    fn value(&self) -> Value {
        Value::Capability
    }
}

/// Groups of instructions as a list, which a file may leave out: then it is empty.
pub struct FeatureList;

impl FeatureList {
    /// The words with their meanings.
    const WORDS: [Word; Feature::ALL.len()] = {
        let mut words = [Word { word: "", meaning: "", argument: None }; Feature::ALL.len()];
        let mut place = 0;
        while place < words.len() {
            let feature = Feature::ALL[place];
            words[place] = Word { word: feature.name(), meaning: feature.meaning(), argument: None };
            place += 1;
        }
        words
    };
}

impl Form<Features> for FeatureList {
    fn read(&self, fields: &Fields, name: &'static str) -> Features {
        let words: Vec<(&'static str, Feature)> = Feature::ALL.iter().map(|one| (one.name(), *one)).collect();
        let features = |reader: &Reader, node: &Node, what: &str| {
            let mut features = Features::NONE;
            for item in reader.items(node, what)? {
                let Some(feature) = reader.choice(item, what, &words) else { continue };
                if features.has(feature) {
                    let message = format!("duplicate word `{}` in {what}", feature.name());
                    reader.push(Diagnostic::error(
                        codes::DUPLICATE_FIELD,
                        message,
                        item.span,
                        "second occurrence",
                    ));
                }
                features = features.with(feature);
            }
            Some(features)
        };
        match fields.optional(name) {
            Some(_) => fields.read(name, features).unwrap_or_default(),
            None => Features::NONE,
        }
    }

    fn value(&self) -> Value {
        Value::WordList(const { &Self::WORDS })
    }

    fn presence(&self) -> Presence {
        Presence::Default(Features::NONE.to_string())
    }
}

/// `true` or `false`.
pub struct Flag;

impl Form<bool> for Flag {
    fn read(&self, fields: &Fields, name: &'static str) -> bool {
        fields.bool(name).unwrap_or(false)
    }

    fn value(&self) -> Value {
        Value::Flag
    }
}

/// Extents `(x, y, z)`.
pub struct Extents;

impl Extents {
    const RANGE: RangeInclusive<i128> = 1..=i32::MAX as i128;
}

impl Form<Dim3> for Extents {
    fn read(&self, fields: &Fields, name: &'static str) -> Dim3 {
        let extents = |reader: &Reader, node: &Node, what: &str| {
            let items = reader.items(node, what)?;
            let [x, y, z] = items else {
                reader.wrong_type(node, what, "three extents `(x, y, z)`");
                return None;
            };
            let extent = |node| reader.int(node, what, &Self::RANGE).map(|v| v as u32);
            let (x, y, z) = (extent(x), extent(y), extent(z));
            Some(Dim3::new(x?, y?, z?))
        };
        fields.read(name, extents).unwrap_or(Dim3::new(1, 1, 1))
    }

    fn value(&self) -> Value {
        Value::Extents(Self::RANGE)
    }
}

/// A word of an enum.
pub struct Choice;

impl<T: Named> Form<T> for Choice {
    fn read(&self, fields: &Fields, name: &'static str) -> T {
        fields.choice(name, T::VALUES).unwrap_or(T::VALUES[0].1)
    }

    fn value(&self) -> Value {
        Value::Words(T::LIST, Vec::new())
    }
}

/// A word of an enum whose values may have an argument. The first word has none.
pub struct Policy;

impl<T: Worded> Form<T> for Policy {
    fn read(&self, fields: &Fields, name: &'static str) -> T {
        let fallback = || T::of(T::WORDS[0], |_, range| Some(*range.start()));
        let value = fields.read(name, Reader::worded).or_else(fallback);
        value.expect("the first word is a word of the enum")
    }

    fn value(&self) -> Value {
        Value::Words(T::LIST, Vec::new())
    }

    fn describe(&self, row: Row, fields: &mut Vec<Field>) {
        let arguments = T::LIST.iter().filter_map(|word| word.argument);
        let field = |argument: crate::words::Argument| {
            let row = Row { name: argument.name, about: argument.meaning, unit: "", ..row };
            row.field(Presence::Required, Value::Int(argument.least.into()..=argument.most.into()))
        };
        let value = Value::Words(T::LIST, arguments.map(field).collect());
        fields.push(row.field(Presence::Required, value));
    }
}

/// A record of its type.
pub struct Part;

impl<T: Record> Form<T> for Part {
    fn read(&self, fields: &Fields, name: &'static str) -> T {
        T::read(fields.record(name))
    }

    fn value(&self) -> Value {
        Value::Record(T::table())
    }
}

/// A record, or the word `none`.
pub struct PartOrNone;

impl<T: Record> Form<Option<T>> for PartOrNone {
    fn read(&self, fields: &Fields, name: &'static str) -> Option<T> {
        fields.record_or_none(name).map(T::read)
    }

    fn value(&self) -> Value {
        Value::RecordOrNone(T::table())
    }
}

/// A record whose fields are fields of the record that contains it.
pub struct Inline;

impl<T: Record> Form<T> for Inline {
    fn read(&self, fields: &Fields, _: &'static str) -> T {
        T::take(fields)
    }

    fn value(&self) -> Value {
        Value::Record(T::table())
    }

    fn describe(&self, _: Row, fields: &mut Vec<Field>) {
        fields.extend(T::table().fields);
    }
}

/// A field that a file may leave out.
pub struct Optional<F>(pub F);

impl<T, F: Form<T>> Form<Option<T>> for Optional<F> {
    fn read(&self, fields: &Fields, name: &'static str) -> Option<T> {
        fields.optional(name).map(|_| self.0.read(fields, name))
    }

    fn value(&self) -> Value {
        self.0.value()
    }

    fn presence(&self) -> Presence {
        Presence::Optional
    }
}

/// A record, or the word `none`; a file may leave it out, which means `none`.
pub struct PartIfAny;

impl<T: Record> Form<Option<T>> for PartIfAny {
    fn read(&self, fields: &Fields, name: &'static str) -> Option<T> {
        fields.optional(name)?;
        fields.record_or_none(name).map(T::read)
    }

    fn value(&self) -> Value {
        Value::RecordOrNone(T::table())
    }

    fn presence(&self) -> Presence {
        Presence::Optional
    }
}

/// A field that a file may leave out, and its value then.
pub struct Or<F, T>(pub F, pub T);

impl<T: Clone + Display, F: Form<T>> Form<T> for Or<F, T> {
    fn read(&self, fields: &Fields, name: &'static str) -> T {
        match fields.optional(name) {
            Some(_) => self.0.read(fields, name),
            None => self.1.clone(),
        }
    }

    fn value(&self) -> Value {
        self.0.value()
    }

    fn presence(&self) -> Presence {
        Presence::Default(self.1.to_string())
    }

    fn describe(&self, row: Row, fields: &mut Vec<Field>) {
        let before = fields.len();
        self.0.describe(row, fields);
        for field in &mut fields[before..] {
            field.presence = self.presence();
        }
    }
}
