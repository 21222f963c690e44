//! The queue of a channel: the waiting requests and their entries.

use super::schedule::{COLUMN, Key, ROW, action_of, place_of};
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
    /// row. The queue must have a free entry. [`Dram::serve`] may serve the request from `now`,
    /// with `id` in its [`Command::Train`].
    pub fn push(&mut self, now: u64, id: u32, local: u32, bursts: u32, write: bool) {
        assert!(self.can_accept(), "the DRAM queue is full");
        if self.used == 0 {
            self.settle(now);
        }
        if self.next == PLACES {
            self.move_up();
        }
        let (number, row) = self.interleave.place(local);
        let whole = bursts.max(1);
        let (piece, pieces) = if self.group_mask == 0 {
            (whole, 1)
        } else if whole <= MOST_PIECES {
            (1, whole)
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
            bank: number as u8,
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
        self.free = self.free.max(now);
        if self.requests == 1 {
            self.note_urgent();
        }
        self.groups[number & self.group_mask].queued |= bit;
        let bank = &mut self.banks[number % PLACES];
        self.wanted |= 1 << number;
        let (alone, first_hit) = (bank.queued == 0, bank.hits == 0);
        bank.queued |= bit;
        if bank.open && bank.row == row {
            bank.hits |= bit;
            self.hits |= bit;
            self.columns |= 1 << number;
            self.plan_with_hit(place, number, first_hit && !alone);
        } else {
            if alone {
                self.row_candidate(number);
            }
            self.choose();
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
        let new_place = |place: usize| (used & ((1 << place) - 1)).count_ones() as usize;
        let moved = |mask: u64| bits(mask).fold(0, |mask, place| mask | 1 << new_place(place));
        if matches!(action_of(self.plan), COLUMN | ROW) {
            let place = place_of(self.plan);
            self.plan = self.plan - place as Key + new_place(place) as Key;
        }
        for number in bits(self.wanted) {
            let bank = &mut self.banks[number];
            (bank.queued, bank.hits) = (moved(bank.queued), moved(bank.hits));
        }
        (self.writes, self.hits) = (moved(self.writes), moved(self.hits));
        self.groups.iter_mut().for_each(|group| group.queued = moved(group.queued));
        for place in bits(used) {
            self.queue[new_place(place)] = self.queue[place];
        }
        self.next = used.count_ones() as usize;
        self.used = (1 << self.next) - 1;
        self.find_best();
    }
}
