//! `validate --markdown`: the table as a page of the documentation.

use super::MeasurementResult;
use super::boards::{Board, Boards};
use super::result::Kind;
use super::summary::{Summaries, Summary};
use super::text::{by_chip, remark};
use crate::render::number::rate;
use std::fmt::Write as _;

/// Text above the tables.
const HEAD: &str = "\
# Validation

Published measurements of real chips, and the value that the simulator gives for the same program.
`warpsim validate V307` measures a row again. `warpsim validate --markdown FILE` writes this whole
page; do not edit it. [VALIDATE.md](VALIDATE.md) explains the measurements,
[MODEL.md](MODEL.md#against-published-measurements) the causes of large errors.

- *error*: (simulated − published) / published. *Aim*: 5 % for latencies and throughputs, 15 % for
  bandwidths, 25 % for whole kernels.
- *set*: a number of the chip file is read back. Such a row shows only that the machine does what
  the file says. *calibrated*: several numbers of the chip file, or the behavior of units, make the
  value together, and some of these numbers were chosen to reproduce it. *predicted*: the row was
  used for no number. *not modelled*: the simulator lacks the measured part.
- *Configuration*: the first digits of the SHA-256 of all numbers of the chip, and the day on which
  one of them last changed.
";

/// Above the summaries.
const SUMMARY: &str = "\
## Summary

MAPE is the mean of the absolute errors. *r* is Pearson's correlation of published and simulated
values, for rows of one quantity only; the last column is that of their logarithms.
";

/// Heads of the summaries' columns.
pub const TITLES: [&str; 7] =
    ["group", "rows", "within the aim", "MAPE %", "median %", "r", "r of logarithms"];

/// Returns the page.
pub fn page(boards: &Boards, results: &[MeasurementResult], summaries: &Summaries) -> String {
    let mut out = format!("{HEAD}\n{SUMMARY}");
    for group in &summaries.groups {
        let title = match group.kind {
            Kind::Set => "Set",
            Kind::Calibrated => "Calibrated against",
            Kind::Predicted => "Predicted",
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
        for result in rows {
            out += &line(result);
        }
    }
    out
}

fn total(summary: &Summary) -> String {
    format!("| {} |\n", totals(summary).join(" | "))
}

/// Cells of a summary.
pub fn totals(summary: &Summary) -> [String; 7] {
    let number =
        |value: Option<f64>, decimals: usize| value.map_or_else(String::new, |v| format!("{v:.decimals$}"));
    [
        summary.of.clone(),
        summary.rows.to_string(),
        summary.within.to_string(),
        number(summary.mape, 1),
        number(summary.median, 1),
        number(summary.correlation, 3),
        number(summary.correlation_of_logarithms, 3),
    ]
}

fn line(result: &MeasurementResult) -> String {
    format!("| {} |\n", cells(result).map(|cell| cell.replace('|', "\\|")).join(" | "))
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
        format!("{:.0}", row.family().target()),
        remark(result),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use kernels::measure::table;

    /// Id and published value of each row of the tables of a page.
    fn rows(page: &str) -> Vec<(String, String)> {
        let cells = |line: &str| line.split(" | ").map(str::to_owned).collect::<Vec<_>>();
        let lines = page.lines().filter(|line| line.starts_with("| V"));
        lines.map(cells).map(|c| (c[0].trim_start_matches("| ").to_owned(), c[2].clone())).collect()
    }

    /// Tests: `published-measurements`.
    #[test]
    fn the_page_of_the_documentation_has_the_rows_of_the_table() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/VALIDATION.md");
        let page = std::fs::read_to_string(path).expect("the page is there").replace("\r\n", "\n");
        assert!(page.starts_with(&format!("{HEAD}\n{SUMMARY}")), "the words above the tables are old");
        let found = rows(&page);
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
