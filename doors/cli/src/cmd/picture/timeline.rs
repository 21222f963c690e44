//! The states of the warps of an SM, cycle by cycle.

use super::runs::{self, Ended, blocks};
use crate::args::TimelineArgs;
use crate::exit::{Code, Failure};
use crate::render::number::count;
use crate::workload::which::no_launch;
use figures::scene::Scene;
use figures::timeline;
use report::recorded::recorder::{Recorder, Scope};
use report::recorded::timeline::Timeline;
use std::ops::Range;

/// Maximum number of shader cycles of a picture: several for each pixel, and a few megabytes of
/// recorded changes.
const MOST_CYCLES: u64 = 200_000;

/// Draws the picture of the arguments.
pub fn run(args: &TimelineArgs) -> Result<Code, Failure> {
    let cycles = args.cycles.up_to(u64::MAX);
    if cycles.end - cycles.start > MOST_CYCLES {
        return Err(Failure::input(format!(
            "error: --cycles {}: a timeline has at most {} shader cycles\nhelp: give a range, such as --cycles 0..1999",
            args.cycles,
            count(MOST_CYCLES)
        )));
    }
    let mut kept = None;
    let ended = runs::run(&args.run, Some(&args.which), |gpu, launch| {
        let sms = gpu.chip().clusters * gpu.chip().cluster.sms;
        if args.sm >= sms {
            let last = sms - 1;
            let message =
                format!("error: SM {} does not exist: the chip has {sms} SMs, 0 to {last}", args.sm);
            return Err(Failure::input(message));
        }
        let (launch, cycles) = (Some(launch), cycles.clone());
        let scope = Scope { launch, sm: args.sm, cycles, changes: usize::MAX, then_stop: true };
        let (recorder, recorded) = Recorder::new(scope);
        kept = Some(recorded);
        gpu.observe(Some(Box::new(recorder)));
        Ok(())
    })?;
    let recorded = kept.and_then(|kept| kept.take()).map(|recording| recording.timeline);
    let scene = draw(&ended, args, &cycles, recorded.as_ref());
    Ok(ended.finish(scene, Some(cycles.end)))
}

fn draw(
    ended: &Ended<'_>,
    args: &TimelineArgs,
    cycles: &Range<u64>,
    recorded: Option<&Timeline>,
) -> Result<Scene, Failure> {
    let reports = &ended.outcome.reports;
    let launch = ended.launch as usize;
    let Some((report, recorded)) = reports.get(launch - 1).zip(recorded) else {
        return Err(no_launch(launch, reports.len()));
    };
    let end = report.timing.as_ref().map_or(cycles.end, |timing| timing.cycles).min(cycles.end);
    if end <= cycles.start {
        return Err(Failure::input(format!(
            "error: cycle {} does not exist: the launch ended at cycle {}",
            count(cycles.start),
            count(end)
        )));
    }
    if recorded.rows.iter().all(Vec::is_empty) {
        let sm = recorded.terms.sm;
        return Err(Failure::input(format!(
            "error: no warp is resident on {sm} {} in these cycles",
            args.sm
        )));
    }
    let sm = recorded.terms.sm;
    let title = format!("{} on {}: states of the warps of {sm} {}", ended.kernel, ended.chip_name, args.sm);
    let note =
        format!("{}; shader cycles {} to {}", blocks(&report.launch), count(cycles.start), count(end - 1));
    Ok(timeline::scene(&title, &[note], &recorded.into(), &(cycles.start..end)))
}
