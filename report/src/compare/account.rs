//! The time of a run, divided by issue slot outcome and by source line.
//!
//! A launch of *T* microseconds with *S* issue slots spent *T* × *n* / *S* on an outcome of *n*
//! slots. The time of an outcome that belongs to lines is divided among them in proportion to their
//! counts of it. Both divisions sum to *T*.
//!
//! Invariant `comparisons-are-complete`: A comparison divides the whole time difference of two
//! runs, by issue slot outcome and by line.

use super::report::{Launch, Line};
use sim_core::stats::{SlotBreakdown, WarpState};
use std::collections::BTreeMap;

/// Outcome of an issue slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SlotOutcome {
    /// An instruction issued.
    Issued,
    /// A later slot of a multi-slot instruction.
    Held,
    /// A replay for a bank conflict.
    ReplayBankConflict,
    /// A replay for another address of constant memory.
    ReplayConstant,
    /// Empty; charged to the state of the warp closest to issuing.
    Empty(WarpState),
    /// Empty because of an instruction of another scheduler.
    ShutByOther,
    /// Empty slot of the second port: the first port issued nothing new.
    AsFirstPort,
    /// Empty slot of the second port: no instruction could pair with the one of the first port.
    NotPairable,
    /// Empty because no warp was resident.
    NoWarp,
}

/// Iterates over all outcomes of a breakdown with their slots; empty slots by state only for states
/// that occurred.
pub fn outcomes(slots: &SlotBreakdown) -> impl Iterator<Item = (SlotOutcome, u64)> {
    let SlotBreakdown {
        issued,
        paired: _,
        held,
        replay_bank_conflict,
        replay_constant,
        shut_by_other,
        as_first_port,
        not_pairable,
        no_warp,
        empty,
    } = *slots;
    let used = [
        (SlotOutcome::Issued, issued),
        (SlotOutcome::Held, held),
        (SlotOutcome::ReplayBankConflict, replay_bank_conflict),
        (SlotOutcome::ReplayConstant, replay_constant),
    ];
    let others = [
        (SlotOutcome::ShutByOther, shut_by_other),
        (SlotOutcome::AsFirstPort, as_first_port),
        (SlotOutcome::NotPairable, not_pairable),
        (SlotOutcome::NoWarp, no_warp),
    ];
    let empty: Vec<_> = empty.occurring().map(|(state, slots)| (SlotOutcome::Empty(state), slots)).collect();
    used.into_iter().chain(empty).chain(others)
}

impl SlotOutcome {
    /// Name of the outcome in tables.
    pub fn label(self) -> String {
        match self {
            Self::Issued => "issued".to_owned(),
            Self::Held => "held".to_owned(),
            Self::ReplayBankConflict => "replay: bank conflict".to_owned(),
            Self::ReplayConstant => "replay: constant memory".to_owned(),
            Self::Empty(state) => format!("empty: {}", state.label()),
            Self::ShutByOther => "empty: other scheduler".to_owned(),
            Self::AsFirstPort => "port 2: port 1 idle".to_owned(),
            Self::NotPairable => "port 2: not pairable".to_owned(),
            Self::NoWarp => "empty: no resident warp".to_owned(),
        }
    }

    /// Phrase for the outcome, to follow "in".
    pub fn phrase(self) -> String {
        match self {
            Self::Issued => "issued instructions".to_owned(),
            Self::Held => "later issue slots of multi-slot instructions".to_owned(),
            Self::ReplayBankConflict => "replays for bank conflicts".to_owned(),
            Self::ReplayConstant => "replays for constant memory".to_owned(),
            Self::Empty(state) => format!("issue slots empty {}", because(state)),
            Self::ShutByOther => "issue slots empty because of another scheduler's instruction".to_owned(),
            Self::AsFirstPort => "slots of the second port while the first issued nothing new".to_owned(),
            Self::NotPairable => "slots of the second port without an instruction to pair".to_owned(),
            Self::NoWarp => "issue slots empty because no warp was resident".to_owned(),
        }
    }

    /// Path in `timing.slots` of a report.
    pub fn path(self) -> String {
        match self {
            Self::Issued => "issued".to_owned(),
            Self::Held => "held".to_owned(),
            Self::ReplayBankConflict => "replay_bank_conflict".to_owned(),
            Self::ReplayConstant => "replay_constant".to_owned(),
            Self::Empty(state) => {
                let name = serde_json::to_value(state).expect("a state is a word");
                format!("empty.{}", name.as_str().expect("a state is a word"))
            }
            Self::ShutByOther => "shut_by_other".to_owned(),
            Self::AsFirstPort => "as_first_port".to_owned(),
            Self::NotPairable => "not_pairable".to_owned(),
            Self::NoWarp => "no_warp".to_owned(),
        }
    }

    /// Count of a line by which the time of the outcome is divided; 0 for outcomes that belong to
    /// no line.
    fn weight(self, line: &Line) -> u64 {
        match self {
            Self::Issued => line.executed,
            Self::Held => line.slots.saturating_sub(line.executed).saturating_sub(line.replays),
            Self::ReplayBankConflict | Self::ReplayConstant => line.replays,
            Self::Empty(state) => line.states[state],
            Self::ShutByOther | Self::AsFirstPort | Self::NotPairable | Self::NoWarp => 0,
        }
    }
}

/// Reason of an empty slot charged to a state.
fn because(state: WarpState) -> &'static str {
    match state {
        WarpState::Issuing => "while a warp issues",
        WarpState::NotSelected => "although a warp was eligible",
        WarpState::PipeBusy => "because of a busy execution unit",
        WarpState::LsuFull => "because of a full load/store unit",
        WarpState::Fetch => "because of instruction fetch",
        WarpState::ExecutionDependency => "because of execution dependency",
        WarpState::ConstantDependency => "because of constant dependency",
        WarpState::SharedDependency => "because of shared-memory dependency",
        WarpState::MemoryDependency => "because of memory dependency",
        WarpState::Membar => "because of memory fences",
        WarpState::Barrier => "because of barriers",
        WarpState::Exited => "because the resident warps have exited",
    }
}

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
            let weights = timing.lines.iter().map(|line| outcome.weight(line) as f64);
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
