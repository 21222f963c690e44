//! Documents as JSON; the report's is told in `docs/REPORT.md`.

use crate::output::visible;
use crate::workload::Outcome;
use serde::Serialize;
use sim_core::host::timeline::Timeline;
use sim_core::stats::Report;
use sim_core::stats::report::SCHEMA;

#[derive(Serialize)]
struct Document<'a> {
    schema: u32,
    check: CheckPart<'a>,
    runs: &'a [Report],
    timeline: &'a Timeline,
}

#[derive(Serialize)]
struct CheckPart<'a> {
    passed: Option<bool>,
    lines: &'a [String],
}

/// The whole document, with a newline at its end.
pub fn document(outcome: &Outcome, timeline: &Timeline) -> String {
    let document = Document {
        schema: SCHEMA,
        check: CheckPart { passed: outcome.check.passed, lines: &outcome.check.lines },
        runs: &outcome.reports,
        timeline,
    };
    pretty(&document)
}

/// Any document, with a newline at its end.
pub fn pretty(document: &impl Serialize) -> String {
    let text = serde_json::to_string_pretty(document).expect("string keys and finite trees only") + "\n";
    // The characters that JSON itself does not escape.
    visible(&text).into_owned()
}
