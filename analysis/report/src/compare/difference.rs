//! The comparison of two runs: differences of time by outcome, line and launch, of the input and of
//! metrics.

use super::account::{Account, ByOutcome};
use super::cause::{self, Cause};
use super::input::{self, Input};
use super::moved::{self, Moved};
use super::outcome::{Parts, SlotOutcome, Times};
use super::report::ReadReport;
use crate::render::text::squeeze;
use isa::terms::Terms;
use std::collections::{BTreeMap, BTreeSet};

/// One of the two runs.
#[derive(Debug)]
pub struct Side {
    /// Report file, or arguments of the run.
    pub name: String,
    /// Report of the run.
    pub report: ReadReport,
}

/// The runs that have a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Of {
    /// A line of the program that both run.
    Both,
    /// A line of A's program.
    A,
    /// A line of B's program.
    B,
}

/// A source line in the comparison.
#[derive(Clone, Debug)]
pub struct LineRow {
    /// Program of the line.
    pub of: Of,
    /// Line number.
    pub line: u32,
    /// Text.
    pub source: String,
    /// Time of the line.
    pub times: Times,
    /// Time by outcome, largest difference first.
    pub parts: Parts,
}

/// All results of a comparison.
#[derive(Debug)]
pub struct Comparison {
    /// The first run.
    pub a: Side,
    /// The second run.
    pub b: Side,
    /// Time of all launches.
    pub times: Times,
    /// Shader clock in kHz, if it is the same in both runs.
    pub clock_khz: Option<u64>,
    /// Differences of the input.
    pub input: Vec<Input>,
    /// Time by outcome, largest difference first.
    pub outcomes: Parts,
    /// Whether both runs have the same program. Then their lines are compared with each other.
    pub same_program: bool,
    /// Time by line, largest difference first.
    pub lines: Vec<LineRow>,
    /// Time by outcome that belongs to no line.
    pub no_line: Parts,
    /// Time by launch and kernel, if both runs launch the same kernels in the same order.
    pub launches: Option<Vec<(String, Times)>>,
    /// Metrics that differ, the largest factor first.
    pub metrics: Vec<Moved>,
    /// The metric that explains the largest part of the difference.
    pub cause: Option<Cause>,
}

impl Comparison {
    /// The words of the kernels; if they differ, the words of CUDA.
    pub fn terms(&self) -> &'static Terms {
        let is_opencl = self.a.report.is_opencl() && self.b.report.is_opencl();
        if is_opencl { &Terms::OPENCL } else { &Terms::CUDA }
    }

    /// Compares two runs.
    pub fn of(a: Side, b: Side) -> Self {
        let (of_a, of_b) = (Account::of(&a.report.launches), Account::of(&b.report.launches));
        let clocks = (a.report.clock_khz(), b.report.clock_khz());
        let same_program = same_program(&a.report, &b.report);
        let times = Times { a: a.report.microseconds(), b: b.report.microseconds() };
        let outcomes = parts(&of_a.outcomes, &of_b.outcomes);
        let metrics = moved::metrics(&a.report, &b.report);
        Self {
            times,
            clock_khz: clocks.0.filter(|_| clocks.0 == clocks.1),
            input: input::differences(&a.report, &b.report),
            same_program,
            lines: lines(&of_a, &of_b, same_program),
            no_line: parts(&of_a.no_line, &of_b.no_line),
            launches: launches(&a.report, &b.report),
            cause: cause::of(times, &outcomes, &metrics),
            outcomes,
            metrics,
            a,
            b,
        }
    }

    /// Returns a time in shader cycles, if both runs have the same clock.
    pub fn cycles(&self, microseconds: f64) -> Option<f64> {
        self.clock_khz.map(|khz| microseconds * khz as f64 / 1e3)
    }

    /// Returns the time of B divided by the time of A.
    pub fn ratio(&self) -> f64 {
        self.times.b / self.times.a
    }

    /// Returns the line with most of the time of an outcome: of the difference if lines are
    /// compared with each other, otherwise of the run with more of that time.
    pub fn main_line(&self, outcome: SlotOutcome) -> Option<&LineRow> {
        let whole = self.outcomes.iter().find(|(of, _)| *of == outcome)?.1.difference();
        let part = |row: &LineRow| {
            let difference =
                row.parts.iter().find(|(of, _)| *of == outcome).map_or(0.0, |part| part.1.difference());
            // With different programs only the lines of the slower run count; their difference has
            // the sign of the whole.
            match row.of {
                Of::Both => difference * whole.signum(),
                Of::A => -difference * f64::from(whole < 0.0),
                Of::B => difference * f64::from(whole > 0.0),
            }
        };
        let best = self.lines.iter().max_by(|x, y| part(x).total_cmp(&part(y)))?;
        (part(best) > 0.0).then_some(best)
    }
}

/// Whether both runs execute the same PTX text, which is the first of the input hashes.
fn same_program(a: &ReadReport, b: &ReadReport) -> bool {
    let text = |report: &ReadReport| report.provenance.input_sha256.first().cloned();
    text(a).is_some() && text(a) == text(b)
}

/// Returns the times of both runs by outcome, largest difference first.
fn parts(a: &ByOutcome, b: &ByOutcome) -> Parts {
    let all: BTreeSet<SlotOutcome> = a.keys().chain(b.keys()).copied().collect();
    let time = |of: &ByOutcome, outcome| of.get(&outcome).copied().unwrap_or_default();
    let mut parts: Parts = all
        .into_iter()
        .map(|outcome| (outcome, Times { a: time(a, outcome), b: time(b, outcome) }))
        .collect();
    parts.sort_by(|(_, x), (_, y)| y.difference().abs().total_cmp(&x.difference().abs()));
    parts
}

fn sum(of: &ByOutcome) -> f64 {
    of.values().sum()
}

fn lines(a: &Account, b: &Account, same_program: bool) -> Vec<LineRow> {
    let none = ByOutcome::default();
    let row = |of: Of, line: u32, source: &str, a: &ByOutcome, b: &ByOutcome| LineRow {
        of,
        line,
        source: squeeze(source),
        times: Times { a: sum(a), b: sum(b) },
        parts: parts(a, b),
    };
    let mut rows: Vec<LineRow> = Vec::new();
    if same_program {
        let sources = a.lines.iter().chain(&b.lines).map(|(line, time)| (*line, time.source.as_str()));
        for (line, source) in sources.collect::<BTreeMap<_, _>>() {
            let of = |account: &Account| {
                account.lines.get(&line).map_or_else(|| none.clone(), |l| l.outcomes.clone())
            };
            rows.push(row(Of::Both, line, source, &of(a), &of(b)));
        }
    } else {
        rows.extend(
            a.lines.iter().map(|(line, time)| row(Of::A, *line, &time.source, &time.outcomes, &none)),
        );
        rows.extend(
            b.lines.iter().map(|(line, time)| row(Of::B, *line, &time.source, &none, &time.outcomes)),
        );
    }
    rows.sort_by(|x, y| y.times.difference().abs().total_cmp(&x.times.difference().abs()));
    rows
}

fn launches(a: &ReadReport, b: &ReadReport) -> Option<Vec<(String, Times)>> {
    if !a.kernels().eq(b.kernels()) {
        return None;
    }
    let pairs = a.launches.iter().zip(&b.launches);
    let times = |(a, b): (&super::report::Launch, &super::report::Launch)| {
        (a.kernel.clone(), Times { a: a.timing.microseconds, b: b.timing.microseconds })
    };
    Some(pairs.map(times).collect())
}
