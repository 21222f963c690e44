//! The selection of rows by their names, and the places of claims in the course texts.

use crate::Claim;
use crate::claims::{self, Place};
use isa::diag::nearest;
use report::exit::Failure;
use std::fmt;

/// Place of a claim in the course texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Passage {
    /// A chapter of the book.
    Chapter(u32),
    /// An appendix of the book.
    Appendix(char),
    /// The slides.
    Slides,
}

impl fmt::Display for Passage {
    /// Writes the place as the command line accepts it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Chapter(number) => write!(f, "ch{number}"),
            Self::Appendix(letter) => write!(f, "app{letter}"),
            Self::Slides => f.write_str("slides"),
        }
    }
}

/// Returns the places of a claim: chapters, then appendices, then slides.
pub fn places(claim: &Claim) -> Vec<Passage> {
    let passage = |place: &Place| match place {
        Place::Section(chapter, _) | Place::Exercise(chapter, _) => Passage::Chapter(*chapter),
        Place::Appendix(letter, _) => Passage::Appendix(*letter),
        Place::Slides(_) => Passage::Slides,
    };
    let mut places: Vec<Passage> = claim.source.iter().map(passage).collect();
    places.sort();
    places.dedup();
    places
}

/// Returns the group of a claim, the letters before the number: `PERF` of `PERF-04`.
fn group(claim: &Claim) -> &str {
    claim.id.split('-').next().unwrap_or(&claim.id)
}

/// Names that select a claim.
fn names(claim: &Claim) -> Vec<String> {
    let own = ["all".to_owned(), claim.id.clone(), group(claim).to_owned()];
    own.into_iter().chain(places(claim).iter().map(ToString::to_string)).collect()
}

/// Returns the claims of all `names` in the order of the claims table, without duplicates.
///
/// # Errors
/// A name is unknown: see [`selected`].
pub fn chosen(wanted: &[String]) -> Result<Vec<&'static Claim>, Failure> {
    let words = ("claim, group or chapter", "`warpsim book` lists all claims");
    selected(claims::claims(), wanted, names, words, |_| None)
}

/// Returns the rows that the names select, in their order and without duplicates; upper and lower
/// case are equal. `names` are the names of a row, `words` what a row is called and how to list all
/// rows, and `refuse` returns the error of a row that cannot be selected.
///
/// # Errors
/// Lists every unknown name with the nearest known one, and every refused row.
pub fn selected<'r, T>(
    rows: &'r [T],
    wanted: &[String],
    names: impl Fn(&T) -> Vec<String>,
    (what, list): (&str, &str),
    refuse: impl Fn(&T) -> Option<String>,
) -> Result<Vec<&'r T>, Failure> {
    let is = |row: &&T, name: &String| names(row).iter().any(|known| known.eq_ignore_ascii_case(name));
    let mut wrong = Vec::new();
    for name in wanted {
        let mut meant = rows.iter().filter(|row| is(row, name)).peekable();
        if meant.peek().is_none() {
            wrong.push(unknown(what, name, rows.iter().flat_map(&names), list));
        }
        wrong.extend(meant.filter_map(&refuse));
    }
    if wrong.is_empty() {
        Ok(rows.iter().filter(|row| wanted.iter().any(|name| is(row, name))).collect())
    } else {
        Err(Failure::input(wrong.join("\n")))
    }
}

/// Returns the message about a name of no row, with the nearest of the known names, compared
/// without regard to case, or else the way to list them.
fn unknown(what: &str, name: &str, known: impl Iterator<Item = String>, list: &str) -> String {
    let known: Vec<String> = known.collect();
    let small: Vec<String> = known.iter().map(|known| known.to_ascii_lowercase()).collect();
    let near = nearest(&name.to_ascii_lowercase(), small.iter().map(String::as_str));
    let near = near.and_then(|near| known.iter().find(|known| known.eq_ignore_ascii_case(near)));
    let hint = near.map_or_else(|| list.to_owned(), |near| format!("did you mean `{near}`?"));
    format!("error: unknown {what} `{name}`\nhelp: {hint}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chosen(line: &str) -> Result<Vec<&'static str>, String> {
        let names: Vec<String> = line.split(' ').map(str::to_owned).collect();
        let claims = super::chosen(&names).map_err(|failure| failure.message)?;
        Ok(claims.iter().map(|claim| claim.id.as_str()).collect())
    }

    #[test]
    fn claims_are_chosen_by_id_group_and_place() {
        assert_eq!(chosen("all").unwrap().len(), claims::claims().len());
        assert_eq!(chosen("PERF-04 occ-12 PERF-04").unwrap(), ["OCC-12", "PERF-04"]);
        let fp = chosen("fp").unwrap();
        assert!(fp.len() == 6 && fp.iter().all(|id| id.starts_with("FP-")), "{fp:?}");
        assert_eq!(chosen("ch10").unwrap(), ["PERF-15"]);
        assert!(chosen("ch6").unwrap().contains(&"OCC-11") && chosen("CH5").unwrap().contains(&"OCC-11"));
        assert_eq!(chosen("appB").unwrap(), ["MEM-01", "MEM-02", "MEM-03"]);
        let slides = chosen("slides").unwrap();
        assert!(slides.contains(&"OCC-01") && slides.contains(&"SIMT-01") && !slides.contains(&"PERF-07"));
    }

    #[test]
    fn every_claim_has_a_place() {
        for claim in claims::claims() {
            assert!(!places(claim).is_empty(), "{}: {}", claim.id, claim.source());
        }
    }

    #[test]
    fn every_unknown_name_is_reported_with_its_nearest() {
        let message = chosen("PERF-4 ch66 nonsense OCC-12 perv").unwrap_err();
        let lines: Vec<&str> = message.lines().collect();
        assert_eq!(lines.len(), 8, "{message}");
        assert_eq!(lines[0], "error: unknown claim, group or chapter `PERF-4`");
        assert!(lines[1].starts_with("help: did you mean `PERF-"), "{message}");
        assert_eq!(lines[3], "help: did you mean `ch6`?");
        assert_eq!(lines[5], "help: `warpsim book` lists all claims");
        assert_eq!(lines[7], "help: did you mean `PERF`?");
    }
}
