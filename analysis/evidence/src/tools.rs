//! Facts of chips and reports.

use sim_core::config::Chip;
use sim_core::stats::Report;
use sim_core::stats::report::TimingReport;

/// Returns the timing section of a timed run's report.
pub fn timing(report: &Report) -> &TimingReport {
    report.timing.as_ref().expect("a timed run")
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
