//! Order of the accesses of a block, besides the barriers of the whole block: other barriers,
//! synchronization, and the paths of diverged warps.

use super::Access;
use super::clocks::BarrierOrder;
use super::paths::Paths;
use super::sync::Sync;
use crate::exec::Step;
use crate::exec::barrier::Arrival;
use isa::uop::Inst;

/// The orders at one point of a launch.
#[derive(Clone, Debug, Default)]
pub struct Order {
    pub(super) barriers: BarrierOrder,
    pub(super) sync: Sync,
    paths: Vec<Paths>,
}

impl Order {
    /// Begins a block of `warps` warps.
    pub(super) fn begin(&mut self, warps: u32) {
        self.barriers.begin(warps);
        self.paths.clear();
    }

    /// Begins to follow the instructions of the warps of a block.
    pub(super) fn begin_accesses(&mut self, block: u32, warps: u32) {
        self.sync.begin(block, warps);
        self.paths.resize(warps as usize, Paths::default());
    }

    /// Whether the running block's instructions are followed.
    pub(super) fn follows(&self) -> bool {
        !self.paths.is_empty()
    }

    /// Follows instruction number `number` of a warp, which the lanes `side` execute.
    pub(super) fn executed(&mut self, warp: u32, inst: &Inst, step: Step, side: u32, number: u64) {
        self.paths[warp as usize].follow(side, number);
        self.sync.executed(warp, inst);
        match step {
            Step::FenceBlock => self.sync.fence(warp, false),
            Step::FenceGlobal => self.sync.fence(warp, true),
            _ => {}
        }
    }

    /// Follows the arrival of a warp at a barrier. Returns whether it completes a barrier of the
    /// whole block.
    pub(super) fn arrive(&mut self, warp: u32, arrival: &Arrival) -> bool {
        let whole = self.barriers.arrive(warp, arrival);
        self.sync.barrier(self.barriers.released());
        whole
    }

    /// Follows the exit of a warp. Returns whether it completes a barrier of the whole block.
    pub(super) fn exit(&mut self, warp: u32) -> bool {
        let whole = self.barriers.exit(warp);
        self.sync.barrier(self.barriers.released());
        whole
    }

    /// Follows an access after it was compared with earlier ones.
    pub(super) fn accessed(&mut self, access: &Access, inst: &Inst) {
        self.sync.accessed(access, inst);
    }

    /// Returns the lanes that have been on other paths of the warp than `lane` since instruction
    /// number `instruction`, at which they were without it.
    pub(super) fn apart(&self, warp: u32, lane: u32, instruction: u64) -> u32 {
        self.paths.get(warp as usize).map_or(0, |paths| paths.apart(lane, instruction))
    }
}
