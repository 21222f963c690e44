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
//! then enters the queue as several pieces, so that those of different groups alternate and the
//! data bus stays full.
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
mod schedule;
mod timing;

#[cfg(test)]
pub(super) mod tests;

pub use command::Command;
pub use counters::DramCounters;

use crate::config::DramConfig;
use crate::time::clock::Divider;
use bank::{Bank, without_bit};
use interleave::Interleave;
use schedule::{Action, Plan};
use timing::Timing;

pub use crate::config::MAX_QUEUE;

/// Most pieces that a request is queued as where banks form groups.
const MOST_PIECES: u32 = 8;

/// A queued request.
#[derive(Clone, Copy, Debug)]
struct Pending {
    arrival: u64,
    id: u32,
    row: u32,
    bursts: u32,
    /// Bursts of the whole request, and of its pieces behind this one.
    whole: u32,
    behind: u32,
    bank: u8,
    write: bool,
    /// A row was closed for it.
    conflict: bool,
    /// A row was opened for it.
    opened: bool,
}

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
    /// Oldest first.
    queue: Vec<Pending>,
    /// Requests whose last piece is in the queue.
    requests: usize,
    /// Those in the queue that write.
    writes: u64,
    banks: Vec<Bank>,
    /// Banks for which something is queued.
    wanted: u64,
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
            queue: Vec::with_capacity(MAX_QUEUE as usize),
            requests: 0,
            writes: 0,
            banks: vec![Bank::default(); config.banks as usize],
            wanted: 0,
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
        self.requests < self.capacity && self.queue.len() + pieces as usize <= MAX_QUEUE as usize
    }

    /// Requests whose column commands have not all begun.
    #[inline]
    pub fn queued(&self) -> usize {
        self.requests
    }

    /// The oldest request in the queue, by its name, and the clock at which it came.
    pub fn oldest(&self) -> Option<(u32, u64)> {
        self.queue.first().map(|request| (request.id, request.arrival))
    }

    /// What has been counted. Refreshes of a time without requests are counted by the next
    /// [`Dram::push`] or [`Dram::settle`].
    pub fn counters(&self) -> &DramCounters {
        &self.counters
    }

    /// Queues a request for `bursts` bursts (at least 1) from local address `local` on, all in one
    /// row. There must be room. [`Dram::tick`] may serve it at `now` already; it names it `id` in
    /// its [`Command::Train`].
    pub fn push(&mut self, now: u64, id: u32, local: u32, bursts: u32, write: bool) {
        assert!(self.can_accept(), "the DRAM queue is full");
        self.settle(now);
        let (bank, row) = self.place(local);
        let whole = bursts.max(1);
        self.requests += 1;
        if self.group_mask == 0 {
            self.push_piece(now, id, (bank, row), (whole, whole, 0), write);
            return;
        }
        let piece = whole.div_ceil(MOST_PIECES);
        let mut left = whole;
        while left > 0 {
            let bursts = piece.min(left);
            left -= bursts;
            self.push_piece(now, id, (bank, row), (bursts, whole, left), write);
        }
    }

    /// Bank and row of a local address.
    fn place(&self, local: u32) -> (u64, u32) {
        let (within, low) = self.interleave.apart(local);
        let (row_number, _) = self.row_bytes.div_rem(within);
        let (row, high) = self.bank_count.div_rem(row_number);
        (low + high * self.interleave.banks(), row as u32)
    }

    /// Queues a piece of a request: its bursts, those of the whole, and those behind it.
    fn push_piece(
        &mut self,
        now: u64,
        id: u32,
        (bank, row): (u64, u32),
        (bursts, whole, behind): (u32, u32, u32),
        write: bool,
    ) {
        let bit = 1 << self.queue.len();
        self.queue.push(Pending {
            arrival: now,
            id,
            row,
            bursts,
            whole,
            behind,
            bank: bank as u8,
            write,
            conflict: false,
            opened: false,
        });
        if write {
            self.writes |= bit;
        }
        self.wanted |= 1 << bank;
        let number = bank as usize;
        let bank = &mut self.banks[number];
        bank.queued |= bit;
        if bank.open && bank.row == row {
            bank.hits |= bit;
        }
        self.plan = self.plan_with_newest(now, number);
        debug_assert_eq!(self.plan, self.plan(now.max(self.free)), "the plan is what planning anew gives");
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
        while self.queue.is_empty() && self.refresh_due < now {
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
                let request = &mut self.queue[i];
                let bank = &mut self.banks[request.bank as usize];
                if bank.open {
                    request.conflict = true;
                    bank.precharged(now, &self.timing);
                    self.counters.precharges += 1;
                    return Command::Precharge { bank: request.bank.into() };
                }
                request.opened = true;
                let command = Command::Activate { bank: request.bank.into(), row: request.row };
                let (row, queued) = (request.row, bank.queued);
                let hits =
                    bits(queued).filter(|&j| self.queue[j].row == row).fold(0, |mask, j| mask | 1 << j);
                bank.activated(now, row, hits, &self.timing);
                self.activate = now + self.timing.activate_to_activate;
                self.counters.activates += 1;
                command
            }
            Action::PrechargeAll => {
                for bank in self.banks.iter_mut().filter(|bank| bank.open) {
                    bank.precharged(now, &self.timing);
                    self.counters.precharges += 1;
                }
                Command::PrechargeAll
            }
            Action::Refresh => {
                for bank in &mut self.banks {
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

    /// The i-th request leaves the queue, and its column commands begin at `now`.
    fn start_train(&mut self, now: u64, i: usize) -> Command {
        let starved = now > self.queue[0].arrival + self.starvation;
        let request = self.queue.remove(i);
        let bank = request.bank as usize;
        let corrections = self.corrections(u64::from(request.bursts));
        let (bursts, timing) = (u64::from(request.bursts), &self.timing);
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
        self.banks[bank].precharge = self.banks[bank].precharge.max(last + to_precharge);
        if self.group_mask != 0 {
            self.groups[bank & self.group_mask] = last + timing.group_burst;
        }
        let done = if request.behind == 0 { request.whole } else { 0 };
        self.requests -= usize::from(done != 0);

        self.writes = without_bit(self.writes, i);
        for number in bits(self.wanted) {
            self.banks[number].forget(i);
        }
        if self.banks[bank].queued == 0 {
            self.wanted &= !(1 << bank);
        }

        let counters = &mut self.counters;
        if request.behind + request.bursts < request.whole {
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
            bank: bank as u32,
            row: request.row,
            bursts: request.bursts,
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
