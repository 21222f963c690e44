//! The rows as parts of a text, of a page of Markdown, and of an HTML page.

use super::MeasurementResult;
use super::State;
use super::boards::{Board, Boards};
use super::result::{ResultKind, by_chip, remark};
use super::scatter;
use super::summary::{Summaries, TITLES, totals};
use crate::render::number::rate;
use crate::render::table::Column;
use evidence::measure::table::Measurement;
use evidence::view::parts::{Part, Table, percent};

/// Returns the rows by chip, each with its published value and aim, the simulated value, the error,
/// and what the row says.
pub fn rows(boards: &Boards, results: &[MeasurementResult]) -> Vec<Part> {
    let mut parts = Vec::new();
    for (chip, rows) in by_chip(results) {
        parts.push(Part::Heading(match boards.get(chip) {
            Some(Board { board, config, changed, .. }) => {
                let changed = changed.map_or_else(String::new, |day| format!(", last changed on {day}"));
                format!("{chip}: {board}, config {config}{changed}")
            }
            None => format!("{chip}: {}, no chip file", rows[0].row.board),
        }));
        parts.push(Table::findings(chip, true, rows.iter().map(cells).collect()));
    }
    parts
}

/// Returns the published value of a row and the aim of its error.
fn expected(row: &Measurement) -> String {
    format!("{} {} ±{:.0} %", rate(row.value), row.unit.name(), row.family.target())
}

/// Cells of a row.
fn cells(result: &MeasurementResult) -> Vec<String> {
    let row = result.row;
    let simulated = result.value().map_or_else(|| "-".to_owned(), rate);
    vec![
        row.id.clone(),
        row.kernel.clone(),
        expected(row),
        simulated,
        percent(result.error()),
        remark(result),
    ]
}

/// Returns the errors and correlations of the rows of some kinds.
pub fn summary(summaries: &Summaries, kinds: &[ResultKind]) -> Vec<Part> {
    let note = "MAPE is the mean of the absolute errors. r is Pearson's coefficient of published and \
                simulated values, for rows of one quantity only; the last column takes their \
                logarithms. The aims are 5 % for latency and throughput, 15 % for bandwidth, and 25 % \
                for kernels.";
    let section = Part::Section("summary".to_owned(), "Summary".to_owned());
    let mut parts = vec![section, Part::Note(note.to_owned())];
    for group in summaries.groups.iter().filter(|group| kinds.contains(&group.kind)) {
        parts.push(Part::Heading(match group.kind {
            ResultKind::Set => "Set: numbers of the chip file, read back".to_owned(),
            ResultKind::Calibrated => {
                "Calibrated against: numbers of the chip file were chosen to reproduce these".to_owned()
            }
            ResultKind::Predicted => "Predicted: used for no number of the chip file".to_owned(),
        }));
        let mut rows: Vec<Vec<String>> = Vec::new();
        for part in group.parts() {
            if !rows.is_empty() {
                rows.push(Vec::new());
            }
            rows.extend(part.iter().map(|summary| totals(summary).to_vec()));
        }
        let widths = [6, 8, 8, 9, 8, 10].map(Column::Numbers);
        let columns = TITLES.into_iter().zip([Column::Words(26)].into_iter().chain(widths)).collect();
        parts.push(Part::Table(Table { name: group.kind.word().to_owned(), columns, rows }));
    }
    parts
}

/// Returns the answer and the pictures.
pub fn pictures(results: &[MeasurementResult], summaries: &Summaries) -> Vec<Part> {
    let failed = results.iter().filter(|result| matches!(result.state, State::Error(_))).count();
    let failures = if failed == 0 { String::new() } else { format!("; {failed} rows could not be measured") };
    let (what, rows) =
        summaries.predicted().map_or(("calibrated", &summaries.overall), |rows| ("predicted", rows));
    let error = rows.mape.map_or_else(String::new, |mape| format!("; mean absolute error {mape:.1} %"));
    let answer =
        format!("{} of {} {what} rows are within their aims{error}{failures}", rows.within, rows.rows);
    let note = "On the dashed line both values are equal. A filled marker is a predicted value: it was used \
                for no number of the chip file. A ring is a value that numbers of the chip file were chosen to \
                reproduce, and a cross is itself a number of the chip file.";
    vec![
        Part::Answer(failed == 0, answer),
        Part::Section("scatter".to_owned(), "Simulated over published values".to_owned()),
        Part::Note(note.to_owned()),
        Part::Picture(scatter::scene(results)),
        Part::Section("errors".to_owned(), "Errors".to_owned()),
        Part::Picture(scatter::errors(results)),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use evidence::measure::table;

    /// Name and published value of each row of the tables of a page.
    fn listed(page: &str) -> Vec<(String, String)> {
        let cells = |line: &str| line.split(" | ").map(str::to_owned).collect::<Vec<_>>();
        let lines = page.lines().filter(|line| line.starts_with("| V"));
        lines.map(cells).map(|c| (c[0].trim_start_matches("| ").to_owned(), c[2].clone())).collect()
    }

    /// Tests: `published-measurements`.
    #[test]
    fn the_page_of_the_documentation_has_the_rows_of_the_table() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/VALIDATION.md");
        let page = std::fs::read_to_string(path).expect("the page is there").replace("\r\n", "\n");
        let (_, tables) = page.split_once("<!-- begin rows -->\n\n## Summary\n").expect("the tables");
        let found = listed(tables);
        assert_eq!(found.len(), table::published().len(), "rows of the page");
        for row in table::published() {
            let wanted = (row.id.clone(), expected(row));
            assert!(
                found.contains(&wanted),
                "{wanted:?} is missing; the page has the command that writes its tables"
            );
        }
    }
}
