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
mod issue;
mod queue;
mod schedule;
mod scheduler;
mod timing;

#[cfg(test)]
pub(super) mod tests;

pub use command::Command;
pub use counters::DramCounters;

use crate::config::{DramConfig, PagePolicy};
use crate::state::{CloneFrom, Part};
use crate::time::NEVER;
use crate::time::clock::Divider;
use bank::{Bank, Group};
use interleave::Interleave;
use queue::{MOST_PIECES, PLACES, Pending};
use schedule::{COLUMN, Key, ROW, action_of, before, place_of, time_of};
use scheduler::Scheduler;
use timing::{ACTIVATE_WINDOW, ChannelCycles, Timing};

pub use crate::config::MAX_QUEUE;

/// Most pieces in a queue that has room for a request whose pieces are counted.
const ROOM: u32 = MAX_QUEUE - MOST_PIECES;

/// What a train has done for its request.
#[derive(Clone, Copy, Debug)]
pub struct Served {
    /// Command cycle of its first command.
    pub at: u64,
    /// Id of the request.
    pub id: u32,
    /// Whether it writes.
    pub write: bool,
    /// Bursts of the whole request if the train completes it, else 0.
    pub bursts: u32,
    /// First command cycle after the last data beat.
    pub end: u64,
}

/// A DRAM channel.
#[derive(CloneFrom, Debug, Part)]
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
    interleave: Interleave,
    /// Command cycles from one column command of a train to the next.
    #[state(fixed)]
    spacing: Divider,
    /// Number of groups minus 1: a mask that gives the group of a bank number.
    #[state(fixed)]
    group_mask: usize,
    /// The groups of banks.
    groups: Vec<Group>,
    /// Group of the latest train.
    latest: usize,
    /// Whether a group may still be busy when a train of another group may follow its successor.
    #[state(fixed)]
    slow_groups: bool,
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
    /// Entries whose requests are for the open row of their bank.
    hits: u64,
    banks: [Bank; PLACES],
    #[state(fixed)]
    bank_number: usize,
    /// Banks with queued requests.
    wanted: u64,
    /// Banks with a queued request for their open row.
    columns: u64,
    /// Banks whose row was opened so lately that a column command may have to wait.
    opening: u64,
    /// Earliest cycle of each command of the channel.
    channel: ChannelCycles,
    /// After each of the latest activates, the earliest cycle of the fourth activate that follows.
    window: [u64; ACTIVATE_WINDOW],
    /// First and last column command of the latest train. If the first is after the last, there was
    /// no train.
    train: (u64, u64),
    /// First command cycle in which a command may be issued: after the latest command, and not
    /// before the latest request.
    free: u64,
    refresh_due: u64,
    /// Commands from this one on wait for the next refresh or the oldest request, or are chosen by
    /// another scheduler than FR-FCFS.
    urgent: Key,
    /// Next command if no request arrives before it.
    plan: Key,
    /// The best column command and the best row command: see `schedule`.
    column: Key,
    row: Key,
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
            interleave: Interleave::new(config),
            spacing: Divider::new(timing.spacing),
            group_mask: config.bank_groups as usize - 1,
            groups: vec![Group::default(); config.bank_groups as usize],
            latest: 0,
            slow_groups: timing.slow_groups(),
            ecc: config.ecc_bursts.into(),
            ecc_since: 0,
            queue: [Pending::default(); PLACES],
            used: 0,
            next: 0,
            requests: 0,
            pieces: 0,
            writes: 0,
            hits: 0,
            banks: [Bank::default(); PLACES],
            bank_number: config.banks as usize,
            wanted: 0,
            columns: 0,
            opening: 0,
            channel: ChannelCycles::default(),
            window: [0; ACTIVATE_WINDOW],
            train: (1, 0),
            free: 0,
            refresh_due: timing.refresh_interval,
            urgent: before(timing.refresh_interval),
            plan: NEVER,
            column: NEVER,
            row: NEVER,
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
        let counters = self.counters;
        let most = self.banks.iter().map(|bank| bank.activates).max().unwrap_or(0);
        let bursts = counters.reads + counters.writes;
        DramCounters {
            row_busy: self.timing.row_cycles(counters.activates, most),
            bytes: bursts * self.burst_bytes,
            // The channel counts the bursts of error correction.
            data_busy: counters.data_busy + bursts * self.timing.burst,
            ..counters
        }
    }

    /// Issues the commands before command cycle `limit`, and reports each and its cycle to `tell`.
    /// Stops behind a train that completes a request or makes room for one, and returns it.
    ///
    /// Commands affect other parts only when a request is complete or the queue has room again.
    // Inlined, so that the command stays in registers.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "on the path of every command")]
    pub fn serve(&mut self, limit: u64, mut tell: impl FnMut(u64, Command)) -> Option<Served> {
        let until = before(limit);
        while self.plan < until {
            let (now, i) = (time_of(self.plan), place_of(self.plan));
            match action_of(self.plan) {
                COLUMN => {
                    let done = self.start_train(now, i);
                    tell(now, self.train_command(i, done));
                    self.plan_after_train();
                    if done || self.pieces == ROOM {
                        let Pending { id, whole, write, .. } = self.queue[i];
                        let (bursts, end) = (if done { whole } else { 0 }, self.data_end(write));
                        return Some(Served { at: now, id, write, bursts, end });
                    }
                }
                ROW => {
                    self.change_row(now, i);
                    tell(now, self.row_command(i));
                    self.plan_after_row();
                }
                part => {
                    tell(now, self.refresh(now, part));
                    self.find_best();
                    self.choose();
                }
            }
        }
        None
    }

    /// Issues the command that is due at command cycle `now`, if there is one. `now` never
    /// decreases and never passes [`Dram::next_event`]; a call before that cycle changes nothing.
    #[cfg(test)]
    fn tick(&mut self, now: u64) -> Option<Command> {
        let mut issued = None;
        self.serve(now + 1, |_, command| issued = Some(command));
        issued
    }

    /// Returns the earliest command cycle at which [`Dram::serve`] acts if no request arrives
    /// before; [`NEVER`] while the queue is empty.
    #[inline]
    pub fn next_event(&self) -> u64 {
        if self.plan == NEVER { NEVER } else { time_of(self.plan) }
    }

    /// Returns the command cycle of the latest command; a request may have arrived since.
    #[inline]
    pub fn latest(&self) -> u64 {
        self.free.saturating_sub(1)
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
            let at = time_of(plan);
            if at >= now {
                break;
            }
            tell(at, self.refresh(at, action_of(plan)));
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
