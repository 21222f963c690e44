//! Enums whose values chip files and reports name by a word.

use std::ops::RangeInclusive;

/// A word with its meaning, as documentation shows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Word {
    /// Word in a chip file.
    pub word: &'static str,
    /// Its meaning: the doc comment of the value.
    pub meaning: &'static str,
    /// The arguments in parentheses behind the word.
    pub arguments: &'static [Argument],
}

/// The argument of a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Argument {
    /// Its name.
    pub name: &'static str,
    /// Its meaning: the doc comment of the argument.
    pub meaning: &'static str,
    /// Smallest value.
    pub least: u64,
    /// Largest value.
    pub most: u64,
    /// Value of a text without the argument; `None` if a text must have it.
    pub default: Option<u64>,
}

impl Argument {
    /// Returns an argument that a text may leave out.
    pub fn new(name: &'static str, range: RangeInclusive<u64>, default: u64, meaning: &'static str) -> Self {
        Self { name, meaning, least: *range.start(), most: *range.end(), default: Some(default) }
    }
}

/// An enum of `words!`, as a reader of chip files sees it.
pub trait Named: Copy + 'static {
    /// All values with their words.
    const VALUES: &'static [(&'static str, Self)];

    /// The words of all values with their meanings.
    const LIST: &'static [Word];
}

/// An enum of `words_with_arguments!`, as a reader of chip files sees it.
pub trait Worded: Copy + 'static {
    /// The built-in words.
    const WORDS: &'static [&'static str];

    /// The built-in words with their meanings and arguments.
    const LIST: &'static [Word];

    /// Returns all words with their meanings and arguments: the built-in ones, then the words of
    /// the components that the program has registered.
    fn list() -> &'static [Word];

    /// Returns the value of a word; `argument` reads an argument. `None` if the word is unknown or
    /// an argument cannot be read.
    fn of(word: &str, argument: impl Fn(&Argument) -> Option<u64>) -> Option<Self>;
}

/// The text of the doc comment among some attributes, on one line.
#[doc(hidden)]
#[macro_export]
macro_rules! doc_text {
    ($([$($attribute:tt)*])*) => {
        concat!($($crate::doc_line!($($attribute)*)),*).trim_ascii()
    };
}

/// The line of a doc comment; empty for another attribute.
#[doc(hidden)]
#[macro_export]
macro_rules! doc_line {
    (doc = $line:literal) => {
        $line
    };
    ($($other:tt)*) => {
        ""
    };
}

/// Defines an enum with a word for each value: the word of a chip file, of a report, and of a text.
#[macro_export]
macro_rules! words {
    (
        $(#[$attribute:meta])*
        pub enum $name:ident {
            $($(#[$($doc:tt)*])* $value:ident = $word:literal,)*
        }
    ) => {
        $(#[$attribute])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $name {
            $($(#[$($doc)*])* $value,)*
        }

        impl $crate::config::Named for $name {
            const VALUES: &'static [(&'static str, Self)] = &Self::NAMES;
            const LIST: &'static [$crate::config::Word] = &[$($crate::config::Word {
                word: $word,
                meaning: $crate::doc_text!($([$($doc)*])*),
                arguments: &[],
            }),*];
        }

        impl $name {
            /// All values with their words.
            pub const NAMES: [(&'static str, Self); [$($word),*].len()] = [$(($word, Self::$value)),*];

            /// The word for the value.
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
pub use words;

/// The arguments of a built-in word: none or one.
macro_rules! arguments {
    () => {
        &[]
    };
    ($name:expr, $meaning:expr, $range:expr) => {{
        const RANGE: std::ops::RangeInclusive<u64> = $range;
        &[$crate::words::Argument {
            name: $name,
            meaning: $meaning,
            least: *RANGE.start(),
            most: *RANGE.end(),
            default: None,
        }]
    }};
}
pub(crate) use arguments;

/// Defines an enum as [`words!`] does, whose values may have an argument:
/// `Value = "word" (name: type in range)` is `word(name: 3)` in a chip file and in texts. Its value
/// `Own` is a component that the program has registered, of the type after `or`.
macro_rules! words_with_arguments {
    (
        $(#[$attribute:meta])*
        pub enum $name:ident or $own:ty {
            $(
                $(#[$($doc:tt)*])*
                $value:ident = $word:literal
                $(($(#[$($of:tt)*])* $argument:ident: $type:ident in $range:expr))?,
            )*
        }
    ) => {
        $(#[$attribute])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $name {
            $($(#[$($doc)*])* $value $({ $(#[$($of)*])* $argument: $type })?,)*
            /// A component that the program has registered.
            Own($own),
        }

        impl $name {
            /// The component that the program has registered; `None` for a built-in value.
            pub fn own(self) -> Option<$own> {
                if let Self::Own(own) = self { Some(own) } else { None }
            }
        }

        impl $crate::words::Worded for $name {
            const WORDS: &'static [&'static str] = &[$($word),*];
            const LIST: &'static [$crate::words::Word] = &[$($crate::words::Word {
                word: $word,
                meaning: $crate::doc_text!($([$($doc)*])*),
                arguments: $crate::words::arguments!($(
                    stringify!($argument),
                    $crate::doc_text!($([$($of)*])*),
                    $range
                )?),
            }),*];

            fn list() -> &'static [$crate::words::Word] {
                static ALL: std::sync::LazyLock<Vec<$crate::words::Word>> = std::sync::LazyLock::new(|| {
                    let own = <$own>::words();
                    <$name as $crate::words::Worded>::LIST.iter().copied().chain(own).collect()
                });
                &ALL
            }

            fn of(
                word: &str,
                argument: impl Fn(&$crate::words::Argument) -> Option<u64>,
            ) -> Option<Self> {
                match word {
                    $($word => {
                        $(
                            let list = <Self as $crate::words::Worded>::LIST;
                            let known = list.iter().find(|one| one.word == word)?;
                            let $argument = $type::try_from(argument(known.arguments.first()?)?).ok()?;
                        )?
                        Some(Self::$value $({ $argument })?)
                    })*
                    _ => <$own>::of(word, argument).map(Self::Own),
                }
            }
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
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
                    Self::Own(own) => write!(f, "{own}"),
                }
            }
        }
    };
}
pub(crate) use words_with_arguments;
