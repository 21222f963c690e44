//! Reads reports: the parts of the document of `warpsim run --json` that a comparison needs.

use super::outcome::outcomes;
use crate::exit::Failure;
use crate::provenance::Provenance;
use isa::terms::Terms;
use serde::Deserialize;
use serde_json::Value as Json;
use sim_core::stats::report::SCHEMA;
use sim_core::stats::{ByState, SlotBreakdown};
use std::ops::RangeInclusive;

/// Versions of reports that are read. Version 4 differs from version 5 only in the findings of
/// checkers, which no timed report has; until version 5 some fields had other names.
const READ: RangeInclusive<u64> = 4..=SCHEMA as u64;

/// The first version whose fields have the names of today.
const NAMED: u64 = 6;

/// Fields of a launch that were renamed: the object, the old name, and the name of today.
const RENAMED: [(&str, &str, &str); 3] = [
    ("/timing/dram", "utilisation", "utilization"),
    ("/timing/mapped", "read_utilisation", "read_utilization"),
    ("/timing/mapped", "write_utilisation", "write_utilization"),
];

/// A report, typed where the comparison computes with it and as JSON for metrics and input.
#[derive(Debug)]
pub struct ReadReport {
    /// Origin of the numbers.
    pub provenance: Provenance,
    /// Whether the results were right, if they were checked.
    pub passed: Option<bool>,
    /// Launches in the order of their calls.
    pub launches: Vec<Launch>,
    /// The launches as JSON.
    pub runs: Vec<Json>,
}

/// A launch and its time.
#[derive(Clone, Debug)]
pub struct Launch {
    /// Name of the kernel.
    pub kernel: String,
    /// The words of its language.
    pub terms: &'static Terms,
    /// Whether the numbers are an estimate (`--sample`).
    pub estimated: bool,
    /// Warp instructions.
    pub instructions: u64,
    /// Time, issue slots and lines.
    pub timing: Timing,
}

/// The time of a launch and the numbers that divide it.
#[derive(Clone, Debug, Deserialize)]
pub struct Timing {
    /// Shader cycles.
    pub cycles: u64,
    /// The time in microseconds.
    pub microseconds: f64,
    /// Issue slots.
    pub slots: Slots,
    /// Executed source lines.
    pub lines: Vec<Line>,
    /// Counters of each SM.
    pub sms: Vec<Sm>,
}

/// Issue cycles and slots of an SM.
#[derive(Clone, Copy, Debug, Deserialize)]
pub struct Sm {
    /// Blocks that ran on it.
    pub blocks: u64,
}

/// The issue slot breakdown.
#[derive(Clone, Copy, Debug, Deserialize)]
pub struct Slots {
    /// All slots.
    pub total: u64,
    /// Slots by outcome.
    #[serde(flatten)]
    pub outcomes: SlotBreakdown,
}

/// An executed source line.
#[derive(Clone, Debug, Deserialize)]
pub struct Line {
    /// Line number.
    pub line: u32,
    /// Text.
    pub source: String,
    /// Warp instructions.
    pub executed: u64,
    /// Issue slots used: issued, held and replayed.
    pub slots: u64,
    /// Replays among these.
    pub replays: u64,
    /// Issue cycles of warps at the line, by state.
    pub states: ByState,
}

#[derive(Deserialize)]
struct Document {
    provenance: Provenance,
    check: Check,
    runs: Vec<Run>,
}

#[derive(Deserialize)]
struct Check {
    passed: Option<bool>,
}

#[derive(Deserialize)]
struct Run {
    launch: Named,
    verdict: Ending,
    instructions: Executed,
    timing: Option<Timing>,
}

#[derive(Deserialize)]
struct Named {
    kernel: String,
    #[serde(default)]
    file: String,
}

#[derive(Deserialize)]
struct Ending {
    kind: String,
}

#[derive(Deserialize)]
struct Executed {
    warp: u64,
}

/// Gives the fields of an old report the names of today.
fn rename(json: &mut Json) {
    for run in json.get_mut("runs").and_then(Json::as_array_mut).into_iter().flatten() {
        for (object, old, new) in RENAMED {
            if let Some(Json::Object(fields)) = run.pointer_mut(object)
                && let Some(value) = fields.remove(old)
            {
                fields.insert(new.to_owned(), value);
            }
        }
    }
}

