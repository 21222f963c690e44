//! One run of a sweep or an experiment: its chip, its launch, and its result, also after a failure.
//!
//! A [`Setup`] describes a run, a [`Ready`] run has its chip and its launch, `digest` identifies
//! it.

mod digest;

use crate::digest::of_memory;
use crate::host::Host;
use crate::outcome::{Ending, Failed, Outcome, one_line};
use crate::programs::{Architecture, Programs};
use crate::resources::Resource;
use isa::diag::Diagnostic;
use kernels::Settings;
use report::exit::{Code, Failure, not_simulated};
use report::launch_file::{self, watchdog_cycles};
use report::metrics::{self, Reports};
use report::provenance::without_effect;
use report::render::verdict::short;
use request::Prepared;
use sim_core::config::Chip;
use sim_core::config::base::Texts;
use sim_core::config::source::Complaints;
use sim_core::host::{
    BarrierRule, CachePreference, Gpu, LaunchSettings, MemoryRule, Mode, RunOptions, Sampling, WarmupCache,
};
use sim_core::stats::Report;
use sim_core::stats::report::Verdict;
use sim_core::stats::stuck::Doing;
use std::borrow::Cow;
use std::time::Instant;

/// Description of a run.
pub struct Setup<'a> {
    /// The compiled kernels.
    pub programs: &'a Programs,
    /// Number of the kernel.
    pub kernel: usize,
    /// Texts of the chip.
    pub texts: &'a Texts,
    /// Overrides of the chip.
    pub sets: Vec<(String, String)>,
    /// Changed values of the launch file.
    pub edits: Vec<(String, String)>,
    /// Changed arguments of a program: number, from 1, and word.
    pub arguments: Vec<(usize, String)>,
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
#[derive(Clone, Copy, Debug, Default)]
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

/// A run whose values are valid.
pub struct Ready<'a> {
    setup: Setup<'a>,
    /// The kernel for the chip.
    program: &'a Prepared,
    /// Digest of its module.
    module: &'a str,
    chip: Chip,
    settings: Settings,
    /// Changed text of the launch file.
    launch: Option<String>,
}

impl<'a> Setup<'a> {
    /// Makes the chip and the launch.
    ///
    /// # Errors
    ///
    /// If the values are no chip, or no launch, that can be simulated.
    pub fn ready(self) -> Result<Ready<'a>, Failed> {
        let bad_chip = |message| Failed { ending: Ending::BadChip, message };
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
        let architecture = Architecture { capability: chip.capability, features: chip.features };
        let (program, module) = self.programs.of(self.kernel, architecture)?;
        let launch = self.launch(program)?;
        // Points run in parallel, so each has one thread.
        let max_cycles = self.common.max_cycles.unwrap_or_else(|| watchdog_cycles(&chip));
        let settings = Settings {
            size: self.size,
            launches: LaunchSettings {
                mode: Mode::Timed,
                registers: self.registers,
                barriers: self.common.barriers,
                memory: self.common.memory_rule,
                cache: self.common.cache,
                options: RunOptions { threads: 1, max_cycles, ..RunOptions::default() },
            },
        };
        Ok(Ready { setup: self, program, module, chip, settings, launch })
    }

    /// Returns the changed text of the launch file; `None` for a built-in kernel.
    fn launch(&self, program: &Prepared) -> Result<Option<String>, Failed> {
        let Some(text) = program.launch_text() else { return Ok(None) };
        let mut edits = self.edits.clone();
        if let Some(seed) = self.seed {
            let of_seed = |path| (path, seed.to_string());
            edits.splice(0..0, launch_file::random_seeds(text).into_iter().map(of_seed));
        }
        launch_file::edit(text, &edits).map(Some).map_err(Failed::bad_input)
    }
}

