//! The page of a study: one HTML file with its answers, its plots and its first points.

use crate::axis::Axis;
use crate::outcome::Tally;
use crate::plot::Plot;
use crate::rows::{Cell, Column, PointRow, Rows};
use crate::sections::Section;
use figures::embedded;
use report::metrics;
use report::page::Page;
use report::provenance::PROGRAM;
use report::render::number::{count, rate};
use std::sync::Arc;

/// Largest number of rows of the table; `--out` writes all.
const MOST_ROWS: usize = 1000;
/// Metrics that are drawn if none is chosen.
const USUAL: [&str; 4] = ["microseconds", "ipc", "achieved_occupancy", "dram_utilization"];
/// Largest number of plots, unless they are named.
const MOST_PLOTS: usize = 6;
/// Metrics of the table if none is chosen.
const SHOWN: [&str; 6] =
    ["cycles", "microseconds", "gflops", "ipc", "achieved_occupancy", "dram_utilization"];

/// Data of the finished points for the page.
pub struct Collected {
    plots: Vec<Plot>,
    /// Places of the columns of the table among those of the rows.
    columns: Vec<usize>,
    /// Whether the table has columns of numbers.
    numbers: Vec<bool>,
    rows: Vec<Vec<String>>,
    tally: Tally,
    /// Number of points without a result.
    missing: u64,
}

/// Whether the rows have only some of the metrics.
fn is_chosen(rows: &Rows<'_>) -> bool {
    rows.columns().iter().filter(|column| matches!(column, Column::Metric(_))).count() < metrics::ALL.len()
}

impl Collected {
    /// No points. Without `plots`, a page has those of the metrics of the rows.
    pub fn new(rows: &Rows<'_>, axes: &[Arc<Axis>], mut plots: Vec<Plot>, has_page: bool) -> Self {
        let is_chosen = is_chosen(rows);
        let of_rows = rows.columns().iter().filter_map(|column| match column {
            Column::Metric(metric) => Some(metrics::ALL[*metric].name),
            _ => None,
        });
        if plots.is_empty() && has_page {
            let drawn: Vec<&str> =
                if is_chosen { of_rows.take(MOST_PLOTS).collect() } else { USUAL.to_vec() };
            plots = Plot::usual(axes, &drawn);
        }
        let is_shown = |column: &Column| match column {
            Column::Metric(metric) => is_chosen || SHOWN.contains(&metrics::ALL[*metric].name),
            Column::Digest | Column::Program | Column::Input | Column::ChipTexts => false,
            _ => true,
        };
        let columns: Vec<usize> =
            (0..rows.columns().len()).filter(|i| is_shown(&rows.columns()[*i])).collect();
        let numbers = vec![false; columns.len()];
        Self { plots, columns, numbers, rows: Vec::new(), tally: Tally::default(), missing: 0 }
    }

    /// Adds a point.
    pub fn take(&mut self, rows: &Rows<'_>, row: PointRow<'_>) {
        match row.outcome {
            Some(outcome) => {
                self.tally.add(outcome.ending);
                self.plots.iter_mut().for_each(|plot| plot.take(row.point, outcome));
            }
            None => self.missing += 1,
        }
        if self.rows.len() < MOST_ROWS {
            let cells: Vec<Cell<'_>> = rows.cells(row).collect();
            for (place, column) in self.columns.iter().enumerate() {
                self.numbers[place] |= cells[*column].number().is_some();
            }
            self.rows.push(self.columns.iter().map(|column| shown(&cells[*column])).collect());
        }
    }

    /// Returns the plots.
    pub fn plots(&self) -> &[Plot] {
        &self.plots
    }

    /// Returns the page of a study with this number of points, and sections of its answers.
    pub fn page(&self, title: &str, rows: &Rows<'_>, points: u64, sections: &[Section]) -> String {
        let mut page = Page::new(title);
        let (done, failed) = (self.tally.all(), self.tally.failed());
        let failures = if failed == 0 { String::new() } else { format!(", {} failed", count(failed)) };
        page.answer(
            failed == 0 && done == points,
            &format!("{} of {} points have a result{failures}", count(done), count(points)),
        );
        for (number, section) in sections.iter().enumerate() {
            section.show(&mut page, number);
        }
        if !self.plots.is_empty() {
            page.section("plots", "Plots");
        }
        for plot in &self.plots {
            let scene = plot.scene();
            page.picture(&scene.title, &embedded(&scene));
        }
        self.table(&mut page, rows);
        page.finish(PROGRAM)
    }

    /// Adds the rows.
    fn table(&self, page: &mut Page, rows: &Rows<'_>) {
        page.section("points", "Points");
        let all = self.tally.all() + self.missing;
        if all > MOST_ROWS as u64 {
            let first = count(MOST_ROWS as u64);
            page.note(&format!("The first {first} of {} points; --out writes all.", count(all)));
        }
        if !is_chosen(rows) {
            page.note("Some of the metrics; the rows have all, and `metrics` chooses them.");
        }
        let names = rows.names();
        let titles: Vec<&str> = self.columns.iter().map(|column| names[*column]).collect();
        page.table("Points", &titles, &self.numbers, &self.rows);
    }
}

/// Formats a whole number with commas, and other numbers as rates; a value of the user stays.
fn shown(cell: &Cell<'_>) -> String {
    match cell {
        Cell::Number(number) => match (number.as_u64(), number.as_f64()) {
            (Some(whole), _) => count(whole),
            (None, Some(number)) => rate(number),
            (None, None) => number.to_string(),
        },
        Cell::None | Cell::Text(_) | Cell::Written(_) => cell.to_string(),
    }
}
