//! The L1 of an SM (Fermi). It caches lines of global memory without coherence between SMs. Of
//! local memory it holds only the tags, because the values are stored with the warps.
//!
//! The L1 processes the messages at the head of the load/store queue in their order. A load of
//! global memory *hits* and is answered `hit_cycles` later, or waits for a line that is being
//! *filled*, or starts a fill: a request for the whole line, which needs one of `misses` MSHRs. A
//! message that writes global memory evicts its line (a store updates it, if `stores` says so), and
//! *poisons* an outstanding fill of the line. The loads that already wait receive the poisoned
//! line, but the L1 does not keep it and no further load joins the fill. A thread therefore never
//! reads a value older than one that its block has written or read before. Stores of other SMs do
//! not change this L1: this is the incoherence of the hardware. Loads that are not `cached` bypass
//! the L1 and do not change its lines. Loads of mapped host memory always bypass it.
//!
//! Local memory is written back: a store stays in the L1, whether it hits or misses. A dirty line
//! is written back when another line replaces it. Words that were never stored or filled are not
//! valid and not written back, so a line may be partly valid.
//!
//! With `fill: sectors`, a line of global memory may be partly valid too. A fill requests the
//! sectors that its first load needs. A load joins a fill that contains all its sectors, and waits
//! if a fill contains some of them. A load with some valid sectors requests these again, so that
//! one reply has all its values. They are not valid until the reply arrives.
//!
//! Lines are 128 bytes. The cache is empty when a launch starts. A prefetcher, if the chip has one,
//! requests further lines: see `prefetch`.
//!
//! Invariant `stores-poison-fills`: A value that threads of a block exchange through a cache line
//! arrives although the line is being filled: a store poisons the fill, and a test notices an L1
//! that does not poison it.
//!
//! Invariant `stale-l1-lines`: An L1 returns old values of words that other SMs have stored, as
//! silicon does; an access that bypasses the L1, and a chip without one, never does.

mod lines;
mod prefetch;

#[cfg(test)]
mod tests;

pub use lines::L1Counters;

use super::coalesce::{Addressed, Coalescer};
use crate::cache::{Miss, Mshr, Place, Tags};
use crate::config::{FillPolicy, L1Config, Prefetch, StorePolicy};
use crate::exec::allocations::NOT_MAPPED;
use crate::exec::mask::lanes;
use crate::hooks::{Hooks, Mutant};
use crate::mem::map::AddressMap;
use crate::mem::sectors::{ALL_SECTORS, LINE_BYTES, bursts, sectors_of, words_of};
use crate::state::{CloneFrom, Part, Value};
use crate::time::message::{REQUEST_LANES, Reply, Request, RequestKind, Words};
pub(super) use lines::Waiter;
use lines::{Line, local_store, needed_words, store};
use prefetch::Prefetcher;
use std::collections::VecDeque;

/// Action for a message that the cache has processed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Seen {
    /// The message leaves the SM, perhaps modified.
    Passes,
    /// The message stays in the L1 and is removed from the queue.
    Stays,
    /// The same; it is a load of a line that is in this slot, and the L1 replies at `at`.
    Hit { slot: usize, at: u64 },
    /// No free entry. The message is tried again after a fill has arrived or a line has been
    /// written back.
    Waits,
}

/// A load of global memory that has hit.
#[derive(Clone, Copy, Debug, Value)]
struct Hit {
    /// Shader cycle of the reply.
    at: u64,
    /// Shader cycle of the lookup.
    seen: u64,
    line: u64,
}

