//! The unified L2 cache of a partition (Fermi). It is behind the point of order, so it holds no
//! data and changes only the time.
//!
//! A line is 128 bytes in four sectors of 32. The cache looks up one request at a time, for
//! `sector_cycles` per sector. Reads and atomics whose sectors are all valid are answered
//! `hit_cycles` later, without the DRAM. Missing sectors are requested by a *fetch*: an MSHR (one
//! of `misses`) and one DRAM read of whole bursts of one line. Later requests for the same sectors
//! merge into the fetch.
//!
//! Writes allocate a line without a fetch: a byte mask records the bytes written, and a completely
//! written sector is valid. In a full set, the replacement policy evicts a line without an
//! outstanding fetch; its dirty sectors are written to the DRAM. Atomics change their sectors in
//! place. A cache that writes through writes each sector to the DRAM in the cycle of the look-up,
//! so that no sector is dirty, and stores allocate no line.
//!
//! A request that cannot be served blocks the requests behind it. Causes: no free MSHR, no line to
//! evict, no free entry in the pipeline to the DRAM, or a word in use by the atomic unit. The cache
//! is empty when a launch begins. Sectors that are dirty at its end are written back
//! ([`L2::flush`]).
//!
//! Invariant `cache-times`: L1 and L2 answer in their exact cycle, merge misses of one line, and
//! wait for free entries.

mod ahead;
mod query;
mod report;

pub(super) use ahead::Looked;
pub(super) use query::{Query, sectors};
pub use report::L2Counters;

use super::atomics::Atomics;
use super::replies::Replies;
use super::{NO_REPLY, Passing};
use crate::cache::{Mshr, Place, Tags};
use crate::config::{L2Config, PartitionConfig, WritePolicy};
use crate::events::{MemoryRecorder, MemoryWhat};
use crate::mem::sectors::{LINE_BYTES, bursts, whole_bursts};
use crate::state::{CloneFrom, Part, Value};
use crate::time::NEVER;
use crate::time::clock::Domain;
use query::Use;
use std::collections::VecDeque;
use std::mem::take;

/// Capacity of the queue between the arbiter and the cache.
const QUEUE: usize = 4;

/// Most entries that one request adds to the pipeline to the DRAM: a write-back (with error
/// correction a read and a write) and a fetch.
pub(super) const MOST_ADDED: usize = 3;

/// Condition for which the first request waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Value)]
enum Blocked {
    /// Nothing.
    No,
    /// A fetch that completes.
    ForFill,
    /// This number of free entries in the pipeline to the DRAM, or a fetch that completes.
    ForEntries(usize),
}

/// State of a line; each mask has one bit per sector.
#[derive(Clone, Copy, Debug, Default, Value)]
struct Line {
    /// Valid sectors.
    valid: u8,
    /// Sectors with an outstanding fetch.
    coming: u8,
    /// Sectors to be written to the DRAM.
    dirty: u8,
    /// Bytes written, as a mask for each sector.
    written: [u32; 4],
}

impl Line {
    /// Writes `bytes`, a mask for each sector, of `sectors`.
    #[inline]
    fn write(&mut self, sectors: u8, bytes: [u32; 4]) {
        self.dirty |= sectors;
        for (sector, (all, more)) in self.written.iter_mut().zip(bytes).enumerate() {
            *all |= more;
            self.valid |= u8::from(*all == u32::MAX) << sector;
        }
    }
}

/// The pipeline to the DRAM, as the cache uses it.
pub(super) struct Below<'p> {
    /// Requests between the cache and the DRAM queue.
    pub pipeline: &'p mut VecDeque<Passing>,
    /// Capacity of the pipeline.
    pub room: usize,
    /// The clock of the DRAM's commands.
    pub memory: Domain,
    /// Shader cycle from which a request sent now can enter the DRAM queue.
    pub through: u64,
    /// Bytes of a DRAM burst.
    pub burst_bytes: u32,
    /// The recorder of an observed partition.
    pub observed: &'p mut Option<Box<MemoryRecorder>>,
}

