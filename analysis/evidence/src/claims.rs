//! The claims of the course texts (`analysis/evidence/data/claims.ron`) as typed rows. A claim
//! names its numbers once; its texts are templates over them, and experiments get the numbers by
//! their names.
//!
//! Invariant `every-claim-has-a-program`: Every claim of the claims table has a program and a row
//! in docs/BOOK.md. Every exact number and every shape is confirmed, and a changed claim changes
//! the verdict.

use crate::plan::Plan;
use crate::text::{Value, fill};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::LazyLock;

/// The rows. Only commands about claims read them.
const ROWS: &str = include_str!("../data/claims.ron");

/// Place of a claim in the course texts.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub enum Place {
    /// A section of the book: its chapter, and the rest of its number.
    Section(u32, String),
    /// An exercise of the book: its chapter, and the rest of its number.
    Exercise(u32, String),
    /// A section of an appendix of the book: its letter, and the rest of its number.
    Appendix(char, String),
    /// A set of slides.
    Slides(String),
}

/// One claim.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Claim {
    /// Identifier, such as `PERF-04`.
    pub id: String,
    /// Heading of the claim's section, such as `Occupancy and partitioning (exact)`.
    #[serde(skip)]
    pub section: String,
    /// Places of the claim in the course texts.
    pub source: Vec<Place>,
    /// Template of the launch or of the fact.
    what: String,
    /// Template of the device, if the claim is about one.
    #[serde(default)]
    device: String,
    /// Template of what must be shown.
    must: String,
    /// The numbers of the claim, by name.
    #[serde(default)]
    pub numbers: BTreeMap<String, Value>,
    /// Tolerance band of a measured claim in percent.
    #[serde(default)]
    pub band: Option<f64>,
    /// Another claim, whose numbers are those of `same` and whose band is the band of this claim.
    #[serde(default)]
    pub same: Option<String>,
    /// The experiment as data; without it, the claim has a program.
    #[serde(default)]
    pub experiment: Option<Plan>,
}

impl Claim {
    /// The launch or the fact.
    pub fn what(&self) -> String {
        self.text(&self.what)
    }

    /// The claimed fact with its device.
    pub fn statement(&self) -> String {
        if self.device.is_empty() { self.what() } else { self.what() + "; " + &self.text(&self.device) }
    }

    /// What must be shown.
    pub fn must(&self) -> String {
        self.text(&self.must)
    }

    fn text(&self, template: &str) -> String {
        fill(template, &|name| match name {
            "band" => self.band.map(Value::One),
            _ => self.numbers.get(name).cloned(),
        })
    }

    /// Places of the claim in words: `B 6.7 fig. 6.16`, `S-occ`.
    pub fn source(&self) -> String {
        let mut words = Vec::new();
        for place in &self.source {
            let first = words.is_empty() && !matches!(place, Place::Slides(_));
            words.push(format!("{}{place}", if first { "B " } else { "" }));
        }
        words.join(", ")
    }

    /// The number of this name.
    pub fn number(&self, name: &str) -> f64 {
        match self.numbers.get(name) {
            Some(Value::One(value)) => *value,
            other => panic!("{} has no number `{name}`: {other:?}", self.id),
        }
    }

    /// The numbers of these names.
    pub fn numbers<const N: usize>(&self, names: [&str; N]) -> [f64; N] {
        names.map(|name| self.number(name))
    }

    /// The list of numbers of this name.
    pub fn list(&self, name: &str) -> Vec<f64> {
        match self.numbers.get(name) {
            Some(Value::List(values)) => values.clone(),
            other => panic!("{} has no list `{name}`: {other:?}", self.id),
        }
    }

    /// Returns the claim of which this one says "same".
    pub fn same(&self) -> Option<&'static Self> {
        self.same.as_deref().and_then(claim)
    }

    /// Tolerance band in percent.
    pub fn band(&self) -> f64 {
        let band = self.band.or_else(|| self.same()?.band);
        band.unwrap_or_else(|| panic!("{} has no band", self.id))
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Section(chapter, rest) => write!(f, "{chapter}{rest}"),
            Self::Exercise(chapter, rest) => write!(f, "ex. {chapter}{rest}"),
            Self::Appendix(letter, rest) => write!(f, "App. {letter}{rest}"),
            Self::Slides(name) => write!(f, "S-{name}"),
        }
    }
}

/// The file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    sections: Vec<Section>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Section {
    title: String,
    claims: Vec<Claim>,
}

/// Returns all claims in the order of the table.
pub fn claims() -> &'static [Claim] {
    static CLAIMS: LazyLock<Vec<Claim>> = LazyLock::new(|| {
        let table: Table = ron::from_str(ROWS)
            .unwrap_or_else(|why| panic!("the claims are invalid, which a test checks: {why}"));
        let sections = table.sections.into_iter();
        sections
            .flat_map(|Section { title, claims }| {
                claims.into_iter().map(move |claim| Claim { section: title.clone(), ..claim })
            })
            .collect()
    });
    &CLAIMS
}

/// Returns the claim with this identifier.
pub fn claim(id: &str) -> Option<&'static Claim> {
    claims().iter().find(|claim| claim.id == id)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_valid_and_texts_name_their_numbers() {
        for (i, claim) in claims().iter().enumerate() {
            assert!(claims()[..i].iter().all(|other| other.id != claim.id), "{} stands twice", claim.id);
            let texts = [&claim.what, &claim.device, &claim.must].map(String::as_str).concat();
            for name in claim.numbers.keys() {
                let named = [format!("{{{name}}}"), format!("{{{name}:")];
                assert!(
                    named.iter().any(|n| texts.contains(n.as_str())),
                    "{}: `{name}` is in no text",
                    claim.id
                );
            }
            fill(&texts, &|name| {
                let known = name == "band" && claim.band.is_some() || claim.numbers.contains_key(name);
                assert!(known, "{}: there is no number `{name}`", claim.id);
                None
            });
        }
    }

    #[test]
    fn texts_and_sources_are_written_from_the_rows() {
        let cliff = claim("OCC-11").unwrap();
        assert_eq!(cliff.source(), "B 5.4, 6.3");
        assert_eq!(cliff.statement(), "256 threads/block at 10 and at 11 registers/thread; G80");
        let blocks = "3 blocks (7,680 of 8,192 registers) and 2 blocks (5,632): the performance cliff";
        assert_eq!(cliff.must(), blocks);
        assert_eq!(claim("SIMT-01").unwrap().source(), "B 4.1, S-intro");
        assert_eq!(claim("SIMT-08").unwrap().source(), "B ex. 6.7");
        assert_eq!(claim("MEM-01").unwrap().source(), "B App. B.2");
        let coulomb = claim("PERF-07").unwrap();
        assert_eq!((coulomb.list("gflops"), coulomb.band()), (vec![186.0, 259.0, 291.0], 15.0));
    }
}
