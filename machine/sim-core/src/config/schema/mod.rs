//! The fields of chip, launch and experiment files, each defined by one row of a record.
//!
//! `record!` defines a record: a Rust struct, the reader of that part of a file, and a [`Table`]
//! that describes it. The field tables of the pages, `warpsim config explain` and
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
//! - In a chip file, `meaning` marks a field that can change what a kernel computes or whether it
//!   may run. With `timing` it changes only cycles, for an ordered launch. Records have neither.
//!
//! An enum in `record!` is a value that begins with a word, of the form [`forms::OneOf`]:
//!
//! ```text
//! /// Every combination.
//! Full = "full",
//! /// Independent random values.
//! Random(Sampled) = "random",
//! /// Element i is `start + i * step`.
//! Iota = "iota"(start: Number = AnyNumber, step: Number = AnyNumber),
//! ```
//!
//! The first case is the word alone, the second one has the fields of a record, as in
//! `random(points: 9)`, and the third one has values without names, as in `iota(0, 1)`.
//!
//! Rules over several values are code: for chips in [`super::check`].

pub mod forms;
mod table;
pub mod units;

use super::read::{Fields, Reader};
use super::tree::Node;
use crate::words::Word;
use std::fmt::{self, Display};
use std::ops::RangeInclusive;

pub use forms::Form;
pub use table::{absent, base, chip, find, has, paths, unit_of};

/// A record of a file: `( … )` with named fields.
pub trait Record: Sized {
    /// The description of the record.
    fn table() -> Table;

    /// Reads the fields of the record, each once. A field that cannot be read has the fallback of
    /// its form; the complaint is left with the reader. `None` if it has no fallback.
    fn take(fields: &Fields) -> Option<Self>;

    /// Reads the record, and complains of the fields that it does not have.
    fn read(fields: Fields) -> Option<Self> {
        let record = Self::take(&fields);
        fields.finish();
        record
    }
}

/// A value of a file that begins with one of some words.
pub trait Variants: Sized {
    /// The words with their arguments.
    fn cases() -> Vec<Case>;

    /// Reads a value; `what` is its path in complaints.
    fn read(reader: &Reader, node: &Node, what: &str) -> Option<Self>;
}

/// The description of a word with its arguments.
#[derive(Clone, Debug, PartialEq)]
pub struct Case {
    /// The word.
    pub word: &'static str,
    /// Explanation, in sentences.
    pub about: &'static str,
    /// The arguments in parentheses.
    pub arguments: Arguments,
}

