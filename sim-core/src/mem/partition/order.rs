//! The point of order: what a request does and counts in the cycle in which it is taken, and where
//! it goes then.

use super::atomics::Words;
use super::constants::Found;
use super::{NOBODY, Partition, Passing, l2, lanes};
use crate::mem::atomic;
use crate::time::message::{PartitionOutbox, Reply, Request, RequestKind};

impl Partition {
    /// The point of order: `request` of `link` has been taken at `now`.
    pub(super) fn order(&mut self, link: usize, request: &Request, now: u64, out: &mut PartitionOutbox) {
        let arrival = now + self.crossbar_latency;
        let mail = &mut out.to_cluster[link];
        mail.credits.push(arrival);

        let (owner, mut local) = self.map.locate(request.chunk);
        let bytes = u64::from(request.lanes.count_ones()) * u64::from(request.bytes);
        let sectors = l2::sectors(request, local, self.burst_bytes);
        let mut bursts = if self.l2.is_some() { sectors.count_ones() as u8 } else { request.bursts.max(1) };
        let mut reply = Reply {
            kind: request.kind,
            sm: request.sm,
            tag: request.tag,
            bytes: request.bytes,
            wire_bytes: 0,
            lanes: request.lanes,
            quads: request.quads,
            data: [0; _],
        };
        let name = match request.kind {
            RequestKind::Fence => {
                self.counters.fences += 1;
                mail.replies.push((arrival, reply));
                return;
            }
            RequestKind::Load | RequestKind::Fill { local: false } => {
                self.counters.loads += 1;
                self.counters.load_transactions += u64::from(request.transactions);
                self.counters.load_bytes += bytes;
                reply.wire_bytes = self.replies.wire_bytes(bursts);
                reply.data = lanes::load(&self.image, local, request);
                self.replies.keep(link, reply)
            }
            RequestKind::Store => {
                self.counters.stores += 1;
                self.counters.store_transactions += u64::from(request.transactions);
                self.counters.store_bytes += bytes;
                lanes::store(&mut self.image, local, request);
                self.last_write = now;
                NOBODY
            }
            RequestKind::LocalLoad | RequestKind::Fill { local: true } => {
                self.counters.local_loads += 1;
                reply.wire_bytes = self.replies.wire_bytes(bursts);
                self.replies.keep(link, reply)
            }
            RequestKind::LocalStore => {
                self.counters.local_stores += 1;
                NOBODY
            }
            RequestKind::Line => {
                self.counters.lines += 1;
                reply.wire_bytes = self.replies.wire_bytes(bursts);
                let name = self.replies.keep(link, reply);
                let Some(read) = self.find_line(local, name, bursts, now) else { return };
                (local, bursts) = read;
                name
            }
            RequestKind::Atomic(operation) | RequestKind::Reduction(operation) => {
                self.counters.atomics += 1;
                self.counters.atomic_transactions += u64::from(request.transactions);
                reply.wire_bytes = self.replies.wire_bytes(bursts);
                let (found, changed) = atomic::perform(&mut self.image, local, request, operation);
                reply.data = found;
                if changed {
                    self.last_write = now;
                }
                if request.kind.answered() { self.replies.keep(link, reply) } else { NOBODY }
            }
        };
        debug_assert_eq!(owner, self.index, "a request for another partition's chunk");
        if let Some(l2) = &mut self.l2 {
            l2.push(l2::Query::of(request, local, sectors, name, now));
            return;
        }
        let mut done = now;
        if matches!(request.kind, RequestKind::Atomic(_) | RequestKind::Reduction(_)) {
            let words = Words::of(request, local);
            let begin = self.atomics.free_at(now, words);
            done = begin + self.atomics.begin(begin, words);
        }
        let entry = self.memory.cycle_at_or_after(done + self.before_dram);
        let alone = self.pipeline.is_empty();
        // An atomic reads what it changes, and writes it back.
        if request.kind.reads_dram() {
            self.pipeline.push_back(Passing { entry, local, name, bursts, write: false });
        }
        if request.kind.writes_dram() {
            self.pipeline.push_back(Passing { entry, local, name: NOBODY, bursts, write: true });
        }
        // Behind others it waits for them, and the memory side knows when it looks next.
        if alone && self.dram.can_accept() {
            self.wake_memory_at(entry.max(self.memory_last).min(self.memory_clock));
        }
    }

    /// Looks for the line of constants or code at `local`, which the reply `name` of `bursts`
    /// bursts waits for. Says what is to be read for it: where it begins and how many bursts;
    /// nothing if it is here, or is being read already.
    fn find_line(&mut self, local: u32, name: u32, bursts: u8, now: u64) -> Option<(u32, u8)> {
        let Some(cache) = &mut self.constants else { return Some((local, bursts)) };
        match cache.look_up(local, name, bursts) {
            Found::Hit => {
                self.replies.served(name, bursts, now + u64::from(cache.config.hit_cycles));
                None
            }
            Found::Merged => None,
            Found::Miss => Some((cache.line_start(local), cache.bursts)),
        }
    }
}
