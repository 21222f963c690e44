//! JSON documents; `docs/REPORT.md` describes the report.

use crate::outcome::RunResult;
use crate::program::Program;
use crate::provenance::Provenance;
use crate::text::visible;
use crate::why::Why;
use serde::Serialize;
use sim_core::host::timeline::Timeline;
use sim_core::stats::Report;
use sim_core::stats::report::SCHEMA;

#[derive(Serialize)]
struct Document<'a, R> {
    schema: u32,
    provenance: &'a Provenance,
    check: CheckPart<'a>,
    runs: &'a [R],
    #[serde(skip_serializing_if = "Option::is_none")]
    timeline: Option<&'a Timeline>,
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<&'a Why>,
    #[serde(skip_serializing_if = "Option::is_none")]
    program: Option<&'a Program>,
}

#[derive(Serialize)]
struct CheckPart<'a> {
    passed: Option<bool>,
    lines: Vec<&'a str>,
}

/// Returns the whole document with a newline at the end.
pub fn document(
    provenance: &Provenance,
    outcome: &RunResult,
    timeline: &Timeline,
    why: Option<&Why>,
) -> String {
    let document = Document::<Report> {
        schema: SCHEMA,
        provenance,
        check: CheckPart { passed: outcome.check.passed, lines: outcome.check.texts().collect() },
        runs: &outcome.reports,
        timeline: Some(timeline),
        why,
        program: outcome.program.as_deref().map(|ran| &ran.record),
    };
    pretty(&document)
}

/// Returns the document of a program that ran in a separate process: the same fields, without the
/// timeline of the chip.
pub fn native(provenance: &Provenance, mut program: Program, passed: bool) -> String {
    let runs: Vec<serde_json::Value> =
        program.launches.iter_mut().filter_map(|launch| launch.report.take()).collect();
    let check = CheckPart { passed: Some(passed), lines: Vec::new() };
    let (timeline, why, program) = (None, None, Some(&program));
    pretty(&Document { schema: SCHEMA, provenance, check, runs: &runs, timeline, why, program })
}

/// Returns any document as JSON with a newline at the end.
pub fn pretty(document: &impl Serialize) -> String {
    let text = serde_json::to_string_pretty(document).expect("string keys and finite trees only") + "\n";
    // Escapes control characters that JSON itself does not escape.
    visible(&text).into_owned()
}