impl Below<'_> {
    /// Tells the observer of a look-up.
    #[inline]
    fn tell(&mut self, now: u64, line: u64, usage: Use, sectors: u8, missing: u8) {
        if let Some(observed) = self.observed {
            let (local, usage) = (line as u32 * LINE_BYTES, usage.told());
            observed.record(now, |partition| MemoryWhat::L2 { partition, usage, local, sectors, missing });
        }
    }

    fn has_space(&self, entries: usize) -> bool {
        self.pipeline.len() + entries <= self.room
    }

    /// Sends a read or write of `sectors` of line `line`. Returns its bytes.
    fn send(&mut self, line: u64, sectors: u8, name: u32, write: bool) -> u64 {
        let bursts = bursts(sectors.into(), self.burst_bytes);
        let (local, entry) = (line as u32 * LINE_BYTES, self.memory.cycle_at_or_after(self.through));
        self.pipeline.push_back(Passing { entry, local, name, bursts: bursts as u8, write });
        u64::from(bursts * self.burst_bytes)
    }
}

/// The L2 cache of a partition.
#[derive(CloneFrom, Debug, Part)]
pub(super) struct L2 {
    #[state(fixed)]
    config: L2Config,
    #[state(part)]
    tags: Tags,
    lines: Vec<Line>,
    /// The outstanding fetches, by slot of the line, and the indices of the replies that wait for
    /// each. A line may have several fetches, of different sectors. A miss on sectors that are all
    /// outstanding allocates none.
    #[state(part)]
    mshr: Mshr<u32>,
    /// For each MSHR, the sectors that it fetches.
    fetched: Vec<u8>,
    /// For each reply, the number of fetches that it waits for and the number of its sectors.
    open: Vec<(u8, u8)>,
    /// Requests from the arbiter that have not been looked up.
    queue: VecDeque<Query>,
    /// First shader cycle in which the next request may be looked up.
    free: u64,
    /// Condition for which the first request waits.
    blocked: Blocked,
    /// Fetches whose data are on their way, with the shader cycle of their arrival.
    fills: VecDeque<(u64, u32)>,
    #[state(part)]
    atomics: Atomics,
    /// Whether a sector was ever dirty.
    written: bool,
    /// Next slot to be written back at the end of a launch.
    flushing: Option<usize>,
    /// Whether the DRAM has error correction.
    #[state(fixed)]
    ecc: bool,
    counters: L2Counters,
}

impl L2 {
    /// Creates the empty cache of partition `index`, which has `partition`'s numbers.
    pub(super) fn new(config: L2Config, partition: &PartitionConfig, index: u32) -> Self {
        let tags = Tags::new(config.shape(), Place::L2(index));
        Self {
            config,
            lines: vec![Line::default(); tags.slots()],
            tags,
            mshr: Mshr::new(config.misses, u32::MAX),
            fetched: vec![0; config.misses as usize],
            open: Vec::new(),
            queue: VecDeque::with_capacity(QUEUE),
            free: 0,
            blocked: Blocked::No,
            fills: VecDeque::new(),
            atomics: Atomics::new(partition.atomic_cycles),
            written: false,
            flushing: None,
            ecc: partition.dram.ecc_bursts > 0,
            counters: L2Counters::default(),
        }
    }

    /// Makes this cache equal to `fresh`, which was never used.
    pub(super) fn renew(&mut self, fresh: &mut Self) {
        // Without a line in the tags all lines are as new, and they are most of its bytes.
        let kept = self.tags.is_new().then(|| (take(&mut self.lines), take(&mut fresh.lines)));
        self.clone_from(fresh);
        if let Some(lines) = kept {
            (self.lines, fresh.lines) = lines;
        }
    }

    /// Whether the queue has space for another request.
    #[inline]
    pub(super) fn has_space(&self) -> bool {
        self.queue.len() < QUEUE
    }

    /// Queues a request.
    pub(super) fn push(&mut self, query: Query) {
        debug_assert!(self.has_space(), "the arbiter checks for space first");
        self.queue.push_back(query);
    }

    /// Whether no request and no fetch is under way.
    pub(super) fn quiet(&self) -> bool {
        self.queue.is_empty() && self.mshr.is_empty()
    }

    /// Returns the number of requests that wait to be looked up and the number of outstanding
    /// fetches.
    pub(super) fn occupied(&self) -> (usize, usize) {
        (self.queue.len(), self.mshr.outstanding())
    }

    /// Returns the counters.
    pub(super) fn counters(&self) -> L2Counters {
        let lines = if self.written { &self.lines[..] } else { &[] };
        let dirty = lines.iter().map(|line| u64::from(line.dirty.count_ones())).sum();
        L2Counters { dirty_sectors: dirty, ..self.counters }
    }

    /// Returns the cycles in which atomics on one word kept the first request waiting.
    pub(super) fn atomics_serial(&self) -> u64 {
        self.atomics.serial
    }

