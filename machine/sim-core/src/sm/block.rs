//! Block slots of an SM: the warps, the shared memory and the barriers of a resident block.

use super::barrier::Barriers;
use crate::state::{CloneFrom, Value};

/// One block slot.
#[derive(CloneFrom, Debug, PartialEq, Value)]
pub struct BlockSlot {
    /// Whether a block is resident.
    pub resident: bool,
    /// Linear number of the block in the grid.
    pub block: u64,
    /// Mask of its warp slots.
    pub warps: u64,
    /// Mask of the warps that have not executed their last exit.
    pub live: u64,
    /// Mask of the warps that have exited, including the last issue slot of the exit instruction.
    pub exited: u64,
    /// Number of pending loads.
    pub loads: u32,
    /// Its shared memory.
    pub shared: Vec<u8>,
    /// Barriers of the block.
    pub barriers: Barriers,
    /// Issue cycle from which it is resident.
    pub since: u64,
}

impl BlockSlot {
    /// An empty slot without shared memory.
    pub fn empty() -> Self {
        Self {
            resident: false,
            block: 0,
            warps: 0,
            live: 0,
            exited: 0,
            loads: 0,
            shared: Vec::new(),
            barriers: Barriers::default(),
            since: 0,
        }
    }

    /// Starts block number `block` in this slot at issue cycle `since`, with its warps in slots
    /// `warps`. Its `shared_bytes` of shared memory are zero.
    pub fn start(&mut self, block: u64, warps: u64, since: u64, shared_bytes: u32) {
        self.resident = true;
        self.block = block;
        self.warps = warps;
        self.live = warps;
        self.exited = 0;
        self.loads = 0;
        self.shared.clear();
        self.shared.resize(shared_bytes as usize, 0);
        self.barriers = Barriers::default();
        self.since = since;
    }

    /// Whether all its warps have exited and their loads have completed, so that its slots can be
    /// released.
    pub fn done(&self) -> bool {
        self.resident && self.exited == self.warps && self.loads == 0
    }
}
