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
    /// Requests for its banks, as a mask as in a bank.
    pub(super) queued: u64,
}

impl Bank {
    /// Records the activate of `row` at `clock`; `hits` are the requests for it.
    #[inline]
    pub(super) fn activated(&mut self, clock: u64, row: u32, hits: u64, timing: &Timing) {
        self.open = true;
        self.activates += 1;
        self.row = row;
        self.hits = hits;
        // All earlier limits have passed: the bank was closed.
        let BankCycles { activate, column, precharge } = timing.after(CommandKind::Activate).bank;
        self.earliest =
            BankCycles { activate: clock + activate, column: clock + column, precharge: clock + precharge };
    }

    /// Records the precharge at `clock`.
    #[inline]
    pub(super) fn precharged(&mut self, clock: u64, timing: &Timing) {
        self.open = false;
        self.hits = 0;
        let distance = timing.after(CommandKind::Precharge).bank.activate;
        self.earliest.activate = self.earliest.activate.max(clock + distance);
    }
}
