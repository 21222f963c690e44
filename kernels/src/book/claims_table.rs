//! The claims table (`kernels/data/book-claims.md`), parsed into claims. An experiment reads the
//! expected numbers from the text of its claim: a changed table changes the expectation, or gives
//! an error if the experiment can no longer read it.
//!
//! Invariant `every-claim-has-a-program`: Every claim of the claims table has a program and a row
//! in docs/book/results.md. Every exact number and every shape is confirmed, and a changed claim
//! changes the verdict.

use crate::RunError;
use std::sync::LazyLock;

/// Text of the project's claims table.
const TEXT: &str = include_str!("../../data/book-claims.md");

/// One claim of the claims table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    /// Identifier, such as `PERF-04`.
    pub id: String,
    /// Heading of the claim's section, such as `Occupancy and partitioning (exact)`.
    pub section: String,
    /// Places of the claim in the course texts: `B 6.7 fig. 6.16`, `S-occ`.
    pub source: String,
    /// The other columns as (title, text), in order: the launch, the device, what must be shown.
    pub columns: Vec<(String, String)>,
}

impl Claim {
    /// The claimed fact: all columns before the last.
    pub fn statement(&self) -> String {
        let before = &self.columns[..self.columns.len().saturating_sub(1)];
        before.iter().map(|(_, text)| text.as_str()).collect::<Vec<_>>().join("; ")
    }

    /// What must be shown: the last column.
    pub fn must(&self) -> &str {
        self.columns.last().map_or("", |(_, text)| text)
    }

    /// Chapters of the book that make the claim: `B 5.4, 6.3` gives 5 and 6. Claims from slides
    /// have none.
    pub fn chapters(&self) -> Vec<u32> {
        let mut chapters = Vec::new();
        for part in self.source.split(',').map(str::trim) {
            let Some(place) =
                part.strip_prefix("B ").or_else(|| part.starts_with(char::is_numeric).then_some(part))
            else {
                continue;
            };
            // Formats are `ex. 6.7`, `12.4.1`, `6.7 fig. 6.16`; an appendix has a letter.
            let number: String =
                place.trim_start_matches("ex. ").chars().take_while(char::is_ascii_digit).collect();
            if let Ok(chapter) = number.parse()
                && !chapters.contains(&chapter)
            {
                chapters.push(chapter);
            }
        }
        chapters
    }

    /// Returns the numbers in the places of `{}` in `pattern`, from the first column that contains
    /// the rest of the pattern literally: `claim.read("{} and {} blocks")`. `8,192` is one number.
    ///
    /// # Errors
    /// No column contains the pattern: the text of the table has changed.
    pub fn read<const N: usize>(&self, pattern: &str) -> Result<[f64; N], RunError> {
        let mut texts = self.columns.iter().map(|(_, text)| text.as_str());
        let found = texts.find_map(|text| find(text, pattern));
        found
            .and_then(|numbers| numbers.try_into().ok())
            .ok_or_else(|| RunError::ClaimsTable { claim: self.id.clone(), pattern: pattern.to_owned() })
    }

    /// Returns the list of numbers directly before the first `unit` that follows a number: three
    /// numbers for `186, 259, 291 GFLOP/s`.
    ///
    /// # Errors
    /// No column has a number before `unit`.
    pub fn list(&self, unit: &str) -> Result<Vec<f64>, RunError> {
        let mut texts = self.columns.iter().map(|(_, text)| text.as_str());
        let numbers = texts.find_map(|text| {
            text.match_indices(unit).map(|(at, _)| numbers_before(&text[..at])).find(|list| !list.is_empty())
        });
        numbers.ok_or_else(|| RunError::ClaimsTable {
            claim: self.id.clone(),
            pattern: format!("numbers {unit}"),
        })
    }