impl ReadReport {
    /// Parses the text of a report. `name` is the file, for messages.
    pub fn parse(name: &str, text: &str) -> Result<Self, Failure> {
        let advice = format!("`warpsim run KERNEL --json {name}` writes a report");
        let wrong = |why: String| Failure::input(format!("error: {name}: {why}"));
        let mut json: Json = serde_json::from_str(text)
            .map_err(|why| wrong(format!("not a JSON document: {why}; {advice}")))?;
        match json["schema"].as_u64() {
            Some(schema) if READ.contains(&schema) => {
                if schema < NAMED {
                    rename(&mut json);
                }
            }
            Some(schema) => {
                let whose = if schema < *READ.start() { "an older" } else { "a newer" };
                return Err(wrong(format!(
                    "a report of {whose} version: its schema is {schema}, this program reads schemas {} to {}; \
                     run the kernel again: {advice}",
                    READ.start(),
                    READ.end(),
                )));
            }
            None => return Err(wrong(format!("not a report of a run: it has no `schema`; {advice}"))),
        }
        let document = Document::deserialize(&json)
            .map_err(|why| wrong(format!("not a report of schema {SCHEMA}: {why}; {advice}")))?;
        if document.runs.is_empty() {
            return Err(wrong(format!("the report has no launch; {advice}")));
        }
        let numbered = document.runs.into_iter().zip(1..);
        let launches =
            numbered.map(|(run, number)| run.launch(number).map_err(wrong)).collect::<Result<_, _>>()?;
        let runs = json["runs"].as_array().cloned().unwrap_or_default();
        Ok(Self { provenance: document.provenance, passed: document.check.passed, launches, runs })
    }

    /// Returns the time of all launches in microseconds.
    pub fn microseconds(&self) -> f64 {
        self.launches.iter().map(|launch| launch.timing.microseconds).sum()
    }

    /// Returns the shader cycles of all launches.
    pub fn cycles(&self) -> u64 {
        self.launches.iter().fold(0, |sum, launch| sum.saturating_add(launch.timing.cycles))
    }

    /// Returns the warp instructions of all launches.
    pub fn instructions(&self) -> u64 {
        self.launches.iter().fold(0, |sum, launch| sum.saturating_add(launch.instructions))
    }

    /// Returns the shader clock in kHz, if it is the same for all launches.
    pub fn clock_khz(&self) -> Option<u64> {
        let khz = |launch: &Launch| {
            let Timing { cycles, microseconds, .. } = launch.timing;
            (microseconds > 0.0).then(|| (cycles as f64 / microseconds * 1e3).round() as u64)
        };
        let first = khz(self.launches.first()?)?;
        self.launches.iter().all(|launch| khz(launch) == Some(first)).then_some(first)
    }

    /// Returns the number of SMs that ran blocks and the number of all SMs, if these are the same
    /// for all launches.
    pub fn busy_sms(&self) -> Option<(usize, usize)> {
        let busy = |launch: &Launch| {
            let sms = &launch.timing.sms;
            (sms.iter().filter(|sm| sm.blocks > 0).count(), sms.len())
        };
        let first = busy(self.launches.first()?);
        self.launches.iter().all(|launch| busy(launch) == first).then_some(first)
    }

    /// Whether all kernels are in OpenCL C.
    pub fn is_opencl(&self) -> bool {
        self.launches.iter().all(|launch| launch.terms.is_opencl())
    }

    /// Whether one of the launches is an estimate.
    pub fn estimated(&self) -> bool {
        self.launches.iter().any(|launch| launch.estimated)
    }

    /// Iterates over the kernel names, in the order of the launches.
    pub fn kernels(&self) -> impl Iterator<Item = &str> {
        self.launches.iter().map(|launch| launch.kernel.as_str())
    }
}

impl Run {
    /// Returns the launch, if it ran to its end on the timed machine.
    fn launch(self, number: usize) -> Result<Launch, String> {
        let kernel = self.launch.kernel;
        let which = format!("launch {number} (`{kernel}`)");
        let estimated = self.verdict.kind == "estimated";
        if !estimated && self.verdict.kind != "finished" {
            let kind = self.verdict.kind;
            return Err(format!(
                "{which} did not run to its end (verdict `{kind}`), so its time cannot be compared; correct the \
                 kernel or raise --max-cycles, and run it again"
            ));
        }
        let Some(timing) = self.timing else {
            return Err(format!(
                "{which} ran on the functional machine, which has no time; run it again without --functional and \
                 --check"
            ));
        };
        let time = timing.microseconds;
        if timing.cycles == 0 || time.is_nan() || time <= 0.0 || time.is_infinite() {
            return Err(format!("{which} has no time: {} cycles, {time} us", timing.cycles));
        }
        let sum: u128 = outcomes(&timing.slots.outcomes).map(|(_, n)| u128::from(n)).sum();
        // Each counter of an estimate is extrapolated separately.
        if !estimated && sum != u128::from(timing.slots.total) {
            let total = timing.slots.total;
            return Err(format!(
                "{which}: the issue slots by outcome sum to {sum}, but the total is {total}"
            ));
        }
        let terms = Terms::of_names(std::iter::once(&*self.launch.file));
        Ok(Launch { kernel, terms, estimated, instructions: self.instructions.warp, timing })
    }
}
