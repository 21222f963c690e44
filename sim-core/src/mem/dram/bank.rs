//! One bank: its open row, the earliest clock of each command, and who waits for it.

use super::timing::Timing;

/// A bank. Requests are named by their place in the queue, oldest first: bit i of a mask is the
/// i-th.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Bank {
    /// Row in the row buffer, when `open`.
    pub(super) row: u32,
    /// Whether a row is open.
    pub(super) open: bool,
    /// Earliest activate, when closed.
    pub(super) activate: u64,
    /// Earliest column command, when open. The channel's own limits come on top.
    pub(super) column: u64,
    /// Earliest precharge, when open.
    pub(super) precharge: u64,
    /// Requests for this bank.
    pub(super) queued: u64,
    /// Those among them for the open row.
    pub(super) hits: u64,
}

impl Bank {
    /// `row` is opened at `clock`; `hits` are the requests for it.
    pub(super) fn activated(&mut self, clock: u64, row: u32, hits: u64, timing: &Timing) {
        self.open = true;
        self.row = row;
        self.hits = hits;
        self.column = clock + timing.activate_to_column;
        self.precharge = clock + timing.activate_to_precharge;
        self.activate = clock + timing.row_cycle;
    }

    /// The row is closed at `clock`.
    pub(super) fn precharged(&mut self, clock: u64, timing: &Timing) {
        self.open = false;
        self.hits = 0;
        self.activate = self.activate.max(clock + timing.precharge_to_activate);
    }

    /// The i-th request leaves the queue, and all younger ones move up.
    pub(super) fn forget(&mut self, i: usize) {
        self.queued = without_bit(self.queued, i);
        self.hits = without_bit(self.hits, i);
    }
}

/// `mask` with bit `i` taken out and the higher bits moved down by one.
pub(super) const fn without_bit(mask: u64, i: usize) -> u64 {
    let below = (1 << i) - 1;
    (mask & below) | ((mask >> 1) & !below)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bit_is_taken_out() {
        assert_eq!(without_bit(0b1011_0110, 0), 0b0101_1011);
        assert_eq!(without_bit(0b1011_0110, 2), 0b0101_1010);
        assert_eq!(without_bit(0b1011_0110, 7), 0b0011_0110);
        assert_eq!(without_bit(u64::MAX, 63), u64::MAX >> 1);
    }
}
