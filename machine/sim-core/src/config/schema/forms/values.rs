//! Forms of single values: numbers, texts and words.

use super::{Form, Row};
use crate::config::codes;
use crate::config::read::Reader;
use crate::config::schema::{Field, Presence, Value};
use crate::config::tree::Node;
use crate::words::{Argument, Named, Word, Worded};
use isa::diag::Diagnostic;
use isa::feature::{Feature, Features};
use isa::types::{Capability, Dim3};
use std::ops::RangeInclusive;
use std::path::PathBuf;

/// An integer is written as itself; the range is that of the row.
macro_rules! integers {
    ($($type:ident)*) => {$(
        impl Form<$type> for RangeInclusive<$type> {
            fn of(&self, reader: &Reader, node: &Node, what: &str) -> Option<$type> {
                let range = i128::from(*self.start())..=i128::from(*self.end());
                reader.int(node, what, &range).map(|value| value as $type)
            }

            fn value(&self) -> Value {
                Value::Int(i128::from(*self.start())..=i128::from(*self.end()))
            }

            fn fallback(&self) -> Option<$type> {
                Some(*self.start())
            }
        }
    )*};
}

integers! { u8 u16 u32 u64 }

/// A finite number in a range, with or without a fraction.
impl Form<f64> for RangeInclusive<f64> {
    fn of(&self, reader: &Reader, node: &Node, what: &str) -> Option<f64> {
        let value = reader.number(node, what)?;
        if self.contains(&value) && value.is_finite() {
            return Some(value);
        }
        let message = format!("{what} must be {}, found {value}", Value::Number(self.clone()));
        reader.push(Diagnostic::error(codes::OUT_OF_RANGE, node.span, message).label("invalid number"));
        None
    }

    fn value(&self) -> Value {
        Value::Number(self.clone())
    }
}

/// A frequency in MHz, kept in kHz.
pub struct Megahertz;

impl Megahertz {
    const LEAST: f64 = 0.001;
    const MOST: f64 = 100_000.0;
}

impl Form<u64> for Megahertz {
    fn of(&self, reader: &Reader, node: &Node, what: &str) -> Option<u64> {
        let mhz = reader.number(node, what)?;
        if (Self::LEAST..=Self::MOST).contains(&mhz) {
            return Some((mhz * 1000.0).round() as u64);
        }
        let message = format!("{what} is out of range");
        let label = format!("expected a value from {} to {} MHz", Self::LEAST, Self::MOST);
        reader.push(Diagnostic::error(codes::OUT_OF_RANGE, node.span, message).label(label));
        None
    }

    fn value(&self) -> Value {
        Value::Number(Self::LEAST..=Self::MOST)
    }

    fn fallback(&self) -> Option<u64> {
        Some(1)
    }
}

/// A size in MiB, kept in bytes.
pub struct Mebibytes(pub RangeInclusive<u64>);

impl Form<u64> for Mebibytes {
    fn of(&self, reader: &Reader, node: &Node, what: &str) -> Option<u64> {
        self.0.of(reader, node, what).map(|mebibytes| mebibytes << 20)
    }

    fn value(&self) -> Value {
        self.0.value()
    }

    fn fallback(&self) -> Option<u64> {
        self.0.fallback().map(|mebibytes| mebibytes << 20)
    }
}

/// A string without control characters.
pub struct Text;

impl Form<String> for Text {
    fn of(&self, reader: &Reader, node: &Node, what: &str) -> Option<String> {
        reader.string(node, what).map(str::to_owned)
    }

    fn value(&self) -> Value {
        Value::Text
    }

    fn fallback(&self) -> Option<String> {
        Some(String::new())
    }
}

/// The path of a file.
impl Form<PathBuf> for Text {
    fn of(&self, reader: &Reader, node: &Node, what: &str) -> Option<PathBuf> {
        reader.string(node, what).map(PathBuf::from)
    }

    fn value(&self) -> Value {
        Value::Text
    }
}

/// A text with its line ends: a string of any characters.
pub struct Lines;

impl Form<String> for Lines {
    fn of(&self, reader: &Reader, node: &Node, what: &str) -> Option<String> {
        reader.text(node, what).map(str::to_owned)
    }

    fn value(&self) -> Value {
        Value::Text
    }

    fn fallback(&self) -> Option<String> {
        Some(String::new())
    }
}

/// A formula: a string of any characters.
pub struct FormulaText;

impl Form<String> for FormulaText {
    fn of(&self, reader: &Reader, node: &Node, what: &str) -> Option<String> {
        reader.text(node, what).map(str::to_owned)
    }

    fn value(&self) -> Value {
        Value::Formula
    }
}

/// A compute capability, such as `"1.3"`.
pub struct CapabilityText;

