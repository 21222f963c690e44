//! The active lanes of the instructions of each source line, as histograms.

use crate::request::{Ready, Request};
use report::exit::Failure;
use report::lanes::{Lanes, Recorder};
use sim_core::host::Gpu;
use std::sync::PoisonError;

/// Counts the active lanes in the first `cycles` shader cycles of SM `sm` in launch number
/// `launch`, from 1.
///
/// # Errors
///
/// If the request is invalid.
pub fn lanes(request: &Request, launch: u32, sm: u32, cycles: u64) -> Result<Lanes, Failure> {
    let plain = Request { functional: false, checks: Vec::new(), ..request.clone() };
    let Ready { program, chip, settings, .. } = plain.ready()?;
    let (recorder, result) = Recorder::new(launch, sm, cycles);
    let mut gpu = Gpu::new(chip);
    gpu.observe(Some(Box::new(recorder)));
    program.run(&mut gpu, settings)?;
    let lanes = std::mem::take(&mut *result.lock().unwrap_or_else(PoisonError::into_inner));
    Ok(lanes)
}
