//! `validate --html`: the rows with their pictures as one page.

use super::boards::Boards;
use super::page::cells;
use super::result::by_chip;
use super::scatter;
use super::summary::{Summaries, TITLES, totals};
use super::{MeasurementResult, State};
use crate::provenance::PROGRAM;
use figures::embedded;
use figures::scene::Scene;
use report::page::Page;

/// Returns the page.
pub fn page(boards: &Boards, results: &[MeasurementResult], summaries: &Summaries) -> String {
    let mut page = Page::new("Published measurements and simulated values");
    let failed = results.iter().filter(|result| matches!(result.state, State::Error(_))).count();
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
         no number of the chip file. A ring is a value that numbers of the chip file were chosen to \
         reproduce, and a cross is itself a number of the chip file.",
    );
    picture(&mut page, &scatter::scene(results));
    page.section("errors", "Errors");
    picture(&mut page, &scatter::errors(results));
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
        let rows: Vec<Vec<String>> = rows.iter().map(|result| cells(result).to_vec()).collect();
        let titles = ["row", "kernel", "published", "simulated", "unit", "error %", "aim %", "kind"];
        page.table(chip, &titles, &[false, false, true, true, false, true, true, false], &rows);
    }
    page.finish(PROGRAM)
}

/// Adds a picture.
fn picture(page: &mut Page, scene: &Scene) {
    page.picture(&scene.title, &embedded(scene));
}
