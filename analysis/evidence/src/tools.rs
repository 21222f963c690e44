//! Small helpers of the experiments.

use super::finding::Finding;
use kernels::RunError;
use kernels::numbers::floats;
use sim_core::config::Chip;
use sim_core::host::{Arg, DevicePtr};
use sim_core::stats::report::TimingReport;
use sim_core::stats::{Report, WarpState};
use std::collections::BTreeSet;
use std::fmt::Display;

/// Returns the timing section of a timed run's report.
pub fn timing(report: &Report) -> &TimingReport {
    report.timing.as_ref().expect("a timed run")
}

/// Checks a precondition of an experiment: a correct result, an aligned address.
///
/// # Errors
/// `holds` is false.
pub fn ensure(holds: bool, what: impl Into<String>) -> Result<(), RunError> {
    if holds { Ok(()) } else { Err(RunError::Wrong(what.into())) }
}

/// Converts pointers to kernel arguments.
pub fn pointers(list: &[DevicePtr]) -> Vec<Arg> {
    list.iter().map(|ptr| Arg::Ptr(*ptr)).collect()
}

/// Converts whole numbers to the bits of single-precision numbers.
pub fn bits(wholes: &[i32]) -> Vec<u32> {
    floats(wholes).into_iter().map(f32::to_bits).collect()
}

/// Number of SMs of a chip.
pub fn sms(chip: &Chip) -> u32 {
    chip.clusters * chip.cluster.sms
}

/// Number of cores of an SM: the lanes of its units `sp`.
pub fn cores(chip: &Chip) -> u32 {
    let sp = chip.sm.units.iter().find(|unit| unit.name == "sp");
    sp.map_or(0, |unit| unit.lanes * unit.count * if unit.per_scheduler { chip.sm.schedulers } else { 1 })
}

/// The distinct outcomes of several runs: `16 of 512 B`, or `1 of 64 B or 2 of 96 B`.
pub fn distinct<T: Display>(outcomes: impl IntoIterator<Item = T>) -> String {
    let all: BTreeSet<String> = outcomes.into_iter().map(|outcome| outcome.to_string()).collect();
    all.into_iter().collect::<Vec<_>>().join(" or ")
}

/// A finding that is not a number of the claims table but follows from the claim, and must match
/// exactly.
#[expect(clippy::needless_pass_by_value, reason = "callers have just computed what they hand over")]
pub fn follows<T: PartialEq + Display>(what: impl Into<String>, expected: T, found: T) -> Finding {
    let holds = expected == found;
    Finding::shape(what, expected.to_string(), found.to_string(), holds)
}

/// Issue slots that stayed empty because the warp closest to issuing was in `state`.
pub fn empty_slots(report: &Report, state: WarpState) -> u64 {
    timing(report).slots.outcomes.empty[state]
}