    /// Starts to write dirty sectors to the DRAM as soon as no request waits to be looked up.
    pub(super) fn flush(&mut self) {
        self.flushing = self.written.then_some(0);
    }

    /// Returns the next shader cycle at which [`Self::tick`] may act; [`NEVER`] if it waits for
    /// other parts.
    #[inline]
    pub(super) fn wake(&self) -> u64 {
        let fill = self.fills.front().map_or(NEVER, |fill| fill.0);
        let own = match self.queue.front() {
            _ if self.blocked != Blocked::No => NEVER,
            Some(query) => query.at.max(self.free),
            None if self.flushing.is_some() => 0,
            None => NEVER,
        };
        fill.min(own)
    }

    /// The pipeline to the DRAM has `free` free entries: a request that waits for them may be tried
    /// again from shader cycle `from`.
    #[inline]
    pub(super) fn retry(&mut self, free: usize, from: u64) {
        if let Blocked::ForEntries(needed) = self.blocked
            && needed <= free
        {
            self.unblock(from);
        }
    }

    /// Lets the blocked request be tried again, from shader cycle `from`.
    #[inline]
    fn unblock(&mut self, from: u64) {
        if self.blocked != Blocked::No {
            self.blocked = Blocked::No;
            self.free = self.free.max(from);
        }
    }

    /// The data of fetch `name` arrive at shader cycle `at`. Calls are in the order of `at`.
    pub(super) fn fetched(&mut self, name: u32, at: u64) {
        self.fills.push_back((at, name));
    }

    /// Processes the events due at shader cycle `now`.
    pub(super) fn tick(&mut self, now: u64, below: &mut Below<'_>, replies: &mut Replies) {
        while let Some((_, fetch)) = self.fills.pop_front_if(|fill| fill.0 <= now) {
            self.fill(fetch, now, replies);
            self.unblock(now);
        }
        while self.blocked == Blocked::No
            && self.queue.front().is_some_and(|query| query.at.max(self.free) <= now)
        {
            if self.config.writes == WritePolicy::WriteThrough {
                self.look_up_through(now, below, replies);
            } else {
                self.look_up::<false>(now, below, replies);
            }
        }
        while let Some(slot) = self.flushing.filter(|_| self.queue.is_empty() && self.blocked == Blocked::No)
        {
            let entries = self.write_back_entries();
            if !below.has_space(entries) {
                self.blocked = Blocked::ForEntries(entries);
                break;
            }
            let state = std::mem::take(&mut self.lines[slot]);
            if let Some(line) = self.tags.line(slot) {
                self.write_back(line, state, below);
            }
            self.flushing = Some(slot + 1).filter(|next| *next < self.lines.len());
        }
    }

    /// Completes fetch `name`.
    fn fill(&mut self, name: u32, now: u64, replies: &mut Replies) {
        let open = &mut self.open;
        let (slot, _) = self.mshr.fill(name as u16, |name| {
            let (left, sectors) = &mut open[name as usize];
            *left -= 1;
            if *left == 0 {
                replies.served(name, *sectors, now);
            }
        });
        let (line, sectors) = (&mut self.lines[slot as usize], self.fetched[name as usize]);
        line.valid |= sectors;
        line.coming &= !sectors;
    }

    /// Returns the number of entries of a write-back in the pipeline to the DRAM.
    #[inline]
    fn write_back_entries(&self) -> usize {
        1 + usize::from(self.ecc)
    }

    /// Writes the dirty sectors of `state`, the state of line `line`, to the DRAM. The check bits
    /// of error correction belong to a whole sector: a sector that is known in part is read first.
    #[inline]
    fn write_back(&mut self, line: u64, state: Line, below: &mut Below<'_>) {
        if state.dirty == 0 {
            return;
        }
        let partial = state.dirty & !state.valid;
        if self.ecc && partial != 0 {
            self.counters.read_bytes += below.send(line, partial, NO_REPLY, false);
        }
        self.counters.written_bytes += below.send(line, state.dirty, NO_REPLY, true);
    }

    /// Same as [`Self::look_up`], in a cache that writes through.
    #[cold]
    fn look_up_through(&mut self, now: u64, below: &mut Below<'_>, replies: &mut Replies) {
        self.look_up::<true>(now, below, replies);
    }

