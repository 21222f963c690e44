//! The L1 of an SM (Fermi): copies of lines of global memory, which no other SM keeps up to date,
//! and the tags of lines of local memory, whose values are with the warps.
//!
//! It stands at the head of the load/store queue and sees messages in their order. A load of global
//! memory *hits* and is answered `hit_cycles` later, or waits for a line that is being *filled*, or
//! makes a fill of itself: a request for the whole line, one of `misses` (the MSHRs). Whatever
//! writes global memory evicts its line on the way past, and *poisons* a fill of it that is under
//! way: the line goes to the loads that wait already, is not kept, and nobody joins them. So what a
//! thread reads is never older than what its block has written or seen written before. Stores of
//! other SMs change nothing here: that is silicon's incoherence. Loads that are not `cached` pass,
//! and leave the lines as they are.
//!
//! Local memory is written back: a store stays here, whether its line was there or not, and a dirty
//! line that goes for another is sent off. Words that were never here are not, so a line may be
//! there in part.
//!
//! Lines are 128 bytes. All is empty when a launch begins.
//!
//! Invariant `stores-poison-fills`: A value that threads of a block exchange through a cache line
//! arrives although the line is being filled: a store poisons the fill, and a test notices an L1
//! that does not poison it.
//!
//! Invariant `stale-l1-lines`: An L1 returns old values of words that other SMs have stored, as
//! silicon does; an access that bypasses the L1, and a chip without one, never does.

mod lines;

#[cfg(test)]
mod tests;

pub use lines::L1Counters;

use super::coalesce::{Addressed, Coalescer};
use crate::cache::{Miss, Mshr, Place, Tags};
use crate::config::L1Config;
use crate::hooks::{Hooks, Mutant};
use crate::mem::map::AddressMap;
use crate::mem::sectors::{ALL_SECTORS, LINE_BYTES};
use crate::time::message::{REQUEST_LANES, Reply, Request, RequestKind};
use lines::{Line, LineData, Waiter, local_store, needed_words};
use std::collections::VecDeque;

/// What becomes of a message that the cache has seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Seen {
    /// It leaves the SM, perhaps changed.
    Passes,
    /// It stays here: it is as good as gone.
    Stays,
    /// There is no room; to be asked again when a fill is home or a line has been sent off.
    Waits,
}

/// A reply on its way out of the cache.
#[derive(Clone, Copy, Debug)]
pub(super) struct Home {
    /// Hot cycle of its arrival.
    pub at: u64,
    /// Hot cycle in which the line was looked at.
    seen: u64,
    line: u64,
    pub reply: Reply,
}

/// The cache.
#[derive(Clone, Debug)]
pub struct L1 {
    config: L1Config,
    map: AddressMap,
    /// Bytes of a DRAM burst.
    burst_bytes: u32,
    hooks: Hooks,
    tags: Tags,
    lines: Vec<Line>,
    data: Vec<LineData>,
    /// The fills under way; that of a poisoned line is closed.
    mshr: Mshr<Waiter>,
    /// Hits on their way.
    home: VecDeque<Home>,
    /// Dirty lines on their way out.
    leaving: VecDeque<Addressed>,
    /// The message at the head of the queue has been refused.
    stalled: bool,
    /// What has been counted.
    pub counters: L1Counters,
}

impl L1 {
    /// The empty cache of SM number `sm`.
    pub(super) fn new(config: L1Config, by: &Coalescer, hooks: Hooks, sm: u32) -> Self {
        let tags = Tags::new(config.shape(), Place::L1(sm));
        Self {
            config,
            map: by.map,
            burst_bytes: by.burst_bytes,
            hooks,
            lines: vec![Line::default(); tags.slots()],
            data: vec![[0; _]; tags.slots()],
            tags,
            mshr: Mshr::new(config.misses, config.merges),
            home: VecDeque::new(),
            leaving: VecDeque::new(),
            stalled: false,
            counters: L1Counters::default(),
        }
    }

    /// The dirty line that leaves next.
    pub(super) fn leaving(&self) -> Option<&Addressed> {
        self.leaving.front()
    }

    /// It has left.
    pub(super) fn left(&mut self) {
        self.leaving.pop_front();
        self.stalled = false;
    }

    /// Whether the head of the queue waits for it.
    pub(super) fn stalled(&self) -> bool {
        self.stalled
    }

    /// Arrival of the next hit, if one is on its way.
    pub(super) fn next_home(&self) -> Option<u64> {
        self.home.front().map(|home| home.at)
    }

    /// The next hit that has arrived by `now`.
    pub(super) fn pop_home(&mut self, now: u64) -> Option<Home> {
        self.home.pop_front_if(|home| home.at <= now)
    }

    /// The message at the head of the load/store queue, at `now`; `cached`: loads of global memory
    /// are.
    pub(super) fn see(&mut self, now: u64, request: &mut Request, cached: bool) -> Seen {
        let seen = match request.kind {
            RequestKind::Load if cached => self.load(now, request, false),
            RequestKind::LocalLoad => self.load(now, request, true),
            RequestKind::LocalStore => self.store_local(request),
            kind if kind.writes() => {
                self.written(line_of(request));
                Seen::Passes
            }
            kind => {
                self.counters.uncached_global_loads += u64::from(kind == RequestKind::Load);
                Seen::Passes
            }
        };
        self.stalled = seen == Seen::Waits;
        seen
    }

