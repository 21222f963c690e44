//! `validate --markdown`: the table as a page of the documentation.

use super::MeasurementResult;
use super::boards::Boards;
use super::summary::{Summaries, Summary};
use super::text::{by_chip, remark};
use crate::render::number::rate;

/// Text above the tables.
const HEAD: &str = "# The validation table

Published measurements of real chips, and the values that the simulator measures with the same programs. \
`warpsim validate --markdown FILE` writes this page. \
[VALIDATE.md](VALIDATE.md) explains the measurement of each row and the columns.
";

/// Returns the page.
pub fn page(boards: &Boards, results: &[MeasurementResult], summaries: &Summaries) -> String {
    let mut out = format!("{HEAD}\n## Emergent rows together\n\n");
    out += "| of | rows | within the aim | MAPE % | r | r of logarithms |\n|---|---|---|---|---|---|\n";
    let groups = summaries
        .chips
        .iter()
        .chain(&summaries.families)
        .chain(&summaries.quantities)
        .chain([&summaries.overall]);
    for summary in groups {
        out += &total(summary);
    }
    for (chip, rows) in by_chip(results) {
        let title = match boards.get(chip) {
            Some(board) => format!("\n## `{chip}`: {}\n\nConfiguration `{}`.\n", board.board, board.config),
            None => format!("\n## `{chip}`\n\nThere is no chip file.\n"),
        };
        out += &title;
        out += "\n| row | kernel | published | simulated | unit | error % | aim % | |\n";
        out += "|---|---|---|---|---|---|---|---|\n";
        for result in rows {
            out += &line(result);
        }
    }
    out
}

fn total(summary: &Summary) -> String {
    let number =
        |value: Option<f64>, decimals: usize| value.map_or_else(String::new, |v| format!("{v:.decimals$}"));
    format!(
        "| {} | {} | {} | {} | {} | {} |\n",
        summary.of,
        summary.rows,
        summary.within,
        number(summary.mape, 1),
        number(summary.correlation, 3),
        number(summary.correlation_of_logarithms, 3)
    )
}

fn line(result: &MeasurementResult) -> String {
    let row = result.row;
    let cells = [
        row.id.clone(),
        row.kernel.clone(),
        rate(row.value),
        result.value().map_or_else(String::new, rate),
        row.unit.name().to_owned(),
        result.error().map_or_else(String::new, |error| format!("{error:+.1}")),
        format!("{:.0}", row.family().target()),
        remark(result),
    ];
    format!("| {} |\n", cells.map(|cell| cell.replace('|', "\\|")).join(" | "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use kernels::measure::table;

    /// Returns id and published value of each row of a page's tables.
    fn rows(page: &str) -> Vec<(String, String)> {
        let cells = |line: &str| line.split(" | ").map(str::to_owned).collect::<Vec<_>>();
        let lines = page.lines().filter(|line| line.starts_with("| V"));
        lines.map(cells).map(|c| (c[0].trim_start_matches("| ").to_owned(), c[2].clone())).collect()
    }

    #[test]
    fn the_page_of_the_documentation_has_the_rows_of_the_table() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/VALIDATION.md");
        let found = rows(&std::fs::read_to_string(path).expect("the page exists"));
        assert_eq!(found.len(), table::published().len(), "rows of the page");
        for row in table::published() {
            let wanted = (row.id.clone(), rate(row.value));
            assert!(
                found.contains(&wanted),
                "{wanted:?} is missing; the head of the page has the command that writes it"
            );
        }
    }
}