/// Runs the point that `setup` describes, also if it has no description; `None` if a signal stops
/// the run.
pub fn run(setup: Result<Setup<'_>, Failed>, host: &dyn Host) -> Option<Outcome> {
    let start = Instant::now();
    let result = match setup.and_then(Setup::ready) {
        Ok(_) if host.interrupted() => return None,
        Ok(ready) => ready.run(host)?,
        Err(failed) => Err(failed),
    };
    let seconds = start.elapsed().as_secs_f64();
    Some(match result {
        Ok(outcome) => Outcome { host_seconds: seconds, ..outcome },
        Err(failed) => failed.outcome(seconds),
    })
}

impl Ready<'_> {
    /// The kernel, with the arguments of this run.
    fn program(&self) -> Cow<'_, Prepared> {
        match self.setup.arguments.as_slice() {
            [] => Cow::Borrowed(self.program),
            changed => Cow::Owned(self.program.with_arguments(changed)),
        }
    }

    /// Runs the kernel; `None` if a signal stops the run.
    fn run(&self, host: &dyn Host) -> Option<Result<Outcome, Failed>> {
        let Setup { texts, sets, common, .. } = &self.setup;
        let mut gpu = Gpu::new(self.chip.clone());
        host.monitor(&mut gpu);
        gpu.sample(common.sample.then(Sampling::default));
        gpu.warm_up(common.warmup, Some(self.setup.warmups.clone()));
        let run = match self.program().run_launch(self.launch.as_deref(), &mut gpu, self.settings) {
            Ok(run) => run,
            Err(failure) => return Some(Err(refused(&failure))),
        };
        if let Some(report) = run.reports.iter().find(|report| !report.verdict.is_whole()) {
            return unfinished(report).map(Err);
        }
        // A signal can end host code between two launches.
        if run.program.as_ref().is_some_and(|ran| ran.is_interrupted) {
            return None;
        }
        if let Some(why) = run.lost().filter(|_| run.check.passed != Some(false)) {
            return Some(Err(Failed { ending: Ending::Refused, message: one_line(&why) }));
        }
        let estimated = run.reports.iter().any(|report| !report.verdict.is_finished());
        let (ending, message) = if run.check.passed == Some(false) {
            (Ending::WrongResult, one_line(&run.check.texts().collect::<Vec<_>>().join("; ")))
        } else {
            let notes = without_effect(sets, texts, gpu.chip(), &run.reports).join("; ");
            (if estimated { Ending::Estimated } else { Ending::Finished }, notes)
        };
        // An estimated launch has only the results of the first blocks.
        let digest = common.memory && !estimated;
        let memory = if digest { of_memory(&gpu) } else { String::new() };
        let reports = Reports::new(&run.reports);
        let metrics = metrics::ALL.iter().map(|metric| reports.value(metric)).collect();
        Some(Ok(Outcome { ending, message, memory, metrics, host_seconds: 0.0 }))
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
    let ending = if failure.code == Code::Trap { Ending::Refused } else { Ending::BadInput };
    let message = failure.message.strip_prefix("error: ").unwrap_or(&failure.message);
    let message = message.split_once("\nhelp: ").map_or(message, |(message, _)| message);
    Failed { ending, message: one_line(message) }
}

/// Returns the failure of a launch that did not run to its end; `None` if a signal stopped it.
fn unfinished(report: &Report) -> Option<Failed> {
    let ending = match &report.verdict {
        Verdict::Finished => Ending::Finished,
        Verdict::Estimated => Ending::Estimated,
        Verdict::Trapped { .. } => Ending::Trapped,
        Verdict::Scheduler { .. } => Ending::Scheduler,
        Verdict::Hung { .. } => Ending::Hung,
        Verdict::Limit { .. } | Verdict::TimeLimit { .. } => Ending::Limit,
        Verdict::Interrupted { .. } => return None,
    };
    let stuck = first_stuck(report).map_or_else(String::new, |stuck| format!("; {stuck}"));
    Some(Failed { ending, message: one_line(&format!("{}{stuck}", short(report))) })
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
