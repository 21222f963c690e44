//! `sweep --html`: plots and rows as one page.

use super::bench::Row;
use super::plot::Plot;
use super::space::Space;
use crate::args::SweepArgs;
use crate::metrics::Metric;
use crate::point::{SUCCESSES, VERDICTS};
use crate::provenance::PROGRAM;
use crate::render::number::count;
use report::page::{Drawing, Page};
use serde::Serialize;
use serde_json::Number;

/// Largest number of rows of the table; `--out` writes all.
const MOST_ROWS: usize = 1000;
/// Metrics that are drawn if the command line names no plot and no metric.
const USUAL: [&str; 4] = ["microseconds", "ipc", "achieved_occupancy", "dram_utilization"];
/// Largest number of plots without `--plot`.
const MOST_PLOTS: usize = 6;
/// Metrics of the table if the command line names none.
const SHOWN: [&str; 6] =
    ["cycles", "microseconds", "gflops", "ipc", "achieved_occupancy", "dram_utilization"];

/// What the page needs of the points that have run.
pub struct Collected {
    plots: Vec<Plot>,
    /// Names of the metrics of the table, and their places among the measured ones.
    columns: Vec<(&'static str, usize)>,
    rows: Vec<Vec<String>>,
    points: u64,
    failed: u64,
}

/// What the drawings show.
#[derive(Serialize)]
struct Data {
    plots: Vec<Drawn>,
}

#[derive(Serialize)]
struct Drawn {
    title: String,
    x: String,
    y: String,
    names: Vec<String>,
    series: Vec<Series>,
}

#[derive(Serialize)]
struct Series {
    name: String,
    points: Vec<(f64, f64)>,
}

impl Collected {
    /// No points. The metrics of its plots are added to `measured`.
    pub fn new(
        args: &SweepArgs,
        space: &Space,
        columns: &[&'static Metric],
        measured: &mut Vec<&'static Metric>,
    ) -> Self {
        let chosen: Vec<&str> = if args.metrics.is_empty() {
            USUAL.to_vec()
        } else {
            columns.iter().map(|metric| metric.name).take(MOST_PLOTS).collect()
        };
        let mut plots: Vec<Plot> = if args.plot.is_empty() {
            usual(space, &chosen)
        } else {
            args.plot.iter().filter_map(|text| Plot::new(text, space).ok()).collect()
        };
        for plot in &mut plots {
            plot.find_columns(measured);
        }
        let is_shown = |name: &str| !args.metrics.is_empty() || SHOWN.contains(&name);
        let places = columns.iter().enumerate().map(|(place, metric)| (metric.name, place));
        let columns = places.filter(|(name, _)| is_shown(name)).collect();
        Self { plots, columns, rows: Vec::new(), points: 0, failed: 0 }
    }

    /// Adds a point.
    pub fn take(&mut self, space: &Space, index: u64, row: &Row) {
        self.points += 1;
        self.failed += u64::from(!VERDICTS[..SUCCESSES].contains(&row.verdict));
        self.plots.iter_mut().for_each(|plot| plot.take(space, index, row));
        if self.rows.len() < MOST_ROWS {
            let values = space.point(index).into_iter().map(str::to_owned);
            let number = |(_, place): &(&str, usize)| {
                let value = row.metrics.get(*place).and_then(Option::as_ref);
                value.map_or_else(String::new, shown)
            };
            let metrics = self.columns.iter().map(number);
            let message = [row.message.clone()];
            self.rows.push(values.chain([row.verdict.to_owned()]).chain(metrics).chain(message).collect());
        }
    }

    /// Returns the page.
    pub fn page(&self, args: &SweepArgs, space: &Space) -> String {
        let mut page = Page::new(&format!("Sweep of {}", args.kernel));
        let failed =
            if self.failed == 0 { String::new() } else { format!(", {} failed", count(self.failed)) };
        page.answer(
            self.failed == 0 && self.points == space.points,
            &format!("{} of {} points have run{failed}", count(self.points), count(space.points)),
        );
        if !self.plots.is_empty() {
            page.section("plots", "Plots");
        }
        for (number, plot) in self.plots.iter().enumerate() {
            page.drawing(Drawing::Plot, &format!("plots.{number}"));
            let note = plot.note();
            if !note.is_empty() {
                page.note(&note);
            }
        }
        page.section("points", "Points");
        if self.points > MOST_ROWS as u64 {
            page.note(&format!(
                "The first {} of {} points; --out writes all.",
                count(MOST_ROWS as u64),
                count(self.points)
            ));
        }
        if args.metrics.is_empty() {
            page.note("Some of the metrics; the rows of the sweep have all, and --metrics chooses them.");
        }
        let axes = space.axes.iter().map(|axis| axis.name.as_str());
        let metrics = self.columns.iter().map(|(name, _)| *name);
        let titles: Vec<&str> = axes.chain(["verdict"]).chain(metrics).chain(["message"]).collect();
        let first = space.axes.len() + 1;
        let numbers: Vec<bool> =
            (0..titles.len()).map(|column| column >= first && column + 1 < titles.len()).collect();
        page.table("Points", &titles, &numbers, &self.rows);
        page.finish(PROGRAM, &Data { plots: self.plots.iter().map(|plot| drawn(plot, space)).collect() })
    }
}

/// Returns the plots of a sweep that names none: the metrics over the last list with several
/// values. Other lists are the series.
fn usual(space: &Space, metrics: &[&str]) -> Vec<Plot> {
    let Some(x) = space.axes.iter().rev().find(|axis| axis.values.len() > 1) else { return Vec::new() };
    metrics.iter().filter_map(|y| Plot::new(&format!("x={},y={y}", x.name), space).ok()).collect()
}

fn drawn(plot: &Plot, space: &Space) -> Drawn {
    let (x, y) = plot.labels(space);
    let series = |(name, points)| Series { name, points };
    Drawn {
        title: format!("{y} over {x}"),
        x,
        y,
        names: plot.categories(space).unwrap_or_default().to_vec(),
        series: plot.lines(space).into_iter().map(series).collect(),
    }
}

/// Formats a whole number with commas, and other numbers as rates.
fn shown(value: &Number) -> String {
    match (value.as_u64(), value.as_f64()) {
        (Some(whole), _) => count(whole),
        (None, Some(number)) => crate::render::number::rate(number),
        (None, None) => value.to_string(),
    }
}
