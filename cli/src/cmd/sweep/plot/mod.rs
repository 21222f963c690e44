//! Plots of a sweep: the arguments of `--plot`, and the values collected while the rows are
//! produced.

pub mod draw;

use super::bench::Row;
use super::space::{Changes, Space};
use crate::args::SweepArgs;
use crate::exit::Failure;
use crate::metrics::{self, Metric};
use crate::point::{SUCCESSES, VERDICTS};
use sim_core::config::schema;
use std::collections::BTreeMap;

/// Maximum number of lines; more cannot be distinguished.
const MOST_LINES: usize = 24;

/// Quantity of the x axis.
#[derive(Clone, Copy, Debug)]
enum Along {
    /// The list with this number.
    Axis(usize),
    /// A metric.
    Metric(&'static Metric),
}

/// A plot and the points collected so far.
#[derive(Debug)]
pub struct Plot {
    x: Along,
    y: &'static Metric,
    /// Numbers of the lists whose values have separate lines.
    series: Vec<usize>,
    /// Columns of the x and y metrics in a row.
    columns: (Option<usize>, usize),
    /// Points of each line, by the index of its values among all combinations of `series`.
    lines: BTreeMap<u64, Vec<(f64, f64)>>,
    failed: u64,
}

/// Returns the plots of the arguments.
pub fn plots(args: &SweepArgs, space: &Space) -> Result<Vec<Plot>, Failure> {
    if args.plot.len() != args.svg.len() {
        let (plots, files) = (args.plot.len(), args.svg.len());
        return Err(Failure::input(format!(
            "error: the numbers of --plot ({plots}) and --svg ({files}) differ\nhelp: give one --svg FILE for each --plot"
        )));
    }
    args.plot.iter().map(|text| Plot::new(text, space)).collect()
}

impl Plot {
    /// Parses `x=…,y=…,series=…`.
    pub fn new(text: &str, space: &Space) -> Result<Self, Failure> {
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
        let axis = |name: &str| space.axes.iter().position(|axis| axis.is_called(name));
        let x = match axis(x) {
            Some(axis) => Along::Axis(axis),
            None => Along::Metric(metrics::find(x).map_err(|failure| {
                let axes: Vec<String> = space.axes.iter().map(|a| format!("`{}`", a.name)).collect();
                let why = failure.message.trim_start_matches("error: ");
                wrong(format!("x is not one of the lists ({}), and {why}", axes.join(", ")))
            })?),
        };
        let y = metrics::find(y).map_err(|failure| wrong(failure.message.replace("error: ", "")))?;
        let varies = |i: usize| space.axes[i].values.len() > 1 && !matches!(x, Along::Axis(a) if a == i);
        let others: Vec<usize> = (0..space.axes.len()).filter(|i| varies(*i)).collect();
        let series = match (parts.get("series"), x) {
            (Some(names), _) => names
                .split('+')
                .map(|name| axis(name.trim()).ok_or_else(|| wrong(format!("unknown list `{name}`"))))
                .collect::<Result<Vec<usize>, Failure>>()?,
            (None, Along::Axis(_)) => others.clone(),
            (None, Along::Metric(_)) => Vec::new(),
        };
        if let (Along::Axis(_), Some(missing)) = (x, others.iter().find(|i| !series.contains(i))) {
            let name = &space.axes[*missing].name;
            let hint = "several points of a line would have the same x; add it to the series: series=…+…";
            return Err(wrong(format!("`{name}` varies but is not x or series; {hint}")));
        }
        let lines = series.iter().map(|i| space.axes[*i].values.len()).try_fold(1usize, usize::checked_mul);
        if lines.is_none_or(|lines| lines > MOST_LINES) {
            return Err(wrong(format!("the plot would have more than {MOST_LINES} lines")));
        }
        Ok(Self { x, y, series, columns: (None, 0), lines: BTreeMap::new(), failed: 0 })
    }

    /// Finds the columns of its metrics among the measured ones, or adds them.
    pub fn find_columns(&mut self, measured: &mut Vec<&'static Metric>) {
        let mut place = |metric: &'static Metric| {
            measured.iter().position(|m| m.name == metric.name).unwrap_or_else(|| {
                measured.push(metric);
                measured.len() - 1
            })
        };
        self.columns.1 = place(self.y);
        if let Along::Metric(metric) = self.x {
            self.columns.0 = Some(place(metric));
        }
    }

