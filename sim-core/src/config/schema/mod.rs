//! The fields of a chip file, each defined by one row of a record.
//!
//! `chip_record!` defines a record: a Rust struct, the reader of that part of a chip file, and a
//! [`Table`] that describes it. `docs/CONFIG.md`, `warpsim config explain` and
//! `warpsim config schema` are generated from the tables. A row says how its field is written:
//!
//! ```text
//! /// Explanation, in sentences. The first one alone must make sense in a list.
//! pub shader_khz as "shader_mhz": u64 = Megahertz, "MHz", timing;
//! ```
//!
//! - `as` gives the name in the file, if it is not that of the Rust field.
//! - The expression is a [`Form`]: a range for a number, or one of the types of [`forms`] and
//!   [`units`].
//! - The string is the unit. Words, texts and switches have none.
//! - `meaning` marks a field that can change what a kernel computes or whether it may run. With
//!   `timing` it changes only cycles, for an ordered launch. Records have neither.
//!
//! Rules over several values are code, in [`super::check`].

pub mod forms;
mod table;
pub mod units;

use super::read::Fields;
use crate::words::Word;
use std::fmt::{self, Display};
use std::ops::RangeInclusive;

pub use forms::Form;
pub use table::{absent, base, chip, find, unit_of};

/// A record of a chip file: `( … )` with named fields.
pub trait Record: Sized {
    /// The description of the record.
    fn table() -> Table;

    /// Reads the fields of the record, each once. A field that cannot be read has the least value
    /// of its range; the complaint is left with the reader.
    fn take(fields: &Fields) -> Self;

    /// Reads the record, and complains of the fields that it does not have.
    fn read(fields: Fields) -> Self {
        let record = Self::take(&fields);
        fields.finish();
        record
    }
}

/// The description of a record.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    /// Name of the Rust struct: records of the same name are the same.
    pub name: &'static str,
    /// Explanation, in sentences.
    pub about: &'static str,
    /// The fields, in the order of the struct.
    pub fields: Vec<Field>,
}

/// The description of a field.
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    /// Name in the file.
    pub name: &'static str,
    /// Explanation, in sentences.
    pub about: &'static str,
    /// Unit; empty for a field without one.
    pub unit: &'static str,
    /// What a change of the value can change; `None` for records and for names.
    pub effect: Option<Effect>,
    /// Whether a file must give the field.
    pub presence: Presence,
    /// The values that the field accepts.
    pub value: Value,
}

impl Field {
    /// The first sentence of the explanation, without its period.
    pub fn summary(&self) -> &'static str {
        self.about.split(". ").next().unwrap_or_default().trim_end_matches('.')
    }
}

/// What a change of a value can change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// What a kernel computes, or whether it may run.
    Meaning,
    /// Cycles and nothing else, for an ordered launch.
    Timing,
}

/// Whether a file must give a field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Presence {
    /// Yes, unless the chip has a base that gives it.
    Required,
    /// No.
    Optional,
    /// No: this is the value of a field that the file does not give.
    Default(String),
}

