//! Chooses the next command and its cycle: FR-FCFS with a starvation bound, or another scheduler
//! (`scheduler`) instead of rules 3 and 4.
//!
//! 1. A refresh that is due has priority over all other commands.
//! 2. If the oldest request has waited for more than the starvation bound, only its commands are
//!    issued.
//! 3. Otherwise the oldest request for an open row whose column command can be issued now is served
//!    ("first ready").
//! 4. Otherwise the bank of the oldest request that needs it is activated or precharged, if that is
//!    possible now. A bank is not precharged while a request for its open row is queued.
//!
//! Only a new request can change this choice, so it is made ahead of time: the earliest cycle at
//! which any command can be issued, and the first command by these rules among those possible in
//! that cycle.
//!
//! The best column command and the best row command are kept apart. A row command delays no column
//! command, because the latter has priority in its cycle, and a train delays no row command of
//! another bank, except from the cycles of its column commands. Each therefore stays the best until
//! it is issued; a new candidate is compared with it. While rule 1 or 2 applies, it may be older
//! than the latest command; it is then above `urgent` and not used.

use super::queue::PLACES;
use super::{Dram, bits};
use crate::time::NEVER;

/// A command as a sortable number: earlier cycles first, then column before row commands, then by
/// age of the request.
pub(super) type Key = u64;

/// Starts a train of a request.
pub(super) const COLUMN: Key = 0;
/// Opens or closes a row for a request.
pub(super) const ROW: Key = 1;
/// Closes all rows.
pub(super) const PRECHARGE_ALL: Key = 2;
/// Refreshes all banks.
pub(super) const REFRESH: Key = 3;

/// Returns the key of a command for the request in entry `place`.
#[inline]
pub(super) const fn key(time: u64, action: Key, place: u32) -> Key {
    time << 8 | action << 6 | place as u64
}

/// Returns the cycle of a command.
#[inline]
pub(super) const fn time_of(key: Key) -> u64 {
    key >> 8
}

/// Returns what a command does.
#[inline]
pub(super) const fn action_of(key: Key) -> Key {
    key >> 6 & 3
}

/// Returns the entry of the request of a command.
#[inline]
pub(super) const fn place_of(key: Key) -> usize {
    key as usize % PLACES
}

/// Returns a number that the keys of all commands before cycle `time` are below, and no others.
#[inline]
pub(super) fn before(time: u64) -> Key {
    key(time.min(time_of(NEVER)), COLUMN, 0)
}

impl Dram {
    /// Plans the next command.
    #[inline]
    pub(super) fn choose(&mut self) {
        let best = self.column.min(self.row);
        self.plan = if best < self.urgent { best } else { self.urgent_plan(self.free) };
    }

    /// Same as [`Self::choose`], after a train.
    #[inline]
    pub(super) fn plan_after_train(&mut self) {
        self.column = self.best_column(self.free);
        // Trains change no row command of another bank. The best one stays the best if its cycle
        // has not passed and the running train leaves the bus free in it.
        let row = time_of(self.row);
        if row <= self.train.1 && (row < self.free || self.row_slot(row) != row) {
            self.row = self.best_row(self.free);
        }
        self.choose();
    }

    /// Same as [`Self::choose`], after a row command.
    #[inline]
    pub(super) fn plan_after_row(&mut self) {
        self.row = self.best_row(self.free);
        if time_of(self.column) < self.free {
            self.column = self.best_column(self.free);
        }
        self.choose();
    }

    /// Same as [`Self::choose`], after the newest request, in entry `place`, was queued for the
    /// open row of bank `number`. `closing`: until then the bank needed a row command.
    #[inline]
    pub(super) fn plan_with_hit(&mut self, place: usize, number: usize, closing: bool) {
        self.column = self.column.min(self.command_for(place as u32, self.free));
        if closing && usize::from(self.queue[place_of(self.row)].bank) == number {
            self.row = self.best_row(self.free);
        }
        self.choose();
    }

