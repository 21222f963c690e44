//! The forms of values that only launch files have.

use super::codes;
use super::value::{Number, TYPES};
use isa::diag::Diagnostic;
use isa::span::{Span, Spanned};
use isa::types::{Dim3, ScalarType};
use sim_core::config::read::{Fields, Reader};
use sim_core::config::schema::{Form, Record, Value};
use sim_core::config::tree::{Node, NodeKind};
use sim_core::config::{Named as _, Word};
use sim_core::host::AddressMode;
use std::collections::BTreeMap;

/// Largest number of a stream.
const STREAMS: i128 = 256;

/// A value that a function makes of a record: it has the rules over several fields.
pub struct Entry<E, T>(pub fn(E, &Reader) -> Option<T>);

impl<E: Record, T> Form<T> for Entry<E, T> {
    fn of(&self, reader: &Reader, node: &Node, what: &str) -> Option<T> {
        entry(node, reader.fields(node, what)).and_then(|entry| (self.0)(entry, reader))
    }

    fn value(&self) -> Value {
        Value::Record(E::table())
    }
}

/// Reads a record. A node that is not a struct has none.
fn entry<E: Record>(node: &Node, fields: Fields) -> Option<E> {
    let entry = E::read(fields)?;
    let is_struct = match &node.kind {
        NodeKind::Struct(_) => true,
        NodeKind::Tuple(items) => items.is_empty(),
        _ => false,
    };
    is_struct.then_some(entry)
}

