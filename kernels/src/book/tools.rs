//! Small tools of row programs.

use super::finding::Finding;
use crate::RunError;
use crate::numbers::floats;
use sim_core::config::Chip;
use sim_core::host::{Arg, DevicePtr};
use sim_core::stats::report::TimingReport;
use sim_core::stats::{Report, WarpState};
use std::collections::BTreeSet;
use std::fmt::Display;

/// The timed part of a timed run's report.
pub fn timing(report: &Report) -> &TimingReport {
    report.timing.as_ref().expect("a timed run")
}

/// What a row needs before it can show anything: a right result, an aligned address.
///
/// # Errors
/// If it does not hold.
pub fn ensure(holds: bool, what: impl Into<String>) -> Result<(), RunError> {
    if holds { Ok(()) } else { Err(RunError::Wrong(what.into())) }
}

/// Arguments from pointers.
pub fn pointers(list: &[DevicePtr]) -> Vec<Arg> {
    list.iter().map(|ptr| Arg::Ptr(*ptr)).collect()
}

/// Whole numbers as words of single precision.
pub fn bits(wholes: &[i32]) -> Vec<u32> {
    floats(wholes).into_iter().map(f32::to_bits).collect()
}

/// SMs of a chip.
pub fn sms(chip: &Chip) -> u32 {
    chip.clusters * chip.cluster.sms
}

/// Cores of an SM: lanes of its units `sp`.
pub fn cores(chip: &Chip) -> u32 {
    let sp = chip.sm.units.iter().find(|unit| unit.name == "sp");
    sp.map_or(0, |unit| unit.lanes * unit.count * if unit.per_scheduler { chip.sm.schedulers } else { 1 })
}

/// What came out of several runs, each different one once: `16 of 512 B`, or
/// `1 of 64 B or 2 of 96 B`.
pub fn distinct<T: Display>(outcomes: impl IntoIterator<Item = T>) -> String {
    let all: BTreeSet<String> = outcomes.into_iter().map(|outcome| outcome.to_string()).collect();
    all.into_iter().collect::<Vec<_>>().join(" or ")
}

/// A finding that is no number of the ledger's but follows from what the row says: it must come out
/// as it is.
#[expect(clippy::needless_pass_by_value, reason = "callers have just computed what they hand over")]
pub fn follows<T: PartialEq + Display>(what: impl Into<String>, expected: T, found: T) -> Finding {
    let holds = expected == found;
    Finding::shape(what, expected.to_string(), found.to_string(), holds)
}

/// Slots that were empty because the least blocked warp was in `state`.
pub fn empty_slots(report: &Report, state: WarpState) -> u64 {
    timing(report).slots.outcomes.empty[state]
}
