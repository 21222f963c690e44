//! Counters of a partition, and its state for a deadlock report.

use super::Partition;
use super::l2::L2Counters;
use crate::counters::{LevelCounters, counters};
use crate::mem::dram::DramCounters;
use crate::state::Value;
use crate::time::NEVER;
use crate::time::message::RequestKind;
use serde::Serialize;

counters! {
    /// Counters of one partition.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Value)]
    pub struct PartitionCounters {
        /// Loads accepted.
        pub loads: u64,
        /// Stores accepted.
        pub stores: u64,
        /// Atomics and reductions accepted.
        pub atomics: u64,
        /// Loads of local memory accepted.
        pub local_loads: u64,
        /// Stores to local memory accepted.
        pub local_stores: u64,
        /// Lines of constants and code requested.
        pub lines: u64,
        /// Look-ups in the partition's constant cache.
        pub const_cache: LevelCounters,
        /// Fences accepted.
        pub fences: u64,
        /// Transactions of loads.
        pub load_transactions: u64,
        /// Transactions of stores.
        pub store_transactions: u64,
        /// Transactions of atomics and reductions.
        pub atomic_transactions: u64,
        /// Bytes that the lanes of loads requested.
        pub load_bytes: u64,
        /// Bytes that the lanes of stores wrote.
        pub store_bytes: u64,
        /// Core cycles in which the input arbiter was busy.
        pub arbiter_busy: u64,
        /// Shader cycles in which the reply port was busy.
        pub reply_busy: u64,
        /// Bytes that left through the reply port.
        pub reply_bytes: u64,
        /// Shader cycles in which atomics on one word kept the atomic unit's first request waiting.
        pub atomics_serial: u64,
        /// Bytes of mapped host memory read over the link.
        pub mapped_read: u64,
        /// Bytes of mapped host memory written over the link.
        pub mapped_written: u64,
        /// Counters of the L2; all zero on chips without one.
        pub l2: L2Counters,
        /// Counters of the DRAM channel.
        pub dram: DramCounters,
    }
}

/// State of each queue of a partition, for a deadlock report.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PartitionStuck {
    /// Index of the partition.
    pub partition: u32,
    /// Links with messages in them.
    pub links: Vec<LinkWait>,
    /// Shader cycle from which the arbiter is free.
    pub arbiter_free_at: u64,
    /// Whether the next stage accepts another load or store from the arbiter.
    pub room: bool,
    /// Number of requests that wait to be looked up in the L2, and of its outstanding DRAM reads.
    pub in_l2: (usize, usize),
    /// Requests between the arbiter (or the L2) and the DRAM queue.
    pub in_pipeline: usize,
    /// Requests in the DRAM queue.
    pub in_dram: usize,
    /// Command cycle at which the oldest of them entered the queue.
    pub dram_oldest: Option<u64>,
    /// Loads whose values have been read and whose replies have not left.
    pub loads_in_flight: usize,
    /// Number of these loads that have been served.
    pub loads_served: usize,
    /// Shader cycle of the next event; `None` if there is none.
    pub next_wake: Option<u64>,
}

/// A link that is not empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct LinkWait {
    /// The sending cluster.
    pub link: usize,
    /// Number of messages.
    pub queued: usize,
    /// Shader cycle at which the first message arrives or arrived.
    pub arrival: u64,
    /// Kind of the first message.
    #[serde(serialize_with = "kind_name")]
    pub kind: RequestKind,
}

impl Partition {
    /// Returns the state of each queue, for a deadlock report.
    pub fn stuck(&self) -> PartitionStuck {
        let wait = |(link, queued, arrival, kind)| LinkWait { link, queued, arrival, kind };
        PartitionStuck {
            partition: self.index,
            links: self.arbiter.links.occupied().map(wait).collect(),
            arbiter_free_at: self.arbiter.free_at(),
            room: self.has_space(),
            in_l2: self.l2.as_ref().map_or((0, 0), |l2| l2.occupied()),
            in_pipeline: self.pipeline.len(),
            in_dram: self.dram.queued(),
            dram_oldest: self.dram.oldest().map(|oldest| oldest.1),
            loads_in_flight: self.replies.in_flight(),
            loads_served: self.replies.leaving(),
            next_wake: Some(self.wake()).filter(|&wake| wake != NEVER),
        }
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn kind_name<S: serde::Serializer>(kind: &RequestKind, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(match kind {
        RequestKind::Load => "load",
        RequestKind::Store => "store",
        RequestKind::Fill { .. } => "line for an L1",
        RequestKind::LocalLoad => "load of local memory",
        RequestKind::LocalStore => "store to local memory",
        RequestKind::Line => "line of constants or code",
        RequestKind::Texture => "line of a texture",
        RequestKind::Fence => "fence",
        RequestKind::Atomic(_) => "atomic",
        RequestKind::Reduction(_) => "reduction",
    })
}
