//! The comparison as a JSON document.

use super::difference::{Comparison, Of, Side};
use super::outcome::{SlotOutcome, Times};
use crate::json::pretty;
use crate::provenance::Provenance;
use serde::Serialize;

/// Version of the document. It increases when a field is removed or changes its meaning.
const SCHEMA: u32 = 1;

#[derive(Serialize)]
struct Document<'a> {
    schema: u32,
    answer: [String; 2],
    a: SidePart<'a>,
    b: SidePart<'a>,
    /// Time of B divided by the time of A.
    ratio: f64,
    difference_us: f64,
    difference_cycles: Option<i128>,
    input: Vec<InputPart<'a>>,
    outcomes: Vec<OutcomePart>,
    same_program: bool,
    lines: Vec<LinePart<'a>>,
    no_line: Vec<OutcomePart>,
    launches: Option<Vec<LaunchPart<'a>>>,
    metrics: Vec<MetricPart>,
}

#[derive(Serialize)]
struct SidePart<'a> {
    name: &'a str,
    provenance: &'a Provenance,
    passed: Option<bool>,
    estimated: bool,
    launches: usize,
    microseconds: f64,
    cycles: u64,
    instructions: u64,
}

#[derive(Serialize)]
struct InputPart<'a> {
    field: &'a str,
    a: Option<&'a str>,
    b: Option<&'a str>,
}

#[derive(Serialize)]
struct TimePart {
    a_us: f64,
    b_us: f64,
    difference_us: f64,
}

#[derive(Serialize)]
struct OutcomePart {
    outcome: String,
    label: String,
    #[serde(flatten)]
    times: TimePart,
}

#[derive(Serialize)]
struct LinePart<'a> {
    of: &'static str,
    line: u32,
    source: &'a str,
    #[serde(flatten)]
    times: TimePart,
    outcomes: Vec<OutcomePart>,
}

#[derive(Serialize)]
struct LaunchPart<'a> {
    kernel: &'a str,
    #[serde(flatten)]
    times: TimePart,
}

#[derive(Serialize)]
struct MetricPart {
    name: &'static str,
    unit: &'static str,
    a: f64,
    b: f64,
    change: f64,
    follows_from_time: bool,
}

impl From<Times> for TimePart {
    fn from(times: Times) -> Self {
        Self { a_us: times.a, b_us: times.b, difference_us: times.difference() }
    }
}

fn side(side: &Side) -> SidePart<'_> {
    let report = &side.report;
    SidePart {
        name: &side.name,
        provenance: &report.provenance,
        passed: report.passed,
        estimated: report.estimated(),
        launches: report.launches.len(),
        microseconds: report.microseconds(),
        cycles: report.cycles(),
        instructions: report.instructions(),
    }
}

fn outcomes(parts: &[(SlotOutcome, Times)]) -> Vec<OutcomePart> {
    let part = |(outcome, times): &(SlotOutcome, Times)| OutcomePart {
        outcome: outcome.path(),
        label: outcome.label(),
        times: (*times).into(),
    };
    parts.iter().map(part).collect()
}

/// Returns the document.
pub fn json(comparison: &Comparison) -> String {
    let (a, b) = (side(&comparison.a), side(&comparison.b));
    let input = comparison.input.iter().map(|input| InputPart {
        field: &input.field,
        a: input.a.as_deref(),
        b: input.b.as_deref(),
    });
    let lines = comparison.lines.iter().map(|row| LinePart {
        of: match row.of {
            Of::Both => "both",
            Of::A => "a",
            Of::B => "b",
        },
        line: row.line,
        source: &row.source,
        times: row.times.into(),
        outcomes: outcomes(&row.parts),
    });
    let launches = comparison.launches.as_ref();
    let metrics = comparison.metrics.iter().map(|moved| MetricPart {
        name: moved.metric.name,
        unit: moved.metric.unit,
        a: moved.a,
        b: moved.b,
        change: moved.change(),
        follows_from_time: moved.with_time(),
    });
    let cycles = i128::from(b.cycles) - i128::from(a.cycles);
    pretty(&Document {
        schema: SCHEMA,
        answer: comparison.answer(),
        ratio: comparison.ratio(),
        difference_us: comparison.times.difference(),
        difference_cycles: comparison.clock_khz.map(|_| cycles),
        input: input.collect(),
        outcomes: outcomes(&comparison.outcomes),
        same_program: comparison.same_program,
        lines: lines.collect(),
        no_line: outcomes(&comparison.no_line),
        launches: launches.map(|all| {
            all.iter().map(|(kernel, times)| LaunchPart { kernel, times: (*times).into() }).collect()
        }),
        metrics: metrics.collect(),
        a,
        b,
    })
}
