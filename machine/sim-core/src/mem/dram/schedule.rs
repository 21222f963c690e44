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

use super::bank::Group;
use super::queue::PLACES;
use super::{Dram, bits};
use crate::state::Value;
use crate::time::NEVER;

/// The next action of the channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Value)]
pub(super) enum Action {
    /// Starts a train of the request in entry i.
    Column(u8),
    /// Opens or closes a row for the request in entry i.
    Row(u8),
    /// Closes all rows.
    PrechargeAll,
    /// Refreshes all banks.
    Refresh,
}

/// The next action and its cycle. It has 16 bytes, so that a function returns it in registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Value)]
pub(super) struct Plan {
    pub(super) time: u64,
    pub(super) action: Action,
}

impl Plan {
    /// No action.
    pub(super) const NOTHING: Self = Self { time: NEVER, action: Action::Refresh };
}

/// A candidate as a sortable number: earlier cycles first, then column before row commands, then by
/// age.
pub(super) type Key = u64;

const ROW: Key = 1 << 6;

const fn key(time: u64, row: Key, request: u32) -> Key {
    time << 7 | row | request as u64
}

pub(super) const fn time_of(key: Key) -> u64 {
    key >> 7
}

const fn plan_of(key: Key) -> Plan {
    let request = (key & (ROW - 1)) as u8;
    let action = if key & ROW == 0 { Action::Column(request) } else { Action::Row(request) };
    Plan { time: time_of(key), action }
}

impl Dram {
    /// Returns the next command at cycle `from` or later.
    pub(super) fn plan(&mut self, from: u64) -> Plan {
        if self.used == 0 {
            return Plan::NOTHING;
        }
        if from >= self.refresh_due {
            return self.refresh_plan(from);
        }
        let starved = self.first().arrival + self.starvation + 1;
        let best = if from < starved { self.best_by_policy(from) } else { NEVER };
        let chosen = if time_of(best) < starved { best } else { self.for_oldest(from.max(starved)) };
        if time_of(chosen) >= self.refresh_due {
            self.refresh_plan(self.refresh_due)
        } else {
            plan_of(chosen)
        }
    }

    /// Returns the next command of the due refresh, at cycle `from` or later.
    pub(super) fn refresh_plan(&self, from: u64) -> Plan {
        let banks = &self.banks[..self.bank_number];
        let open = banks.iter().filter(|bank| bank.open).map(|bank| bank.earliest.precharge).max();
        if let Some(precharge) = open {
            return Plan { time: self.row_slot(precharge.max(from)), action: Action::PrechargeAll };
        }
        let closed = banks.iter().map(|bank| bank.earliest.activate).max().unwrap_or(0);
        Plan { time: self.row_slot(closed.max(from)), action: Action::Refresh }
    }

    /// Returns the next command at cycle `now` or later, after the newest request was queued for
    /// `bank`. The youngest request changes the plan only if its command can be issued earlier, or
    /// if it needs the row that was to be closed.
    pub(super) fn plan_with_newest(&mut self, now: u64, bank: usize) -> Plan {
        let from = now.max(self.free);
        if !self.scheduler.is_first_ready() {
            return self.plan(from);
        }
        let closing = matches!(self.plan.action, Action::Row(i) if usize::from(self.queue[usize::from(i) % PLACES].bank) == bank);
        if closing && self.banks[bank].hits != 0 {
            return self.plan(from);
        }
        let starved = self.first().arrival + self.starvation + 1;
        let candidate = plan_of(self.in_slot(self.best_of(bank, from)));
        let planned_row = matches!(self.plan.action, Action::Row(_));
        let first = candidate.time < self.plan.time
            || (candidate.time == self.plan.time
                && planned_row
                && matches!(candidate.action, Action::Column(_)));
        if first && candidate.time < starved.min(self.refresh_due) {
            candidate
        } else if self.requests == 1 {
            self.plan(from)
        } else {
            self.plan
        }
    }

    /// Returns the best command of any request at cycle `from` or later, by first ready, first
    /// come, first served.
    pub(super) fn best(&mut self, from: u64) -> Key {
        // Before this cycle the channel accepts no column command.
        let channel =
            if self.writes == 0 { self.channel.read } else { self.channel.read.min(self.channel.write) };
        if channel <= from {
            let column = self.best_column(from);
            // In the same cycle a column command has priority over a row command.
            return if time_of(column) == from { column } else { column.min(self.best_row(from)) };
        }
        let row = self.best_row(from);
        if time_of(row) < channel { row } else { row.min(self.best_column(from)) }
    }

    /// Returns the best row command of any request at cycle `from` or later.
    #[inline]
    fn best_row(&mut self, from: u64) -> Key {
        // Trains change no row command of another bank. The latest result is therefore valid if its
        // cycle has not passed and the running train leaves the bus free in it.
        if let Some(row) = self.row
            && (row == NEVER || time_of(row) >= from && self.row_slot(time_of(row)) == time_of(row))
        {
            debug_assert_eq!(row, self.any_best_row(from), "trains change no other row command");
            return row;
        }
        let row = self.any_best_row(from);
        self.row = Some(row);
        row
    }