    /// Serves the first request in the queue, or records the condition for which it must wait.
    fn look_up<const THROUGH: bool>(&mut self, now: u64, below: &mut Below<'_>, replies: &mut Replies) {
        let Some(&Query { line, name, sectors, usage, .. }) = self.queue.front() else { return };
        if let Use::Change(words) = usage {
            let free = self.atomics.free_at(now, words);
            if free > now {
                self.free = free;
                return;
            }
        }
        let found = self.tags.find(line);
        let known = found.map_or_else(Line::default, |slot| self.lines[slot]);
        let wanted = if matches!(usage, Use::Write(_)) { 0 } else { sectors & !known.valid };
        let missing = wanted & !known.coming;
        let writes = !matches!(usage, Use::Read);
        let through = THROUGH && writes;
        let allocates = found.is_none() && !(through && wanted == 0);
        let writing = if allocates || through { self.write_back_entries() } else { 0 };
        let most = usize::from(missing != 0) + writing;
        if missing != 0 && self.mshr.is_full() {
            self.blocked = Blocked::ForFill;
            return;
        }
        if !below.has_space(most) {
            self.blocked = Blocked::ForEntries(most);
            return;
        }
        let slot = if let Some(slot) = found {
            self.tags.touch(slot);
            slot
        } else if !allocates {
            return self.write_around(now, below);
        } else {
            let lines = &self.lines;
            let Some((slot, gone)) = self.tags.install_where(line, |slot| lines[slot].coming == 0) else {
                self.blocked = Blocked::ForFill;
                return;
            };
            let state = std::mem::take(&mut self.lines[slot]);
            if let Some(gone) = gone {
                self.write_back(gone, state, below);
            }
            slot
        };
        self.queue.pop_front();
        let count = sectors.count_ones();
        self.free = now + u64::from(self.config.sector_cycles * count);
        self.counters.count(usage, count, wanted.count_ones());
        below.tell(now, line, usage, sectors, wanted);
        if missing != 0 {
            self.fetch(slot, line, missing, below);
        }
        let mut late = 0;
        self.written |= writes && !through;
        let state = &mut self.lines[slot];
        match usage {
            Use::Read => {}
            Use::Write(bytes) => state.write(sectors, bytes),
            Use::Change(words) => {
                state.dirty |= sectors;
                late = self.atomics.begin(now, words);
            }
        }
        if through {
            let known = Line { valid: state.valid | state.coming, ..*state };
            state.dirty = 0;
            self.write_back(line, known, below);
        }
        if name != NO_REPLY {
            if wanted == 0 {
                replies.served(name, count as u8, now + u64::from(self.config.hit_cycles) + late);
            } else {
                self.wait(name, slot as u64, wanted, count as u8);
            }
        }
    }

    /// A cache that writes through serves a store without its line.
    #[cold]
    fn write_around(&mut self, now: u64, below: &mut Below<'_>) {
        let Some(Query { line, sectors, usage, .. }) = self.queue.pop_front() else { return };
        let Use::Write(bytes) = usage else { unreachable!("only a store needs no line") };
        let count = sectors.count_ones();
        self.free = now + u64::from(self.config.sector_cycles * count);
        self.counters.count(usage, count, 0);
        below.tell(now, line, usage, sectors, 0);
        let mut absent = Line::default();
        absent.write(sectors, bytes);
        self.write_back(line, absent, below);
    }

    /// Requests `sectors` of line `line`, which is in `slot`, from the DRAM.
    fn fetch(&mut self, slot: usize, line: u64, sectors: u8, below: &mut Below<'_>) {
        let known = &mut self.lines[slot];
        // The DRAM reads whole bursts, so adjacent sectors arrive too.
        let sectors = whole_bursts(sectors.into(), below.burst_bytes) as u8 & !known.valid & !known.coming;
        known.coming |= sectors;
        let name = self.mshr.allocate(slot as u64).expect("the caller has checked for a free MSHR");
        self.fetched[name as usize] = sectors;
        self.counters.read_bytes += below.send(line, sectors, name.into(), false);
    }

    /// Lets reply `name` of `count` sectors wait for all fetches of `slot` that contain a sector of
    /// `wanted`.
    fn wait(&mut self, name: u32, slot: u64, wanted: u8, count: u8) {
        if self.open.len() <= name as usize {
            self.open.resize(name as usize + 1, (0, 0));
        }
        let fetched = &self.fetched;
        let fetches = self.mshr.merge_all(slot, name, |fetch| fetched[fetch as usize] & wanted != 0);
        debug_assert!(fetches > 0, "the wanted sectors are outstanding");
        self.open[name as usize] = (fetches as u8, count);
    }
}
