//! One DRAM channel at the level of its commands. It has no clock: `now`, in command cycles, is an
//! argument.
//!
//! A request reads or writes consecutive bursts of one row. It waits in a bounded queue until its
//! column commands are issued as a *train*: one every tCCD, without interruption. Only row commands
//! to other banks are issued in the cycles between them. The command bus carries one command per
//! cycle. `schedule` chooses the command; `timing` has the constraints, a row for each.
//!
//! Addresses are local to the partition: column = address mod `row_bytes`, bank = (address /
//! `row_bytes`) mod `banks`, row = the rest (the map `RRRR BBB CCC` of the usual models). If
//! configured, pieces of a row are first interleaved over a few banks (`RRRR BBB CCCC B CC`).
//!
//! If banks form groups (GDDR5), column commands to one group are at least tCCDL apart. A request
//! is then served in several pieces, each a train, so that trains of different groups alternate and
//! the data bus stays full.
//!
//! Refresh: one is due every tREFI. From then on no train starts and no row opens. When the running
//! train allows it, all banks are precharged; tRP later all are refreshed, and tRFC later work
//! continues. While the queue is empty, refreshes cause no wake-up. They are performed later, each
//! with its original cycle, when the next request arrives or [`Dram::settle`] is called.
//!
//! Invariant `dram-timing`: Every DRAM timing distance is kept, and a request waits for a bounded
//! time.

mod bank;
mod command;
mod counters;
mod interleave;
mod queue;
mod schedule;
mod scheduler;
mod timing;

#[cfg(test)]
pub(super) mod tests;

pub use command::Command;
pub use counters::DramCounters;

use crate::config::{DramConfig, PagePolicy};
use crate::state::Part;
use crate::time::clock::Divider;
use bank::{Bank, Group};
use interleave::Interleave;
use queue::{MOST_PIECES, PLACES, Pending};
use schedule::{Action, Plan};
use scheduler::Scheduler;
use timing::{ACTIVATE_WINDOW, ChannelCycles, CommandKind, Timing};

pub use crate::config::MAX_QUEUE;

/// A DRAM channel.
#[derive(Clone, Debug, Part)]
pub struct Dram {
    #[state(fixed)]
    capacity: usize,
    scheduler: Scheduler,
    /// Whether a row is closed after the last queued request for it.
    #[state(fixed)]
    closed_page: bool,
    #[state(fixed)]
    starvation: u64,
    #[state(fixed)]
    burst_bytes: u64,
    #[state(fixed)]
    timing: Timing,
    #[state(fixed)]
    row_bytes: Divider,
    #[state(fixed)]
    bank_count: Divider,
    #[state(fixed)]
    interleave: Interleave,
    /// Command cycles from one column command of a train to the next.
    #[state(fixed)]
    spacing: Divider,
    /// Number of groups minus 1: a mask that gives the group of a bank number.
    #[state(fixed)]
    group_mask: usize,
    /// The groups of banks.
    groups: Vec<Group>,
    /// Number of data bursts per additional burst for error correction; 0 means no error
    /// correction.
    #[state(fixed)]
    ecc: u64,
    /// Data bursts since the last correction burst.
    ecc_since: u64,
    /// Requests, by queue entry: the older request has the lower entry.
    queue: [Pending; PLACES],
    /// Entries that contain a request.
    used: u64,
    /// Entry of the next request.
    next: usize,
    /// Requests in the queue.
    requests: usize,
    /// Number of their pieces in the queue.
    pieces: u32,
    /// Entries whose requests write.
    writes: u64,
    banks: [Bank; PLACES],
    #[state(fixed)]
    bank_number: usize,
    /// Banks with queued requests.
    wanted: u64,
    /// Banks with a queued request for their open row.
    columns: u64,
    /// Earliest cycle of each command of the channel.
    channel: ChannelCycles,
    /// After each of the latest activates, the earliest cycle of the fourth activate that follows.
    window: [u64; ACTIVATE_WINDOW],
    /// First and last column command of the latest train. If the first is after the last, there was
    /// no train.
    train: (u64, u64),
    /// First command cycle whose bus slot has not carried a first command.
    free: u64,
    refresh_due: u64,
    /// Next command if no request arrives before it.
    plan: Plan,
    /// The best row command, if it is known: see `schedule`.
    row: Option<u64>,
    counters: DramCounters,
}