    /// Same as [`Self::best_row`], from the state of all banks.
    #[inline(never)]
    fn any_best_row(&self, from: u64) -> Key {
        let activate = self.channel.activate.max(from);
        let taken = from <= self.train.1;
        bits(self.wanted & !self.columns).fold(NEVER, |best, bank| {
            let bank = &self.banks[bank % PLACES];
            let time = if bank.open {
                bank.earliest.precharge.max(from)
            } else {
                bank.earliest.activate.max(activate)
            };
            let time = if taken { self.row_slot(time) } else { time };
            best.min(key(time, ROW, bank.queued.trailing_zeros()))
        })
    }

    /// Returns the best column command of any request at cycle `from` or later.
    #[inline]
    fn best_column(&self, from: u64) -> Key {
        let mut best = NEVER;
        if self.writes == 0 {
            let from = from.max(self.channel.read);
            for (number, group) in self.groups.iter().enumerate().filter(|(_, group)| group.hits != 0) {
                best = best.min(self.best_in(number, group, u64::MAX, from));
            }
            return best;
        }
        for (number, group) in self.groups.iter().enumerate() {
            if group.hits & !self.writes != 0 {
                best = best.min(self.best_in(number, group, !self.writes, from.max(self.channel.read)));
            }
            if group.hits & self.writes != 0 {
                best = best.min(self.best_in(number, group, self.writes, from.max(self.channel.write)));
            }
        }
        best
    }

    /// Returns the best column command of a group at cycle `from` or later, among the requests
    /// `kind`, of which one is for an open row.
    #[inline]
    fn best_in(&self, number: usize, group: &Group, kind: u64, from: u64) -> Key {
        let from = from.max(group.column);
        // No command is earlier than `from`, and no request is older than the oldest one.
        let oldest = (group.hits & kind).trailing_zeros();
        let bank = self.queue[oldest as usize % PLACES].bank;
        if self.banks[usize::from(bank) % PLACES].earliest.column <= from {
            key(from, 0, oldest)
        } else {
            self.best_hit(number, kind, from)
        }
    }

    /// Returns the best column command of group `group` at cycle `from` or later, among the
    /// requests `kind`, while the row of the oldest one cannot be accessed.
    #[inline(never)]
    fn best_hit(&self, group: usize, kind: u64, from: u64) -> Key {
        let banks = bits(self.columns).filter(|bank| bank & self.group_mask == group);
        banks.fold(NEVER, |best, bank| {
            let bank = &self.banks[bank % PLACES];
            let hits = bank.hits & kind;
            if hits == 0 {
                best
            } else {
                best.min(key(bank.earliest.column.max(from), 0, hits.trailing_zeros()))
            }
        })
    }

    /// Returns the best command for one bank with queued requests, at cycle `from` or later. For a
    /// row command, the running train may occupy the bus in that cycle.
    #[inline]
    fn best_of(&self, bank: usize, from: u64) -> Key {
        let group = self.groups[bank & self.group_mask].column;
        let bank = &self.banks[bank % PLACES];
        if bank.hits == 0 {
            let (own, channel) = if bank.open {
                (bank.earliest.precharge, from)
            } else {
                (bank.earliest.activate, self.channel.activate)
            };
            return key(own.max(channel).max(from), ROW, bank.queued.trailing_zeros());
        }
        let column = bank.earliest.column.max(group).max(from);
        let first = |channel: u64, mask: u64| {
            if mask == 0 { NEVER } else { key(channel.max(column), 0, mask.trailing_zeros()) }
        };
        first(self.channel.read, bank.hits & !self.writes)
            .min(first(self.channel.write, bank.hits & self.writes))
    }

    /// Moves the candidate to the first cycle in which the running train leaves the bus free.
    fn in_slot(&self, candidate: Key) -> Key {
        if candidate & ROW == 0 {
            candidate
        } else {
            candidate + ((self.row_slot(time_of(candidate)) - time_of(candidate)) << 7)
        }
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
            return key(channel.max(bank.earliest.column).max(group).max(from), 0, place);
        }
        let time = if bank.open {
            bank.earliest.precharge
        } else {
            bank.earliest.activate.max(self.channel.activate)
        };
        key(self.row_slot(time.max(from)), ROW, place)
    }

    /// Returns the first cycle from `time` without a column command of the running train.
    fn row_slot(&self, time: u64) -> u64 {
        let (first, last) = self.train;
        if time > last || time < first || self.spacing.div_rem(time - first).1 != 0 {
            time
        } else if self.spacing.divisor() == 1 {
            last + 1
        } else {
            time + 1
        }
    }
}