impl Form<Capability> for CapabilityText {
    fn of(&self, reader: &Reader, node: &Node, what: &str) -> Option<Capability> {
        let text = reader.string(node, what)?;
        let parts = text.split_once('.');
        let parsed = parts.and_then(|(a, b)| Some(Capability::new(a.parse().ok()?, b.parse().ok()?)));
        let known = parsed.filter(|c| (1..=9).contains(&c.major) && c.minor <= 9);
        if known.is_none() {
            let message = format!("{what} is not a compute capability: `{text}`");
            let label = "expected a value such as \"1.0\"";
            reader.push(Diagnostic::error(codes::OUT_OF_RANGE, node.span, message).label(label));
        }
        known
    }

    fn value(&self) -> Value {
        Value::Capability
    }

    fn fallback(&self) -> Option<Capability> {
        Some(Capability::new(1, 0))
    }
}

/// Groups of instructions as a list.
pub struct FeatureList;

impl FeatureList {
    /// The words with their meanings.
    const WORDS: [Word; Feature::ALL.len()] = {
        let mut words = [Word { word: "", meaning: "", arguments: &[] }; Feature::ALL.len()];
        let mut place = 0;
        while place < words.len() {
            let feature = Feature::ALL[place];
            words[place] = Word { word: feature.name(), meaning: feature.meaning(), arguments: &[] };
            place += 1;
        }
        words
    };
}

impl Form<Features> for FeatureList {
    fn of(&self, reader: &Reader, node: &Node, what: &str) -> Option<Features> {
        let words: Vec<(&'static str, Feature)> = Feature::ALL.iter().map(|one| (one.name(), *one)).collect();
        let mut features = Features::NONE;
        for item in reader.items(node, what)? {
            let Some(feature) = reader.choice(item, what, &words) else { continue };
            if features.has(feature) {
                let message = format!("duplicate word `{}` in {what}", feature.name());
                let label = "second occurrence";
                reader.push(Diagnostic::error(codes::DUPLICATE_FIELD, item.span, message).label(label));
            }
            features = features.with(feature);
        }
        Some(features)
    }

    fn value(&self) -> Value {
        Value::WordList(const { &Self::WORDS })
    }
}

/// `true` or `false`.
pub struct Flag;

impl Form<bool> for Flag {
    fn of(&self, reader: &Reader, node: &Node, what: &str) -> Option<bool> {
        reader.bool(node, what)
    }

    fn value(&self) -> Value {
        Value::Flag
    }

    fn fallback(&self) -> Option<bool> {
        Some(false)
    }
}

/// Extents `(x, y, z)`.
pub struct Extents;

impl Extents {
    const RANGE: RangeInclusive<i128> = 1..=i32::MAX as i128;
}

impl Form<Dim3> for Extents {
    fn of(&self, reader: &Reader, node: &Node, what: &str) -> Option<Dim3> {
        let items = reader.items(node, what)?;
        let [x, y, z] = items else {
            reader.wrong_type(node, what, "three extents `(x, y, z)`");
            return None;
        };
        let extent = |node| reader.int(node, what, &Self::RANGE).map(|v| v as u32);
        let (x, y, z) = (extent(x), extent(y), extent(z));
        Some(Dim3::new(x?, y?, z?))
    }

    fn value(&self) -> Value {
        Value::Extents(Self::RANGE, 3)
    }

    fn fallback(&self) -> Option<Dim3> {
        Some(Dim3::new(1, 1, 1))
    }
}

/// A word of an enum.
pub struct Choice;

impl<T: Named> Form<T> for Choice {
    fn of(&self, reader: &Reader, node: &Node, what: &str) -> Option<T> {
        reader.choice(node, what, T::VALUES)
    }

    fn value(&self) -> Value {
        Value::Words(T::LIST, Vec::new())
    }

    fn fallback(&self) -> Option<T> {
        Some(T::VALUES[0].1)
    }
}

/// A word of an enum whose values may have an argument. The first word has none.
pub struct Policy;

impl<T: Worded> Form<T> for Policy {
    fn of(&self, reader: &Reader, node: &Node, what: &str) -> Option<T> {
        reader.worded(node, what)
    }

    fn fallback(&self) -> Option<T> {
        T::of(T::WORDS[0], |argument| Some(argument.least))
    }

    fn value(&self) -> Value {
        Value::Words(T::list(), Vec::new())
    }

    fn describe(&self, row: Row, fields: &mut Vec<Field>) {
        let arguments = T::list().iter().flat_map(|word| word.arguments);
        let field = |argument: &Argument| {
            let row = Row { name: argument.name, about: argument.meaning, unit: "", ..row };
            let presence =
                argument.default.map_or(Presence::Required, |default| Presence::Default(default.to_string()));
            row.field(presence, Value::Int(argument.least.into()..=argument.most.into()))
        };
        let value = Value::Words(T::list(), arguments.map(field).collect());
        fields.push(row.field(Presence::Required, value));
    }
}
