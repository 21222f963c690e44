//! A run with the reports of `warpsim run`.

use crate::request::{Ready, Request};
use report::exit::{Code, Failure};
use report::provenance::without_effect;
use report::render::short::WIDTH;
use report::render::{Details, findings, races, short, text, verdict};
use report::text::visible;
use report::{json, outcome};
use serde::Serialize;
use sim_core::check::{Check, Checks};
use sim_core::host::{Gpu, Monitor};

/// Result of a run.
#[derive(Debug, Serialize)]
pub struct Ran {
    /// The exit code that `warpsim run` has for this run.
    pub code: u8,
    /// The text that `warpsim run` prints: the short report, or the findings of the checkers.
    pub text: String,
    /// The full report (`--details`); empty if checkers were on.
    pub details: String,
    /// The JSON document (`--json`); empty if the run did not start.
    pub json: String,
    /// The messages on standard error.
    pub messages: Vec<String>,
}

impl From<Failure> for Ran {
    fn from(failure: Failure) -> Self {
        let messages = vec![visible(&failure.message).into_owned()];
        Self {
            code: failure.code as u8,
            text: String::new(),
            details: String::new(),
            json: String::new(),
            messages,
        }
    }
}

/// Runs a kernel. `monitor` receives the progress.
pub fn run(request: &Request, monitor: Option<Monitor>) -> Ran {
    let attempt = request.ready().and_then(|ready| attempt(ready, monitor));
    attempt.unwrap_or_else(Ran::from)
}

fn attempt(ready: Ready, monitor: Option<Monitor>) -> Result<Ran, Failure> {
    let Ready { program, chip, texts, mut provenance, settings, checks, warnings } = ready;
    let mut gpu = Gpu::new(chip);
    gpu.check(checks);
    gpu.monitor(monitor);
    let outcome = program.run(&mut gpu, settings)?;
    provenance.without_effect = without_effect(&provenance.sets(), &texts, gpu.chip(), &outcome.reports);
    let timeline = gpu.timeline();
    let plain = checks.is_empty();
    let page = if checks == Checks::NONE.and(Check::Race) {
        races::render(&outcome)
    } else if !plain {
        findings::render(&outcome, checks)
    } else {
        short::render(&outcome, timeline, &provenance, WIDTH)
    };
    let details = if plain { text::render(&outcome, timeline, Details::Most) } else { String::new() };
    let (code, messages) = ending(&outcome);
    let messages = warnings.into_iter().chain(messages).map(|text| visible(&text).into_owned());
    Ok(Ran {
        code: code as u8,
        text: visible(&page).into_owned(),
        details: visible(&details).into_owned(),
        json: json::document(&provenance, &outcome, timeline, None),
        messages: messages.collect(),
    })
}

/// Returns the exit code and the messages of a run, in the order of `warpsim run`.
fn ending(outcome: &outcome::RunResult) -> (Code, Vec<String>) {
    let (mut code, mut messages) = (Code::Fine, Vec::new());
    for report in &outcome.reports {
        code = code.max(Code::of(&report.verdict));
        messages.extend(verdict::message(report));
    }
    let races = races::complaint(&outcome.reports).map(str::to_owned);
    for message in races.into_iter().chain(findings::complaint(&outcome.reports)) {
        messages.push(message);
        code = code.max(Code::WrongResult);
    }
    if outcome.check.passed == Some(false) {
        messages.extend(outcome.check.lines.iter().map(|line| format!("error: {line}")));
        code = code.max(Code::WrongResult);
    }
    (code, messages)
}