/// A map from names of objects, which have this noun, to their records, from which a function
/// makes values. A duplicate name is reported.
pub struct Named<E, T>(pub &'static str, pub fn(E, &Reader) -> T);

impl<E: Record, T> Form<Vec<T>> for Named<E, T> {
    fn of(&self, reader: &Reader, node: &Node, what: &str) -> Option<Vec<T>> {
        let NodeKind::Map(entries) = &node.kind else {
            reader.wrong_type(node, what, "a map `{ \"name\": (…), … }`");
            return None;
        };
        let mut out = Vec::new();
        let mut names: BTreeMap<&str, Span> = BTreeMap::new();
        for (key, value) in entries {
            let Some(name) = reader.string(key, "a name") else { continue };
            let first = *names.entry(name).or_insert(key.span);
            if first != key.span {
                let message = format!("duplicate name `{name}` in {what}");
                let diagnostic = Diagnostic::error(codes::DUPLICATE, key.span, message).label("second entry");
                reader.push(diagnostic.at(first, "first entry"));
            }
            let fields = reader.fields(value, &format!("{} `{name}`", self.0));
            let key = Spanned { value: name.to_owned(), span: key.span };
            out.extend(entry(value, fields.keyed(key)).map(|entry| (self.1)(entry, reader)));
        }
        Some(out)
    }

    fn value(&self) -> Value {
        Value::Named(Box::new(Value::Record(E::table())))
    }
}

/// An extent with its number of dimensions.
#[derive(Clone, Copy, Debug)]
pub struct Size {
    /// Extent in three dimensions; missing ones are 1.
    pub extent: Dim3,
    /// Number of dimensions.
    pub dimensions: usize,
}

/// An extent: `256`, `(16, 16)` or `(4, 8, 2)`.
pub struct Extent;

impl Form<Size> for Extent {
    fn of(&self, reader: &Reader, node: &Node, what: &str) -> Option<Size> {
        let parts = match &node.kind {
            NodeKind::Tuple(items) | NodeKind::List(items) if (1..=3).contains(&items.len()) => {
                items.as_slice()
            }
            NodeKind::Int(_) => std::slice::from_ref(node),
            _ => {
                reader.wrong_type(node, what, "a number or one to three numbers `(x, y, z)`");
                return None;
            }
        };
        let range = 1..=i128::from(u32::MAX);
        let read: Vec<Option<i128>> = parts.iter().map(|part| reader.int(part, what, &range)).collect();
        let at = |i: usize| read.get(i).map_or(Some(1), |v| v.map(|v| v as u32));
        Some(Size { extent: Dim3::new(at(0)?, at(1)?, at(2)?), dimensions: parts.len() })
    }

    fn value(&self) -> Value {
        Value::Extents(1..=i128::from(u32::MAX), 1)
    }
}

impl Form<Dim3> for Extent {
    fn of(&self, reader: &Reader, node: &Node, what: &str) -> Option<Dim3> {
        let size: Size = self.of(reader, node, what)?;
        Some(size.extent)
    }

    fn value(&self) -> Value {
        Form::<Size>::value(self)
    }
}

/// The type of the elements of an array.
pub struct ElementType;

impl ElementType {
    const WORDS: [Word; TYPES.len()] = {
        let mut words = [Word { word: "", meaning: "", arguments: &[] }; TYPES.len()];
        let mut place = 0;
        while place < words.len() {
            words[place].word = TYPES[place].0;
            place += 1;
        }
        words
    };
}

impl Form<ScalarType> for ElementType {
    fn of(&self, reader: &Reader, node: &Node, what: &str) -> Option<ScalarType> {
        reader.choice(node, what, &TYPES)
    }

    fn value(&self) -> Value {
        Value::Words(const { &Self::WORDS }, Vec::new())
    }
}

/// A number, with or without a fraction.
pub struct AnyNumber;

impl Form<Number> for AnyNumber {
    fn of(&self, reader: &Reader, node: &Node, what: &str) -> Option<Number> {
        match node.kind {
            NodeKind::Int(value) => Some(Number::Int(value)),
            _ => reader.number(node, what).map(Number::Float),
        }
    }

    fn value(&self) -> Value {
        Value::Number(f64::NEG_INFINITY..=f64::INFINITY)
    }
}

/// Address modes: one for all dimensions, or one for each.
pub struct Address;

impl Form<[AddressMode; 3]> for Address {
    fn of(&self, reader: &Reader, node: &Node, what: &str) -> Option<[AddressMode; 3]> {
        let one = |node: &Node| reader.choice(node, what, AddressMode::VALUES);
        let items = match &node.kind {
            NodeKind::Tuple(items) | NodeKind::List(items) if (1..=3).contains(&items.len()) => {
                items.as_slice()
            }
            _ => return one(node).map(|mode| [mode; 3]),
        };
        let modes: Vec<AddressMode> = items.iter().map(one).collect::<Option<_>>()?;
        let at = |i: usize| modes.get(i).copied().unwrap_or_default();
        Some([at(0), at(1), at(2)])
    }

    fn value(&self) -> Value {
        Value::OneOrList(Box::new(Value::Words(AddressMode::LIST, Vec::new())))
    }
}

/// The values of the first environment registers: `[0, 0, 0, 64]`.
pub struct Environment;

impl Form<[u32; 32]> for Environment {
    fn of(&self, reader: &Reader, node: &Node, what: &str) -> Option<[u32; 32]> {
        let items = reader.items(node, what)?;
        let mut values = [0; 32];
        if items.len() > values.len() {
            let message = format!("{what} has {} values; there are {} registers", items.len(), values.len());
            reader.push(
                Diagnostic::error(codes::LENGTH, node.span, message).label("expected at most 32 values"),
            );
            return None;
        }
        for (value, item) in values.iter_mut().zip(items) {
            *value = reader.int(item, what, &(0..=u32::MAX.into()))? as u32;
        }
        Some(values)
    }

    fn value(&self) -> Value {
        Value::List(Box::new(Value::Int(0..=u32::MAX.into())))
    }
}

/// The number of a stream, 1 to 256.
pub struct StreamNumber;

impl Form<u32> for StreamNumber {
    fn of(&self, reader: &Reader, node: &Node, what: &str) -> Option<u32> {
        if matches!(node.kind, NodeKind::Int(0)) {
            let message = "stream 0 is not a stream of the list";
            let help = "leave out `stream` for a call in the default stream";
            let diagnostic =
                Diagnostic::error(codes::STREAMS, node.span, message).label("expected a number from 1");
            reader.push(diagnostic.help(help));
            return None;
        }
        reader.int(node, what, &(1..=STREAMS)).map(|stream| stream as u32)
    }

    fn value(&self) -> Value {
        Value::Int(1..=STREAMS)
    }
}

/// Diagnostic for a number that its type cannot represent.
pub fn range_error(span: Span, why: String) -> Diagnostic {
    Diagnostic::error(sim_core::config::codes::OUT_OF_RANGE, span, why).label("invalid number")
}