    /// Returns the next command at cycle `from` or later, when a refresh may be due or the oldest
    /// request may have waited too long, or by another scheduler.
    #[inline(never)]
    fn urgent_plan(&mut self, from: u64) -> Key {
        if self.used == 0 {
            return NEVER;
        }
        if from >= self.refresh_due {
            return self.refresh_plan(from);
        }
        let starved = self.first().arrival + self.starvation + 1;
        let best = if from < starved { self.best_by_policy(from) } else { NEVER };
        let chosen = if time_of(best) < starved { best } else { self.for_oldest(from.max(starved)) };
        if time_of(chosen) >= self.refresh_due { self.refresh_plan(self.refresh_due) } else { chosen }
    }

    /// Notes when the next refresh or the oldest request has priority. Another scheduler always
    /// has.
    #[inline]
    pub(super) fn note_urgent(&mut self) {
        let starved = if self.used == 0 { NEVER } else { self.first().arrival + self.starvation + 1 };
        let first_ready = self.scheduler.is_first_ready();
        self.urgent = if first_ready { before(self.refresh_due.min(starved)) } else { 0 };
    }

    /// Returns the next command of the due refresh, at cycle `from` or later.
    pub(super) fn refresh_plan(&self, from: u64) -> Key {
        let banks = &self.banks[..self.bank_number];
        let open = banks.iter().filter(|bank| bank.open).map(|bank| bank.earliest.precharge).max();
        if let Some(precharge) = open {
            return key(self.row_slot(precharge.max(from)), PRECHARGE_ALL, 0);
        }
        let closed = banks.iter().map(|bank| bank.earliest.activate).max().unwrap_or(0);
        key(self.row_slot(closed.max(from)), REFRESH, 0)
    }

    /// Returns the best command of any request at cycle `from` or later, by first ready, first
    /// come, first served.
    pub(super) fn best(&mut self, from: u64) -> Key {
        self.best_column(from).min(self.best_row(from))
    }

    /// Finds the best column command and the best row command.
    pub(super) fn find_best(&mut self) {
        self.column = self.best_column(self.free);
        self.row = self.best_row(self.free);
    }

    /// Returns the best row command of any request at cycle `from` or later.
    #[inline(never)]
    fn best_row(&self, from: u64) -> Key {
        bits(self.wanted & !self.columns).fold(NEVER, |best, bank| best.min(self.row_key(bank, from)))
    }

    /// Bank `number` needs a row command now.
    #[inline]
    pub(super) fn row_candidate(&mut self, number: usize) {
        self.row = self.row.min(self.row_key(number, self.free));
    }

    /// The row of bank `number` is open now.
    #[inline]
    pub(super) fn column_candidates(&mut self, number: usize) {
        let hits = self.banks[number % PLACES].hits;
        if hits & !self.writes != 0 {
            let floor = self.free.max(self.channel.read);
            self.column = self.column.min(self.column_key(number, hits & !self.writes, floor));
        }
        if hits & self.writes != 0 {
            let floor = self.free.max(self.channel.write);
            self.column = self.column.min(self.column_key(number, hits & self.writes, floor));
        }
    }

    /// Returns the column command of bank `number` for the oldest of the requests `hits` at cycle
    /// `floor` or later.
    #[inline]
    fn column_key(&self, number: usize, hits: u64, floor: u64) -> Key {
        let column = self.banks[number % PLACES].earliest.column;
        let group = self.groups[number & self.group_mask].column;
        key(column.max(group).max(floor), COLUMN, hits.trailing_zeros())
    }

    /// Returns the row command of bank `number`, which needs one, at cycle `from` or later.
    #[inline]
    fn row_key(&self, number: usize, from: u64) -> Key {
        let bank = &self.banks[number % PLACES];
        let time = if bank.open {
            bank.earliest.precharge
        } else {
            bank.earliest.activate.max(self.channel.activate)
        };
        key(self.row_slot(time.max(from)), ROW, bank.queued.trailing_zeros())
    }

