//! The comparison of two reports, as `warpsim compare` writes it.

use figures::compare::of_run;
use figures::embedded;
use figures::scene::Scene;
use report::compare::difference::{Comparison, Side};
use report::compare::report::ReadReport;
use report::compare::{document, text};
use report::text::visible;
use serde::Serialize;

/// Comparison of two runs.
#[derive(Debug, Default, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Compared {
    /// The text that `warpsim compare` prints.
    pub text: String,
    /// The JSON document of the comparison.
    pub json: String,
    /// Pictures of both together, and of each, as SVG.
    pub pictures: [Vec<String>; 3],
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
            let both = [figures::compare::outcomes(&comparison), figures::compare::lines(&comparison)];
            let of = |scenes: &[Scene]| scenes.iter().map(embedded).collect();
            let runs = [&comparison.a, &comparison.b].map(|side| of(&of_run(side)));
            let [a, b] = runs;
            let pictures = [of(&both), a, b];
            Compared { text, json: document::json(&comparison), pictures, error: String::new() }
        }
        Err(failure) => Compared { error: visible(&failure.message).into_owned(), ..Compared::default() },
    }
}
