//! The limiter of a kernel, from its report, and a proof of it: a bandwidth-bound kernel must get
//! faster with twice the DRAM clock, an issue-bound kernel with twice the issue rate.

use super::finding::{Finding, Shown, significant};
use isa::terms::Terms;
use kernels::RunError;
use sim_core::config::Chip;
use sim_core::stats::limits::Limiter;
use sim_core::stats::limits::change::{Change, changed};
use sim_core::stats::{Report, WarpState};

/// Limiter of a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// DRAM bandwidth.
    Bandwidth,
    /// Issue slots, or the execution units behind them.
    Issue,
    /// Neither of the two is near its limit: the kernel waits for dependent instructions, barriers
    /// or memory latency.
    Latency,
}

/// Utilization from which the DRAM or the issue of instructions counts as the limiter.
const NEAR_LIMIT: f64 = 0.6;
/// Smallest speedup, in percent, that proves a limiter.
const MOVES: f64 = 10.0;

/// Utilization of the DRAM and of the issue slots in a launch, each from 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shares {
    /// Utilization of the busiest DRAM partition; a launch waits for that one.
    pub dram: f64,
    /// Utilization of all partitions together.
    pub whole_dram: f64,
    /// Utilization of the first dispatch ports' slots while warps were resident: issued,
    /// serialized, replayed, or empty because units were busy.
    pub issue: f64,
}

impl Shares {
    /// Returns the utilization in a timed report; zero for a functional one.
    pub fn of(report: &Report) -> Self {
        let Some(timing) = &report.timing else { return Self { dram: 0.0, whole_dram: 0.0, issue: 0.0 } };
        let slots = &timing.slots;
        // Slots of second dispatch ports count as issued with the first one or as not paired, never
        // as "no warp".
        let by = &slots.outcomes;
        let first_port = slots.total / u64::from(slots.ports.max(1)) - by.no_warp;
        let pipe = by.empty[WarpState::PipeBusy];
        let used = by.issued - by.paired + by.held + by.replays() + by.shut_by_other + pipe;
        let bytes = &timing.dram.partition_bytes;
        let (most, sum) = (bytes.iter().max().copied().unwrap_or(0), bytes.iter().sum::<u64>());
        let uneven = if sum == 0 { 1.0 } else { most as f64 * bytes.len() as f64 / sum as f64 };
        Self {
            dram: (timing.dram.utilization * uneven).min(1.0),
            whole_dram: timing.dram.utilization,
            issue: (used as f64 / first_port.max(1) as f64).min(1.0),
        }
    }

    /// Sentence on the DRAM utilization.
    pub fn dram_in_words(self) -> String {
        let [busiest, whole] = [self.dram, self.whole_dram].map(|share| (100.0 * share).round());
        if busiest > whole {
            format!("the DRAM's busiest partition moves {busiest} % of its peak, all together {whole} %")
        } else {
            format!("the DRAM moves {whole} % of its peak")
        }
    }

    /// Returns the limiter of the launch.
    pub fn bound(self) -> Bound {
        match (self.dram >= NEAR_LIMIT, self.issue >= NEAR_LIMIT) {
            (false, false) => Bound::Latency,
            (true, false) => Bound::Bandwidth,
            (true, true) if self.dram >= self.issue => Bound::Bandwidth,
            (_, true) => Bound::Issue,
        }
    }
}

/// How a launch used the chip.
#[derive(Clone, Debug)]
pub struct Used {
    /// Utilization of the DRAM and of the issue slots.
    pub shares: Shares,
    /// Sentence on the state in which warps waited longest.
    pub waits: String,
    /// Whether that state is a full load/store unit.
    queued: bool,
    /// The limiter by the report.
    limited_by: Option<Limiter>,
}

impl Used {
    /// Returns the use in a report.
    pub fn of(report: &Report) -> Self {
        Self {
            shares: Shares::of(report),
            waits: waits(report),
            queued: longest_wait(report).is_some_and(|(state, _)| state == WarpState::LsuFull),
            limited_by: report.timing.as_ref().map(|timing| timing.limits.limited_by),
        }
    }
}

/// Returns `chip` with twice as much of a resource.
pub fn twice(chip: &Chip, limiter: Limiter) -> Chip {
    changed(chip, limiter, None, Change::Twice).expect("every chip has a DRAM and schedulers")
}

