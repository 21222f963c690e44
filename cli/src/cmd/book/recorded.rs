//! What was last recorded of each row: the page that `warpsim book all --markdown` wrote.

use super::outcome::WORDS;

/// The page as it stands in the project.
const PAGE: &str = include_str!("../../../../docs/book/results.md");

/// The recorded verdict of a row: that of its worst finding.
pub fn verdict(id: &str) -> Option<&'static str> {
    worst(PAGE, id)
}

/// The last cell of each line whose first cell is the row; of several the last in order.
pub fn worst(page: &str, id: &str) -> Option<&'static str> {
    let begin = format!("| {id} |");
    let lines = page.lines().filter(|line| line.starts_with(&begin));
    let last = |line: &str| {
        let cell = line.trim_end().trim_end_matches('|').rsplit(" | ").next().map(str::trim)?.to_owned();
        WORDS.iter().position(|word| *word == cell)
    };
    lines.filter_map(last).max().map(|place| WORDS[place])
}

#[cfg(test)]
mod tests {
    use super::*;
    use kernels::book::ledger;

    #[test]
    fn the_worst_finding_is_the_rows() {
        let page = "| X-01 | a | 1 | 1 | | passed |\n| X-01 | b | 2 | 3 | +50.0 | OUTSIDE BAND |\n\
                    | X-01 | c | 2 | 2 | | passed |\n| X-02 | a | | | | ERROR |\n| X-03 | a | | | | odd |\n";
        let verdict = |id| worst(page, id);
        assert_eq!(
            [verdict("X-01"), verdict("X-02"), verdict("X-03"), verdict("X-0")],
            [Some("OUTSIDE BAND"), Some("ERROR"), None, None]
        );
    }

    #[test]
    fn the_page_of_the_documentation_has_every_row_of_the_ledger() {
        for row in ledger::rows() {
            assert!(verdict(&row.id).is_some(), "{} is missing; the page's head says how to make it", row.id);
        }
    }
}
