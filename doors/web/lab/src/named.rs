//! A text of the user with its name.

use serde::{Deserialize, Serialize};

/// A text with its file name, for messages.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct NamedText {
    /// File name.
    pub name: String,
    /// The text.
    pub text: String,
}

/// A file of a program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct NamedBytes {
    /// Path in the folder of the program.
    pub name: String,
    /// The bytes in base 64.
    pub base64: String,
}