/// The values that a field accepts.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// An integer in a range.
    Int(RangeInclusive<i128>),
    /// A number in a range, with or without a fraction.
    Number(RangeInclusive<f64>),
    /// A string.
    Text,
    /// A compute capability: `"major.minor"`.
    Capability,
    /// The name of an execution unit of the chip.
    UnitName,
    /// `true` or `false`.
    Flag,
    /// One of these words. The fields are the arguments of all words, by their names.
    Words(&'static [Word], Vec<Field>),
    /// A list of some of these words, each at most once.
    WordList(&'static [Word]),
    /// `(x, y, z)`, three integers in a range.
    Extents(RangeInclusive<i128>),
    /// A record.
    Record(Table),
    /// A record, or the word `none` for a chip without this part.
    RecordOrNone(Table),
    /// A map from a name to a record, with 1 to this number of entries.
    Map(Table, usize),
}

impl Value {
    /// The table of the record that the value is or has.
    pub fn table(&self) -> Option<&Table> {
        match self {
            Self::Record(table) | Self::RecordOrNone(table) | Self::Map(table, _) => Some(table),
            Self::Int(_)
            | Self::Number(_)
            | Self::Text
            | Self::Capability
            | Self::UnitName
            | Self::Flag
            | Self::Words(..)
            | Self::WordList(_)
            | Self::Extents(_) => None,
        }
    }
}

impl Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Int(range) => write!(f, "{} to {}", range.start(), range.end()),
            Self::Number(range) => write!(f, "{} to {}", range.start(), range.end()),
            Self::Text => f.write_str("a string"),
            Self::Capability => f.write_str("\"major.minor\""),
            Self::UnitName => f.write_str("the name of a unit of sm.units"),
            Self::Flag => f.write_str("true or false"),
            Self::Words(words, _) => {
                f.write_str("one of: ")?;
                for (i, word) in words.iter().enumerate() {
                    write!(f, "{}{}", if i == 0 { "" } else { ", " }, word.word)?;
                    if let Some(argument) = word.argument {
                        write!(f, "({}: n)", argument.name)?;
                    }
                }
                Ok(())
            }
            Self::WordList(words) => {
                let words: Vec<&str> = words.iter().map(|word| word.word).collect();
                write!(f, "a list of: {}", words.join(", "))
            }
            Self::Extents(range) => write!(f, "(x, y, z), each {} to {}", range.start(), range.end()),
            Self::Record(_) => f.write_str("a record"),
            Self::RecordOrNone(_) => f.write_str("a record or none"),
            Self::Map(_, most) => write!(f, "a map of 1 to {most} records"),
        }
    }
}

/// Defines records of a chip file; see the module.
macro_rules! chip_record {
    ($(
        $(#[doc = $about:literal])*
        $(#[derive($($derive:ident),*)])?
        pub struct $name:ident {
            $(
                $(#[doc = $doc:literal])*
                pub $field:ident $(as $key:literal)?: $type:ty = $form:expr $(, $unit:literal)? $(, $effect:ident)?;
            )*
        }
    )*) => {$(
        $(#[doc = $about])*
        $(#[derive($($derive),*)])?
        pub struct $name {
            $($(#[doc = $doc])* pub $field: $type,)*
        }

        $crate::config::schema::record_fields! {
            $(#[doc = $about])*
            $name {
                $($(#[doc = $doc])* $field $(as $key)?: $type = $form $(, $unit)? $(, $effect)?;)*
            }
        }
    )*};
}
pub(crate) use chip_record;

/// Defines the reader and the description of a record whose struct is defined elsewhere.
macro_rules! record_fields {
    (
        $(#[doc = $about:literal])*
        $name:ident {
            $(
                $(#[doc = $doc:literal])*
                $field:ident $(as $key:literal)?: $type:ty = $form:expr $(, $unit:literal)? $(, $effect:ident)?;
            )*
        }
    ) => {
        impl $crate::config::schema::Record for $name {
            fn table() -> $crate::config::schema::Table {
                let mut fields = Vec::new();
                $($crate::config::schema::Form::<$type>::describe(
                    &$form,
                    $crate::config::schema::forms::Row {
                        name: $crate::config::schema::key!($field $($key)?),
                        about: concat!($($doc),*).trim_ascii(),
                        unit: concat!($($unit)?),
                        effect: $crate::config::schema::effect!($($effect)?),
                    },
                    &mut fields,
                );)*
                $crate::config::schema::Table {
                    name: stringify!($name),
                    about: concat!($($about),*).trim_ascii(),
                    fields,
                }
            }

            fn take(fields: &$crate::config::read::Fields) -> Self {
                Self {
                    $($field: $crate::config::schema::Form::<$type>::read(
                        &$form,
                        fields,
                        $crate::config::schema::key!($field $($key)?),
                    ),)*
                }
            }
        }
    };
}
pub(crate) use record_fields;

/// Name of a field in the file.
macro_rules! key {
    ($field:ident) => {
        stringify!($field)
    };
    ($field:ident $key:literal) => {
        $key
    };
}
pub(crate) use key;

/// The [`Effect`] of a row.
macro_rules! effect {
    () => {
        None
    };
    (meaning) => {
        Some($crate::config::schema::Effect::Meaning)
    };
    (timing) => {
        Some($crate::config::schema::Effect::Timing)
    };
}
pub(crate) use effect;
