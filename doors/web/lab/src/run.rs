//! A run with the reports of `warpsim run`.

use crate::pictures::Pictures;
use crate::request::{NamedBytes, Ready, Request};
use ::request::Prepared;
use ::request::program::{Around, Program};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use embedded::library::{Recorded, VirtualFolder};
use report::exit::{Code, Failure};
use report::json;
use report::outcome::RunResult;
use report::provenance::without_effect;
use report::render::ending::{Ending, ending};
use report::render::output::printed;
use report::render::short::WIDTH;
use report::render::{Details, findings, short, text};
use report::text::visible;
use serde::Serialize;
use sim_core::host::{Gpu, LaunchSettings, Monitor};
use std::sync::PoisonError;

/// Result of a run.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Ran {
    /// The exit code that `warpsim run` has for this run.
    pub code: u8,
    /// Whether the results are right; absent if nothing compared them with expected results, as
    /// after a program with its host code.
    pub passed: Option<bool>,
    /// The text that `warpsim run` prints: the short report, or the findings of the checkers.
    pub text: String,
    /// The full report (`--details`); empty if checkers were on.
    pub details: String,
    /// The JSON document (`--json`); empty if the run did not start.
    pub json: String,
    /// The messages on standard error.
    pub messages: Vec<String>,
    /// Pictures of the shown launch.
    pub pictures: Pictures,
    /// Files that a program has written.
    pub files: Vec<NamedBytes>,
}

/// Progress of a launch.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Progress<'a> {
    /// Name of the kernel.
    pub kernel: &'a str,
    /// Number of the launch, from 1.
    pub launch: u32,
    /// Blocks that have ended.
    pub retired: u64,
    /// Blocks to simulate.
    pub blocks: u64,
    /// Shader cycle.
    pub cycle: u64,
    /// Executed warp instructions.
    pub instructions: u64,
}

impl From<Failure> for Ran {
    fn from(failure: Failure) -> Self {
        let messages = vec![visible(&failure.message).into_owned()];
        Self {
            code: failure.code as u8,
            passed: None,
            text: String::new(),
            details: String::new(),
            json: String::new(),
            messages,
            pictures: Pictures::default(),
            files: Vec::new(),
        }
    }
}

/// Runs a kernel. `monitor` receives the progress.
pub fn run(request: &Request, monitor: Option<Monitor>) -> Ran {
    let attempt = request.ready().and_then(|ready| attempt(ready, monitor));
    attempt.unwrap_or_else(Ran::from)
}

fn attempt(ready: Ready, monitor: Option<Monitor>) -> Result<Ran, Failure> {
    let Ready { prepared, chip, texts, mut provenance, settings, checks, warnings } = ready;
    let mut gpu = Gpu::new(chip);
    gpu.check(checks);
    gpu.monitor(monitor);
    let (outcome, output) = match &prepared {
        Prepared::Program(program) => {
            let (outcome, output) = of_program(program, &mut gpu, settings.launches);
            (outcome, Some(output))
        }
        Prepared::Builtin(..) | Prepared::Kernel(_) => (prepared.run(&mut gpu, settings)?, None),
    };
    provenance.without_effect = without_effect(&provenance.sets(), &texts, gpu.chip(), &outcome.reports);
    let timeline = gpu.timeline();
    let plain = checks.is_empty();
    let (code, page, messages, files) = if let Some(Output { text, code, messages, files }) = output {
        (code as u8, text, messages, files)
    } else {
        let page = if plain {
            short::render(&outcome, timeline, &provenance, WIDTH)
        } else {
            findings::render(&outcome, checks)
        };
        let Ending { code, messages } = ending(&outcome, Code::of);
        (code as u8, printed(&outcome.reports) + &page, messages, Vec::new())
    };
    // A program knows itself whether its results are right.
    let passed = outcome.check.passed.filter(|_| !matches!(prepared, Prepared::Program(_)));
    // A program may end without a launch.
    let launched = !outcome.reports.is_empty();
    let details =
        if plain && launched { text::render(&outcome, timeline, Details::Most, None) } else { String::new() };
    let messages = warnings.into_iter().chain(messages).map(|text| visible(&text).into_owned());
    Ok(Ran {
        code,
        passed,
        text: visible(&page).into_owned(),
        details: visible(&details).into_owned(),
        json: if launched { json::document(&provenance, &outcome, timeline, None) } else { String::new() },
        messages: messages.collect(),
        pictures: if launched { Pictures::of(&outcome.reports) } else { Pictures::default() },
        files,
    })
}

/// Output of a program, and its report.
struct Output {
    text: String,
    /// The exit code of the program.
    code: i32,
    /// Messages about the program.
    messages: Vec<String>,
    /// The files that it has written.
    files: Vec<NamedBytes>,
}

/// Runs a program with `gpu` as its device.
fn of_program(program: &Program, gpu: &mut Gpu, settings: LaunchSettings) -> (RunResult, Output) {
    let input = program.with.input.lock().unwrap_or_else(PoisonError::into_inner).clone();
    let streams = Recorded::new(&String::from_utf8_lossy(&input));
    let folder = program.with.folder.as_ref().map(VirtualFolder::copy).unwrap_or_default();
    let around =
        Around { streams: Box::new(streams.clone()), folder: Box::new(folder.clone()), control: None };
    let result = RunResult::from(program.start(gpu, settings, around));
    let printed = streams.take();
    let mut text = String::from_utf8_lossy(&printed.both).into_owned();
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
    text += &result.program_text(WIDTH, None).unwrap_or_default();
    let files = folder.written().into_iter();
    let files = files.map(|(name, bytes)| NamedBytes { name, base64: STANDARD.encode(&bytes) });
    let ran = result.program.as_deref();
    let code = ran.map_or(0, |ran| ran.code.into());
    let messages = ran.map_or_else(Vec::new, |ran| ran.messages.clone());
    let output = Output { text, code, messages, files: files.collect() };
    (result, output)
}