/// The cache.
#[derive(CloneFrom, Debug, Part)]
pub struct L1 {
    #[state(fixed)]
    config: L1Config,
    #[state(fixed)]
    map: AddressMap,
    /// Bytes of a DRAM burst.
    #[state(fixed)]
    burst_bytes: u32,
    /// First address of mapped host memory, which the L1 does not keep.
    #[state(fixed)]
    mapped_from: u32,
    #[state(fixed)]
    hooks: Hooks,
    /// Whether a fill requests the sectors of its first load only.
    #[state(fixed)]
    sectored: bool,
    /// Whether somebody is told of each access.
    #[state(fixed)]
    watched: bool,
    prefetcher: Prefetcher,
    #[state(part)]
    tags: Tags,
    lines: Vec<Line>,
    data: Vec<Words>,
    /// MSHRs: the outstanding fills. The entry of a poisoned line is closed.
    #[state(part)]
    mshr: Mshr<Waiter>,
    /// For each MSHR, the sectors that it requests. The fills of a line that are not poisoned have
    /// no sector in common with each other or with the valid sectors of the line.
    asked: Vec<u8>,
    /// Hits whose replies were not due at the latest lookup.
    hits: VecDeque<Hit>,
    /// Dirty lines to write back, and lines to prefetch.
    leaving: VecDeque<Addressed>,
    /// Whether the message at the head of the queue was refused.
    stalled: bool,
    /// The line of that message, if it is neither present nor requested.
    absent: Option<u64>,
    /// Hits, misses and evictions.
    pub counters: L1Counters,
}

impl L1 {
    /// The empty cache of SM number `sm`.
    /// `watched`: a policy of a scheduler is told of each access.
    pub(super) fn new(config: L1Config, by: &Coalescer, hooks: Hooks, sm: u32, watched: bool) -> Self {
        let tags = Tags::new(config.shape(), Place::L1(sm));
        Self {
            config,
            map: by.map,
            burst_bytes: by.burst_bytes,
            mapped_from: NOT_MAPPED,
            hooks,
            sectored: config.fill == FillPolicy::Sectors,
            watched: watched || config.prefetch != Prefetch::Off,
            prefetcher: Prefetcher::new(config.prefetch, sm),
            lines: vec![Line::default(); tags.slots()],
            data: vec![[0; _]; tags.slots()],
            tags,
            mshr: Mshr::new(config.misses, config.merges),
            asked: vec![ALL_SECTORS; config.misses as usize],
            hits: VecDeque::new(),
            leaving: VecDeque::new(),
            stalled: false,
            absent: None,
            counters: L1Counters::default(),
        }
    }

    /// From now on somebody is told of each access.
    pub(super) fn watch(&mut self) {
        self.watched = true;
    }

    /// Sets the first address of mapped host memory.
    #[must_use]
    pub(super) fn mapped_from(self, address: u32) -> Self {
        Self { mapped_from: address, ..self }
    }

    /// The next message of the L1 itself: a dirty line to write back, or a line to prefetch.
    pub(super) fn leaving(&self) -> Option<&Addressed> {
        self.leaving.front()
    }

    /// Records that this message has left.
    pub(super) fn left(&mut self) {
        self.leaving.pop_front();
        self.stalled = false;
    }

    /// Whether the message at the head of the queue waits for the L1.
    pub(super) fn stalled(&self) -> bool {
        self.stalled
    }

    /// Returns the words of the line in `slot`.
    #[inline]
    pub(super) fn words(&self, slot: usize) -> &Words {
        &self.data[slot]
    }