/// The arguments of a word.
#[derive(Clone, Debug, PartialEq)]
pub enum Arguments {
    /// The word has none.
    None,
    /// Fields, by name.
    Record(Table),
    /// Values without names: the names of the table are for explanations.
    Positions(Vec<(&'static str, Value)>),
}

impl Case {
    /// The table of the word's fields.
    pub fn table(&self) -> Option<&Table> {
        if let Arguments::Record(table) = &self.arguments { Some(table) } else { None }
    }
}

impl Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<String> = match &self.arguments {
            Arguments::None => return f.write_str(self.word),
            Arguments::Record(table) => table.fields.iter().map(|field| field.name.to_owned()).collect(),
            Arguments::Positions(values) => values.iter().map(|(name, _)| (*name).to_owned()).collect(),
        };
        write!(f, "{}({})", self.word, names.join(", "))
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
    /// Effect of a change of the value; `None` for records and for names.
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

/// Effect of a change of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// The results of a kernel, or whether it may run.
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
    /// A formula in a string.
    Formula,
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
    /// `(x, y, z)`, integers in a range: at least this many, and at most three.
    Extents(RangeInclusive<i128>, usize),
    /// One of these words, with its arguments.
    OneOf(Vec<Case>),
    /// A list of such values.
    List(Box<Value>),
    /// Such a value, or a list of them.
    OneOrList(Box<Value>),
    /// A map from a name to such a value.
    Named(Box<Value>),
    /// A value that this text describes.
    Other(&'static str),
    /// A record.
    Record(Table),
    /// A record, or the word `none` for a chip without this part.
    RecordOrNone(Table),
    /// A map from a name to a record, with 1 to this number of entries.
    Map(Table, usize),
}

impl Value {
    /// The tables of all records that the value is or has.
    pub fn tables(&self) -> Vec<&Table> {
        match self {
            Self::OneOf(cases) => cases.iter().filter_map(Case::table).collect(),
            Self::List(value) | Self::OneOrList(value) | Self::Named(value) => value.tables(),
            other => other.table().into_iter().collect(),
        }
    }

    /// The table of the record that the value is or has.
    pub fn table(&self) -> Option<&Table> {
        match self {
            Self::Record(table) | Self::RecordOrNone(table) | Self::Map(table, _) => Some(table),
            Self::List(value) | Self::OneOrList(value) | Self::Named(value) => value.table(),
            Self::Int(_)
            | Self::Number(_)
            | Self::Text
            | Self::Formula
            | Self::Capability
            | Self::UnitName
            | Self::Flag
            | Self::Words(..)
            | Self::WordList(_)
            | Self::Extents(..)
            | Self::OneOf(_)
            | Self::Other(_) => None,
        }
    }
}

impl Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Int(range) => write!(f, "{} to {}", range.start(), range.end()),
            Self::Number(range) if range.end().is_finite() => {
                write!(f, "{} to {}", range.start(), range.end())
            }
            Self::Number(range) if !range.contains(&0.0) => f.write_str("a finite number above 0"),
            Self::Number(range) if range.start().is_infinite() => f.write_str("a number"),
            Self::Number(range) => write!(f, "a finite number of at least {}", range.start()),
            Self::Text => f.write_str("a string"),
            Self::Formula => f.write_str("a formula in a string"),
            Self::Capability => f.write_str("\"major.minor\""),
            Self::UnitName => f.write_str("the name of a unit of sm.units"),
            Self::Flag => f.write_str("true or false"),
            Self::Words(words, _) => {
                f.write_str("one of: ")?;
                for (i, word) in words.iter().enumerate() {
                    write!(f, "{}{}", if i == 0 { "" } else { ", " }, word.word)?;
                    for (i, argument) in word.arguments.iter().enumerate() {
                        write!(f, "{}{}: n", if i == 0 { "(" } else { ", " }, argument.name)?;
                    }
                    if !word.arguments.is_empty() {
                        f.write_str(")")?;
                    }
                }
                Ok(())
            }
            Self::WordList(words) => {
                let words: Vec<&str> = words.iter().map(|word| word.word).collect();
                write!(f, "a list of: {}", words.join(", "))
            }
            Self::Extents(range, least) => {
                let shorter = if *least == 1 { "x, (x, y) or " } else { "" };
                write!(f, "{shorter}(x, y, z), each {} to {}", range.start(), range.end())
            }
            Self::OneOf(cases) => {
                let cases: Vec<String> = cases.iter().map(Case::to_string).collect();
                write!(f, "one of: {}", cases.join(", "))
            }
            Self::List(value) => write!(f, "a list, each {value}"),
            Self::OneOrList(value) => write!(f, "{value}, or a list, each of the same form"),
            Self::Named(value) => write!(f, "a map from names, each to {value}"),
            Self::Other(text) => f.write_str(text),
            Self::Record(_) => f.write_str("a record"),
            Self::RecordOrNone(_) => f.write_str("a record or none"),
            Self::Map(_, most) => write!(f, "a map of 1 to {most} records"),
        }
    }
}

