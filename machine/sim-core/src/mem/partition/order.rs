//! The point of order: performs and counts a request in the cycle in which it is accepted, and
//! passes it to the next stage.

use super::atomics::Words;
use super::constants::{Constants, Found};
use super::l2::{self, Query};
use super::replies::Replies;
use super::{NO_REPLY, Partition, PartitionCounters, Passing, lanes};
use crate::mem::{atomic, sectors};
use crate::time::message::{PartitionOutbox, Reply, Request, RequestKind};

impl Partition {
    /// Performs the first request of `link`, accepted at `now`. Returns the request for the L2, if
    /// there is one.
    #[inline]
    pub(super) fn perform(&mut self, link: usize, now: u64, out: &mut PartitionOutbox) -> Option<Query> {
        // A request is large, so it is read in place.
        let request = self.arbiter.links.head(link);
        let arrival = now + self.crossbar_latency;
        let sent = out.to(link);
        sent.credits.push(arrival);

        let (owner, mut local) = self.map.locate(request.chunk);
        let sectors = l2::sectors(request, local, self.burst_bytes);
        let mut bursts = if self.l2.is_some() { sectors::count(sectors) } else { request.bursts.max(1) };
        let wire_bytes = self.replies.wire_bytes(bursts);
        let mapped = self.crosses_link(request.kind, request.chunk);
        let name = match request.kind {
            RequestKind::Fence => {
                self.counters.fences += 1;
                let mut reply = Reply::EMPTY;
                reply.answer(request, 0);
                sent.replies.push((arrival, reply));
                return None;
            }
            RequestKind::Load | RequestKind::Fill { local: false } => {
                self.counters.count_load(request);
                let (name, reply) = self.replies.keep(link);
                reply.answer(request, wire_bytes);
                lanes::load(&self.image, local, request, &mut reply.data);
                name
            }
            RequestKind::Store => {
                self.counters.stores += 1;
                self.counters.store_transactions += u64::from(request.transactions);
                self.counters.store_bytes += bytes(request);
                let words = self.arbiter.links.head_words(link);
                if lanes::changes(&self.image, local, request, words) {
                    self.last_write = now;
                }
                lanes::store(&mut self.image, local, request, words);
                NO_REPLY
            }
            RequestKind::LocalLoad | RequestKind::Fill { local: true } => {
                self.counters.local_loads += 1;
                let (name, reply) = self.replies.keep(link);
                reply.answer(request, wire_bytes);
                reply.data = [0; _];
                name
            }
            RequestKind::LocalStore => {
                self.counters.local_stores += 1;
                NO_REPLY
            }
            RequestKind::Line | RequestKind::Texture => {
                let (count, cache) = if request.kind == RequestKind::Line {
                    (&mut self.counters.lines, &mut self.constants)
                } else {
                    (&mut self.texture_lines, &mut self.textures)
                };
                *count += 1;
                let (name, reply) = self.replies.keep(link);
                reply.answer(request, wire_bytes);
                reply.data = [0; _];
                let replies = &mut self.replies;
                let cache = cache.as_mut().filter(|_| !mapped);
                (local, bursts) = find_line(cache, replies, local, name, bursts, now)?;
                name
            }
            RequestKind::Atomic(operation) | RequestKind::Reduction(operation) => {
                self.counters.atomics += 1;
                self.counters.atomic_transactions += u64::from(request.transactions);
                let words = self.arbiter.links.head_words(link);
                let (found, changed) = atomic::perform(&mut self.image, local, request, words, operation);
                if changed {
                    self.last_write = now;
                }
                if request.kind.answered() {
                    let (name, reply) = self.replies.keep(link);
                    reply.answer(request, wire_bytes);
                    reply.data = found;
                    name
                } else {
                    NO_REPLY
                }
            }
        };
        debug_assert_eq!(owner, self.index, "a request for another partition's chunk");
        if mapped {
            let kind = request.kind;
            self.cross_link(kind, name, bursts, wire_bytes.into(), now);
            return None;
        }
        if self.l2.is_some() {
            return Some(Query::of(request, local, sectors, name, now));
        }
        self.enter_pipeline(link, local, name, bursts, now);
        None
    }

