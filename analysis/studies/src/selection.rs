//! Selections of points as text: numbers and ranges, such as `0..99,120`.

use report::exit::Failure;
use std::fmt::Write;

/// Returns the selected numbers below `all`, in ascending order.
pub fn read(text: &str, all: usize) -> Result<Vec<usize>, Failure> {
    let range = |part: &str| {
        let (first, last) = part.split_once("..").unwrap_or((part, part));
        let (first, last): (usize, usize) = (first.trim().parse().ok()?, last.trim().parse().ok()?);
        (first <= last).then_some(first..last.saturating_add(1).min(all))
    };
    let mut numbers = Vec::new();
    for part in text.split(',') {
        let Some(range) = range(part) else {
            return Err(Failure::input(format!(
                "error: --points {text}: expected FIRST..LAST or a number, such as 0..99 or 0..9,20"
            )));
        };
        numbers.extend(range);
        // Overlapping ranges must not use memory without a limit.
        if numbers.len() > all {
            numbers.sort_unstable();
            numbers.dedup();
        }
    }
    numbers.sort_unstable();
    numbers.dedup();
    Ok(numbers)
}

/// Returns ascending numbers as text.
pub fn text(numbers: &[usize]) -> String {
    let mut out = String::new();
    for range in numbers.chunk_by(|a, b| a + 1 == *b) {
        let comma = if out.is_empty() { "" } else { "," };
        let (first, last) = (range[0], range[range.len() - 1]);
        // A string accepts every text.
        let _ =
            if first == last { write!(out, "{comma}{first}") } else { write!(out, "{comma}{first}..{last}") };
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_selection_is_read_back() {
        for (numbers, written) in
            [(vec![], ""), (vec![7], "7"), (vec![0, 1, 2], "0..2"), (vec![0, 2, 3, 9], "0,2..3,9")]
        {
            assert_eq!(text(&numbers), written);
            if !numbers.is_empty() {
                assert_eq!(read(written, 10).expect("valid"), numbers);
            }
        }
        assert_eq!(read("5..8, 0..6", 8).expect("valid"), [0, 1, 2, 3, 4, 5, 6, 7]);
        assert_eq!(read("8..99", 8).expect("valid"), [0_usize; 0]);
        for bad in ["", "a", "3..1", "1..", "1,", "-1", "1...2"] {
            assert!(read(bad, 10).is_err(), "{bad}");
        }
    }
}
