//! Data for the pictures of a launch in addition to its report, from a second run of it: states of
//! the warps of one SM, cycle by cycle, and the active lanes of each source line.

use crate::request::{Ready, Request, run};
use report::exit::Failure;
use report::recorded::lanes::Lanes;
use report::recorded::recorder::{Recorder, Recording, Scope};
use report::recorded::timeline::Timeline;
use sim_core::host::Gpu;

/// Largest number of recorded changes: a few megabytes of JSON.
const MOST: usize = 200_000;

/// Records the states of the warps in the first `cycles` shader cycles of SM `sm` in launch number
/// `launch`, from 1.
///
/// # Errors
///
/// If the request is invalid.
pub fn timeline(request: &Request, launch: u32, sm: u32, cycles: u64) -> Result<Timeline, Failure> {
    let scope = Scope { launch: Some(launch), sm, cycles: 0..cycles, changes: MOST, then_stop: true };
    let recording = record(request, scope)?;
    Ok(recording.map_or_else(|| Timeline::new("", sm, 1, 0), |recording| recording.timeline))
}

/// Counts the active lanes in the first `cycles` shader cycles of SM `sm` in launch number
/// `launch`, from 1.
///
/// # Errors
///
/// If the request is invalid.
pub fn lanes(request: &Request, launch: u32, sm: u32, cycles: u64) -> Result<Lanes, Failure> {
    let scope = Scope { launch: Some(launch), sm, cycles: 0..cycles, changes: usize::MAX, then_stop: true };
    let recording = record(request, scope)?;
    Ok(recording.map_or_else(|| Lanes { sm, ..Lanes::default() }, |recording| recording.lanes))
}

/// Runs the request with a recorder. Returns `None` if it has no such launch.
fn record(request: &Request, scope: Scope) -> Result<Option<Recording>, Failure> {
    let plain = Request { functional: false, checks: Vec::new(), ..request.clone() };
    let Ready { prepared, chip, settings, .. } = plain.ready()?;
    let (recorder, kept) = Recorder::new(scope);
    let mut gpu = Gpu::new(chip);
    gpu.observe(Some(Box::new(recorder)));
    run(&prepared, &mut gpu, settings)?;
    Ok(kept.take())
}
