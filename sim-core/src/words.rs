//! Enums whose values have a name in chip files and reports.

use std::ops::RangeInclusive;

/// An enum of `words_with_arguments!`, for the reader of chip files.
pub trait Worded: Copy + 'static {
    /// The names of all values.
    const WORDS: &'static [&'static str];

    /// Returns the value of a name; `argument` reads an argument of that name in a range. `None` if
    /// the name is unknown or an argument cannot be read.
    fn of(word: &str, argument: impl Fn(&'static str, RangeInclusive<u64>) -> Option<u64>) -> Option<Self>;
}

/// Defines an enum with a name for each value, used in chip files, reports and texts.
macro_rules! words {
    (
        $(#[$attribute:meta])*
        pub enum $name:ident {
            $($(#[$doc:meta])* $value:ident = $word:literal,)*
        }
    ) => {
        $(#[$attribute])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $name {
            $($(#[$doc])* $value,)*
        }

        impl $name {
            /// All names and their values.
            pub const NAMES: [(&'static str, Self); [$($word),*].len()] = [$(($word, Self::$value)),*];

            /// Returns the name of the value.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$value => $word,)*
                }
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.name())
            }
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.name())
            }
        }
    };
}
pub(crate) use words;

/// Defines an enum as [`words!`] does, whose values may have an argument:
/// `Value = "word" (name: type in range)` is written `word(name: 3)` in chip files and in texts.
macro_rules! words_with_arguments {
    (
        $(#[$attribute:meta])*
        pub enum $name:ident {
            $(
                $(#[$doc:meta])*
                $value:ident = $word:literal
                $(($(#[$of:meta])* $argument:ident: $type:ident in $range:expr))?,
            )*
        }
    ) => {
        $(#[$attribute])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $name {
            $($(#[$doc])* $value $({ $(#[$of])* $argument: $type })?,)*
        }

        impl $crate::words::Worded for $name {
            const WORDS: &'static [&'static str] = &[$($word),*];

            fn of(
                word: &str,
                argument: impl Fn(&'static str, std::ops::RangeInclusive<u64>) -> Option<u64>,
            ) -> Option<Self> {
                match word {
                    $($word => {
                        $(let $argument = $type::try_from(argument(stringify!($argument), $range)?).ok()?;)?
                        Some(Self::$value $({ $argument })?)
                    })*
                    _ => None,
                }
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                match self {
                    $(Self::$value $({ $argument })? => write!(
                        f,
                        concat!($word $(, "(", stringify!($argument), ": {}", ")")?)
                        $(, $argument)?
                    ),)*
                }
            }
        }
    };
}
pub(crate) use words_with_arguments;
