//! One DRAM channel at the level of its commands. It has no clock: `now`, in command clocks, is an
//! argument.
//!
//! A request reads or writes consecutive bursts of one row. It waits in a bounded queue until its
//! column commands go out: a *train* of them, one every tCCD, which nothing interrupts; only row
//! commands to other banks go out in the clocks between. The command bus carries one command per
//! clock. `schedule` chooses it (FR-FCFS), `bank` and `timing` hold what the choice must respect.
//!
//! Addresses are the partition's local ones: column = address mod `row_bytes`, bank = (address /
//! `row_bytes`) mod `banks`, row = the rest (the map `RRRR BBB CCC` of the usual models); or, where
//! the configuration says so, pieces of a row go round a few banks first (`RRRR BBB CCCC B CC`).
//!
//! Where banks form groups (GDDR5) column commands to one group keep tCCDL between them. A request
//! is then served in several pieces, each a train, so that those of different groups alternate and
//! the data bus stays full.
//!
//! Refresh: every tREFI one is due. From then on no train starts and no row opens; when the running
//! train allows it all banks are precharged, tRP later all are refreshed, and tRFC later work goes
//! on. While nothing is queued refreshes cost no wake: they are caught up with, each at the clock
//! at which it would have happened, when the next request comes or [`Dram::settle`] is called.
//!
//! Invariant `dram-timing`: Every DRAM timing distance is kept, and a request waits for a bounded
//! time.

mod bank;
mod command;
mod counters;
mod interleave;
mod queue;
mod schedule;
mod timing;

#[cfg(test)]
pub(super) mod tests;

pub use command::Command;
pub use counters::DramCounters;

use crate::config::DramConfig;
use crate::time::clock::Divider;
use bank::Bank;
use interleave::Interleave;
use queue::{MOST_PIECES, PLACES, Pending};
use schedule::{Action, Plan};
use timing::Timing;

pub use crate::config::MAX_QUEUE;

/// A channel.
#[derive(Clone, Debug)]
pub struct Dram {
    capacity: usize,
    starvation: u64,
    burst_bytes: u64,
    timing: Timing,
    row_bytes: Divider,
    bank_count: Divider,
    interleave: Interleave,
    /// Clocks from one column command of a train to the next.
    spacing: Divider,
    /// Bank number modulo the number of groups, as a mask.
    group_mask: usize,
    /// Earliest column command of each group of banks.
    groups: Vec<u64>,
    /// Bursts for each of which one more is moved, for error correction; 0: none.
    ecc: u64,
    /// Bursts since the last of those.
    ecc_since: u64,
    /// Requests, by place: the older one has the lower place.
    queue: [Pending; PLACES],
    /// Places that hold a request.
    used: u64,
    /// Place of the next request.
    next: usize,
    /// Requests in the queue.
    requests: usize,
    /// Pieces of them in the queue.
    pieces: u32,
    /// Those in the queue that write.
    writes: u64,
    banks: [Bank; PLACES],
    /// Number of banks.
    bank_number: usize,
    /// Banks for which something is queued.
    wanted: u64,
    /// Those of them with a request for their open row.
    columns: u64,
    /// Earliest read command of the channel.
    read: u64,
    /// Earliest write command of the channel.
    write: u64,
    /// Earliest activate of the channel.
    activate: u64,
    /// First and last column command of the latest train; none has gone out yet if the first is the
    /// later one.
    train: (u64, u64),
    /// First clock at which the command bus has not carried a first command yet.
    free: u64,
    refresh_due: u64,
    /// What comes next unless a request comes before.
    plan: Plan,
    counters: DramCounters,
}

