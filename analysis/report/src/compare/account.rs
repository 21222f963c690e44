//! The time of a run, divided by issue slot outcome and by source line.
//!
//! A launch of *T* microseconds with *S* issue slots spent *T* × *n* / *S* on an outcome of *n*
//! slots. The time of an outcome that belongs to lines is divided among them in proportion to their
//! counts of it. Both divisions sum to *T*.
//!
//! Invariant `comparisons-are-complete`: A comparison divides the whole time difference of two
//! runs, by issue slot outcome and by line.

use super::outcome::{SlotOutcome, outcomes};
use super::report::{Launch, Line};
use std::collections::BTreeMap;

/// Microseconds by outcome.
pub type ByOutcome = BTreeMap<SlotOutcome, f64>;

/// The time of a source line.
#[derive(Clone, Debug, Default)]
pub struct LineTime {
    /// Text of the line.
    pub source: String,
    /// Time of the line by outcome.
    pub outcomes: ByOutcome,
}

/// Time of a run in microseconds.
#[derive(Clone, Debug, Default)]
pub struct Account {
    /// Time by outcome.
    pub outcomes: ByOutcome,
    /// Time by line and outcome.
    pub lines: BTreeMap<u32, LineTime>,
    /// Time by outcome that belongs to no line. With the lines it sums to the whole time.
    pub no_line: ByOutcome,
}

impl Account {
    /// Divides the time of all launches.
    pub fn of(launches: &[Launch]) -> Self {
        let mut account = Self::default();
        for launch in launches {
            account.add(launch);
        }
        account
    }

    fn add(&mut self, launch: &Launch) {
        let timing = &launch.timing;
        for line in &timing.lines {
            self.lines.entry(line.line).or_default().source.clone_from(&line.source);
        }
        let all: Vec<(SlotOutcome, u64)> =
            outcomes(&timing.slots.outcomes).filter(|(_, slots)| *slots > 0).collect();
        let total: f64 = all.iter().map(|(_, slots)| *slots as f64).sum();
        if all.is_empty() {
            // A launch without issue slots: no warp ran.
            *self.outcomes.entry(SlotOutcome::NoWarp).or_default() += timing.microseconds;
            *self.no_line.entry(SlotOutcome::NoWarp).or_default() += timing.microseconds;
        }
        for (outcome, slots) in all {
            let time = timing.microseconds * (slots as f64 / total);
            *self.outcomes.entry(outcome).or_default() += time;
            let weights = timing.lines.iter().map(|line| weight(outcome, line) as f64);
            let whole: f64 = weights.clone().sum();
            if whole == 0.0 {
                *self.no_line.entry(outcome).or_default() += time;
                continue;
            }
            for (line, weight) in timing.lines.iter().zip(weights).filter(|(_, weight)| *weight > 0.0) {
                let of_line = self.lines.entry(line.line).or_default();
                *of_line.outcomes.entry(outcome).or_default() += time * (weight / whole);
            }
        }
    }
}

/// Count of a line by which the time of the outcome is divided; 0 for outcomes that belong to
/// no line.
fn weight(outcome: SlotOutcome, line: &Line) -> u64 {
    match outcome {
        SlotOutcome::Issued => line.executed,
        SlotOutcome::Held => line.slots.saturating_sub(line.executed).saturating_sub(line.replays),
        SlotOutcome::ReplayBankConflict | SlotOutcome::ReplayConstant => line.replays,
        SlotOutcome::Empty(state) => line.states[state],
        SlotOutcome::ShutByOther
        | SlotOutcome::AsFirstPort
        | SlotOutcome::NotPairable
        | SlotOutcome::NoWarp => 0,
    }
}
