//! `validate --markdown`: the table as a page, and as a part of `docs/VALIDATION.md`.

use super::MeasurementResult;
use super::boards::{Board, Boards};
use super::part::Page;
use super::result::{ResultKind, by_chip, remark};
use super::summary::{Summaries, Summary, TITLES, totals};
use crate::render::number::rate;
use std::fmt::Write as _;

/// Text above the tables.
const HEAD: &str = "\
# Validation

Published measurements of real chips, and the value that the simulator gives for the same program.
`warpsim validate V307` measures a row again; docs/VALIDATION.md explains the rows and columns.
";

/// Above the summaries.
const SUMMARY: &str = "\
## Summary

MAPE is the mean of the absolute errors. *r* is Pearson's correlation of published and simulated
values, for rows of one quantity only; the last column correlates their logarithms. In the tables of
chips a row without a kernel has the kernel of the row above.
";

/// Returns the page.
pub fn page(boards: &Boards, results: &[MeasurementResult], summaries: &Summaries) -> Page {
    let mut out = SUMMARY.to_owned();
    for group in &summaries.groups {
        let title = match group.kind {
            // The rows only show that the simulator does what the chip file says.
            ResultKind::Set => continue,
            ResultKind::Calibrated => "Calibrated against",
            ResultKind::Predicted => "Predicted",
        };
        let titles = TITLES.join(" | ");
        let _ = write!(out, "\n### {title}\n\n| {titles} |\n|---|---|---|---|---|---|---|\n");
        out.extend(group.parts().into_iter().flatten().map(total));
    }
    for (chip, rows) in by_chip(results) {
        let title = match boards.get(chip) {
            Some(board) => {
                let Board { board, config, changed, .. } = board;
                let changed = changed.map_or_else(String::new, |day| format!(", last changed on {day}"));
                format!("\n## `{chip}`: {board}\n\nConfiguration `{config}`{changed}.\n")
            }
            None => format!("\n## `{chip}`\n\nNo chip file describes this board.\n"),
        };
        out += &title;
        out += "\n| row | kernel | published | simulated | unit | error % | aim % | kind |\n";
        out += "|---|---|---|---|---|---|---|---|\n";
        let mut above = "";
        for result in rows {
            out += &line(result, above);
            above = &result.row.kernel;
        }
    }
    Page { head: HEAD, name: "rows", part: out }
}

fn total(summary: &Summary) -> String {
    format!("| {} |\n", totals(summary).join(" | "))
}

/// A row of the page. Its cell of the kernel is empty if the row `above` has the same kernel.
fn line(result: &MeasurementResult, above: &str) -> String {
    let mut cells = cells(result);
    if cells[1] == above {
        cells[1].clear();
    }
    format!("| {} |\n", cells.map(|cell| cell.replace('|', "\\|")).join(" | "))
}

/// Cells of a row.
pub fn cells(result: &MeasurementResult) -> [String; 8] {
    let row = result.row;
    [
        row.id.clone(),
        row.kernel.clone(),
        rate(row.value),
        result.value().map_or_else(String::new, rate),
        row.unit.name().to_owned(),
        result.error().map_or_else(String::new, |error| format!("{error:+.1}")),
        format!("{:.0}", row.family.target()),
        remark(result),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use evidence::measure::table;

    /// Id and published value of each row of the tables of a page.
    fn rows(page: &str) -> Vec<(String, String)> {
        let cells = |line: &str| line.split(" | ").map(str::to_owned).collect::<Vec<_>>();
        let lines = page.lines().filter(|line| line.starts_with("| V"));
        lines.map(cells).map(|c| (c[0].trim_start_matches("| ").to_owned(), c[2].clone())).collect()
    }

    /// Tests: `published-measurements`.
    #[test]
    fn the_page_of_the_documentation_has_the_rows_of_the_table() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/VALIDATION.md");
        let page = std::fs::read_to_string(path).expect("the page is there").replace("\r\n", "\n");
        assert!(
            page.contains(&format!("<!-- begin rows -->\n\n{SUMMARY}")),
            "the words above the tables are old"
        );
        let (_, tables) = page.split_once("<!-- begin rows -->").expect("the page has the tables");
        let found = rows(tables);
        assert_eq!(found.len(), table::published().len(), "rows of the page");
        for row in table::published() {
            let wanted = (row.id.clone(), rate(row.value));
            assert!(
                found.contains(&wanted),
                "{wanted:?} is missing; the page has the command that writes its tables"
            );
        }
    }
}
