//! `validate --html`: the rows with their pictures as one page.

use super::boards::Boards;
use super::page::{cells, totals};
use super::summary::Summaries;
use super::text::by_chip;
use super::{MeasurementResult, State};
use crate::provenance::PROGRAM;
use report::page::{Drawing, Page};
use serde::Serialize;

/// A row of the pictures.
#[derive(Serialize)]
struct Row<'a> {
    id: &'a str,
    chip: &'a str,
    kernel: &'a str,
    unit: &'a str,
    published: f64,
    simulated: Option<f64>,
    /// Published value in the common unit of its quantity.
    x: f64,
    /// Simulated value in the same unit.
    y: Option<f64>,
    error_percent: Option<f64>,
    target_percent: f64,
    state: &'a str,
}

impl<'a> Row<'a> {
    fn of(result: &'a MeasurementResult) -> Self {
        let row = result.row;
        Self {
            id: &row.id,
            chip: row.chip,
            kernel: &row.kernel,
            unit: row.unit.name(),
            published: row.value,
            simulated: result.value(),
            x: row.unit.common(row.value),
            y: result.value().map(|value| row.unit.common(value)),
            error_percent: result.error(),
            target_percent: row.family().target(),
            state: result.word(),
        }
    }
}

/// What the drawings show.
#[derive(Serialize)]
struct Data<'a> {
    rows: Vec<Row<'a>>,
}

/// Returns the page.
pub fn page(boards: &Boards, results: &[MeasurementResult], summaries: &Summaries) -> String {
    let mut page = Page::new("Published measurements and simulated values");
    let overall = &summaries.overall;
    let failed = results.iter().filter(|result| matches!(result.state, State::Failed(_))).count();
    let error = overall.mape.map_or_else(String::new, |mape| format!("; mean absolute error {mape:.1} %"));
    let failures = if failed == 0 { String::new() } else { format!("; {failed} rows could not be measured") };
    page.answer(
        failed == 0,
        &format!(
            "{} of {} emergent rows are within their aims{error}{failures}",
            overall.within, overall.rows
        ),
    );
    page.section("scatter", "Simulated over published values");
    page.note(
        "On the dashed line both values are equal. An emergent value results from several numbers of the \
         chip file or from the behavior of units; a hollow marker is a number of the chip file that is \
         read back.",
    );
    page.drawing(Drawing::Scatter, "rows");
    page.section("errors", "Errors");
    page.drawing(Drawing::Errors, "rows");
    page.section("summary", "Summary of the emergent rows");
    page.note(
        "MAPE is the mean of the absolute errors. r is Pearson's correlation of published and simulated \
         values, for rows of one quantity only; the last column is that of their logarithms.",
    );
    let rows: Vec<Vec<String>> = summaries.all().map(|summary| totals(summary).to_vec()).collect();
    let titles = ["group", "rows", "within the aim", "MAPE %", "r", "r of logarithms"];
    page.table("Summary", &titles, &[false, true, true, true, true, true], &rows);
    page.section("rows", "Rows");
    for (chip, rows) in by_chip(results) {
        match boards.get(chip) {
            Some(board) => page.heading(&format!("{chip}: {}, configuration {}", board.board, board.config)),
            None => page.heading(&format!("{chip}: no chip file describes this board")),
        }
        let rows: Vec<Vec<String>> = rows.into_iter().map(|result| cells(result).to_vec()).collect();
        let titles = ["row", "kernel", "published", "simulated", "unit", "error %", "aim %", "kind"];
        page.table(chip, &titles, &[false, false, true, true, false, true, true, false], &rows);
    }
    page.finish(PROGRAM, &Data { rows: results.iter().map(Row::of).collect() })
}
