//! The checks of the short report: common performance problems, each with "OK" or with a number and
//! its source line.

use super::number::{fixed, percent, whole};
use isa::source::Files;
use isa::terms::Terms;
use sim_core::stats::report::{LineReport, TimingReport};
use sim_core::stats::{GlobalCounters, Report};

/// The outcome of a check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Check {
    /// Whether there is nothing to improve.
    pub fine: bool,
    /// The numbers, and the line of the worst case.
    pub text: String,
}

impl Check {
    fn new(fine: bool, text: impl Into<String>) -> Self {
        Self { fine, text: text.into() }
    }
}

/// Returns all checks of a timed launch with their names.
pub fn all(report: &Report, timing: &TimingReport) -> [(&'static str, Check); 5] {
    let files = &report.launch.files;
    [
        ("coalescing", coalescing(timing, files)),
        ("bank conflicts", bank_conflicts(timing, files)),
        ("divergence", divergence(report)),
        ("occupancy", achieved(timing)),
        ("DRAM use", dram(timing)),
    ]
}

/// Formats a source line: ` (line 12)` or nothing.
fn at(line: Option<&LineReport>, files: &Files) -> String {
    line.map_or(String::new(), |line| format!(" (line {})", files.place(line.line)))
}

/// Share of uncoalesced groups, of replay slots and of divergent branches up to which a check is
/// OK.
const FEW: f64 = 0.05;

fn coalescing(timing: &TimingReport, files: &Files) -> Check {
    let sum = |of: fn(&GlobalCounters) -> u64| of(&timing.global.load) + of(&timing.global.store);
    let (coalesced, not) = (sum(|c| c.coalesced_groups), sum(|c| c.uncoalesced_groups));
    let requests = sum(|c| c.requests);
    if requests == 0 {
        return Check::new(true, "no access to global memory".to_owned());
    }
    let share = not as f64 / (coalesced + not).max(1) as f64;
    let per = fixed(sum(|c| c.transactions) as f64 / requests as f64, 2);
    let text = format!("{per} transactions per request");
    if share <= FEW {
        return Check::new(true, text);
    }
    let worst = timing.lines.iter().filter(|line| line.executed > 0).max_by(|a, b| {
        let excess =
            |line: &LineReport| line.transactions as f64 * (line.transactions as f64 / line.executed as f64);
        excess(a).total_cmp(&excess(b))
    });
    Check::new(false, format!("{per} per request; {} % not coalesced{}", whole(share), at(worst, files)))
}

fn bank_conflicts(timing: &TimingReport, files: &Files) -> Check {
    let shared = &timing.shared;
    if shared.load.requests + shared.store.requests + shared.atomic.requests == 0 {
        return Check::new(true, format!("no {}", Terms::of(files).shared));
    }
    let replays = timing.slots.outcomes.replay_bank_conflict;
    // Of a launch with few blocks most slots have no warp, and all replays together would be few.
    let slots = timing.slots.total - timing.slots.outcomes.no_warp;
    let share = replays as f64 / slots.max(1) as f64;
    let passes = shared.load.conflict_passes + shared.store.conflict_passes;
    if passes == 0 && replays == 0 {
        return Check::new(true, "none".to_owned());
    }
    let worst = timing.lines.iter().filter(|line| line.replays > 0).max_by_key(|line| line.replays);
    Check::new(
        share <= FEW,
        format!("{} % of the slots with warps are replays{}", whole(share), at(worst, files)),
    )
}

/// Checks divergent branches and active lanes.
pub fn divergence(report: &Report) -> Check {
    let control = &report.control;
    let lanes = format!("{} % of lanes active", whole(control.warp_execution_efficiency));
    if control.divergent_branches == 0 {
        return Check::new(true, format!("no branch diverges; {lanes}"));
    }
    let share = 1.0 - control.branch_efficiency;
    let worst = control.divergent_lines.iter().max_by_key(|line| line.divergent);
    let line =
        worst.map_or(String::new(), |line| format!(" (line {})", report.launch.files.place(line.line)));
    let text = format!("{} % of branches{line}; {lanes}", percent(share));
    Check::new(share <= FEW || control.warp_execution_efficiency >= 1.0 - FEW, text)
}

/// Achieved occupancy below which latencies are rarely hidden.
const LOW_OCCUPANCY: f64 = 0.5;

fn achieved(timing: &TimingReport) -> Check {
    let achieved = timing.achieved_occupancy;
    Check::new(achieved >= LOW_OCCUPANCY, format!("{} % of the warp slots", whole(achieved)))
}

/// Bytes requested by lanes per byte moved below which bandwidth is wasted.
const WASTED: f64 = 0.5;

fn dram(timing: &TimingReport) -> Check {
    let dram = &timing.dram;
    let asked = timing.global.load.bytes_asked + timing.global.store.bytes_asked;
    let moved = timing.global.load.bytes_moved + timing.global.store.bytes_moved;
    if moved == 0 {
        return Check::new(true, "no traffic".to_owned());
    }
    let efficiency = asked as f64 / moved as f64;
    let accesses = dram.row_hits + dram.row_misses + dram.row_conflicts;
    let hits = dram.row_hits as f64 / accesses.max(1) as f64;
    let text = format!(
        "{} % of peak; {} % row hits; {} % of bytes used",
        whole(dram.utilization),
        whole(hits),
        whole(efficiency)
    );
    Check::new(efficiency >= WASTED, text)
}
