//! The memory accesses of the first block of a launch.

use crate::exit::Failure;
use crate::output::interrupt;
use crate::workload::which::no_launch;
use kernels::Settings;
use report::recorded::access::{Finder, Found};
use request::Prepared;
use sim_core::config::Chip;
use sim_core::host::Gpu;
use std::sync::PoisonError;

/// Returns the accesses of launch number `launch`, from 1, on a chip.
///
/// # Errors
///
/// The launch is refused, there is no such launch, or Ctrl-C stopped the search.
pub fn accesses(
    prepared: &Prepared,
    chip: &Chip,
    settings: Settings,
    launch: u32,
) -> Result<Vec<Found>, Failure> {
    let (finder, kept) = Finder::new(launch, || !interrupt::asked());
    let mut gpu = Gpu::new(chip.clone());
    gpu.debug(Some(Box::new(finder)));
    interrupt::catch();
    let outcome = prepared.run(&mut gpu, settings);
    if interrupt::asked() {
        return Err(Failure { code: interrupt::code(), message: "error: interrupted".to_owned() });
    }
    let found = kept.lock().unwrap_or_else(PoisonError::into_inner).take();
    match found {
        Some(found) => Ok(found),
        None => Err(no_launch(launch as usize, outcome?.reports.len())),
    }
}
