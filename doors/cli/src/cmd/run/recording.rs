//! Data for the pictures of a page besides the report: a recording of the run, accesses from a
//! second run that ends early, and occupancy curves.
//!
//! Invariant `pages-change-nothing`: With `--html`, a run has the same report.

use crate::args::RunArgs;
use crate::cmd::occupancy::curves;
use crate::output::interrupt;
use crate::rules;
use crate::watch::Watch;
use crate::workload::RunResult;
use figures::occupancy::Curve;
use kernels::Settings;
use report::outcome;
use report::recorded::access::{Finder, Found};
use report::recorded::recorder::{Kept, Recorder, Recording, Scope};
use request::Prepared;
use sim_core::host::{Gpu, Mode};
use std::sync::PoisonError;

/// Largest number of changes of a timeline: about a megabyte of the page.
const MOST_CHANGES: usize = 60_000;

/// Data for the pictures.
pub struct Drawn {
    /// Place of the shown launch among the reports; `None` without a launch.
    pub launch: Option<usize>,
    /// Timeline and active lanes of the launch.
    pub recording: Option<Recording>,
    /// Accesses of the launch.
    pub accesses: Vec<Found>,
    /// Occupancy of the kernel.
    pub curves: Option<Vec<Curve>>,
    /// Why the run was not recorded; `None` if it was.
    pub unrecorded: Option<&'static str>,
}

/// Observes the launches of `gpu`. Returns `None` if observing would change the run.
pub fn start(args: &RunArgs, gpu: &mut Gpu) -> Option<Kept> {
    if why_not(args).is_some() {
        return None;
    }
    let scope = Scope { launch: None, sm: 0, cycles: 0..u64::MAX, changes: MOST_CHANGES, then_stop: false };
    let (recorder, kept) = Recorder::new(scope);
    gpu.observe(Some(Box::new(recorder)));
    Some(kept)
}

/// Returns the reason why a run is not observed; `None` if it is.
fn why_not(args: &RunArgs) -> Option<&'static str> {
    if args.sample {
        Some("A sampled run is not recorded.")
    } else if args.save_state.is_some() || args.load_state.is_some() {
        Some("A run that saves or loads a state is not recorded.")
    } else if args.functional || !args.checks().is_empty() {
        Some("The functional machine has no time.")
    } else {
        None
    }
}

/// A run that has ended.
#[derive(Clone, Copy)]
pub struct Ended<'a> {
    /// The program.
    pub prepared: &'a Prepared,
    /// The GPU on which it ran.
    pub gpu: &'a Gpu,
    /// The settings of its launches.
    pub settings: Settings,
    /// The result.
    pub outcome: &'a RunResult,
    /// Progress and interruption of the second run.
    pub watch: &'a Watch,
}

/// Collects the parts after a run.
pub fn finish(kept: Option<Kept>, args: &RunArgs, run: Ended<'_>) -> Drawn {
    let outcome = run.outcome;
    let launch = outcome::shown(&outcome.reports);
    let shown = launch.and_then(|place| outcome.reports.get(place));
    let recording = kept.and_then(|kept| kept.take());
    let is_steppable = run.settings.launches.mode == Mode::Timed && !interrupt::asked();
    let accesses = launch.filter(|_| is_steppable).map_or_else(Vec::new, |place| accesses(run, place));
    let cache = args.workload.cache.map(Into::into);
    let rules = rules::load(&args.chip, None, cache).ok();
    let curves = rules.zip(shown).map(|(rules, report)| curves::of_launch(report, &rules.set));
    let recording = recording.filter(|recording| Some(recording.launch) == launch);
    Drawn { launch, recording, accesses, curves, unrecorded: why_not(args) }
}

/// Runs the program again up to launch number `place`, from 0, and steps this launch.
fn accesses(run: Ended<'_>, place: usize) -> Vec<Found> {
    let (finder, found) = Finder::new(place as u32 + 1, || !interrupt::asked());
    let mut again = Gpu::new(run.gpu.chip().clone());
    run.watch.follow(&mut again);
    again.debug(Some(Box::new(finder)));
    // The program ends early, so it has no result.
    let _ = run.prepared.run(&mut again, run.settings);
    run.watch.clear();
    found.lock().unwrap_or_else(PoisonError::into_inner).take().unwrap_or_default()
}
