//! Line plots of a study: a metric over a varied part or over another metric, with a line for each
//! combination of other parts. The points are collected while the rows are produced.

use crate::axis::Axis;
use crate::design::{Point, Variant};
use crate::outcome::Outcome;
use figures::lines::{Line, Lines};
use figures::scene::Scene;
use report::exit::Failure;
use report::metrics::{self, Metric};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Maximum number of lines; more cannot be distinguished.
const MOST_LINES: usize = 24;

/// Quantity of the x axis.
#[derive(Clone, Debug)]
enum Along {
    /// A varied part, with its values as numbers if all of them are numbers.
    Axis(Arc<Axis>, Option<Vec<f64>>),
    /// The metric with this index.
    Metric(usize),
}

/// A plot and the points collected so far.
#[derive(Clone, Debug)]
pub struct Plot {
    x: Along,
    /// Index of the metric of the y axis.
    y: usize,
    /// Parts whose values have separate lines.
    series: Vec<Arc<Axis>>,
    /// Points of each line, by the index of its values among all combinations of `series`.
    lines: BTreeMap<u64, Vec<(f64, f64)>>,
    failed: u64,
}

/// Returns the index of a metric.
fn metric(name: &str) -> Result<usize, Failure> {
    let found = metrics::find(name)?;
    Ok(metrics::ALL.iter().position(|metric| metric.name == found.name).expect("it is registered"))
}

fn with_unit(metric: &Metric) -> String {
    if metric.unit.is_empty() { metric.name.to_owned() } else { format!("{} ({})", metric.name, metric.unit) }
}

impl Plot {
    /// Parses `x=…,y=…,series=…`; `axes` are the varied parts.
    ///
    /// # Errors
    ///
    /// If the text has another form or an unknown name, or several points would have the same
    /// place.
    pub fn new(text: &str, axes: &[Arc<Axis>]) -> Result<Self, Failure> {
        let wrong = |why: String| Failure::input(format!("error: --plot {text}: {why}"));
        let mut parts: BTreeMap<&str, &str> = BTreeMap::new();
        for part in text.split(',') {
            match part.split_once('=') {
                Some((key, value)) if ["x", "y", "series"].contains(&key.trim()) => {
                    if parts.insert(key.trim(), value.trim()).is_some() {
                        return Err(wrong(format!("{} is given twice", key.trim())));
                    }
                }
                _ => return Err(wrong("expected the form x=…,y=…[,series=…]".to_owned())),
            }
        }
        let (Some(x), Some(y)) = (parts.get("x"), parts.get("y")) else {
            return Err(wrong("expected the form x=…,y=…[,series=…]".to_owned()));
        };
        let axis = |name: &str| axes.iter().position(|axis| axis.is_called(name));
        let x_axis = axis(x);
        let along = match x_axis {
            Some(axis) => Along::Axis(axes[axis].clone(), axes[axis].numbers()),
            None => Along::Metric(metric(x).map_err(|failure| {
                let axes: Vec<String> = axes.iter().map(|a| format!("`{}`", a.name)).collect();
                let why = failure.message.trim_start_matches("error: ");
                wrong(format!("x is not one of the lists ({}), and {why}", axes.join(", ")))
            })?),
        };
        let y = metric(y).map_err(|failure| wrong(failure.message.replace("error: ", "")))?;
        let varies = |i: &usize| axes[*i].values.len() > 1 && x_axis != Some(*i);
        let others: Vec<usize> = (0..axes.len()).filter(varies).collect();
        let series = match (parts.get("series"), x_axis) {
            (Some(names), _) => names
                .split('+')
                .map(|name| axis(name.trim()).ok_or_else(|| wrong(format!("unknown list `{name}`"))))
                .collect::<Result<Vec<usize>, Failure>>()?,
            (None, Some(_)) => others.clone(),
            (None, None) => Vec::new(),
        };
        if let (Some(_), Some(missing)) = (x_axis, others.iter().find(|i| !series.contains(i))) {
            let name = &axes[*missing].name;
            let hint = "several points of a line would have the same x; add it to the series: series=…+…";
            return Err(wrong(format!("`{name}` varies but is not x or series; {hint}")));
        }
        let lines = series.iter().map(|i| axes[*i].values.len()).try_fold(1usize, usize::checked_mul);
        if lines.is_none_or(|lines| lines > MOST_LINES) {
            return Err(wrong(format!("the plot would have more than {MOST_LINES} lines")));
        }
        let series = series.into_iter().map(|i| axes[i].clone()).collect();
        Ok(Self { x: along, y, series, lines: BTreeMap::new(), failed: 0 })
    }

    /// Returns the plots of these metrics over the last part with several values. Other parts are
    /// the series.
    pub fn usual(axes: &[Arc<Axis>], metrics: &[&str]) -> Vec<Self> {
        let Some(x) = axes.iter().rev().find(|axis| axis.values.len() > 1) else { return Vec::new() };
        metrics.iter().filter_map(|y| Self::new(&format!("x={},y={y}", x.name), axes).ok()).collect()
    }

    /// Adds a point; failed points are counted. Variants of a point, and points without a value on
    /// the x axis, are no part of the plot.
    pub fn take(&mut self, point: &Point, outcome: &Outcome) {
        let x = match &self.x {
            Along::Axis(axis, numbers) => {
                let Some(place) = axis.place(point) else { return };
                numbers.as_ref().map_or(place as f64, |numbers| numbers[place])
            }
            Along::Metric(metric) => outcome.number(*metric),
        };
        if point.variant != Variant::Base {
            return;
        }
        let y = outcome.number(self.y);
        let line = self
            .series
            .iter()
            .fold(0, |line, axis| line * axis.values.len() as u64 + axis.place(point).unwrap_or(0) as u64);
        if outcome.ending.is_good() && x.is_finite() && y.is_finite() {
            self.lines.entry(line).or_default().push((x, y));
        } else {
            self.failed += 1;
        }
    }

    /// Returns the picture.
    pub fn scene(&self) -> Scene {
        let line = |(number, points): (&u64, &Vec<(f64, f64)>)| {
            let mut points = points.clone();
            points.sort_by(|a, b| a.0.total_cmp(&b.0));
            Line { number: *number as usize, name: self.name(*number), points }
        };
        let (x_label, y_label) = self.labels();
        let notes = match self.failed {
            0 => Vec::new(),
            1 => vec!["1 point failed and is left out".to_owned()],
            n => vec![format!("{n} points failed and are left out")],
        };
        let names = match &self.x {
            Along::Axis(axis, None) => axis.values.clone(),
            Along::Axis(_, Some(_)) | Along::Metric(_) => Vec::new(),
        };
        let title = format!("{y_label} over {x_label}");
        Lines { title, x_label, y_label, names, lines: self.lines.iter().map(line).collect(), notes }.scene()
    }

    /// Returns the name of a line: the values that it has in common.
    fn name(&self, line: u64) -> String {
        let mut rest = line;
        let mut names: Vec<String> = Vec::new();
        for axis in self.series.iter().rev() {
            let count = axis.values.len() as u64;
            names.push(format!("{}={}", axis.name, axis.values[(rest % count) as usize]));
            rest /= count;
        }
        names.reverse();
        names.join(", ")
    }

    /// Returns the titles of the axes: quantities with their units.
    fn labels(&self) -> (String, String) {
        let x = match &self.x {
            Along::Axis(axis, _) => axis.label(),
            Along::Metric(metric) => with_unit(&metrics::ALL[*metric]),
        };
        (x, with_unit(&metrics::ALL[self.y]))
    }
}

#[cfg(test)]
mod tests;
