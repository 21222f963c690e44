//! One bank: its open row, the earliest command cycle of each command, and the requests that wait
//! for it; and the groups of banks.

use super::timing::{BankCycles, CommandKind, Timing};
use crate::state::Value;

/// A bank. Bit i of a mask stands for the request in entry i of the queue; the lowest set bit is
/// the oldest.
#[derive(Clone, Copy, Debug, Default, Value)]
pub(super) struct Bank {
    /// Row in the row buffer, when `open`.
    pub(super) row: u32,
    /// Whether a row is open.
    pub(super) open: bool,
    /// Earliest cycle of each command. The limits of the group and the channel apply in addition.
    pub(super) earliest: BankCycles,
    /// Requests for this bank.
    pub(super) queued: u64,
    /// Requests among `queued` for the open row.
    pub(super) hits: u64,
    pub(super) activates: u64,
}

/// A group of banks.
#[derive(Clone, Copy, Debug, Default, Value)]
pub(super) struct Group {
    /// Earliest column command; only of a channel with several groups.
    pub(super) column: u64,
    /// Requests for open rows of its banks, as a mask like those of a bank.
    pub(super) hits: u64,
}

impl Bank {
    /// Records the activate of `row` at `clock`; `hits` are the requests for it.
    pub(super) fn activated(&mut self, clock: u64, row: u32, hits: u64, timing: &Timing) {
        self.open = true;
        self.activates += 1;
        self.row = row;
        self.hits = hits;
        self.earliest.delay(clock, &timing.after(CommandKind::Activate).bank);
    }

    /// Records the precharge at `clock`.
    pub(super) fn precharged(&mut self, clock: u64, timing: &Timing) {
        self.open = false;
        self.hits = 0;
        self.earliest.delay(clock, &timing.after(CommandKind::Precharge).bank);
    }
}