    /// Processes the message at the head of the load/store queue at shader cycle `now`. `cached`:
    /// whether loads of global memory are cached.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "on the path of every message")]
    pub(super) fn see(&mut self, now: u64, request: &mut Request, cached: bool) -> Seen {
        let seen = match request.kind {
            RequestKind::Load if cached && self.sectored => self.load_sectors(now, request, false),
            RequestKind::Load if cached => self.load::<false>(now, request, false),
            RequestKind::LocalLoad if self.sectored => self.load_sectors(now, request, true),
            RequestKind::LocalLoad => self.load::<false>(now, request, true),
            RequestKind::LocalStore => self.store_local(request),
            kind if kind.writes() => {
                self.written(request);
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

    /// Processes a write to a line of global memory: later loads must not read an older value here.
    fn written(&mut self, request: &Request) {
        let line = line_of(request);
        if !self.updates(request)
            && let Some(slot) = self.tags.evict(line)
        {
            self.lines[slot] = Line::default();
        }
        if self.hooks.is(Mutant::FillNotPoisoned) {
            return;
        }
        self.mshr.close(line);
    }

    /// Whether a message that has passed changes its line, with [`Self::update`].
    pub(super) fn updates(&self, request: &Request) -> bool {
        self.config.stores == StorePolicy::Update && request.kind == RequestKind::Store
    }

    /// Stores `words`, the data of `request`, to its line, if that is present.
    #[cold]
    pub(super) fn update(&mut self, now: u64, request: &Request, words: &Words) {
        if let Some(slot) = self.tags.hit(line_of(request)) {
            store(&mut self.data[slot], request, words);
            self.lines[slot].since = now;
        }
    }

    /// A load misses `sectors` of a sectored line: it joins a fill that has all of them, and waits
    /// for a fill that has some.
    fn miss(&mut self, line: u64, sectors: u8, waiter: Waiter) -> Miss {
        let mut overlaps = false;
        let joined = self.mshr.find_where(line, |entry| {
            let asked = self.asked[entry as usize];
            overlaps |= asked & sectors != 0;
            asked & sectors == sectors
        });
        if let Some(entry) = joined {
            return if self.mshr.merge(entry, waiter) { Miss::Merged } else { Miss::Full };
        }
        if overlaps || self.writes_wait() {
            return Miss::Full;
        }
        let Some(entry) = self.mshr.allocate(line) else { return Miss::Full };
        self.mshr.merge(entry, waiter);
        Miss::New(entry)
    }

    /// Reduces the request for a line of a new MSHR, `entry`, to `sectors`. `slot` has the line, if
    /// it is present.
    fn ask(&mut self, now: u64, request: &mut Request, (entry, sectors): (u16, u8), slot: Option<usize>) {
        self.asked[entry as usize] = sectors;
        request.sectors = sectors;
        request.lanes = words_of(sectors);
        if sectors != ALL_SECTORS {
            request.bursts = bursts(sectors.into(), self.burst_bytes) as u8;
        }
        // The load receives new values of all its sectors, so no later load may read old ones.
        if let Some(slot) = slot {
            let state = &mut self.lines[slot];
            (state.valid, state.since) = (state.valid & !request.lanes, now);
        }
    }

    /// Same as [`Self::load`], in a sectored cache.
    #[cold]
    fn load_sectors(&mut self, now: u64, request: &mut Request, local: bool) -> Seen {
        self.load::<true>(now, request, local)
    }

    #[inline(always)]
    #[expect(clippy::inline_always, reason = "on the path of every load, in four places")]
    fn load<const SECTORED: bool>(&mut self, now: u64, request: &mut Request, local: bool) -> Seen {
        let line = line_of(request);
        let needed = if local || SECTORED { needed_words(request) } else { u32::MAX };
        // No other fill brings the line of a message that waits for an MSHR.
        let absent = self.absent.take() == Some(line);
        let found = if absent { None } else { self.tags.find(line) };
        if let Some(slot) = found.filter(|slot| self.lines[*slot].valid & needed == needed) {
            self.tags.touch(slot);
            self.counters.load(local, true);
            // A reply is an event after the look-up.
            let at = now + u64::from(self.config.hit_cycles.max(1));
            if !local {
                while self.hits.pop_front_if(|hit| hit.at <= now).is_some() {}
                self.hits.push_back(Hit { at, seen: now, line });
            }
            return Seen::Hit { slot, at };
        }
        if request.chunk >= self.mapped_from {
            self.counters.uncached_global_loads += 1;
            return Seen::Passes;
        }
        let sectors = if SECTORED { sectors_of(needed) } else { ALL_SECTORS };
        // Fills are not faster than write-backs, so the number of waiting write-backs is bounded.
        let miss = if SECTORED {
            self.miss(line, sectors, Waiter::of(request))
        } else if let Some(entry) = if absent { None } else { self.mshr.find(line) } {
            if self.mshr.merge(entry, Waiter::of(request)) { Miss::Merged } else { Miss::Full }
        } else if let Some(entry) = if self.writes_wait() { None } else { self.mshr.allocate(line) } {
            self.mshr.merge(entry, Waiter::of(request));
            Miss::New(entry)
        } else {
            self.absent = found.is_none().then_some(line);
            Miss::Full
        };
        let entry = match miss {
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
        if SECTORED {
            self.ask(now, request, (entry, sectors), found.filter(|_| !local));
        }
        Seen::Passes
    }

    /// Whether the write-back queue is full.
    fn writes_wait(&self) -> bool {
        self.leaving.len() >= self.config.misses as usize
    }

    /// Processes a store to local memory, which stays in the L1.
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

    /// Installs a line, and writes back the dirty words of the line that it replaces.
    fn install(&mut self, line: u64, sm: u8) -> usize {
        let (slot, gone) = self.tags.install(line);
        let dirty = std::mem::take(&mut self.lines[slot]).dirty;
        if let Some(gone) = gone.filter(|_| dirty != 0) {
            self.counters.local_words_written_back += u64::from(dirty.count_ones());
            self.leaving.push_back(local_store(gone, dirty, sm, self.map, self.burst_bytes));
        }
        slot
    }

    /// Processes the fill in `reply`: passes the waiting loads to `release`.
    #[inline]
    pub(super) fn fill(&mut self, now: u64, reply: &Reply, release: impl FnMut(Waiter)) {
        self.stalled = false;
        let local = reply.kind == RequestKind::Fill { local: true };
        let (line, poisoned) = self.mshr.fill(reply.tag, release);
        if poisoned {
            return;
        }
        // A store to local memory, or another fill of a sectored line, may have installed the line.
        let known = if local || self.sectored { self.tags.find(line) } else { None };
        let slot = match known {
            Some(slot) => slot,
            None => self.install(line, reply.sm),
        };
        let words = if self.sectored { words_of(self.asked[reply.tag as usize]) } else { u32::MAX };
        if words == u32::MAX {
            self.data[slot] = reply.data;
        } else {
            lanes(words).for_each(|word| self.data[slot][word] = reply.data[word]);
        }
        let state = &mut self.lines[slot];
        (state.valid, state.since, state.global) = (state.valid | words, now, !local);
    }

    /// Returns the outstanding fills: address of the line, number of loads that wait for it, and
    /// whether a store has poisoned it.
    pub fn fills(&self) -> impl Iterator<Item = (u32, u32, bool)> {
        self.mshr.lines().map(|(line, merged, closed)| (line as u32 * LINE_BYTES, merged, closed))
    }

    /// Returns the number of MSHRs.
    pub fn capacity(&self) -> u32 {
        self.config.misses
    }

    /// Whether every valid word of global memory, and every hit that has no reply before shader
    /// cycle `now`, equals the current content of memory, which `word` returns. Then cached and
    /// uncached loads return the same values.
    pub fn agrees(&self, now: u64, word: impl Fn(u32) -> u32) -> bool {
        let global = |slot: &usize| self.lines[*slot].valid != 0 && self.lines[*slot].global;
        let same = (0..self.lines.len()).filter(global).all(|slot| {
            let base = self.tags.line(slot).map_or(0, |line| line as u32 * LINE_BYTES);
            let valid = self.lines[slot].valid;
            lanes(valid).all(|at| word(base + 4 * at as u32) == self.data[slot][at])
        });
        let kept = |hit: &Hit| {
            let slot = self.tags.find(hit.line);
            slot.is_some_and(|slot| self.lines[slot].since <= hit.seen)
        };
        same && self.hits.iter().filter(|hit| hit.at >= now).all(kept)
    }

    /// Number of dirty words of local memory.
    pub fn dirty_words(&self) -> u64 {
        let dirty = self.lines.iter().map(|line| u64::from(line.dirty.count_ones()));
        dirty.sum()
    }
}

/// Number of the line that a request accesses.
fn line_of(request: &Request) -> u64 {
    u64::from((request.chunk + u32::from(request.offset[0])) / LINE_BYTES)
}

const _: () = assert!(REQUEST_LANES * 4 == LINE_BYTES as usize, "a line fits into a reply");
