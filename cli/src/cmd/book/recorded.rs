//! What was last recorded of each claim: the page that `warpsim book all --markdown` wrote.

use super::result::WORDS;
use kernels::book::Verdict;

/// The page as it stands in the project.
const PAGE: &str = include_str!("../../../../docs/book/results.md");

/// The recorded verdict of a claim: that of its worst finding, of those that are judged.
pub fn verdict(id: &str) -> Option<&'static str> {
    worst(PAGE, id)
}

/// The last cell of each line whose first cell is the claim; of several the last in order. What is
/// only reported counts where there is nothing else.
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

    #[test]
    fn the_worst_finding_is_the_rows() {
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
    fn the_page_of_the_documentation_has_every_row_of_the_ledger() {
        for claim in claims_table::claims() {
            assert!(
                verdict(&claim.id).is_some(),
                "{} is missing; the page's head says how to make it",
                claim.id
            );
        }
        // As the page itself has counted them.
        for word in WORDS {
            let claims =
                claims_table::claims().iter().filter(|claim| verdict(&claim.id) == Some(word)).count();
            assert_eq!(
                PAGE.contains(&format!("| {word} | {claims} |\n")),
                claims > 0,
                "{claims} claims are {word}"
            );
        }
    }
}
