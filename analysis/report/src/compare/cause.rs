//! The cause of a difference: the metric that explains its largest part.
//!
//! Each issue slot outcome has a list of metrics on which it depends. The cause is the metric of
//! that list that moved most, in the direction of the time.

use super::moved::Moved;
use super::outcome::{Parts, SlotOutcome, Times};
use sim_core::stats::WarpState;

/// A metric on which outcomes depend.
#[derive(Clone, Copy, Debug)]
struct Source {
    metric: &'static str,
    /// The metric in a sentence.
    phrase: &'static str,
    /// Whether a larger value takes more time.
    costs: bool,
}

const fn costs(metric: &'static str, phrase: &'static str) -> Source {
    Source { metric, phrase, costs: true }
}

const fn saves(metric: &'static str, phrase: &'static str) -> Source {
    Source { metric, phrase, costs: false }
}

/// Sources of waits for memory, and of a full load/store unit. The first one of equal factors is
/// named.
const MEMORY: &[Source] = &[
    costs("gld_transactions_per_request", "transactions per request of global loads"),
    costs("gst_transactions_per_request", "transactions per request of global stores"),
    costs("gld_transactions", "transactions of global loads"),
    costs("gst_transactions", "transactions of global stores"),
    costs("atom_transactions", "transactions of atomics"),
    costs("local_load_transactions", "transactions of local loads"),
    costs("local_store_transactions", "transactions of local stores"),
    saves("l1_cache_global_hit_rate", "hit rate of the L1"),
    saves("l2_read_hit_rate", "hit rate of the L2"),
    saves("achieved_occupancy", "achieved occupancy"),
];

const SHARED: &[Source] = &[
    costs("shared_load_passes", "passes of shared loads"),
    costs("shared_store_passes", "passes of shared stores"),
    saves("achieved_occupancy", "achieved occupancy"),
];

const CONFLICTS: &[Source] = &[costs("shared_replay_overhead", "replays for bank conflicts per instruction")];

const ISSUED: &[Source] = &[costs("inst_executed", "warp instructions")];

const OPERANDS: &[Source] =
    &[costs("inst_executed", "warp instructions"), saves("achieved_occupancy", "achieved occupancy")];

const BARRIERS: &[Source] = &[costs("barriers", "barriers")];

/// Returns the metrics on which an outcome depends.
fn sources(outcome: SlotOutcome) -> &'static [Source] {
    match outcome {
        SlotOutcome::Empty(WarpState::MemoryDependency | WarpState::LsuFull) => MEMORY,
        SlotOutcome::Empty(WarpState::SharedDependency) => SHARED,
        SlotOutcome::Empty(WarpState::ExecutionDependency) => OPERANDS,
        SlotOutcome::Empty(WarpState::Barrier) => BARRIERS,
        SlotOutcome::ReplayBankConflict => CONFLICTS,
        SlotOutcome::Issued | SlotOutcome::Held => ISSUED,
        SlotOutcome::Empty(
            WarpState::Issuing
            | WarpState::NotSelected
            | WarpState::PipeBusy
            | WarpState::Fetch
            | WarpState::ConstantDependency
            | WarpState::Membar
            | WarpState::Exited,
        )
        | SlotOutcome::ReplayConstant
        | SlotOutcome::ShutByOther
        | SlotOutcome::AsFirstPort
        | SlotOutcome::NotPairable
        | SlotOutcome::NoWarp => &[],
    }
}

/// The cause of a difference.
#[derive(Clone, Copy, Debug)]
pub struct Cause {
    /// The metric that moved.
    pub moved: Moved,
    /// The metric in a sentence.
    pub phrase: &'static str,
}

/// Smallest part of the largest outcome for which a cause is named.
const LEAST: f64 = 0.5;

/// Returns the cause of the largest part of the difference, if a metric explains it.
pub fn of(times: Times, outcomes: &Parts, metrics: &[Moved]) -> Option<Cause> {
    let whole = times.difference();
    let mut parts = outcomes.iter().filter(|(outcome, _)| *outcome != SlotOutcome::NoWarp);
    let (outcome, part) = parts.find(|(_, part)| part.difference() * whole > 0.0)?;
    let largest = outcomes.first().map_or(0.0, |(_, part)| part.difference().abs());
    if part.difference().abs() < LEAST * largest {
        return None;
    }
    let mut best: Option<(f64, Cause)> = None;
    for source in sources(*outcome) {
        let Some(moved) = metrics.iter().find(|moved| moved.metric.name == source.metric) else {
            continue;
        };
        let explains = (moved.b > moved.a) == (source.costs == (whole > 0.0));
        let Some(factor) = moved.factor().filter(|_| explains) else { continue };
        // A rounded mean may differ from the quotient of two sums in the last digits.
        if best.as_ref().is_none_or(|(least, _)| factor > least * 1.001) {
            best = Some((factor, Cause { moved: *moved, phrase: source.phrase }));
        }
    }
    best.map(|(_, cause)| cause)
}