impl Dram {
    /// An idle channel at clock 0, all rows closed. Panics if the queue or the banks are not within
    /// 1 and [`MAX_QUEUE`], or if a row holds nothing.
    pub fn new(config: &DramConfig) -> Self {
        assert!((1..=MAX_QUEUE).contains(&config.queue), "a DRAM queue holds 1 to {MAX_QUEUE} requests");
        assert!((1..=MAX_QUEUE).contains(&config.banks), "a DRAM channel has 1 to {MAX_QUEUE} banks");
        let timing = Timing::new(&config.timing);
        Self {
            capacity: config.queue as usize,
            starvation: config.starvation.into(),
            burst_bytes: config.burst_bytes.into(),
            timing,
            row_bytes: Divider::new(config.row_bytes.into()),
            bank_count: Divider::new((config.banks / config.interleaved_banks).into()),
            interleave: Interleave::new(config),
            spacing: Divider::new(if config.bank_groups > 1 { timing.group_burst } else { timing.burst }),
            group_mask: config.bank_groups as usize - 1,
            groups: vec![0; config.bank_groups as usize],
            ecc: config.ecc_bursts.into(),
            ecc_since: 0,
            queue: [Pending::default(); PLACES],
            used: 0,
            next: 0,
            requests: 0,
            pieces: 0,
            writes: 0,
            banks: [Bank::default(); PLACES],
            bank_number: config.banks as usize,
            wanted: 0,
            columns: 0,
            read: 0,
            write: 0,
            activate: 0,
            train: (1, 0),
            free: 0,
            refresh_due: timing.refresh_interval,
            plan: Plan::NOTHING,
            counters: DramCounters::default(),
        }
    }

    /// Whether the queue has room for a request.
    #[inline]
    pub fn can_accept(&self) -> bool {
        let pieces = if self.group_mask == 0 { 1 } else { MOST_PIECES };
        self.requests < self.capacity && self.pieces + pieces <= MAX_QUEUE
    }

    /// Requests whose column commands have not all begun.
    #[inline]
    pub fn queued(&self) -> usize {
        self.requests
    }

    /// The oldest request in the queue, by its name, and the clock at which it came.
    pub fn oldest(&self) -> Option<(u32, u64)> {
        (self.used != 0).then(|| self.first()).map(|request| (request.id, request.arrival))
    }

    /// What has been counted. Refreshes of a time without requests are counted by the next
    /// [`Dram::push`] or [`Dram::settle`].
    pub fn counters(&self) -> &DramCounters {
        &self.counters
    }

    /// Puts the command that is due at clock `now` on the bus, if there is one. `now` never
    /// decreases and never passes [`Dram::next_event`]; a call before that clock changes nothing.
    #[inline]
    pub fn tick(&mut self, now: u64) -> Option<Command> {
        if now < self.plan.time {
            return None;
        }
        let command = self.perform(now, self.plan.action);
        self.plan = self.plan(self.free);
        Some(command)
    }

    /// The earliest clock at which [`Dram::tick`] does something if no request comes before:
    /// [`NEVER`](crate::time::NEVER) when nothing is queued.
    #[inline]
    pub fn next_event(&self) -> u64 {
        self.plan.time
    }

    /// Catches up with the refreshes that fell before `now` while nothing was queued. For the end
    /// of a launch, before [`Dram::counters`] are read; does nothing while requests are queued.
    pub fn settle(&mut self, now: u64) {
        self.catch_up(now, |_, _| ());
    }

    /// [`Dram::settle`], telling each command and its clock.
    fn catch_up(&mut self, now: u64, mut tell: impl FnMut(u64, Command)) {
        while self.used == 0 && self.refresh_due < now {
            let plan = self.refresh_plan(self.free.max(self.refresh_due));
            if plan.time >= now {
                break;
            }
            tell(plan.time, self.perform(plan.time, plan.action));
        }
    }

