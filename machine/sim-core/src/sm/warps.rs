//! The warp and block slots of an SM: resident warps and their timing state.

use super::barrier::{OtherCount, Release};
use super::block::BlockSlot;
use super::context::SmContext;
use super::scheduler::bits;
use crate::counters::WarpState;
use crate::exec::barrier::{Arrival, deliver};
use crate::exec::{Warp, WarpId};
use crate::hooks::{Hooks, Mutant};
use crate::state::{CloneFrom, Value};
use crate::time::NEVER;
use isa::uop::Program;
use std::ops::{Index, IndexMut};

/// Largest number of warp slots of an SM: warp masks have 64 bits.
pub const MAX_WARPS: usize = 64;

/// One value for each warp slot.
#[derive(CloneFrom, Debug, PartialEq, Eq, Value)]
pub(super) struct PerWarp<T>([T; MAX_WARPS]);

impl<T> PerWarp<T> {
    /// The values of the first `slots` warp slots.
    pub(super) fn first(&self, slots: usize) -> &[T] {
        &self.0[..slots]
    }
}

impl<T: Clone> PerWarp<T> {
    /// The same value for each slot.
    pub(super) fn new(value: T) -> Self {
        Self(std::array::from_fn(|_| value.clone()))
    }
}

impl<T> Index<u32> for PerWarp<T> {
    type Output = T;
    #[inline]
    fn index(&self, warp: u32) -> &T {
        // A slot number is below 64; the remainder avoids the bounds check.
        &self.0[warp as usize % MAX_WARPS]
    }
}

impl<T> IndexMut<u32> for PerWarp<T> {
    #[inline]
    fn index_mut(&mut self, warp: u32) -> &mut T {
        &mut self.0[warp as usize % MAX_WARPS]
    }
}

/// Timing state of a warp, in addition to its architectural state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Value)]
pub(super) struct Control {
    /// Slot of its block.
    pub block: u8,
    /// The warp cannot issue before this shader cycle ([`NEVER`](crate::time::NEVER): until an
    /// event releases it).
    pub hold: u64,
    /// Reason of `hold`: `Fetch`, `SharedDependency`, `ConstantDependency`, `Barrier`, `Membar` or
    /// `Exited`.
    pub hold_state: WarpState,
    /// Shader cycle at which the issue slots of its last multi-slot instruction end.
    pub issuing: u64,
    /// Number of its instructions in the load/store queue.
    pub queued: u32,
    /// Number of pending fence replies.
    pub fences: u32,
    /// Mask of the partitions that received its messages since its last fence.
    pub links: u64,
    /// Whether it waits until its own transactions have left the load/store queue (`membar.cta`).
    pub wants_queue_empty: bool,
    /// Shader cycle from which it has run with the same active lanes.
    pub since: u64,
    /// The last barrier or fence that it executed.
    pub held_at: u32,
    /// The lanes that executed it.
    pub held_lanes: u32,
}

impl Control {
    /// A warp of the block in slot `block` that may issue from shader cycle `hold` on.
    const fn new(block: u8, hold: u64) -> Self {
        Self {
            since: hold,
            held_at: 0,
            held_lanes: 0,
            block,
            hold,
            hold_state: WarpState::Fetch,
            issuing: 0,
            queued: 0,
            fences: 0,
            links: 0,
            wants_queue_empty: false,
        }
    }

    /// The warp cannot issue before shader cycle `until`.
    pub(super) fn hold(&mut self, until: u64, state: WarpState) {
        (self.hold, self.hold_state) = (until, state);
    }
}

/// The slots of an SM.
#[derive(CloneFrom, Value)]
pub(super) struct WarpTable {
    /// Number of warp slots.
    slots: usize,
    /// Architectural state of the warp in each slot.
    pub arch: PerWarp<Warp>,
    pub control: PerWarp<Control>,
    pub blocks: Vec<BlockSlot>,
    /// Free warp slots.
    free: u64,
    // Fields of `scheduler::View`, by warp slot.
    pub age: PerWarp<u64>,
    pub last_issue: PerWarp<u64>,
    pub rank: PerWarp<u8>,
    pub block: PerWarp<u64>,
}

impl WarpTable {
    /// The empty slots of SM number `sm` of the chip. A slot has memory for registers or shared
    /// memory from its first block on: most SMs of a small launch never have a block.
    pub(super) fn new(sm: u32, context: &SmContext) -> Self {
        let config = &context.config;
        let warps = config.max_warps as usize;
        let mut arch = PerWarp::new(Warp::default());
        (0..config.max_warps).for_each(|warp| arch[warp].id.sm = sm);
        Self {
            slots: warps,
            arch,
            control: PerWarp::new(Control::new(0, 0)),
            blocks: vec![BlockSlot::empty(); config.max_blocks as usize],
            free: if warps == MAX_WARPS { u64::MAX } else { (1 << warps) - 1 },
            age: PerWarp::new(0),
            last_issue: PerWarp::new(0),
            rank: PerWarp::new(0),
            block: PerWarp::new(0),
        }
    }

    /// Number of warp slots, free or occupied.
    pub(super) fn len(&self) -> usize {
        self.slots
    }

    /// Architectural state of `warp`.
    #[inline]
    pub(super) fn of(&self, warp: u32) -> &Warp {
        &self.arch[warp]
    }

    /// Index of the next instruction of `warp`.
    #[inline]
    pub(super) fn pc(&self, warp: u32) -> u32 {
        self.of(warp).simt.pc()
    }

