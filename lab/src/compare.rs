//! The comparison of two reports, as `warpsim compare` writes it.

use report::compare::difference::{Comparison, Side};
use report::compare::report::ReadReport;
use report::compare::{document, text};
use report::text::visible;
use serde::Serialize;

/// A comparison.
#[derive(Debug, Default, Serialize)]
pub struct Compared {
    /// The text that `warpsim compare` prints.
    pub text: String,
    /// The JSON document of the comparison.
    pub json: String,
    /// Why the reports cannot be compared; empty if they can.
    pub error: String,
}

/// Compares two JSON reports; each has its name.
pub fn compare(a: (&str, &str), b: (&str, &str)) -> Compared {
    let side = |(name, text): (&str, &str)| {
        ReadReport::parse(name, text).map(|report| Side { name: name.to_owned(), report })
    };
    match side(a).and_then(|a| Ok((a, side(b)?))) {
        Ok((a, b)) => {
            let comparison = Comparison::of(a, b);
            let text = visible(&text::text(&comparison)).into_owned();
            Compared { text, json: document::json(&comparison), error: String::new() }
        }
        Err(failure) => Compared { error: visible(&failure.message).into_owned(), ..Compared::default() },
    }
}