/// Determines the limiter of a launch with this rate in `unit`; more is faster. Adds the
/// explanation to `shown` and, for a bandwidth-bound or issue-bound kernel, the finding that its
/// rate improves. `faster` returns the rate on a chip with [`twice`] as much of the limiter.
///
/// # Errors Those of `faster`.
pub fn explain(
    shown: &mut Shown,
    what: &str,
    unit: &str,
    (value, used): (f64, &Used),
    faster: impl FnOnce(Limiter) -> Result<f64, RunError>,
) -> Result<(), RunError> {
    let shares = used.shares;
    let percent = |share: f64| (100.0 * share).round();
    let (better, with) = match shares.bound() {
        Bound::Latency => {
            // Warps that cannot issue another access wait for the unit that serves the accesses,
            // for example an atomic unit.
            let bound = if used.queued { "bound behind the load/store unit" } else { "latency bound" };
            shown.because(format!(
                "{what}: {bound}: {}, and {} % of the issue slots are used, so neither is the limit; {}.",
                shares.dram_in_words(),
                percent(shares.issue),
                used.waits
            ));
            return Ok(());
        }
        Bound::Bandwidth => (Limiter::DramBandwidth, "twice the DRAM clock"),
        // Replays and rounds of atomics take issue slots, but a faster scheduler does not shorten
        // them.
        Bound::Issue => match used.limited_by {
            Some(Limiter::Atomics) => (Limiter::Atomics, "atomics twice as fast"),
            Some(Limiter::BankConflicts) => (Limiter::BankConflicts, "banks twice as fast"),
            _ => (Limiter::IssueRate, "twice the issue rate"),
        },
    };
    let faster = faster(better)?;
    let gain = 100.0 * (faster / value - 1.0);
    let which = match shares.bound() {
        Bound::Bandwidth => format!("bandwidth bound: {}", shares.dram_in_words()),
        _ => format!(
            "issue bound: {} % of the issue slots are used or wait for a busy unit",
            percent(shares.issue)
        ),
    };
    shown.because(format!(
        "{what}: {which}; with {with} {} become {} {unit} ({gain:+.0} %).",
        significant(value),
        significant(faster)
    ));
    shown.find(Finding::shape(
        format!("{what}: moves with {with}"),
        format!("more than +{MOVES} %"),
        format!("{gain:+.1} %"),
        gain > MOVES,
    ));
    Ok(())
}

/// Returns the state in which warps waited longest, and their cycles in it.
fn longest_wait(report: &Report) -> Option<(WarpState, u64)> {
    let states = &report.timing.as_ref()?.warps.states;
    states.occurring().filter(|(state, _)| state.is_wait()).max_by_key(|(_, n)| *n)
}

/// Sentence on the state in which warps waited longest.
fn waits(report: &Report) -> String {
    let Some(timing) = &report.timing else { return "no time was simulated".to_owned() };
    longest_wait(report).map_or_else(
        || "warps never wait".to_owned(),
        |(state, n)| {
            let share = 100.0 * n as f64 / timing.warps.resident.max(1) as f64;
            format!(
                "warps wait {share:.0} % of their time in `{}`: {}",
                state.label(),
                state.explanation(&Terms::CUDA)
            )
        },
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chain::Chain;

    #[test]
    fn a_stream_of_multiply_adds_is_issue_bound_with_one_and_with_two_dispatch_ports() {
        for name in ["g80", "gt200", "fermi"] {
            let chip = Chip::builtin(name).expect("built in");
            let op = if name == "fermi" { "fma.rn.f32" } else { "mad.f32" };
            let share = |registers: &[&str], warps| {
                let link = |r: &&str| format!("{op} {r}, {r}, %w, %w;");
                let body = registers.iter().map(link).collect::<Vec<_>>().join(" ");
                Shares::of(&Chain::on(chip.clone()).warps(warps).run(&body, 100).unwrap().0)
            };
            let busy = share(&["%v", "%a", "%b", "%c"], 16);
            assert!(busy.issue > 0.9 && busy.bound() == Bound::Issue, "{name}: {busy:?}");
            let alone = share(&["%v"], 1);
            assert!(
                alone.bound() == Bound::Latency,
                "{name}: one warp that waits for each result: {alone:?}"
            );
        }
    }
}
