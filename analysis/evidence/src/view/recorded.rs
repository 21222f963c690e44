//! The last recorded verdict of each claim.

/// A line for each claim: its name and its verdict at small sizes. The recorded results, from which
/// a test writes the file, have a hundred times the size.
pub(super) const VERDICTS: &str = include_str!("../../data/verdicts.txt");

/// Returns the recorded verdict of a claim: the worst verdict of its judged findings.
pub fn verdict(id: &str) -> Option<&'static str> {
    VERDICTS
        .lines()
        .filter_map(|line| line.split_once(' '))
        .find(|(known, _)| *known == id)
        .map(|(_, word)| word)
}
