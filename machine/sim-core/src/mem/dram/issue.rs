//! Issues the chosen commands: what each changes in the banks, the groups and the channel.

use super::command::Command;
use super::queue::{PLACES, Pending};
use super::schedule::{Key, PRECHARGE_ALL};
use super::timing::{ACTIVATE_WINDOW, CommandKind};
use super::{Dram, bits};

impl Dram {
    /// Performs a part of a refresh at command cycle `now`.
    #[inline(never)]
    pub(super) fn refresh(&mut self, now: u64, part: Key) -> Command {
        self.free = now + 1;
        if part == PRECHARGE_ALL {
            for bank in self.banks.iter_mut().filter(|bank| bank.open) {
                bank.precharged(now, &self.timing);
                self.counters.precharges += 1;
            }
            (self.hits, self.columns) = (0, 0);
            return Command::PrechargeAll;
        }
        for bank in &mut self.banks[..self.bank_number] {
            let distance = self.timing.after(CommandKind::Refresh).bank.activate;
            bank.earliest.activate = bank.earliest.activate.max(now + distance);
        }
        self.refresh_due += self.timing.refresh_interval;
        self.note_urgent();
        self.counters.refreshes += 1;
        Command::Refresh
    }

    /// Closes or opens a row for the request in entry `i` at command cycle `now`.
    #[inline]
    pub(super) fn change_row(&mut self, now: u64, i: usize) {
        self.free = now + 1;
        let request = &mut self.queue[i % PLACES];
        let (number, row) = (request.bank, request.row);
        let bank = &mut self.banks[usize::from(number) % PLACES];
        if bank.open {
            request.conflict = true;
            if bank.hits != 0 {
                self.hits &= !bank.hits;
                // Has passed: the best column command is unknown.
                self.column = 0;
            }
            self.columns &= !(1 << number);
            bank.precharged(now, &self.timing);
            self.counters.precharges += 1;
            return;
        }
        request.opened = true;
        let queued = bank.queued;
        let same_row = |j: &usize| self.queue[j % PLACES].row == row;
        let hits = bits(queued).filter(same_row).fold(0, |mask, j| mask | 1 << j);
        bank.activated(now, row, hits, &self.timing);
        self.hits |= hits;
        self.columns |= 1 << number;
        self.opening |= 1 << number;
        let after = |kind| now + self.timing.after(kind).channel.activate;
        let turn = self.counters.activates as usize;
        self.window[turn % ACTIVATE_WINDOW] = after(CommandKind::FourthLastActivate);
        self.channel.activate = after(CommandKind::Activate).max(self.window[(turn + 1) % ACTIVATE_WINDOW]);
        self.counters.activates += 1;
        self.column_candidates(number.into());
    }

    /// Returns the command that [`Self::change_row`] has issued for the request in entry `i`.
    #[inline]
    pub(super) fn row_command(&self, i: usize) -> Command {
        let Pending { bank, row, .. } = self.queue[i % PLACES];
        if self.banks[usize::from(bank) % PLACES].open {
            Command::Activate { bank: bank.into(), row }
        } else {
            Command::Precharge { bank: bank.into() }
        }
    }

    /// Returns the number of error correction bursts for `bursts` bursts of data.
    #[inline]
    fn corrections(&mut self, bursts: u64) -> u64 {
        if self.ecc == 0 {
            return 0;
        }
        let since = self.ecc_since + bursts;
        self.ecc_since = since % self.ecc;
        let corrections = since / self.ecc;
        self.counters.data_busy += corrections * self.timing.burst;
        corrections
    }

