//! States of the warps of one SM, cycle by cycle, for the picture of the timeline.

use crate::request::{Ready, Request};
use report::exit::Failure;
use report::recorded::recorder::{Recorder, Scope};
use report::recorded::timeline::Timeline;
use sim_core::host::Gpu;

/// Largest number of recorded changes: a few megabytes of JSON.
const MOST: usize = 200_000;

/// Records the first `cycles` shader cycles of SM `sm` in launch number `launch`, from 1.
///
/// # Errors
///
/// If the request is invalid.
pub fn timeline(request: &Request, launch: u32, sm: u32, cycles: u64) -> Result<Timeline, Failure> {
    let plain = Request { functional: false, checks: Vec::new(), ..request.clone() };
    let Ready { program, chip, settings, .. } = plain.ready()?;
    let scope = Scope { launch: Some(launch), sm, cycles, changes: MOST, then_stop: true };
    let (recorder, kept) = Recorder::new(scope);
    let mut gpu = Gpu::new(chip);
    gpu.observe(Some(Box::new(recorder)));
    program.run(&mut gpu, settings)?;
    Ok(kept.take().map_or_else(|| Timeline::new("", sm, 1, 0), |recording| recording.timeline))
}