    /// Adds the point of a row; failed points are counted.
    pub fn take(&mut self, space: &Space, index: u64, row: &Row) {
        let metric = |column: usize| row.metrics.get(column)?.as_ref()?.as_f64();
        let places = space.places(index);
        let x = match (self.x, self.columns.0) {
            (Along::Axis(axis), _) => Some(position(space, axis, places[axis])),
            (Along::Metric(_), column) => column.and_then(metric),
        };
        let line = self
            .series
            .iter()
            .fold(0, |line, axis| line * space.axes[*axis].values.len() as u64 + places[*axis] as u64);
        match (x, metric(self.columns.1)) {
            (Some(x), Some(y)) if VERDICTS[..SUCCESSES].contains(&row.verdict) => {
                self.lines.entry(line).or_default().push((x, y));
            }
            _ => self.failed += 1,
        }
    }

    /// Returns the plot as SVG.
    pub fn draw(&self, space: &Space) -> Result<String, Failure> {
        let lines = self.lines(space);
        let number = self.lines.keys().map(|number| *number as usize);
        let line = |(number, (name, points))| draw::Line { number, name, points, joined: true };
        let lines: Vec<draw::Line> = number.zip(lines).map(line).collect();
        let categories = self.categories(space);
        let note = self.note();
        let (x_label, y_label) = self.labels(space);
        let picture = draw::Picture { x_label, y_label, categories, lines, note };
        picture.svg().map_err(|why| Failure::input(format!("error: cannot draw the plot: {why}")))
    }

    /// Returns the lines: their names and their points by x.
    pub fn lines(&self, space: &Space) -> Vec<(String, Vec<(f64, f64)>)> {
        let name = |line: u64| {
            let mut rest = line;
            let mut names: Vec<String> = Vec::new();
            for axis in self.series.iter().rev().map(|axis| &space.axes[*axis]) {
                let count = axis.values.len() as u64;
                names.push(format!("{}={}", axis.name, axis.values[(rest % count) as usize]));
                rest /= count;
            }
            names.reverse();
            names.join(", ")
        };
        let line = |(number, points): (&u64, &Vec<(f64, f64)>)| {
            let mut points = points.clone();
            points.sort_by(|a, b| a.0.total_cmp(&b.0));
            (name(*number), points)
        };
        self.lines.iter().map(line).collect()
    }

    /// Returns the names of the places on the x axis, if they are not numbers.
    pub fn categories<'s>(&self, space: &'s Space) -> Option<&'s [String]> {
        match self.x {
            Along::Axis(axis) if !is_numeric(space, axis) => Some(space.axes[axis].values.as_slice()),
            Along::Axis(_) | Along::Metric(_) => None,
        }
    }

    /// Returns the titles of the axes: quantities with their units.
    pub fn labels(&self, space: &Space) -> (String, String) {
        let x = match self.x {
            Along::Axis(axis) => axis_label(space, axis),
            Along::Metric(metric) => with_unit(metric.name, metric.unit),
        };
        (x, with_unit(self.y.name, self.y.unit))
    }

    /// Returns the number of points without a value in words; empty without such points.
    pub fn note(&self) -> String {
        match self.failed {
            0 => String::new(),
            1 => "1 point failed and is left out".to_owned(),
            n => format!("{n} points failed and are left out"),
        }
    }
}

/// Whether all values of a list are numbers.
fn is_numeric(space: &Space, axis: usize) -> bool {
    space.axes[axis].values.iter().all(|v| v.parse::<f64>().is_ok_and(f64::is_finite))
}

/// Returns the x position of a value: the number, or its index in the list.
fn position(space: &Space, axis: usize, place: usize) -> f64 {
    match space.axes[axis].values[place].parse() {
        Ok(number) if is_numeric(space, axis) => number,
        _ => place as f64,
    }
}

fn axis_label(space: &Space, axis: usize) -> String {
    let axis = &space.axes[axis];
    let unit = match axis.changes {
        Changes::Registers => "per thread".to_owned(),
        Changes::Grid => "blocks".to_owned(),
        Changes::Block => "threads".to_owned(),
        Changes::Set => schema::unit_of(&axis.name).unwrap_or_default().to_owned(),
        Changes::Kernel | Changes::Chip | Changes::Size => String::new(),
    };
    with_unit(&axis.name, &unit)
}

fn with_unit(name: &str, unit: &str) -> String {
    if unit.is_empty() { name.to_owned() } else { format!("{name} ({unit})") }
}

#[cfg(test)]
mod tests;