    /// Issues the column commands of the next piece of the request in entry `i`, from `now`. With
    /// its last piece the request leaves the queue. Returns whether it has left.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "on the path of every command")]
    pub(super) fn start_train(&mut self, now: u64, i: usize) -> bool {
        self.free = now + 1;
        if self.plan >= self.urgent {
            self.counters.starvation_picks += u64::from(now > self.first().arrival + self.starvation);
        }
        let request = &mut self.queue[i % PLACES];
        let Pending { piece, whole, left, bank, write, .. } = *request;
        let count = piece.min(left);
        request.left = left - count;
        if left == whole {
            self.count_served(now, i);
        }
        let (number, bursts) = (usize::from(bank), u64::from(count));
        let last = now + (bursts + self.corrections(bursts) - 1) * self.timing.spacing;
        self.train = (now, last);
        let distances = if write {
            self.counters.writes += bursts;
            self.timing.after(CommandKind::Write)
        } else {
            self.counters.reads += bursts;
            self.timing.after(CommandKind::Read)
        };
        // Trains are issued in the order of their cycles, and each keeps its distance to the one
        // before: the latest train alone determines the next one.
        self.channel.read = last + distances.channel.read;
        self.channel.write = last + distances.channel.write;
        let bank = &mut self.banks[number % PLACES];
        bank.earliest.precharge = bank.earliest.precharge.max(last + distances.bank.precharge);
        self.latest = number & self.group_mask;
        self.groups[self.latest].column = last + distances.group;
        self.pieces -= 1;
        let done = count == left;
        if done {
            self.remove(now, i, number);
        }
        done
    }

    /// Returns the first cycle after the last data beat of the latest train.
    #[inline]
    pub(super) fn data_end(&self, write: bool) -> u64 {
        self.train.1 + if write { self.timing.write_data } else { self.timing.read_data }
    }

    /// Returns the command of the latest train, for the request in entry `i`, which it completes if
    /// `done`.
    #[inline]
    pub(super) fn train_command(&self, i: usize, done: bool) -> Command {
        let Pending { id, row, whole, piece, bank, write, .. } = self.queue[i % PLACES];
        let bursts = if done && whole % piece != 0 { whole % piece } else { piece };
        let (bank, done, end) = (bank.into(), if done { whole } else { 0 }, self.data_end(write));
        Command::Train { id, write, bank, row, bursts, done, end }
    }

    /// Counts the request in entry `i`, whose first piece is served at command cycle `now`.
    #[inline]
    fn count_served(&mut self, now: u64, i: usize) {
        self.tell_served(now, i);
        let (request, counters) = (&self.queue[i % PLACES], &mut self.counters);
        let counter = match (request.conflict, request.opened) {
            (true, _) => &mut counters.row_conflicts,
            (false, true) => &mut counters.row_misses,
            (false, false) => &mut counters.row_hits,
        };
        *counter += 1;
    }

    /// Removes the request in entry `i`, for bank `number`, whose last piece is served at command
    /// cycle `now`.
    #[inline]
    fn remove(&mut self, now: u64, i: usize, number: usize) {
        let others = !(1 << i);
        let bank = &mut self.banks[number % PLACES];
        bank.queued &= others;
        bank.hits &= others;
        let (queued, hits) = (bank.queued, bank.hits);
        self.groups[self.latest].queued &= others;
        self.requests -= 1;
        self.hits &= others;
        self.writes &= others;
        let oldest = self.used & !others & self.used.wrapping_neg() != 0;
        self.used &= others;
        if oldest {
            self.note_urgent();
        }
        if hits == 0 {
            self.last_hit_served(now, i, queued);
        }
    }

    /// The request in entry `i`, the last one for the open row of its bank, is served at command
    /// cycle `now`; `queued` requests for other rows remain.
    #[inline]
    fn last_hit_served(&mut self, now: u64, i: usize, queued: u64) {
        let request = self.queue[i % PLACES];
        let number = usize::from(request.bank);
        self.columns &= !(1 << number);
        self.wanted &= !(u64::from(queued == 0) << number);
        if self.closes_after(now, i, &request) {
            let bank = &mut self.banks[number % PLACES];
            bank.precharged(bank.earliest.precharge, &self.timing);
            self.counters.precharges += 1;
        }
        if queued != 0 {
            self.row_candidate(number);
        }
        if self.used == 0 {
            self.next = 0;
        }
    }
}