    /// Checks that the claim still contains `words`, whose meaning the experiment tests.
    ///
    /// # Errors
    /// No column contains them.
    pub fn says(&self, words: &str) -> Result<(), RunError> {
        if self.count(words) > 0 {
            return Ok(());
        }
        Err(RunError::ClaimsTable { claim: self.id.clone(), pattern: words.to_owned() })
    }

    /// Counts `words` in all columns: `not launchable` occurs twice in `then not launchable, not
    /// launchable`.
    pub fn count(&self, words: &str) -> usize {
        self.columns.iter().map(|(_, text)| text.matches(words).count()).sum()
    }

    /// Tolerance band of a measured claim in percent, as in `within 15 %`.
    ///
    /// # Errors
    /// The claim names no band.
    pub fn band(&self) -> Result<f64, RunError> {
        self.read::<1>("within {} %").map(|[band]| band)
    }
}

/// Returns the numbers in the places of `{}` at the first match of `pattern` in `text`.
fn find(text: &str, pattern: &str) -> Option<Vec<f64>> {
    let mut parts = pattern.split("{}");
    let head = parts.next().unwrap_or("");
    let rest: Vec<&str> = parts.collect();
    let starts: Vec<usize> = if head.is_empty() {
        // A number begins where the preceding character is not part of a number.
        let bytes = text.as_bytes();
        let begins = |i: &usize| {
            bytes[*i].is_ascii_digit() && (*i == 0 || !matches!(bytes[i - 1], b'0'..=b'9' | b'.' | b','))
        };
        (0..bytes.len()).filter(begins).collect()
    } else {
        text.match_indices(head).map(|(at, _)| at + head.len()).collect()
    };
    starts.into_iter().find_map(|start| {
        let mut left = &text[start..];
        let mut numbers = Vec::new();
        for literal in &rest {
            let (number, length) = number(left)?;
            numbers.push(number);
            left = left[length..].strip_prefix(literal)?;
        }
        Some(numbers)
    })
}

/// Returns the number at the beginning of `text` and its length in bytes.
fn number(text: &str) -> Option<(f64, usize)> {
    let bytes = text.as_bytes();
    let digit = |i: usize| bytes.get(i).is_some_and(u8::is_ascii_digit);
    let mut end = 0;
    while digit(end) {
        end += 1;
    }
    if end == 0 {
        return None;
    }
    // A thousands separator: a comma and exactly three digits.
    while bytes.get(end) == Some(&b',') && (1..4).all(|i| digit(end + i)) && !digit(end + 4) {
        end += 4;
    }
    if bytes.get(end) == Some(&b'.') && digit(end + 1) {
        end += 1;
        while digit(end) {
            end += 1;
        }
    }
    text[..end].replace(',', "").parse().ok().map(|value| (value, end))
}

/// Returns the numbers of the list at the end of `text`: `a, b and c `.
fn numbers_before(text: &str) -> Vec<f64> {
    let list = text.trim_end().trim_end_matches(" %");
    let allowed = |c: char| c.is_ascii_digit() || ",. and%x".contains(c);
    let begin =
        list.char_indices().rev().take_while(|(_, c)| allowed(*c)).last().map_or(list.len(), |(i, _)| i);
    let words = list[begin..].split([' ', '%']).map(|word| word.trim_end_matches(',').trim_matches('.'));
    let mut numbers = Vec::new();
    for word in words.filter(|word| !word.is_empty() && *word != "and") {
        match number(word) {
            Some((value, length)) if length == word.len() => numbers.push(value),
            _ => numbers.clear(),
        }
    }
    numbers
}

/// Returns all claims in the order of the table.
pub fn claims() -> &'static [Claim] {
    static CLAIMS: LazyLock<Vec<Claim>> = LazyLock::new(|| parse(TEXT));
    &CLAIMS
}

/// Returns the claim with this identifier.
pub fn claim(id: &str) -> Option<&'static Claim> {
    claims().iter().find(|claim| claim.id == id)
}

