//! One run of a sweep or an experiment: its chip, its launch, and its result, also after a failure.
//!
//! A [`Setup`] describes a run, a [`Ready`] run has its chip and its launch, `digest` identifies
//! it, `resources` lists what can be made ideal.
//!
//! Verdicts of rows are documented in `docs/SWEEP.md`.

mod digest;
mod resources;

pub use digest::{SOURCES, of_text};
pub use resources::{Resource, resources};

use crate::chip::not_simulated;
use crate::exit::{Code, Failure, code_of};
use crate::launch_file;
use crate::provenance::without_effect;
use crate::render::verdict::short;
use crate::watch::{Watch, interrupt};
use crate::workload::{Prepared, watchdog_cycles};
use isa::diag::Diagnostic;
use kernels::Settings;
use sim_core::config::Chip;
use sim_core::config::base::Texts;
use sim_core::config::source::Complaints;
use sim_core::host::{
    BarrierRule, CachePreference, Gpu, MemoryRule, Mode, RunOptions, Sampling, WarmupCache,
};
use sim_core::stats::Report;
use sim_core::stats::report::Verdict;
use sim_core::stats::stuck::Doing;

/// Verdicts of rows: of points with metrics of whole launches, then in the order of their exit
/// codes.
pub const VERDICTS: [&str; 10] = [
    "finished",
    "estimated",
    "wrong_result",
    "bad_chip",
    "bad_input",
    "refused",
    "trapped",
    "scheduler",
    "hung",
    "limit",
];

/// Exit codes of [`VERDICTS`].
pub const CODES: [Code; VERDICTS.len()] = [
    Code::Fine,
    Code::Fine,
    Code::WrongResult,
    Code::BadInput,
    Code::BadInput,
    Code::Trap,
    Code::Trap,
    Code::Trap,
    Code::HangOrLimit,
    Code::HangOrLimit,
];

/// Number of verdicts at the start of [`VERDICTS`] that are no failures.
pub const SUCCESSES: usize = 2;

/// Description of a run.
pub struct Setup<'a> {
    /// The kernel.
    pub prepared: &'a Prepared<'a>,
    /// Texts of the chip.
    pub texts: &'a Texts,
    /// Overrides of the chip.
    pub sets: Vec<(String, String)>,
    /// Changed values of the launch file.
    pub edits: Vec<(String, String)>,
    /// Problem size of a built-in kernel.
    pub size: Option<u64>,
    /// Registers per thread.
    pub registers: Option<u32>,
    /// Seed of all random contents and policies; `None` keeps the seeds of the files.
    pub seed: Option<u64>,
    /// Resources that are ideal.
    pub ideal: Vec<&'a Resource>,
    /// Results of warm-ups, which runs that differ only in their timing share.
    pub warmups: WarmupCache,
    /// Options that all runs share.
    pub common: Common,
}

/// Options that all runs of a command share.
#[derive(Clone, Copy, Debug)]
pub struct Common {
    /// Rule for the lanes of a warp at a barrier, instead of that of the launch file.
    pub barriers: Option<BarrierRule>,
    /// Rule for accesses outside of allocations, instead of that of the launch file.
    pub memory_rule: Option<MemoryRule>,
    /// Division of an SM's memory.
    pub cache: Option<CachePreference>,
    /// Limit of a launch in cycles, if given.
    pub max_cycles: Option<u64>,
    /// Whether launches are sampled.
    pub sample: bool,
    /// Number of first blocks of each launch that run on the functional machine.
    pub warmup: u64,
    /// Whether the result has the digest of device memory.
    pub memory: bool,
}

/// Reason why a point has no result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failed {
    /// Verdict, one of [`VERDICTS`].
    pub verdict: &'static str,
    /// Exit code.
    pub code: Code,
    /// Message on one line.
    pub message: String,
}

impl Failed {
    /// A point with invalid values.
    pub fn bad_input(message: impl Into<String>) -> Self {
        Self { verdict: "bad_input", code: Code::BadInput, message: message.into() }
    }
}

/// A run whose values are valid.
pub struct Ready<'a> {
    setup: Setup<'a>,
    chip: Chip,
    settings: Settings,
    /// Changed text of the launch file.
    launch: Option<String>,
}

/// Result of a run whose launches ran to their end.
pub struct Finished {
    /// Verdict: `finished`, `estimated` or `wrong_result`.
    pub verdict: &'static str,
    /// Exit code.
    pub code: Code,
    /// Wrong results, or the overrides without an effect.
    pub message: String,
    /// Reports of the launches.
    pub reports: Vec<Report>,
    /// Digest of device memory after the run, if requested; empty for an estimated launch, which
    /// has only the results of the first blocks.
    pub memory: String,
}

