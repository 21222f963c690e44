//! Forms made of other forms: records, lists, maps, and fields that a file may leave out.

use super::values::Text;
use super::{Form, Row};
use crate::config::read::{Fields, Reader};
use crate::config::schema::{Field, Presence, Record, Value, Variants};
use crate::config::tree::{Node, NodeKind};
use isa::span::{Span, Spanned};
use std::fmt::Display;

/// A word of an enum of `record!`, with its arguments.
pub struct OneOf;

impl<T: Variants> Form<T> for OneOf {
    fn of(&self, reader: &Reader, node: &Node, what: &str) -> Option<T> {
        T::read(reader, node, what)
    }

    fn value(&self) -> Value {
        Value::OneOf(T::cases())
    }
}

/// A record of its type.
pub struct Part;

impl<T: Record> Form<T> for Part {
    fn of(&self, reader: &Reader, node: &Node, what: &str) -> Option<T> {
        T::read(reader.fields(node, what))
    }

    fn read(&self, fields: &Fields, name: &'static str) -> Option<T> {
        T::read(fields.record(name))
    }

    fn value(&self) -> Value {
        Value::Record(T::table())
    }
}

/// A record, or the word `none`.
pub struct PartOrNone;

impl<T: Record> Form<Option<T>> for PartOrNone {
    fn of(&self, reader: &Reader, node: &Node, what: &str) -> Option<Option<T>> {
        reader.fields_or_none(node, what).map(|fields| fields.and_then(T::read))
    }

    fn value(&self) -> Value {
        Value::RecordOrNone(T::table())
    }

    fn fallback(&self) -> Option<Option<T>> {
        Some(None)
    }
}

/// A record whose fields are fields of the record that contains it.
pub struct Inline;

impl<T: Record> Form<T> for Inline {
    fn of(&self, reader: &Reader, node: &Node, what: &str) -> Option<T> {
        Part.of(reader, node, what)
    }

    fn read(&self, fields: &Fields, _: &'static str) -> Option<T> {
        T::take(fields)
    }

    fn value(&self) -> Value {
        Value::Record(T::table())
    }

    fn describe(&self, _: Row, fields: &mut Vec<Field>) {
        fields.extend(T::table().fields);
    }
}

/// A field that a file may leave out: `None` then, and if the value is wrong.
pub struct Optional<F>(pub F);

impl<T, F: Form<T>> Form<Option<T>> for Optional<F> {
    fn of(&self, reader: &Reader, node: &Node, what: &str) -> Option<Option<T>> {
        self.0.of(reader, node, what).map(Some)
    }

    fn read(&self, fields: &Fields, name: &'static str) -> Option<Option<T>> {
        Some(fields.optional(name).and_then(|_| self.0.read(fields, name)))
    }

    fn value(&self) -> Value {
        self.0.value()
    }

    fn presence(&self) -> Presence {
        Presence::Optional
    }
}

/// A field that a file must give: `None` if it is missing or wrong, and the record remains.
pub struct Needed<F>(pub F);

impl<T, F: Form<T>> Form<Option<T>> for Needed<F> {
    fn of(&self, reader: &Reader, node: &Node, what: &str) -> Option<Option<T>> {
        Some(self.0.of(reader, node, what))
    }

    fn value(&self) -> Value {
        self.0.value()
    }

    fn fallback(&self) -> Option<Option<T>> {
        Some(None)
    }
}

/// A field that a file may leave out: it is empty then, and if the value is wrong.
pub struct IfAny<F>(pub F);

impl<T: Default, F: Form<T>> Form<T> for IfAny<F> {
    fn of(&self, reader: &Reader, node: &Node, what: &str) -> Option<T> {
        self.0.of(reader, node, what)
    }

    fn read(&self, fields: &Fields, name: &'static str) -> Option<T> {
        let given = fields.optional(name).and_then(|_| self.0.read(fields, name));
        Some(given.unwrap_or_default())
    }

    fn value(&self) -> Value {
        self.0.value()
    }

    fn presence(&self) -> Presence {
        Presence::Optional
    }
}

/// A field that a file may leave out, and its value then.
pub struct Or<F, T>(pub F, pub T);

impl<T: Clone + Display, F: Form<T>> Form<T> for Or<F, T> {
    fn of(&self, reader: &Reader, node: &Node, what: &str) -> Option<T> {
        self.0.of(reader, node, what)
    }

