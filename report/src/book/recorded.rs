//! The last recorded verdict of each claim: those of the page that `warpsim book all --markdown`
//! wrote.

use super::result::WORDS;
use kernels::book::Verdict;

/// A line for each claim: its name and its verdict. The page itself has a hundred times the size.
const VERDICTS: &str = include_str!("../../data/verdicts.txt");

/// Returns the recorded verdict of a claim: the worst verdict of its judged findings.
pub fn verdict(id: &str) -> Option<&'static str> {
    VERDICTS
        .lines()
        .filter_map(|line| line.split_once(' '))
        .find(|(known, _)| *known == id)
        .map(|(_, word)| word)
}

/// Returns the worst verdict in the rows whose first cell is the claim. Findings that are only
/// reported count only if there are no others.
pub fn worst(page: &str, id: &str) -> Option<&'static str> {
    let begin = format!("| {id} |");
    let lines = page.lines().filter(|line| line.starts_with(&begin));
    let last = |line: &str| {
        let cell = line.trim_end().trim_end_matches('|').rsplit(" | ").next().map(str::trim)?.to_owned();
        WORDS.iter().position(|word| *word == cell)
    };
    let judged = |place: &usize| WORDS[*place] != Verdict::Reported.word();
    lines.filter_map(last).max_by_key(|place| (judged(place), *place)).map(|place| WORDS[place])
}

#[cfg(test)]
mod tests {
    use super::*;
    use kernels::book::claims_table;
    use std::fmt::Write as _;

    #[test]
    fn the_worst_finding_is_the_verdict_of_the_claim() {
        let page = "| X-01 | a | 1 | 1 | | passed |\n| X-01 | b | 2 | 3 | +50.0 | OUTSIDE BAND |\n\
                    | X-01 | c | 2 | 2 | | passed |\n| X-02 | a | | | | ERROR |\n| X-03 | a | | | | odd |\n\
                    | X-04 | a | | | | passed |\n| X-04 | b | | | | reported |\n| X-05 | a | | | | reported |\n";
        let verdict = |id| worst(page, id);
        assert_eq!(
            [verdict("X-01"), verdict("X-02"), verdict("X-03"), verdict("X-0")],
            [Some("OUTSIDE BAND"), Some("ERROR"), None, None]
        );
        assert_eq!([verdict("X-04"), verdict("X-05")], [Some("passed"), Some("reported")]);
    }

    /// Tests: `every-claim-has-a-program`.
    #[test]
    fn the_page_of_the_documentation_has_every_claim() {
        let page = include_str!("../../../docs/book/results.md");
        let mut verdicts = String::new();
        for claim in claims_table::claims() {
            let word = worst(page, &claim.id).unwrap_or_else(|| {
                panic!("{} is missing; the head of the page has the command that writes it", claim.id)
            });
            writeln!(verdicts, "{} {word}", claim.id).expect("a string can be written");
        }
        // The page has its own counts.
        for word in WORDS {
            let claims = verdicts
                .lines()
                .filter(|line| line.split_once(' ').is_some_and(|(_, it)| it == word))
                .count();
            assert_eq!(
                page.contains(&format!("| {word} | {claims} |\n")),
                claims > 0,
                "{claims} claims are {word}"
            );
        }
        if verdicts != VERDICTS {
            assert!(
                std::env::var_os("BLESS").is_some_and(|value| value == "1"),
                "report/data/verdicts.txt has other verdicts than the page; run the test with BLESS=1"
            );
            let path = concat!(env!("CARGO_MANIFEST_DIR"), "/data/verdicts.txt");
            std::fs::write(path, verdicts).expect("the file is writable");
        }
    }
}