    /// Returns the best column command of any request at cycle `from` or later.
    #[inline]
    fn best_column(&mut self, from: u64) -> Key {
        let (reads, writes) = (self.hits & !self.writes, self.hits & self.writes);
        let mut best = NEVER;
        if reads != 0 {
            best = self.best_hit(reads, from.max(self.channel.read), from);
        }
        if writes != 0 {
            best = best.min(self.best_hit(writes, from.max(self.channel.write), from));
        }
        best
    }

    /// Returns the best column command at cycle `floor` or later, among the requests `kind`, all
    /// for open rows. All further choices are for cycle `from` or later.
    #[inline]
    fn best_hit(&mut self, kind: u64, floor: u64, from: u64) -> Key {
        let (mut ready, mut late) = (kind, NEVER);
        for number in bits(self.opening) {
            let bank = &self.banks[number % PLACES];
            let hits = bank.hits & kind;
            if bank.earliest.column <= floor {
                self.opening &= !(u64::from(bank.earliest.column <= from) << number);
            } else if hits != 0 {
                ready &= !hits;
                late = late.min(self.column_key(number, hits, floor));
            }
        }
        if self.slow_groups {
            return self.best_of_slow_groups(ready, late, floor);
        }
        let group = &self.groups[self.latest];
        if group.column > floor {
            let waiting = ready & group.queued;
            ready &= !waiting;
            if ready == 0 && waiting != 0 {
                late = late.min(key(group.column, COLUMN, waiting.trailing_zeros()));
            }
        }
        // No command is earlier than `floor`, and of those in this cycle the oldest is the best.
        if ready == 0 { late } else { key(floor, COLUMN, ready.trailing_zeros()) }
    }

    /// Completes [`Self::best_hit`] if several groups may be busy: `ready` requests wait for no
    /// bank, and `late` is the best command of the others.
    #[inline(never)]
    fn best_of_slow_groups(&self, mut ready: u64, mut late: Key, floor: u64) -> Key {
        for group in self.groups.iter().filter(|group| group.column > floor) {
            let waiting = ready & group.queued;
            if waiting != 0 {
                ready &= !waiting;
                late = late.min(key(group.column, COLUMN, waiting.trailing_zeros()));
            }
        }
        if ready == 0 { late } else { key(floor, COLUMN, ready.trailing_zeros()) }
    }

    /// Returns the next command of the oldest request, at cycle `from` or later.
    pub(super) fn for_oldest(&self, from: u64) -> Key {
        self.command_for(self.used.trailing_zeros(), from)
    }

    /// Returns the next command of the request in entry `place`, at cycle `from` or later.
    pub(super) fn command_for(&self, place: u32, from: u64) -> Key {
        let request = &self.queue[place as usize % PLACES];
        let bank = &self.banks[request.bank as usize % PLACES];
        if bank.hits >> place & 1 != 0 {
            let channel = if request.write { self.channel.write } else { self.channel.read };
            let group = self.groups[usize::from(request.bank) & self.group_mask].column;
            return key(channel.max(bank.earliest.column).max(group).max(from), COLUMN, place);
        }
        let time = if bank.open {
            bank.earliest.precharge
        } else {
            bank.earliest.activate.max(self.channel.activate)
        };
        key(self.row_slot(time.max(from)), ROW, place)
    }

    /// Returns the first cycle from `time` without a column command of the running train.
    #[inline]
    fn row_slot(&self, time: u64) -> u64 {
        if time > self.train.1 { time } else { self.slot_beside_train(time) }
    }

    /// Same as [`Self::row_slot`], before the end of the train.
    #[inline(never)]
    fn slot_beside_train(&self, time: u64) -> u64 {
        let (first, last) = self.train;
        if time < first || self.spacing.div_rem(time - first).1 != 0 {
            time
        } else if self.spacing.divisor() == 1 {
            last + 1
        } else {
            time + 1
        }
    }
}