    /// The block of `warp`.
    #[inline]
    pub(super) fn block_of(&mut self, warp: u32) -> &mut BlockSlot {
        &mut self.blocks[self.control[warp].block as usize]
    }

    /// Starts block number `block` in a block slot and in warp slots. Free slots exist, because the
    /// dispatcher counts them. The warps may issue from shader cycle `from` on; the block is
    /// resident from issue cycle `since` on. Returns the block slot.
    pub(super) fn start_block(&mut self, block: u64, from: u64, since: u64, context: &SmContext) -> usize {
        let kernel = &context.kernel;
        let slot = self.blocks.iter().position(|b| !b.resident).expect("the dispatcher counts block slots");
        let mut warps = 0;
        for index in 0..kernel.warps_per_block() {
            let warp = self.free.trailing_zeros();
            debug_assert!(warp < 64, "the dispatcher counts warp slots");
            self.free &= self.free - 1;
            warps |= 1 << warp;
            let arch = &mut self.arch[warp];
            arch.allocate(kernel.program.rows, kernel.program.call_depth);
            let sm = arch.id.sm;
            let id = WarpId { block, ctaid: kernel.grid.index_of(block), index, sm, slot: warp };
            arch.start(id, kernel.threads());
            self.control[warp] = Control::new(slot as u8, from);
            self.age[warp] = block * u64::from(kernel.warps_per_block()) + u64::from(index);
            self.last_issue[warp] = 0;
            self.block[warp] = block;
        }
        self.blocks[slot].start(block, warps, since, kernel.shared_bytes);
        slot
    }

    /// Releases the block in `slot` and its warp slots. Returns the block.
    pub(super) fn release_block(&mut self, slot: usize) -> &BlockSlot {
        let block = &mut self.blocks[slot];
        block.resident = false;
        self.free |= block.warps;
        block
    }

    /// Resident blocks.
    pub(super) fn resident(&self) -> impl Iterator<Item = &BlockSlot> {
        self.blocks.iter().filter(|block| block.resident)
    }

    /// Marks `warp` as exited in its block and returns the block slot. A trapped warp stays
    /// resident, for the report.
    pub(super) fn exited(&mut self, warp: u32) -> usize {
        let slot = self.control[warp].block as usize;
        let block = &mut self.blocks[slot];
        block.exited |= 1 << warp & !block.live;
        slot
    }

    /// Executes a barrier of `warp` at `pc` with the lanes `lanes`. Returns the warps that may
    /// leave the barrier.
    pub(super) fn arrive(
        &mut self,
        warp: u32,
        pc: u32,
        lanes: u32,
        arrival: &Arrival,
        hooks: Hooks,
    ) -> Result<Release, OtherCount> {
        let block = self.block_of(warp);
        let mut awaited = block.live;
        if hooks.is(Mutant::BarrierReleasesEarly) {
            awaited &= awaited - 1;
        }
        let release = block.barriers.arrive(arrival, warp, awaited, block.warps.count_ones());
        if arrival.waits {
            self.control[warp].hold(NEVER, WarpState::Barrier);
            self.held_at(warp, pc, lanes);
        }
        release
    }

    /// Stores the barrier or fence at `pc` that `warp` has executed with the lanes `lanes`.
    pub(super) fn held_at(&mut self, warp: u32, pc: u32, lanes: u32) {
        let control = &mut self.control[warp];
        (control.held_at, control.held_lanes) = (pc, lanes);
    }

    /// Lets the warps of `release` leave their barrier: they may issue from shader cycle `until`
    /// on. Returns their mask.
    pub(super) fn release(&mut self, release: Release, until: u64, program: &Program) -> u64 {
        for warp in bits(release.warps) {
            let control = &mut self.control[warp];
            control.hold(until, WarpState::Barrier);
            let inst = &program.code[control.held_at as usize];
            deliver(&mut self.arch[warp], inst, control.held_lanes, release.found);
        }
        release.warps
    }

    /// Processes the exit of the last lanes of `warp`: barriers wait for one warp less. Returns the
    /// mask of the warps that leave a barrier; they may issue from shader cycle `until` on.
    pub(super) fn last_exit(&mut self, warp: u32, until: u64, program: &Program) -> u64 {
        self.control[warp].hold(NEVER, WarpState::Exited);
        let block = self.block_of(warp);
        block.live &= !(1 << warp);
        let live = block.live;
        let mut barriers = std::mem::take(&mut block.barriers);
        let released = barriers.exit(live).fold(0, |warps, one| warps | self.release(one, until, program));
        self.block_of(warp).barriers = barriers;
        released
    }

    /// Processes a partition's reply to a fence of `warp`. Returns whether it was the last pending
    /// reply; then the warp may issue from shader cycle `now` on.
    pub(super) fn fence_answered(&mut self, warp: u32, now: u64) -> bool {
        let control = &mut self.control[warp];
        control.fences -= 1;
        if control.fences == 0 {
            control.hold = now;
        }
        control.fences == 0
    }

    /// Records that the messages of an instruction of `warp` have left the load/store queue.
    /// Returns whether the warp has waited for that; then it may issue from shader cycle `from` on.
    pub(super) fn left_queue(&mut self, warp: u32, from: u64) -> bool {
        let control = &mut self.control[warp];
        control.queued -= 1;
        let waited = control.queued == 0 && control.wants_queue_empty;
        if waited {
            control.wants_queue_empty = false;
            control.hold = from;
        }
        waited
    }
}
