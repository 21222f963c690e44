//! A text of the user with its name.

use serde::Deserialize;

/// A text with its file name, for messages.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct NamedText {
    /// File name.
    pub name: String,
    /// The text.
    pub text: String,
}