impl Dram {
    /// Creates the idle channel of partition number `partition` at cycle 0 with all rows closed.
    /// Panics if the number of queue entries or banks is not between 1 and [`MAX_QUEUE`], or if a
    /// row is empty.
    pub fn new(config: &DramConfig, partition: u32) -> Self {
        assert!((1..=MAX_QUEUE).contains(&config.queue), "a DRAM queue holds 1 to {MAX_QUEUE} requests");
        assert!((1..=MAX_QUEUE).contains(&config.banks), "a DRAM channel has 1 to {MAX_QUEUE} banks");
        let timing = Timing::new(config);
        Self {
            capacity: config.queue as usize,
            scheduler: Scheduler::new(config.scheduler, partition),
            closed_page: config.page == PagePolicy::Closed,
            starvation: config.starvation.into(),
            burst_bytes: config.burst_bytes.into(),
            timing,
            row_bytes: Divider::new(config.row_bytes.into()),
            bank_count: Divider::new((config.banks / config.interleaved_banks).into()),
            interleave: Interleave::new(config),
            spacing: Divider::new(timing.spacing),
            group_mask: config.bank_groups as usize - 1,
            groups: vec![Group::default(); config.bank_groups as usize],
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
            channel: ChannelCycles::default(),
            window: [0; ACTIVATE_WINDOW],
            train: (1, 0),
            free: 0,
            refresh_due: timing.refresh_interval,
            plan: Plan::NOTHING,
            row: None,
            counters: DramCounters::default(),
        }
    }

    /// Whether the queue has a free entry.
    #[inline]
    pub fn can_accept(&self) -> bool {
        let pieces = if self.group_mask == 0 { 1 } else { MOST_PIECES };
        self.requests < self.capacity && self.pieces + pieces <= MAX_QUEUE
    }

    /// Returns the number of requests that are not completely issued.
    #[inline]
    pub fn queued(&self) -> usize {
        self.requests
    }

    /// Returns the id of the oldest request in the queue and its arrival cycle.
    pub fn oldest(&self) -> Option<(u32, u64)> {
        (self.used != 0).then(|| self.first()).map(|request| (request.id, request.arrival))
    }

    /// Returns the counters. Refreshes while the queue is empty are counted by the next
    /// [`Dram::push`] or [`Dram::settle`].
    pub fn counters(&self) -> DramCounters {
        let most = self.banks.iter().map(|bank| bank.activates).max().unwrap_or(0);
        DramCounters { row_busy: self.timing.row_cycles(self.counters.activates, most), ..self.counters }
    }

    /// Issues the command that is due at command cycle `now`, if there is one. `now` never
    /// decreases and never passes [`Dram::next_event`]; a call before that cycle changes nothing.
    // Inlined, so that the command stays in registers.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "on the path of every command")]
    pub fn tick(&mut self, now: u64) -> Option<Command> {
        if now < self.plan.time {
            return None;
        }
        let command = match self.plan.action {
            Action::Column(i) => self.start_train(now, i.into()),
            other @ (Action::Row(_) | Action::PrechargeAll | Action::Refresh) => self.perform(now, other),
        };
        self.plan = self.plan(self.free);
        Some(command)
    }

    /// Returns the earliest command cycle at which [`Dram::tick`] acts if no request arrives
    /// before; [`NEVER`](crate::time::NEVER) while the queue is empty.
    #[inline]
    pub fn next_event(&self) -> u64 {
        self.plan.time
    }

    /// Performs the refreshes that were due before `now` while the queue was empty. Called at the
    /// end of a launch, before [`Dram::counters`]; does nothing while requests are queued.
    pub fn settle(&mut self, now: u64) {
        self.catch_up(now, |_, _| ());
    }

    /// Same as [`Dram::settle`]; reports each command and its cycle to `tell`.
    fn catch_up(&mut self, now: u64, mut tell: impl FnMut(u64, Command)) {
        while self.used == 0 && self.refresh_due < now {
            let plan = self.refresh_plan(self.free.max(self.refresh_due));
            if plan.time >= now {
                break;
            }
            tell(plan.time, self.perform(plan.time, plan.action));
        }
    }

