//! The queue of a channel: the waiting requests and their entries.

use super::schedule::Action;
use super::{Dram, MAX_QUEUE, bits};
use crate::state::Value;

/// Most pieces of a request if banks form groups.
pub(super) const MOST_PIECES: u32 = 8;

/// Number of queue entries, and most banks: masks of both have 64 bits.
pub(super) const PLACES: usize = MAX_QUEUE as usize;

/// A queued request.
#[derive(Clone, Copy, Debug, Default, Value)]
pub(super) struct Pending {
    pub(super) arrival: u64,
    pub(super) id: u32,
    pub(super) row: u32,
    /// Bursts of a piece; the last one may be shorter.
    pub(super) piece: u32,
    /// Bursts of the whole request, and bursts whose train has not begun.
    pub(super) whole: u32,
    pub(super) left: u32,
    pub(super) bank: u8,
    pub(super) write: bool,
    /// Whether a row was closed for it.
    pub(super) conflict: bool,
    /// Whether a row was opened for it.
    pub(super) opened: bool,
}

impl Dram {
    /// Queues a request for `bursts` bursts (at least 1) from local address `local`, all in one
    /// row. The queue must have a free entry. [`Dram::tick`] may serve the request from `now`, with
    /// `id` in its [`Command::Train`].
    pub fn push(&mut self, now: u64, id: u32, local: u32, bursts: u32, write: bool) {
        assert!(self.can_accept(), "the DRAM queue is full");
        if self.used == 0 {
            self.settle(now);
        }
        if self.next == PLACES {
            self.move_up();
        }
        let (bank, row) = self.place(local);
        let whole = bursts.max(1);
        let (piece, pieces) = if self.group_mask == 0 {
            (whole, 1)
        } else {
            let piece = whole.div_ceil(MOST_PIECES);
            (piece, whole.div_ceil(piece))
        };
        let (place, bit) = (self.next, 1 << self.next);
        self.queue[place % PLACES] = Pending {
            arrival: now,
            id,
            row,
            piece,
            whole,
            left: whole,
            bank: bank as u8,
            write,
            conflict: false,
            opened: false,
        };
        self.used |= bit;
        self.next += 1;
        self.requests += 1;
        self.pieces += pieces;
        if write {
            self.writes |= bit;
        }
        self.wanted |= 1 << bank;
        let number = bank as usize;
        let bank = &mut self.banks[number % PLACES];
        bank.queued |= bit;
        if bank.hits == 0 {
            // The bank needed a row command, or needs one now.
            self.row = None;
        }
        if bank.open && bank.row == row {
            bank.hits |= bit;
            self.groups[number & self.group_mask].hits |= bit;
            self.columns |= 1 << number;
        }
        self.plan = self.plan_with_newest(now, number);
        if cfg!(debug_assertions) && self.scheduler.is_first_ready() {
            let complete = self.plan(now.max(self.free));
            assert_eq!(self.plan, complete, "the incremental plan equals a complete one");
        }
    }

    /// Returns the oldest request; the queue must not be empty.
    #[inline]
    pub(super) fn first(&self) -> &Pending {
        &self.queue[self.used.trailing_zeros() as usize % PLACES]
    }

    /// Moves the requests to the lowest entries, in their order.
    #[cold]
    #[inline(never)]
    fn move_up(&mut self) {
        let used = self.used;
        let place_of = |place: usize| (used & ((1 << place) - 1)).count_ones() as usize;
        let moved = |mask: u64| bits(mask).fold(0, |mask, place| mask | 1 << place_of(place));
        self.plan.action = match self.plan.action {
            Action::Column(i) => Action::Column(place_of(i.into()) as u8),
            Action::Row(i) => Action::Row(place_of(i.into()) as u8),
            other @ (Action::PrechargeAll | Action::Refresh) => other,
        };
        for number in bits(self.wanted) {
            let bank = &mut self.banks[number];
            (bank.queued, bank.hits) = (moved(bank.queued), moved(bank.hits));
        }
        (self.writes, self.row) = (moved(self.writes), None);
        self.groups.iter_mut().for_each(|group| group.hits = moved(group.hits));
        for place in bits(used) {
            self.queue[place_of(place)] = self.queue[place];
        }
        self.next = used.count_ones() as usize;
        self.used = (1 << self.next) - 1;
    }

    /// Returns bank and row of a local address.
    fn place(&self, local: u32) -> (u64, u32) {
        let (within, low) = self.interleave.apart(local);
        let (row_number, _) = self.row_bytes.div_rem(within);
        let (row, high) = self.bank_count.div_rem(row_number);
        (low + high * self.interleave.banks(), row as u32)
    }
}