impl<'a> Setup<'a> {
    /// Makes the chip and the launch.
    pub fn ready(mut self) -> Result<Ready<'a>, Failed> {
        let bad_chip = |message| Failed { verdict: "bad_chip", code: Code::BadInput, message };
        let make = |sets: &[(String, String)]| {
            Chip::from_texts(self.texts, sets)
                .map_err(|complaints| bad_chip(one_line(&in_words(&complaints))))
        };
        let (mut chip, _) = make(&self.sets)?;
        if let Some(seed) = self.seed {
            let policy = |path: &str| {
                if path == "sm.scheduler" { path.to_owned() } else { format!("{path}.replacement") }
            };
            let seeds: Vec<String> = chip.seeds().map(|(path, _)| policy(path)).collect();
            if !seeds.is_empty() {
                let set = |path: String| (path, format!("random(seed: {seed})"));
                let all: Vec<_> = self.sets.iter().cloned().chain(seeds.into_iter().map(set)).collect();
                (chip, _) = make(&all)?;
            }
        }
        if !chip.simulated {
            return Err(bad_chip(one_line(&not_simulated(&chip))));
        }
        for resource in &self.ideal {
            if let Some(ideal) = resource.idealized(&chip) {
                chip = ideal;
            }
        }
        let launch = self.launch()?;
        // Points run in parallel, so each has one thread.
        let max_cycles = self.common.max_cycles.unwrap_or_else(|| watchdog_cycles(&chip));
        let settings = Settings {
            size: self.size,
            mode: Mode::Timed,
            registers: self.registers,
            barriers: self.common.barriers,
            memory: self.common.memory_rule,
            cache: self.common.cache,
            options: RunOptions { threads: 1, max_cycles, ..RunOptions::default() },
        };
        Ok(Ready { setup: self, chip, settings, launch })
    }

    /// Returns the changed text of the launch file; `None` for a built-in kernel.
    fn launch(&mut self) -> Result<Option<String>, Failed> {
        let Some(text) = self.prepared.launch_text() else { return Ok(None) };
        let mut edits = self.edits.clone();
        if let Some(seed) = self.seed {
            let of_seed = |path| (path, seed.to_string());
            edits.splice(0..0, launch_file::random_seeds(text).into_iter().map(of_seed));
        }
        launch_file::edit(text, &edits).map(Some).map_err(Failed::bad_input)
    }
}

impl Ready<'_> {
    /// Runs the kernel; `None` if a signal stops the run.
    pub fn run(&self, watch: &Watch) -> Option<Result<Finished, Failed>> {
        if interrupt::asked() {
            return None;
        }
        let result = self.try_run(watch);
        let code = result.as_ref().map_or_else(|failed| failed.code, |finished| finished.code);
        (code < Code::HungUp).then_some(result)
    }

    fn try_run(&self, watch: &Watch) -> Result<Finished, Failed> {
        let Setup { prepared, texts, sets, common, .. } = &self.setup;
        let mut gpu = Gpu::new(self.chip.clone());
        watch.follow(&mut gpu);
        gpu.sample(common.sample.then(Sampling::default));
        gpu.warm_up(common.warmup, Some(self.setup.warmups.clone()));
        let outcome = prepared.run_launch(self.launch.as_deref(), &mut gpu, self.settings);
        let outcome = outcome.map_err(|failure| refused(&failure))?;
        if let Some(report) = outcome.reports.iter().find(|report| !report.verdict.is_whole()) {
            return Err(unfinished(report));
        }
        let estimated = outcome.reports.iter().any(|report| !report.verdict.is_finished());
        let (verdict, code, message) = if outcome.check.passed == Some(false) {
            ("wrong_result", Code::WrongResult, one_line(&outcome.check.lines.join("; ")))
        } else {
            let notes = without_effect(sets, texts, gpu.chip(), &outcome.reports).join("; ");
            (if estimated { "estimated" } else { "finished" }, Code::Fine, notes)
        };
        let digest = common.memory && !estimated;
        let memory = if digest { digest::of_memory(&gpu) } else { String::new() };
        Ok(Finished { verdict, code, message, reports: outcome.reports, memory })
    }
}

/// Returns the errors of a chip without their source lines.
fn in_words(complaints: &Complaints) -> String {
    let errors = complaints.diagnostics.iter().filter(|d| d.is_error());
    let words = |d: &Diagnostic| {
        let label = d.labels.first().map_or("", |(_, label)| label.as_str());
        let gap = if label.is_empty() { "" } else { ": " };
        let words = format!("{} {}{gap}{label}", d.code, d.message);
        d.helps.iter().fold(words, |words, help| words + "; " + help)
    };
    errors.map(words).collect::<Vec<_>>().join("; ")
}

fn refused(failure: &Failure) -> Failed {
    let verdict = if failure.code == Code::Trap { "refused" } else { "bad_input" };
    let message = failure.message.strip_prefix("error: ").unwrap_or(&failure.message);
    let message = message.split_once("\nhelp: ").map_or(message, |(message, _)| message);
    Failed { verdict, code: failure.code, message: one_line(message) }
}

fn unfinished(report: &Report) -> Failed {
    let verdict = match &report.verdict {
        Verdict::Finished => "finished",
        Verdict::Estimated => "estimated",
        Verdict::Trapped { .. } => "trapped",
        Verdict::Scheduler { .. } => "scheduler",
        Verdict::Hung { .. } => "hung",
        Verdict::Limit { .. } | Verdict::TimeLimit { .. } => "limit",
        Verdict::Interrupted { .. } => "interrupted",
    };
    let stuck = first_stuck(report).map_or_else(String::new, |stuck| format!("; {stuck}"));
    let message = one_line(&format!("{}{stuck}", short(report)));
    Failed { verdict, code: code_of(&report.verdict), message }
}

/// Returns the first stuck warp of a launch that did not end.
fn first_stuck(report: &Report) -> Option<String> {
    let live: Vec<_> =
        report.verdict.stuck()?.warps.iter().filter(|warp| warp.doing != Doing::Exited).collect();
    let first = live.first()?;
    let more = match live.len() - 1 {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let line = report.launch.files.place(first.line);
    Some(format!("block {}, warp {} at line {line}{more}", first.block, first.warp))
}

/// Joins the words of a text with single blanks.
fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