    fn perform(&mut self, now: u64, action: Action) -> Command {
        self.free = now + 1;
        match action {
            Action::Column(i) => self.start_train(now, i),
            Action::Row(i) => {
                let request = &mut self.queue[i % PLACES];
                let number = request.bank as usize;
                let bank = &mut self.banks[number % PLACES];
                if bank.open {
                    request.conflict = true;
                    bank.precharged(now, &self.timing);
                    self.columns &= !(1 << number);
                    self.counters.precharges += 1;
                    return Command::Precharge { bank: request.bank.into() };
                }
                request.opened = true;
                let command = Command::Activate { bank: request.bank.into(), row: request.row };
                let (row, queued) = (request.row, bank.queued);
                let same_row = |j: &usize| self.queue[j % PLACES].row == row;
                let hits = bits(queued).filter(same_row).fold(0, |mask, j| mask | 1 << j);
                bank.activated(now, row, hits, &self.timing);
                self.columns |= 1 << number;
                self.activate = now + self.timing.activate_to_activate;
                self.counters.activates += 1;
                command
            }
            Action::PrechargeAll => {
                for bank in self.banks.iter_mut().filter(|bank| bank.open) {
                    bank.precharged(now, &self.timing);
                    self.counters.precharges += 1;
                }
                self.columns = 0;
                Command::PrechargeAll
            }
            Action::Refresh => {
                for bank in &mut self.banks[..self.bank_number] {
                    bank.activate = bank.activate.max(now + self.timing.refresh);
                }
                self.refresh_due += self.timing.refresh_interval;
                self.counters.refreshes += 1;
                Command::Refresh
            }
        }
    }

    /// Bursts of error correction that go with `bursts` bursts of data.
    fn corrections(&mut self, bursts: u64) -> u64 {
        if self.ecc == 0 {
            return 0;
        }
        let since = self.ecc_since + bursts;
        self.ecc_since = since % self.ecc;
        since / self.ecc
    }

    /// The column commands of the next piece of the request in place `i` begin at `now`. With its
    /// last piece it leaves the queue.
    fn start_train(&mut self, now: u64, i: usize) -> Command {
        let starved = now > self.first().arrival + self.starvation;
        let request = &mut self.queue[i % PLACES];
        let first = request.left == request.whole;
        let count = request.piece.min(request.left);
        request.left -= count;
        let request = *request;
        let number = request.bank as usize;
        let corrections = self.corrections(u64::from(count));
        let (bursts, timing) = (u64::from(count), &self.timing);
        let last = now + (bursts + corrections - 1) * self.spacing.divisor();
        self.train = (now, last);
        let (end, to_precharge) = if request.write {
            self.write = last + timing.burst;
            self.read = last + timing.write_to_read;
            self.counters.writes += bursts;
            (last + timing.write_data, timing.write_to_precharge)
        } else {
            self.read = last + timing.burst;
            self.write = last + timing.read_to_write;
            self.counters.reads += bursts;
            (last + timing.read_data, timing.read_to_precharge)
        };
        let bank = &mut self.banks[number % PLACES];
        bank.precharge = bank.precharge.max(last + to_precharge);
        if self.group_mask != 0 {
            self.groups[number & self.group_mask] = last + timing.group_burst;
        }
        self.pieces -= 1;
        let mut done = 0;
        if request.left == 0 {
            done = request.whole;
            self.requests -= 1;
            let others = !(1 << i);
            self.used &= others;
            self.writes &= others;
            bank.queued &= others;
            bank.hits &= others;
            self.columns &= !(u64::from(bank.hits == 0) << number);
            self.wanted &= !(u64::from(bank.queued == 0) << number);
            if self.used == 0 {
                self.next = 0;
            }
        }

        let counters = &mut self.counters;
        if !first {
            // Its first piece counts for the request.
        } else if request.conflict {
            counters.row_conflicts += 1;
        } else if request.opened {
            counters.row_misses += 1;
        } else {
            counters.row_hits += 1;
        }
        counters.starvation_picks += u64::from(starved);
        counters.data_busy += (bursts + corrections) * timing.burst;
        counters.bytes += bursts * self.burst_bytes;
        Command::Train {
            id: request.id,
            write: request.write,
            bank: number as u32,
            row: request.row,
            bursts: count,
            done,
            end,
        }
    }
}

/// Numbers of the bits set in `mask`, ascending.
fn bits(mut mask: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = (mask != 0).then(|| mask.trailing_zeros() as usize);
        mask &= mask.wrapping_sub(1);
        bit
    })
}
