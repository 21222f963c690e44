//! The rows for programs: CSV, and JSON with chips and summaries.

use super::boards::{Board, Boards};
use super::summary::Summaries;
use super::{Outcome, State};
use crate::json;
use serde::Serialize;

/// The version of the JSON document.
const SCHEMA: u32 = 1;

/// A row as it is written.
#[derive(Serialize)]
struct Record<'a> {
    id: &'a str,
    chip: &'a str,
    config: &'a str,
    board: &'a str,
    kernel: &'a str,
    metric: &'a str,
    unit: &'a str,
    published: f64,
    simulated: Option<f64>,
    error_percent: Option<f64>,
    target_percent: f64,
    state: &'a str,
    instead: &'a str,
    message: &'a str,
    source: &'a str,
    confidence: &'a str,
}

#[derive(Serialize)]
struct Document<'a> {
    schema: u32,
    chips: Vec<&'a Board>,
    rows: Vec<Record<'a>>,
    summaries: Option<&'a Summaries>,
}

fn record<'a>(outcome: &'a Outcome, boards: &'a Boards) -> Record<'a> {
    let row = outcome.row;
    let measured = matches!(outcome.state, State::Measured(_));
    Record {
        id: &row.id,
        chip: row.chip,
        config: boards.get(row.chip).map_or("", |board| &board.config),
        board: &row.board,
        kernel: &row.kernel,
        metric: &row.metric,
        unit: row.unit.name(),
        published: row.value,
        simulated: outcome.value(),
        error_percent: outcome.error(),
        target_percent: row.family().target(),
        state: outcome.word(),
        instead: if measured { outcome.remark() } else { "" },
        message: if measured { "" } else { outcome.remark() },
        source: &row.source,
        confidence: row.confidence,
    }
}

/// A line of names, then a line for each row.
pub fn csv(boards: &Boards, outcomes: &[Outcome]) -> String {
    let mut writer = csv::Writer::from_writer(Vec::new());
    for outcome in outcomes {
        writer.serialize(record(outcome, boards)).expect("flat records, written to memory");
    }
    let bytes = writer.into_inner().expect("memory takes all");
    String::from_utf8(bytes).expect("made of texts")
}

/// Chips, rows and summaries.
pub fn json(boards: &Boards, outcomes: &[Outcome], summaries: Option<&Summaries>) -> String {
    let rows = outcomes.iter().map(|outcome| record(outcome, boards)).collect();
    json::pretty(&Document { schema: SCHEMA, chips: boards.used(outcomes), rows, summaries })
}
