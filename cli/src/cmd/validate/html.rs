//! `validate --html`: the rows with their pictures as one page.

use super::boards::Boards;
use super::page::{TITLES, cells, totals};
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
    let failed = results.iter().filter(|result| matches!(result.state, State::Failed(_))).count();
    let failures = if failed == 0 { String::new() } else { format!("; {failed} rows could not be measured") };
    let (what, rows) =
        summaries.predicted().map_or(("calibrated", &summaries.overall), |rows| ("predicted", rows));
    let error = rows.mape.map_or_else(String::new, |mape| format!("; mean absolute error {mape:.1} %"));
    page.answer(
        failed == 0,
        &format!("{} of {} {what} rows are within their aims{error}{failures}", rows.within, rows.rows),
    );
    page.section("scatter", "Simulated over published values");
    page.note(
        "On the dashed line both values are equal. A filled marker is a predicted value: it was used for \
         no number of the chip file. A hollow one is a number of the chip file, or such numbers were \
         chosen to reproduce it.",
    );
    page.drawing(Drawing::Scatter, "rows");
    page.section("errors", "Errors");
    page.drawing(Drawing::Errors, "rows");
    page.section("summary", "Summary");
    page.note(
        "MAPE is the mean of the absolute errors. r is Pearson's correlation of published and simulated \
         values, for rows of one quantity only; the last column is that of their logarithms.",
    );
    for group in &summaries.groups {
        let rows: Vec<Vec<String>> =
            group.parts().into_iter().flatten().map(|summary| totals(summary).to_vec()).collect();
        page.heading(&format!("Rows that are {}", group.kind.word()));
        page.table(group.kind.word(), &TITLES, &[false, true, true, true, true, true, true], &rows);
    }
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
