//! Runs of a picture: a kernel on a chip, and how the run ended.

use super::files::Targets;
use crate::args::{ChipArgs, DrawnRunArgs, WhichLaunch};
use crate::exit::{Code, Failure};
use crate::output::{Files, complain};
use crate::render::ending::{Ending, ending};
use crate::render::number::{count, plural};
use crate::render::verdict::short;
use crate::watch::{Watch, code_of};
use crate::workload::which::no_launch;
use crate::workload::{self, Opened, RunResult};
use figures::scene::Scene;
use isa::terms::Terms;
use kernels::HostRun;
use report::mangled::plain;
use report::outcome::{Check, shown};
use request::{Prepared, Source};
use sim_core::config::Chip;
use sim_core::host::timeline::Timeline;
use sim_core::host::{Gpu, Mode};
use sim_core::stats::Report;
use sim_core::stats::report::{LaunchReport, Verdict};
use std::fmt::Write as _;

/// A run that has ended.
pub struct Ended<'a> {
    /// Name of the kernel for titles.
    pub kernel: String,
    /// Chip on which the kernel runs.
    pub chip: Chip,
    /// Name of the chip for titles, with its overrides.
    pub chip_name: String,
    /// Reports and check.
    pub outcome: RunResult,
    /// Number of the launch that was observed, from 1.
    pub launch: u32,
    /// Copies and kernels with their times.
    pub timeline: Timeline,
    targets: Targets<'a>,
}

/// Runs the kernel of `args`. `before` changes the GPU before the run, for example to observe the
/// launch with a number, from 1, which `which` selects.
///
/// # Errors
///
/// The kernel, the chip or a file of the picture is invalid, or the launch is refused.
pub fn run<'a>(
    args: &'a DrawnRunArgs,
    which: Option<&WhichLaunch>,
    before: impl FnOnce(&mut Gpu, u32) -> Result<(), Failure>,
) -> Result<Ended<'a>, Failure> {
    let mut files = Files::new();
    let how = (Mode::Timed, args.threads);
    let Opened { source, prepared, settings, chip, .. } =
        Opened::new(&args.workload, &args.chip, how, &mut files)?;
    let chip_name = named(&chip, &args.chip);
    let targets = Targets::open(&args.files, &mut files)?;
    let launch = which.map_or(Ok(1), |which| which.before(&prepared, &chip, settings))?;
    let mut gpu = Gpu::new(chip);
    before(&mut gpu, launch)?;
    let watch = Watch::of(&args.progress);
    watch.follow(&mut gpu);
    let outcome = workload::run(&prepared, &mut gpu, settings, &mut files);
    watch.clear();
    let outcome = outcome?;
    let kernel = kernel_name(&source, &prepared);
    let timeline = gpu.timeline().clone();
    Ok(Ended { kernel, chip: gpu.chip().clone(), chip_name, outcome, launch, timeline, targets })
}

/// Returns the name of a program for titles: of a built-in kernel its name on the command line.
pub fn kernel_name(source: &Source, prepared: &Prepared) -> String {
    match source {
        Source::Builtin(workload) => workload.name.to_owned(),
        Source::Program(workload) => workload.kernel.clone(),
        Source::Kernel { launch, .. } => {
            let entries = &prepared.module().entries;
            let file = || {
                let name = prepared.ptx().first().map_or(launch.as_path(), |path| path.as_path()).file_name();
                name.map_or_else(String::new, |name| name.to_string_lossy().into_owned())
            };
            if let [only] = entries.as_slice() { plain(&only.name).to_owned() } else { file() }
        }
    }
}

/// Returns the name of a chip for titles, with its overrides: `GeForce 8800 GTX (g80)`.
pub fn named(chip: &Chip, args: &ChipArgs) -> String {
    let sets: Vec<String> = args.sets.iter().map(|set| format!(", {}", set.trim())).collect();
    format!("{} ({}){}", chip.board, chip.name, sets.concat())
}

/// Returns the number of an existing launch, from 0: the chosen one, or the one that reports show.
///
/// # Errors
///
/// The host program has fewer launches.
pub fn chosen(reports: &[Report], which: &WhichLaunch) -> Result<usize, Failure> {
    which.of(reports)?.or_else(|| shown(reports)).ok_or_else(|| no_launch(1, 0))
}

/// Returns the reports of a run of a built-in kernel that is one of several in a picture.
///
/// # Errors
///
/// A launch did not finish, or the result is wrong.
pub fn verified(name: &str, run: HostRun) -> Result<Vec<Report>, Failure> {
    whole(name, &run.reports)?;
    if run.check.passed() {
        return Ok(run.reports);
    }
    Err(Failure { code: Code::WrongResult, message: format!("error: {name}: {}", run.summary) })
}

/// Checks that all launches have finished.
///
/// # Errors
///
/// A launch did not finish.
pub fn whole(name: &str, reports: &[Report]) -> Result<(), Failure> {
    let Some(report) = reports.iter().find(|report| !report.verdict.is_whole()) else { return Ok(()) };
    Err(Failure { code: code_of(&report.verdict), message: format!("error: {name}: {}", short(report)) })
}

/// Returns the line below a title: the launch and its time.
pub fn launch_line(reports: &[Report], number: usize) -> String {
    let report = &reports[number];
    let launch = &report.launch;
    let mut text = blocks(launch);
    let thread = Terms::of(&launch.files).thread;
    let _ = write!(text, ", {} per {thread}", plural(launch.registers.into(), "register"));
    if let Some(timing) = &report.timing {
        let _ = write!(text, ", {} shader cycles", count(timing.cycles));
    }
    if reports.len() > 1 {
        text = format!("launch {} of {}: {text}", number + 1, reports.len());
    }
    if !report.verdict.is_whole() {
        text += " (did not finish)";
    }
    text
}

/// Returns a launch in words: `256 blocks of (16,16,1) threads`.
pub fn blocks(launch: &LaunchReport) -> String {
    let Terms { thread, block, .. } = Terms::of(&launch.files);
    format!("{} of {} {thread}s", plural(launch.grid.count(), block), launch.block)
}

impl Ended<'_> {
    /// Prints how the run ended, writes the picture, and returns the exit code. A launch that
    /// stopped at cycle `stop` because the picture ends there counts as finished.
    pub fn finish(self, scene: Result<Scene, Failure>, stop: Option<u64>) -> Code {
        let Self { mut outcome, targets, .. } = self;
        let asked = |report: &Report| match report.verdict {
            Verdict::Limit { limit, .. } => Some(limit) == stop,
            Verdict::Finished
            | Verdict::Estimated
            | Verdict::Trapped { .. }
            | Verdict::Scheduler { .. }
            | Verdict::Hung { .. }
            | Verdict::TimeLimit { .. }
            | Verdict::Interrupted { .. } => false,
        };
        let launches = outcome.reports.len();
        outcome.reports.retain(|report| !asked(report));
        if outcome.reports.len() < launches && outcome.program.is_some() {
            // The program has not got the results of the launch.
            outcome.check = Check::default();
        }
        let Ending { mut code, messages } = ending(&outcome, code_of);
        for message in &messages {
            complain(message);
        }
        let written = scene.and_then(|scene| targets.write(&scene));
        for failure in outcome.failures.into_iter().chain(written.err()) {
            complain(&failure.message);
            code = code.max(failure.code);
        }
        code
    }
}