    /// Performs `action` at command cycle `now`.
    #[inline(never)]
    fn perform(&mut self, now: u64, action: Action) -> Command {
        self.free = now + 1;
        match action {
            Action::Column(i) => self.start_train(now, i.into()),
            Action::Row(i) => {
                self.row = None;
                let request = &mut self.queue[usize::from(i) % PLACES];
                let number = request.bank as usize;
                let bank = &mut self.banks[number % PLACES];
                if bank.open {
                    request.conflict = true;
                    self.groups[number & self.group_mask].hits &= !bank.hits;
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
                self.groups[number & self.group_mask].hits |= hits;
                self.activated(now);
                command
            }
            Action::PrechargeAll => {
                for bank in self.banks.iter_mut().filter(|bank| bank.open) {
                    bank.precharged(now, &self.timing);
                    self.counters.precharges += 1;
                }
                (self.columns, self.row) = (0, None);
                self.groups.iter_mut().for_each(|group| group.hits = 0);
                Command::PrechargeAll
            }
            Action::Refresh => {
                for bank in &mut self.banks[..self.bank_number] {
                    bank.earliest.delay(now, &self.timing.after(CommandKind::Refresh).bank);
                }
                self.row = None;
                self.refresh_due += self.timing.refresh_interval;
                self.counters.refreshes += 1;
                Command::Refresh
            }
        }
    }

    /// Records an activate at command cycle `now` for the channel.
    fn activated(&mut self, now: u64) {
        let after = |kind| now + self.timing.after(kind).channel.activate;
        let number = self.counters.activates as usize;
        self.window[number % ACTIVATE_WINDOW] = after(CommandKind::FourthLastActivate);
        self.channel.activate = after(CommandKind::Activate).max(self.window[(number + 1) % ACTIVATE_WINDOW]);
        self.counters.activates += 1;
    }

    /// Returns the number of error correction bursts for `bursts` bursts of data.
    fn corrections(&mut self, bursts: u64) -> u64 {
        if self.ecc == 0 {
            return 0;
        }
        let since = self.ecc_since + bursts;
        self.ecc_since = since % self.ecc;
        since / self.ecc
    }

    /// Issues the column commands of the next piece of the request in entry `i`, from `now`. With
    /// its last piece the request leaves the queue.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "on the path of every command")]
    fn start_train(&mut self, now: u64, i: usize) -> Command {
        self.free = now + 1;
        let starved = now > self.first().arrival + self.starvation;
        let Pending { left, whole, .. } = self.queue[i % PLACES];
        let first = left == whole;
        if first {
            self.tell_served(now, i);
        }
        let request = &mut self.queue[i % PLACES];
        let count = request.piece.min(request.left);
        request.left -= count;
        let request = *request;
        let number = request.bank as usize;
        let corrections = self.corrections(u64::from(count));
        let (bursts, timing, burst) = (u64::from(count), &self.timing, self.timing.burst);
        let last = now + (bursts + corrections - 1) * self.spacing.divisor();
        self.train = (now, last);
        let (end, kind) = if request.write {
            self.counters.writes += bursts;
            (last + timing.write_data, CommandKind::Write)
        } else {
            self.counters.reads += bursts;
            (last + timing.read_data, CommandKind::Read)
        };
        let distances = timing.after(kind);
        self.channel.delay_columns(last, &distances.channel);
        let bank = &mut self.banks[number % PLACES];
        bank.earliest.precharge = bank.earliest.precharge.max(last + distances.bank.precharge);
        let group = &mut self.groups[number & self.group_mask];
        group.column = group.column.max(last + distances.group);
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
            group.hits &= others;
            self.wanted &= !(u64::from(bank.queued == 0) << number);
            if bank.hits == 0 {
                self.columns &= !(1 << number);
                self.row = None;
                if self.closes_after(now, i, &request) {
                    let bank = &mut self.banks[number % PLACES];
                    bank.precharged(bank.earliest.precharge, &self.timing);
                    self.counters.precharges += 1;
                }
            }
            if self.used == 0 {
                self.next = 0;
            }
        }

        let counters = &mut self.counters;
        if !first {
            // The first piece determines the counter of the request.
        } else if request.conflict {
            counters.row_conflicts += 1;
        } else if request.opened {
            counters.row_misses += 1;
        } else {
            counters.row_hits += 1;
        }
        counters.starvation_picks += u64::from(starved);
        counters.data_busy += (bursts + corrections) * burst;
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

/// Returns the indices of the set bits of `mask`, ascending.
fn bits(mut mask: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = (mask != 0).then(|| mask.trailing_zeros() as usize);
        mask &= mask.wrapping_sub(1);
        bit
    })
}
