//! Claims with changed numbers, to test whether their experiments detect the change.

use kernels::book::Claim;
use std::collections::BTreeSet;
use std::ops::Range;

/// A change of the numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// Adds one: no exact number matches any more.
    OneMore,
    /// Divides by ten: the simulated value is far above any band.
    Tenth,
    /// Multiplies by ten: the simulated value is far below any band.
    Tenfold,
}

impl Change {
    /// All changes; the first one is detected by any exact number.
    pub const ALL: [Self; 3] = [Self::OneMore, Self::Tenth, Self::Tenfold];

    fn of(self, value: f64) -> f64 {
        match self {
            Self::OneMore => value + 1.0,
            Self::Tenth => value / 10.0,
            Self::Tenfold => value * 10.0,
        }
    }
}

/// Returns the ranges of the numbers in a text. `G80` and `f32` are names, `16x4` is two numbers,
/// `8,192` is one, and the percentage of a band (`within 15 %`) does not count, because a wider
/// band only tolerates more.
pub fn tokens(text: &str) -> Vec<Range<usize>> {
    let bytes = text.as_bytes();
    let digit = |i: usize| bytes.get(i).is_some_and(u8::is_ascii_digit);
    let mut tokens = Vec::new();
    let mut i = 0;
    while i < bytes.len() {
        if !digit(i) {
            i += 1;
            continue;
        }
        let begin = i;
        while digit(i) {
            i += 1;
        }
        while bytes.get(i) == Some(&b',') && (1..4).all(|k| digit(i + k)) && !digit(i + 4) {
            i += 4;
        }
        if bytes.get(i) == Some(&b'.') && digit(i + 1) {
            i += 1;
            while digit(i) {
                i += 1;
            }
        }
        let before = text[..begin].chars().next_back();
        let name = before.is_some_and(|c| c.is_ascii_alphabetic() && c != 'x');
        let band = text[..begin].ends_with("within ") && text[i..].starts_with(" %");
        if !name && !band {
            tokens.push(begin..i);
        }
    }
    tokens
}

/// Returns all numbers of a claim, as they are written.
pub fn numbers(claim: &Claim) -> Vec<String> {
    let of = |text: &String| tokens(text).into_iter().map(|at| text[at].to_owned()).collect::<Vec<_>>();
    claim.columns.iter().flat_map(|(_, text)| of(text)).collect()
}

/// Returns the claim with all its numbers changed, except those in `kept`.
pub fn changed(claim: &Claim, change: Change, kept: &BTreeSet<String>) -> Claim {
    let mut claim = claim.clone();
    for (_, text) in &mut claim.columns {
        for at in tokens(text).into_iter().rev() {
            let number = &text[at.clone()];
            if kept.contains(number) {
                continue;
            }
            let value: f64 = number.replace(',', "").parse().expect("digits and a point");
            // Rounded, because the decimals of binary fractions are inexact.
            let now = format!("{:.6}", change.of(value));
            text.replace_range(at, now.trim_end_matches('0').trim_end_matches('.'));
        }
    }
    claim
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_change_but_names_and_bands_do_not() {
        let text = "16x4 on G80: 8,192 of 2.5; T(0,3), within 15 % and 1,2 at f32.";
        let claim = Claim {
            id: "X-01".into(),
            section: String::new(),
            source: String::new(),
            columns: vec![("must show".into(), text.into())],
        };
        assert_eq!(numbers(&claim), ["16", "4", "8,192", "2.5", "0", "3", "1", "2"]);
        let with = |change, kept: &[&str]| {
            let kept = kept.iter().map(|number| (*number).to_owned()).collect();
            changed(&claim, change, &kept).columns[0].1.clone()
        };
        let more = "17x5 on G80: 8193 of 3.5; T(1,4), within 15 % and 2,3 at f32.";
        assert_eq!(with(Change::OneMore, &[]), more);
        let tenth = "16x0.4 on G80: 819.2 of 0.25; T(0,0.3), within 15 % and 0.1,0.2 at f32.";
        assert_eq!(with(Change::Tenth, &["16"]), tenth);
        assert!(with(Change::Tenfold, &[]).starts_with("160x40 on G80: 81920 of 25; T(0,30)"));
    }
}