/// Defines records of a file; see `sim_core::config::schema`.
#[macro_export]
macro_rules! record {
    () => {};
    (
        $(#[doc = $about:literal])*
        $(#[derive($($derive:ident),*)])?
        pub struct $name:ident {
            $(
                $(#[doc = $doc:literal])*
                pub $field:ident $(as $key:literal)?: $type:ty = $form:expr $(, $unit:literal)? $(, $effect:ident)?;
            )*
        }
        $($rest:tt)*
    ) => {
        $(#[doc = $about])*
        $(#[derive($($derive),*)])?
        pub struct $name {
            $($(#[doc = $doc])* pub $field: $type,)*
        }

        $crate::record_fields! {
            $(#[doc = $about])*
            $name {
                $($(#[doc = $doc])* $field $(as $key)?: $type = $form $(, $unit)? $(, $effect)?;)*
            }
        }

        $crate::record! { $($rest)* }
    };
    (
        $(#[doc = $about:literal])*
        $(#[derive($($derive:ident),*)])?
        pub enum $name:ident {
            $(
                $(#[$($doc:tt)*])*
                $case:ident $(($record:ty))? = $word:literal
                $(($($argument:ident: $type:ty = $form:expr),*))?,
            )*
        }
        $($rest:tt)*
    ) => {
        $(#[doc = $about])*
        $(#[derive($($derive),*)])?
        pub enum $name {
            $($(#[$($doc)*])* $case $(($record))? $(($($type),*))?,)*
        }

        impl $crate::config::schema::Variants for $name {
            fn cases() -> Vec<$crate::config::schema::Case> {
                vec![$($crate::config::schema::Case {
                    word: $word,
                    about: $crate::doc_text!($([$($doc)*])*),
                    arguments: $crate::record!(
                        @arguments $(($record))? $(($($argument: $type = $form),*))?
                    ),
                }),*]
            }

            fn read(
                reader: &$crate::config::read::Reader,
                node: &$crate::config::tree::Node,
                what: &str,
            ) -> Option<Self> {
                let tagged = reader.tagged(node, what, &[$($word),*])?;
                match tagged.word {
                    $($word => $crate::record!(
                        @case reader, tagged, what, Self::$case, $(($record))? $(($($argument: $type = $form),*))?
                    ),)*
                    _ => None,
                }
            }
        }

        $crate::record! { $($rest)* }
    };
    (@arguments) => {
        $crate::config::schema::Arguments::None
    };
    (@arguments ($record:ty)) => {
        $crate::config::schema::Arguments::Record(<$record as $crate::config::schema::Record>::table())
    };
    (@arguments ($($argument:ident: $type:ty = $form:expr),*)) => {
        $crate::config::schema::Arguments::Positions(vec![$(
            (stringify!($argument), $crate::config::schema::Form::<$type>::value(&$form))
        ),*])
    };
    (@case $reader:ident, $tagged:ident, $what:ident, $case:path,) => {{
        $tagged.named($reader, $what).map(|fields| {
            fields.finish();
            $case
        })
    }};
    (@case $reader:ident, $tagged:ident, $what:ident, $case:path, ($record:ty)) => {{
        let fields = $tagged.named($reader, $what)?;
        <$record as $crate::config::schema::Record>::read(fields).map($case)
    }};
    (@case $reader:ident, $tagged:ident, $what:ident, $case:path,
        ($($argument:ident: $type:ty = $form:expr),*)
    ) => {{
        let items = $tagged.positions($reader, $what, &[$(stringify!($argument)),*])?;
        let mut items = items.iter().enumerate();
        $(let $argument = items.next().and_then(|(index, node)| {
            $crate::config::schema::Form::<$type>::of(&$form, $reader, node, &format!("{}.{index}", $what))
        });)*
        Some($case($($argument?),*))
    }};
}

/// Defines the reader and the description of a record whose struct is defined elsewhere.
#[macro_export]
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
                        name: $crate::record_fields!(@key $field $($key)?),
                        about: concat!($($doc),*).trim_ascii(),
                        unit: concat!($($unit)?),
                        effect: $crate::record_fields!(@effect $($effect)?),
                    },
                    &mut fields,
                );)*
                $crate::config::schema::Table {
                    name: stringify!($name),
                    about: concat!($($about),*).trim_ascii(),
                    fields,
                }
            }

            fn take(fields: &$crate::config::read::Fields) -> Option<Self> {
                $(let $field = $crate::config::schema::Form::<$type>::read(
                    &$form,
                    fields,
                    $crate::record_fields!(@key $field $($key)?),
                );)*
                Some(Self { $($field: $field?,)* })
            }
        }
    };
    (@key $field:ident) => {
        stringify!($field)
    };
    (@key $field:ident $key:literal) => {
        $key
    };
    (@effect) => {
        None
    };
    (@effect meaning) => {
        Some($crate::config::schema::Effect::Meaning)
    };
    (@effect timing) => {
        Some($crate::config::schema::Effect::Timing)
    };
}
