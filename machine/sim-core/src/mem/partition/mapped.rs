//! The way to mapped host memory: the partition's share of the host link.
//!
//! A request for mapped memory reaches the point of order as every request does: there its values
//! are read or written. Then it enters neither the caches of the partition nor the DRAM, but the
//! link. Each partition has an equal share of the link's bandwidth, separately for reads and
//! writes: the link is full duplex, and partitions exchange no messages.
//!
//! - The bytes of a request are those of its bursts or, behind an L2, of its sectors. They occupy
//!   the share one after the other, in the order of the arbiter, at an even rate.
//! - The reply of a read is ready for the reply port `latency` shader cycles after the link has
//!   carried the bytes. An atomic is a read and a write, which do not wait for each other.
//! - A write is posted: nothing waits for its end. The arbiter is busy until the link carries the
//!   first byte, so no more than one write waits.
//!
//! A partition without mapped memory has none of this state.
//!
//! Invariant `mapped-link`: A request for mapped memory takes exactly its bytes on the link and the
//! latency, changes neither the DRAM nor a cache, and the link never carries more than its rate.

use super::{NO_REPLY, Partition};
use crate::config::PcieConfig;
use crate::exec::allocations::NOT_MAPPED;
use crate::state::{Part, Value};
use crate::time::clock::Domain;
use crate::time::message::RequestKind;

/// One direction of the link. Byte n of the partition's share begins at byte cycle n.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Value)]
struct Lane {
    /// First byte cycle after all requests so far.
    free: u64,
    /// Bytes carried or waiting.
    bytes: u64,
}

impl Lane {
    /// Adds `bytes` bytes that are ready at byte cycle `ready`. Returns their first byte cycle, and
    /// the first one after them.
    fn add(&mut self, ready: u64, bytes: u64) -> (u64, u64) {
        let begin = self.free.max(ready);
        self.free = begin + bytes;
        self.bytes += bytes;
        (begin, self.free)
    }
}

/// The partition's share of the host link.
#[derive(Clone, Debug, Part)]
pub(super) struct HostLink {
    /// Byte cycles: one for each byte that the share carries.
    #[state(fixed)]
    rate: Domain,
    /// Shader cycles from the last byte of a read to its reply.
    #[state(fixed)]
    latency: u64,
    read: Lane,
    written: Lane,
}

impl HostLink {
    fn new(pcie: &PcieConfig, shader_khz: u64, partitions: u32) -> Self {
        let hertz = 1000 * shader_khz * u64::from(partitions);
        let cycles = (u128::from(pcie.mapped_ns) * u128::from(shader_khz)).div_ceil(1_000_000);
        Self {
            rate: Domain::new(pcie.bytes_per_second, hertz),
            latency: cycles as u64,
            read: Lane::default(),
            written: Lane::default(),
        }
    }

    /// Returns the bytes read and written.
    pub(super) fn bytes(&self) -> (u64, u64) {
        (self.read.bytes, self.written.bytes)
    }
}

impl Partition {
    /// From address `from` on, memory is that of the host, over a link of `pcie`. `shader_khz` is
    /// the shader clock. [`NOT_MAPPED`]: no memory is.
    pub fn map_host(&mut self, from: u32, pcie: &PcieConfig, shader_khz: u64) {
        self.mapped_from = from;
        self.host_link =
            (from != NOT_MAPPED).then(|| Box::new(HostLink::new(pcie, shader_khz, self.map.partitions())));
    }

    /// Whether a request of `kind` for `address` goes over the host link. Constants and code have
    /// separate addresses.
    #[inline]
    pub(super) fn crosses_link(&self, kind: RequestKind, address: u32) -> bool {
        address >= self.mapped_from && !matches!(kind, RequestKind::Line | RequestKind::Fence)
    }

    /// Sends a request of `kind` for mapped memory, accepted at shader cycle `now`, over the link:
    /// reply `name` of `bursts` bursts, which have `bytes` bytes.
    pub(super) fn cross_link(&mut self, kind: RequestKind, name: u32, bursts: u8, bytes: u64, now: u64) {
        let Some(link) = &mut self.host_link else { return };
        let ready = link.rate.cycle_at_or_after(now);
        if kind.reads_dram() {
            let (_, end) = link.read.add(ready, bytes);
            if name != NO_REPLY {
                self.replies.served(name, bursts, link.rate.start_of(end) + link.latency);
            }
        }
        if kind.writes_dram() {
            let (begin, _) = link.written.add(ready, bytes);
            self.arbiter.hold(link.rate.start_of(begin));
        }
    }
}
