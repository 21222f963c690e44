//! The rows as CSV, and as JSON with chips and summaries.

use super::boards::{Board, Boards};
use super::summary::Summaries;
use super::{MeasurementResult, State};
use crate::json;
use serde::Serialize;

/// Version of the JSON document.
const SCHEMA: u32 = 2;

/// A row of the output.
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

fn record<'a>(result: &'a MeasurementResult, boards: &'a Boards) -> Record<'a> {
    let row = result.row;
    let measured = matches!(result.state, State::Shown(_));
    Record {
        id: &row.id,
        chip: row.chip,
        config: boards.get(row.chip).map_or("", |board| &board.config),
        board: &row.board,
        kernel: &row.kernel,
        metric: &row.metric,
        unit: row.unit.name(),
        published: row.value,
        simulated: result.value(),
        error_percent: result.error(),
        target_percent: row.family.target(),
        state: result.word(),
        instead: if measured { result.remark() } else { "" },
        message: if measured { "" } else { result.remark() },
        source: &row.source,
        confidence: row.confidence.name(),
    }
}

/// Returns the CSV text: a line of names, then a line for each row.
pub fn csv(boards: &Boards, results: &[MeasurementResult]) -> String {
    let mut writer = csv::Writer::from_writer(Vec::new());
    for result in results {
        writer.serialize(record(result, boards)).expect("flat records, written to memory");
    }
    let bytes = writer.into_inner().expect("writing to memory cannot fail");
    String::from_utf8(bytes).expect("the CSV text is UTF-8")
}

/// Returns the JSON document: chips, rows and summaries.
pub fn json(boards: &Boards, results: &[MeasurementResult], summaries: Option<&Summaries>) -> String {
    let rows = results.iter().map(|result| record(result, boards)).collect();
    json::pretty(&Document {
        schema: SCHEMA,
        chips: boards.used(results.iter().map(|result| result.row.chip)),
        rows,
        summaries,
    })
}