    fn read(&self, fields: &Fields, name: &'static str) -> Option<T> {
        let given = fields.optional(name).and_then(|_| self.0.read(fields, name));
        given.or_else(|| Some(self.1.clone()))
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

/// A value with its position.
pub struct At<F>(pub F);

impl<T, F: Form<T>> Form<Spanned<T>> for At<F> {
    fn of(&self, reader: &Reader, node: &Node, what: &str) -> Option<Spanned<T>> {
        self.0.of(reader, node, what).map(|value| Spanned { value, span: node.span })
    }

    fn value(&self) -> Value {
        self.0.value()
    }
}

/// Reads the items of a list. Their paths end in their positions.
fn items<T>(form: &impl Form<T>, reader: &Reader, nodes: &[Node], what: &str) -> Vec<T> {
    let item = |(index, node)| form.of(reader, node, &format!("{what}.{index}"));
    nodes.iter().enumerate().filter_map(item).collect()
}

/// A list. Wrong items are left out.
pub struct List<F>(pub F);

impl<T, F: Form<T>> Form<Vec<T>> for List<F> {
    fn of(&self, reader: &Reader, node: &Node, what: &str) -> Option<Vec<T>> {
        Some(items(&self.0, reader, reader.items(node, what)?, what))
    }

    fn value(&self) -> Value {
        Value::List(Box::new(self.0.value()))
    }

    fn fallback(&self) -> Option<Vec<T>> {
        Some(Vec::new())
    }
}

/// One value, or a list of them.
pub struct OneOrList<F>(pub F);

impl<T, F: Form<T>> Form<Vec<T>> for OneOrList<F> {
    fn of(&self, reader: &Reader, node: &Node, what: &str) -> Option<Vec<T>> {
        let NodeKind::List(nodes) = &node.kind else {
            return Some(self.0.of(reader, node, what).into_iter().collect());
        };
        Some(items(&self.0, reader, nodes, what))
    }

    fn value(&self) -> Value {
        Value::OneOrList(Box::new(self.0.value()))
    }

    fn fallback(&self) -> Option<Vec<T>> {
        Some(Vec::new())
    }
}

/// A map from names to values. Wrong entries are left out.
pub struct Map<F>(pub F);

impl<T, F: Form<T>> Form<Vec<(Spanned<String>, T)>> for Map<F> {
    fn of(&self, reader: &Reader, node: &Node, what: &str) -> Option<Vec<(Spanned<String>, T)>> {
        let NodeKind::Map(entries) = &node.kind else {
            reader.wrong_type(node, what, "a map `{ \"name\": …, … }`");
            return None;
        };
        let entry = |(key, node): &(Node, Node)| {
            let key = Spanned { value: reader.string(key, "a name")?.to_owned(), span: key.span };
            let value = self.0.of(reader, node, &format!("{what}.{}", key.value))?;
            Some((key, value))
        };
        Some(entries.iter().filter_map(entry).collect())
    }

    fn value(&self) -> Value {
        Value::Named(Box::new(self.0.value()))
    }
}

/// Any value, as a node.
pub struct Anything;

impl Form<Node> for Anything {
    fn of(&self, _: &Reader, node: &Node, _: &str) -> Option<Node> {
        Some(node.clone())
    }

    fn value(&self) -> Value {
        Value::Other("any value")
    }
}

/// The name of a record of a map, which is its key and no field of the file.
pub struct Key;

impl Form<Spanned<String>> for Key {
    fn of(&self, reader: &Reader, node: &Node, what: &str) -> Option<Spanned<String>> {
        At(Text).of(reader, node, what)
    }

    fn read(&self, fields: &Fields, _: &'static str) -> Option<Spanned<String>> {
        fields.key().cloned()
    }

    fn value(&self) -> Value {
        Value::Text
    }

    fn describe(&self, _: Row, _: &mut Vec<Field>) {}
}

impl Form<String> for Key {
    fn of(&self, reader: &Reader, node: &Node, what: &str) -> Option<String> {
        Text.of(reader, node, what)
    }

    fn read(&self, fields: &Fields, _: &'static str) -> Option<String> {
        fields.key().map(|key| key.value.clone())
    }

    fn value(&self) -> Value {
        Value::Text
    }

    fn describe(&self, _: Row, _: &mut Vec<Field>) {}
}

/// The position of the record itself, which is no field of the file.
pub struct Place;

impl Form<Span> for Place {
    fn of(&self, _: &Reader, node: &Node, _: &str) -> Option<Span> {
        Some(node.span)
    }

    fn read(&self, fields: &Fields, _: &'static str) -> Option<Span> {
        Some(fields.span())
    }

    fn value(&self) -> Value {
        Value::Text
    }

    fn describe(&self, _: Row, _: &mut Vec<Field>) {}
}