    /// Same as [`Self::perform`], for most requests: a read of global memory behind an L2, which
    /// does not cross the host link.
    #[inline]
    pub(super) fn perform_read(&mut self, link: usize, now: u64, out: &mut PartitionOutbox) -> Query {
        let request = self.arbiter.links.head(link);
        out.to(link).credits.push(now + self.crossbar_latency);
        let local = self.map.locate(request.chunk).1;
        self.counters.count_load(request);
        let wire_bytes = self.replies.wire_bytes(sectors::count(request.sectors));
        let (name, reply) = self.replies.keep(link);
        reply.answer(request, wire_bytes);
        lanes::load(&self.image, local, request, &mut reply.data);
        Query::of_read(request, local, request.sectors, name, now)
    }

    /// Same as [`Self::perform`], and puts the request into the queue of the L2.
    pub(super) fn order(&mut self, link: usize, now: u64, out: &mut PartitionOutbox) {
        if let Some(query) = self.perform(link, now, out)
            && let Some(l2) = &mut self.l2
        {
            l2.push(query);
        }
    }

    /// Puts the first request of `link`, accepted at `now`, into the pipeline to the DRAM of a
    /// partition without an L2: reply `name` of `bursts` bursts at local address `local`.
    #[inline]
    fn enter_pipeline(&mut self, link: usize, local: u32, name: u32, bursts: u8, now: u64) {
        let request = self.arbiter.links.head(link);
        let mut done = now;
        if matches!(request.kind, RequestKind::Atomic(_) | RequestKind::Reduction(_)) {
            let words = Words::of(request, local);
            let begin = self.atomics.free_at(now, words);
            done = begin + self.atomics.begin(begin, words);
        }
        let entry = self.memory.cycle_at_or_after(done + self.before_dram);
        let alone = self.pipeline.is_empty();
        // An atomic reads the words that it changes, and writes them back. With error correction a
        // store of a part of its bursts reads them.
        if request.kind.reads_dram() || self.ecc && !fills(request, bursts, self.burst_bytes) {
            self.pipeline.push_back(Passing { entry, local, name, bursts, write: false });
        }
        if request.kind.writes_dram() {
            self.pipeline.push_back(Passing { entry, local, name: NO_REPLY, bursts, write: true });
        }
        // Behind other requests it waits for them; the memory side already has a wake-up time.
        if alone && self.dram.can_accept() {
            self.wake_memory_at(entry.max(self.memory_last).min(self.memory_clock));
        }
    }
}

impl PartitionCounters {
    /// Counts a load that is accepted.
    #[inline]
    fn count_load(&mut self, request: &Request) {
        self.loads += 1;
        self.load_transactions += u64::from(request.transactions);
        self.load_bytes += bytes(request);
    }
}

/// Returns the bytes that the lanes of `request` access.
#[inline]
fn bytes(request: &Request) -> u64 {
    // Most requests have all lanes, or one; counting the bits of others takes longer.
    let lanes = if request.lanes == u32::MAX { u32::BITS } else { request.lanes.count_ones() };
    u64::from(lanes) * u64::from(request.bytes)
}

/// Whether `request` needs none of the bytes of its `bursts` bursts: it writes nothing, or its
/// lanes write all bytes.
fn fills(request: &Request, bursts: u8, burst_bytes: u32) -> bool {
    if !request.kind.writes_dram() {
        return true;
    }
    let mut written = [0_u128; 2];
    for &offset in &request.offset[..request.lanes.count_ones() as usize] {
        let each = (1_u128 << request.bytes) - 1;
        written[usize::from(offset >> 7)] |= each << (offset & 127);
    }
    written.iter().map(|half| half.count_ones()).sum::<u32>() == u32::from(bursts) * burst_bytes
}

/// Looks up the line of constants, code or a texture at `local` in `cache`, for reply `name` of
/// `bursts` bursts. Returns the start of the line to read and its bursts; `None` if the line is in
/// the cache or already outstanding.
fn find_line(
    cache: Option<&mut Constants>,
    replies: &mut Replies,
    local: u32,
    name: u32,
    bursts: u8,
    now: u64,
) -> Option<(u32, u8)> {
    let Some(cache) = cache else { return Some((local, bursts)) };
    match cache.look_up(local, name, bursts) {
        Found::Hit => {
            replies.served(name, bursts, now + u64::from(cache.config.hit_cycles));
            None
        }
        Found::Merged => None,
        Found::Miss => Some((cache.line_start(local), cache.bursts)),
    }
}
