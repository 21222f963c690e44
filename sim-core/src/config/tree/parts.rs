//! One level of a compound RON value taken apart, with the `ron` crate's own parser: its parts as slices of the text.

use ron::value::RawValue;
use serde::de::{self, Deserializer, MapAccess, SeqAccess, Visitor};
use std::fmt;

/// One level of a compound value, its parts still text.
pub(super) enum Parts<'t> {
    /// Named fields.
    Fields(Vec<(&'t str, &'t RawValue)>),
    /// Keys and values.
    Entries(Vec<(&'t RawValue, &'t RawValue)>),
    /// Items of a list or a tuple.
    Items(Vec<&'t RawValue>),
}

/// Takes a compound value apart.
pub(super) struct PartsVisitor {
    /// Whether it stands in braces, so that keys are values.
    pub(super) braces: bool,
}

impl<'t> Visitor<'t> for PartsVisitor {
    type Value = Parts<'t>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a struct, a tuple, a list or a map")
    }

    fn visit_map<A: MapAccess<'t>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        if self.braces {
            let mut entries = Vec::new();
            while let Some(entry) = map.next_entry()? {
                entries.push(entry);
            }
            return Ok(Parts::Entries(entries));
        }
        let mut fields = Vec::new();
        while let Some(name) = map.next_key_seed(Name)? {
            fields.push((name, map.next_value()?));
        }
        Ok(Parts::Fields(fields))
    }

    fn visit_seq<A: SeqAccess<'t>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = seq.next_element()? {
            items.push(item);
        }
        Ok(Parts::Items(items))
    }

    fn visit_unit<E: de::Error>(self) -> Result<Self::Value, E> {
        Ok(Parts::Items(Vec::new()))
    }
}

/// A field's name as a slice of the text.
struct Name;

impl<'t> de::DeserializeSeed<'t> for Name {
    type Value = &'t str;

    fn deserialize<D: Deserializer<'t>>(self, deserializer: D) -> Result<&'t str, D::Error> {
        deserializer.deserialize_identifier(self)
    }
}

impl<'t> Visitor<'t> for Name {
    type Value = &'t str;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a field name")
    }

    fn visit_borrowed_str<E: de::Error>(self, name: &'t str) -> Result<&'t str, E> {
        Ok(name)
    }
}
