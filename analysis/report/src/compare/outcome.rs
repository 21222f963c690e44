//! Outcomes of issue slots, and times of two runs by them.

use sim_core::stats::{SlotBreakdown, WarpState};

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
            Self::Empty(state) => format!("issue slots empty {}", state.row().reason),
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
}

/// A time of both runs in microseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Times {
    /// Time of A.
    pub a: f64,
    /// Time of B.
    pub b: f64,
}

impl Times {
    /// Returns B − A, which is negative if B is faster.
    pub fn difference(self) -> f64 {
        self.b - self.a
    }
}

/// Times by outcome.
pub type Parts = Vec<(SlotOutcome, Times)>;