    /// Line number `line` of global memory is written: nothing older than this may be read here
    /// from now on.
    fn written(&mut self, line: u64) {
        if let Some(slot) = self.tags.evict(line) {
            self.lines[slot] = Line::default();
        }
        if self.hooks.is(Mutant::FillNotPoisoned) {
            return;
        }
        self.mshr.close(line);
    }

    fn load(&mut self, now: u64, request: &mut Request, local: bool) -> Seen {
        let line = line_of(request);
        let needed = if local { needed_words(request) } else { u32::MAX };
        if let Some(slot) = self.tags.find(line).filter(|slot| self.lines[*slot].valid & needed == needed) {
            self.tags.touch(slot);
            self.counters.load(local, true);
            let reply = Waiter::of(request).reply(request.kind, request.sm, &self.data[slot]);
            let at = now + u64::from(self.config.hit_cycles);
            self.home.push_back(Home { at, seen: now, line, reply });
            return Seen::Stays;
        }
        // What is sent off makes room no faster than lines come: so there is a bound to it.
        if self.writes_wait() && self.mshr.find(line).is_none() {
            return Seen::Waits;
        }
        let entry = match self.mshr.miss(line, Waiter::of(request)) {
            Miss::Full => return Seen::Waits,
            Miss::Merged => {
                self.counters.load(local, false);
                return Seen::Stays;
            }
            Miss::New(entry) => entry,
        };
        self.counters.load(local, false);
        let first = request.offset[0] / LINE_BYTES as u8 * LINE_BYTES as u8;
        request.kind = RequestKind::Fill { local };
        request.tag = entry;
        request.bytes = 4;
        request.sectors = ALL_SECTORS;
        request.lanes = u32::MAX;
        request.offset = std::array::from_fn(|word| first + 4 * word as u8);
        request.quads = 0;
        Seen::Passes
    }

    /// Whether so many dirty lines wait to leave that no other may join them.
    fn writes_wait(&self) -> bool {
        self.leaving.len() >= self.config.misses as usize
    }

    /// A store to local memory stays here.
    fn store_local(&mut self, request: &Request) -> Seen {
        let (line, words) = (line_of(request), needed_words(request));
        let found = self.tags.find(line);
        if found.is_none() && self.writes_wait() {
            return Seen::Waits;
        }
        self.counters.local_store(found.is_some());
        let slot = match found {
            Some(slot) => {
                self.tags.touch(slot);
                slot
            }
            None => self.install(line, request.sm),
        };
        let state = &mut self.lines[slot];
        self.counters.local_words_dirtied += u64::from((words & !state.dirty).count_ones());
        state.valid |= words;
        state.dirty |= words;
        Seen::Stays
    }

    /// Makes room for a line, and sends off what is dirty of the line that goes for it.
    fn install(&mut self, line: u64, sm: u8) -> usize {
        let (slot, gone) = self.tags.install(line);
        let dirty = std::mem::take(&mut self.lines[slot]).dirty;
        if let Some(gone) = gone.filter(|_| dirty != 0) {
            self.counters.local_words_written_back += u64::from(dirty.count_ones());
            self.leaving.push_back(local_store(gone, dirty, sm, self.map, self.burst_bytes));
        }
        slot
    }

    /// The fill that `reply` answers is home: the loads that wait for it, with their replies, go to
    /// `to`.
    pub(super) fn fill(&mut self, now: u64, reply: &Reply, to: &mut Vec<Reply>) {
        self.stalled = false;
        let local = reply.kind == RequestKind::Fill { local: true };
        let kind = if local { RequestKind::LocalLoad } else { RequestKind::Load };
        let release = |waiter: Waiter| to.push(waiter.reply(kind, reply.sm, &reply.data));
        let (line, poisoned) = self.mshr.fill(reply.tag, release);
        if poisoned {
            return;
        }
        let slot = match self.tags.find(line) {
            Some(slot) => slot,
            None => self.install(line, reply.sm),
        };
        self.data[slot] = reply.data;
        let state = &mut self.lines[slot];
        (state.valid, state.since, state.global) = (u32::MAX, now, !local);
    }

    /// Whether every line of global memory that it holds, and every hit on its way, is what memory
    /// holds now: `word` says what that is. Then loads that go through it get the same as those
    /// that do not.
    pub fn agrees(&self, word: impl Fn(u32) -> u32) -> bool {
        let global = |slot: &usize| self.lines[*slot].valid != 0 && self.lines[*slot].global;
        let same = (0..self.lines.len()).filter(global).all(|slot| {
            let base = self.tags.line(slot).map_or(0, |line| line as u32 * LINE_BYTES);
            (base..).step_by(4).zip(&self.data[slot]).all(|(at, value)| word(at) == *value)
        });
        let kept = |home: &Home| {
            let slot = self.tags.find(home.line);
            slot.is_some_and(|slot| self.lines[slot].since <= home.seen)
        };
        same && self.home.iter().filter(|home| home.reply.kind == RequestKind::Load).all(kept)
    }

    /// Words of local memory that are dirty.
    pub fn dirty_words(&self) -> u64 {
        let dirty = self.lines.iter().map(|line| u64::from(line.dirty.count_ones()));
        dirty.sum()
    }
}

/// Number of the line that a request is for.
fn line_of(request: &Request) -> u64 {
    u64::from((request.chunk + u32::from(request.offset[0])) / LINE_BYTES)
}

const _: () = assert!(REQUEST_LANES * 4 == LINE_BYTES as usize, "a reply has room for a line");
