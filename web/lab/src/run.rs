//! A run with the reports of `warpsim run`.

use crate::cuda_c;
use crate::pictures::Pictures;
use crate::request::{Program, Ready, Request};
use kernels::Settings;
use report::exit::{Code, Failure};
use report::json;
use report::provenance::{Provenance, without_effect};
use report::render::ending::{Ending, ending};
use report::render::output::printed;
use report::render::short::WIDTH;
use report::render::{Details, findings, short, text};
use report::text::visible;
use serde::Serialize;
use sim_core::check::Checks;
use sim_core::host::{Gpu, Monitor};

/// Result of a run.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
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
    /// The pictures.
    pub pictures: Pictures,
}

/// Progress of a launch.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Progress<'a> {
    /// Kernel.
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
            text: String::new(),
            details: String::new(),
            json: String::new(),
            messages,
            pictures: Pictures::default(),
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
    if let Program::Host(program) = &program {
        return Ok(of_program(program, &mut gpu, settings, (checks, &provenance)));
    }
    let outcome = program.run(&mut gpu, settings)?;
    provenance.without_effect = without_effect(&provenance.sets(), &texts, gpu.chip(), &outcome.reports);
    let timeline = gpu.timeline();
    let plain = checks.is_empty();
    let page = if plain {
        short::render(&outcome, timeline, &provenance, WIDTH)
    } else {
        findings::render(&outcome, checks)
    };
    let details = if plain { text::render(&outcome, timeline, Details::Most) } else { String::new() };
    let Ending { code, messages } = ending(&outcome, Code::of);
    let messages = warnings.into_iter().chain(messages).map(|text| visible(&text).into_owned());
    Ok(Ran {
        code: code as u8,
        text: visible(&(printed(&outcome.reports) + &page)).into_owned(),
        details: visible(&details).into_owned(),
        json: json::document(&provenance, &outcome, timeline, None),
        messages: messages.collect(),
        pictures: Pictures::of(&outcome.reports),
    })
}

/// Runs a program with its host code: its output, and then its report.
fn of_program(
    program: &cuda_c::Program,
    gpu: &mut Gpu,
    settings: Settings,
    (checks, provenance): (Checks, &Provenance),
) -> Ran {
    let (outcome, output) = program.run(gpu, settings.mode, checks, settings.options.max_cycles);
    let has_launches = !outcome.reports.is_empty();
    let timeline = gpu.timeline();
    let details = if has_launches && checks.is_empty() {
        text::render(&outcome, timeline, Details::Most)
    } else {
        String::new()
    };
    let messages = output.messages.iter().map(|text| visible(text).into_owned());
    Ran {
        code: output.code as u8,
        text: visible(&output.text).into_owned(),
        details: visible(&details).into_owned(),
        json: if has_launches { json::document(provenance, &outcome, timeline, None) } else { String::new() },
        messages: messages.collect(),
        pictures: if has_launches { Pictures::of(&outcome.reports) } else { Pictures::default() },
    }
}