/// Parses all tables whose first column is `id` and whose second is `source`.
fn parse(text: &str) -> Vec<Claim> {
    let mut claims = Vec::new();
    let (mut section, mut head) = (String::new(), Vec::new());
    for line in text.lines() {
        if let Some(title) = line.strip_prefix("## ") {
            title.clone_into(&mut section);
            continue;
        }
        let Some(cells) = line.strip_prefix('|').and_then(|l| l.trim_end().strip_suffix('|')) else {
            continue;
        };
        let cells: Vec<String> = cells.split('|').map(|cell| cell.trim().to_owned()).collect();
        match cells.first().map(String::as_str) {
            Some("id") => head = cells,
            Some(rule) if rule.starts_with("--") => {}
            Some(_) if cells.len() == head.len() && cells.len() > 2 => {
                let above = claims.last().map_or(&[][..], |claim: &Claim| &claim.columns);
                let columns = head.iter().zip(&cells).skip(2).enumerate().map(|(i, (title, text))| {
                    // The cell `same` repeats the text of the row above.
                    let text = above.get(i).filter(|_| text == "same").map_or(text, |(_, text)| text);
                    (title.clone(), text.clone())
                });
                let columns = columns.collect();
                claims.push(Claim {
                    id: cells[0].clone(),
                    section: section.clone(),
                    source: cells[1].clone(),
                    columns,
                });
            }
            _ => {}
        }
    }
    claims
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_of_the_file_becomes_a_claim() {
        let lines = TEXT.lines().filter(|line| {
            ["| OCC-", "| SIMT-", "| MEM-", "| PERF-", "| FP-"].iter().any(|begin| line.starts_with(begin))
        });
        assert_eq!(claims().len(), lines.count());
        assert_eq!(claim("PERF-07").unwrap().chapters(), [9]);
        assert_eq!(claim("OCC-11").unwrap().chapters(), [5, 6]);
        assert_eq!(claim("SIMT-08").unwrap().chapters(), [6]);
        assert_eq!(claim("OCC-01").unwrap().chapters(), [0; 0]);
        assert_eq!(claim("MEM-01").unwrap().chapters(), [0; 0]);
        assert_eq!(claim("MEM-08").unwrap().chapters(), [6]);
        assert_eq!(claim("OCC-04").unwrap().columns[0], claim("OCC-01").unwrap().columns[0], "the same");
    }

    #[test]
    #[expect(clippy::float_cmp, reason = "numbers are read from text, not computed")]
    fn read_returns_the_numbers_of_the_text() {
        let fit = claim("OCC-12").unwrap();
        assert_eq!(fit.read("{} and {} blocks by shared memory alone").unwrap(), [8.0, 3.0]);
        assert_eq!(fit.read("({}, rounded to {}): {} blocks").unwrap(), [2080.0, 2560.0, 6.0]);
        let coulomb = claim("PERF-07").unwrap();
        assert_eq!(coulomb.list("GFLOP/s").unwrap(), [186.0, 259.0, 291.0]);
        assert_eq!(coulomb.list("G atom").unwrap(), [18.6, 33.4, 39.5]);
        assert!((coulomb.band().unwrap() - 15.0).abs() < f64::EPSILON);
        let percent = claim("OCC-01").unwrap().list("%").unwrap();
        assert_eq!(percent, [67.0, 100.0, 100.0, 100.0, 100.0, 100.0, 67.0]);
        assert!(fit.read::<1>("{} blocks of glass").is_err());
        assert_eq!(claim("OCC-01").unwrap().count("not launchable"), 2);
        assert!(fit.says("Show both").is_ok() && fit.says("Show neither").is_err());
    }

    #[test]
    fn a_number_ends_at_the_first_other_character() {
        assert_eq!(number("1,605,632 points"), Some((1_605_632.0, 9)));
        assert_eq!(number("4, 8"), Some((4.0, 1)));
        assert_eq!(number("512,8"), Some((512.0, 3)));
        assert_eq!(number("21.6."), Some((21.6, 4)));
        assert_eq!(number("x"), None);
    }
}
