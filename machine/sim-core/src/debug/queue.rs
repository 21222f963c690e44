//! The memory side of an SM: the load/store queue, pending loads, and the MSHRs of the L1.

use super::session::Session;
use crate::time::message::{Request, RequestKind};

/// The memory side of an SM.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QueueView {
    /// Entries of the load/store queue.
    pub capacity: u32,
    /// Instructions in the load/store queue, the oldest first. Only the oldest sends messages.
    pub entries: Vec<QueuedAccess>,
    /// Loads, and atomics with a result, whose values have not all arrived.
    pub loads: Vec<PendingLoad>,
    /// Outstanding fills of the L1; `None` if the SM has no L1 or this launch does not use it.
    pub l1: Option<Fills>,
}

/// A warp instruction in the load/store queue.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QueuedAccess {
    /// Slot of the warp that issued it. The warp may have exited since.
    pub slot: u32,
    /// Instruction index.
    pub pc: u32,
    /// Kind of its messages.
    pub kind: MessageKind,
    /// Shader cycle from which its first message can be processed.
    pub ready: u64,
    /// Number of messages that have left.
    pub sent: u32,
    /// Messages that have not left, in their order.
    pub left: Vec<Message>,
}

/// A message from an SM to a memory partition. It has one or several transactions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Message {
    /// Memory partition.
    pub partition: u32,
    /// Lanes of the warp; 0 for a fence.
    pub lanes: u32,
    /// Address that its lowest lane accesses; 0 for a fence.
    pub address: u32,
    /// Number of transactions.
    pub transactions: u32,
}

/// Kind of the messages of an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MessageKind {
    /// Load from global memory.
    Load,
    /// Store to global memory.
    Store,
    /// Atomic with a result.
    Atomic,
    /// Atomic without a result.
    Reduction,
    /// Memory fence.
    Fence,
    /// Load from local memory.
    LocalLoad,
    /// Store to local memory.
    LocalStore,
    /// Read of a line for a cache.
    Line,
}

impl MessageKind {
    fn of(kind: RequestKind) -> Self {
        match kind {
            RequestKind::Load => Self::Load,
            RequestKind::Store => Self::Store,
            RequestKind::Fence => Self::Fence,
            RequestKind::Atomic(_) => Self::Atomic,
            RequestKind::Reduction(_) => Self::Reduction,
            RequestKind::LocalLoad => Self::LocalLoad,
            RequestKind::LocalStore => Self::LocalStore,
            RequestKind::Fill { .. } | RequestKind::Line | RequestKind::Texture => Self::Line,
        }
    }

    /// Returns the name for tables.
    pub fn label(self) -> &'static str {
        match self {
            Self::Load => "load",
            Self::Store => "store",
            Self::Atomic => "atomic",
            Self::Reduction => "reduction",
            Self::Fence => "fence",
            Self::LocalLoad => "local load",
            Self::LocalStore => "local store",
            Self::Line => "line",
        }
    }
}

/// A load, or an atomic with a result, whose values have not all arrived.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PendingLoad {
    /// Warp slot.
    pub slot: u32,
    /// Instruction index.
    pub pc: u32,
    /// Shader cycle of issue.
    pub issued: u64,
    /// Number of replies that have not arrived.
    pub replies: u32,
}

/// The MSHRs of an L1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fills {
    /// Number of MSHRs.
    pub capacity: u32,
    /// Lines that have been requested and have not arrived.
    pub lines: Vec<Fill>,
}

/// A line that an L1 has requested.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fill {
    /// Address of the line of 128 bytes.
    pub address: u32,
    /// Number of messages that wait for the line.
    pub waiting: u32,
    /// Whether a store to the line came after the request: the L1 will not keep the line.
    pub poisoned: bool,
}

impl Session<'_> {
    /// Returns the memory side of SM `sm`. Returns `None` if the SM does not exist.
    pub fn queue(&self, sm: u32) -> Option<QueueView> {
        let memory = self.sm(sm)?.memory();
        let message = |(partition, request): &(u16, Request)| Message {
            partition: (*partition).into(),
            lanes: request.lanes,
            address: request.chunk + u32::from(request.offset[0]),
            transactions: request.transactions.into(),
        };
        let entries = memory.queue_entries().map(|entry| QueuedAccess {
            slot: entry.warp,
            pc: entry.pc,
            kind: entry.left.first().map_or(MessageKind::Line, |(_, request)| MessageKind::of(request.kind)),
            ready: entry.ready,
            sent: entry.sent as u32,
            left: entry.left.iter().map(message).collect(),
        });
        let fill = |(address, waiting, poisoned)| Fill { address, waiting, poisoned };
        Some(QueueView {
            capacity: memory.queue_capacity(),
            entries: entries.collect(),
            loads: self.pending_loads(sm),
            l1: memory
                .l1()
                .map(|l1| Fills { capacity: l1.capacity(), lines: l1.fills().map(fill).collect() }),
        })
    }

    /// Returns the pending loads of SM `sm`, the oldest first.
    pub(super) fn pending_loads(&self, sm: u32) -> Vec<PendingLoad> {
        let Some(unit) = self.sm(sm) else { return Vec::new() };
        let load = |(slot, pc, issued, replies)| PendingLoad { slot, pc, issued, replies };
        let mut loads: Vec<PendingLoad> = unit.memory().pending_loads().map(load).collect();
        loads.sort_by_key(|load| (load.issued, load.slot));
        loads
    }
}
