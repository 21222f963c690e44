//! The table of `warpsim validate`, and its list of rows, as text.

use super::result::{ResultKind, by_chip, remark};
use super::summary::{Summaries, totals};
use super::{Board, MeasurementResult, State};
use crate::render::number::rate;
use crate::render::table::{Column, Columns, heading, line};

/// Maximum number of characters of a kernel's name in the table.
const KERNEL: usize = 24;

/// Returns the rows by chip, then errors and correlations.
pub fn table(boards: &[&Board], results: &[MeasurementResult], summaries: &Summaries) -> String {
    let mut out = String::new();
    for (chip, rows) in by_chip(results) {
        let title = boards.iter().find(|board| board.chip == chip).map_or_else(
            || format!("{}: no chip file `{chip}`", rows[0].row.board),
            |board| format!("{chip}: {}, config {}", board.board, board.config),
        );
        out += &heading(&title);
        let columns = [
            Column::Words(6),
            Column::Words(KERNEL as u16 + 1),
            Column::Numbers(9),
            Column::Numbers(9),
            Column::Words(8),
            Column::Numbers(8),
            Column::Rest,
        ];
        let mut table = Columns::new(&columns).titles(&[
            "row",
            "kernel",
            "published",
            "simulated",
            "unit",
            "error %",
            "",
        ]);
        for result in rows {
            let row = result.row;
            table.row(&[
                &row.id,
                &cut(&row.kernel, KERNEL),
                &rate(row.value),
                &result.value().map_or_else(|| "-".to_owned(), rate),
                row.unit.name(),
                &result.error().map_or_else(|| "-".to_owned(), |error| format!("{error:+.1}")),
                &remark(result),
            ]);
        }
        out += &table.draw();
    }
    out += &summary(summaries);
    out
}

fn summary(summaries: &Summaries) -> String {
    let mut out = String::new();
    let columns = [
        Column::Words(26),
        Column::Numbers(6),
        Column::Numbers(8),
        Column::Numbers(8),
        Column::Numbers(9),
        Column::Numbers(8),
        Column::Numbers(10),
    ];
    for group in &summaries.groups {
        out += &heading(match group.kind {
            ResultKind::Set => "Set: numbers of the chip file, read back",
            ResultKind::Calibrated => {
                "Calibrated against: numbers of the chip file were chosen to reproduce these"
            }
            ResultKind::Predicted => "Predicted: used for no number of the chip file",
        });
        let titles = ["of", "rows", "within", "MAPE %", "median %", "r", "r of logs"];
        let mut table = Columns::new(&columns).titles(&titles);
        for (i, part) in group.parts().into_iter().enumerate() {
            if i > 0 {
                table.gap();
            }
            for summary in part {
                let cells = totals(summary).map(|cell| if cell.is_empty() { "-".to_owned() } else { cell });
                table.row(&cells.each_ref().map(String::as_str));
            }
        }
        out += &table.draw();
    }
    line(
        &mut out,
        " within: error within the aim (latency and throughput 5 %, bandwidth 15 %, kernels 25 %)",
    );
    line(&mut out, " r: Pearson's coefficient of published and simulated values, within one quantity");
    out
}

/// Returns the published values by chip.
pub fn list(results: &[MeasurementResult]) -> String {
    let mut out = String::new();
    for (chip, rows) in by_chip(results) {
        out += &heading(&format!("{chip}: {}", rows[0].row.board));
        let columns =
            [Column::Words(6), Column::Words(45), Column::Numbers(9), Column::Words(10), Column::Rest];
        let mut table = Columns::new(&columns).titles(&["row", "kernel", "published", "unit", ""]);
        for result in rows {
            let row = result.row;
            let remark = match &result.state {
                State::NotRun("not measured", _) => String::new(),
                _ => remark(result),
            };
            table.row(&[&row.id, &cut(&row.kernel, 44), &rate(row.value), row.unit.name(), &remark]);
        }
        out += &table.draw();
    }
    out
}

/// Returns the first characters of a name.
fn cut(name: &str, most: usize) -> String {
    if name.chars().count() <= most {
        return name.to_owned();
    }
    name.chars().take(most - 1).chain(['…']).collect()
}
