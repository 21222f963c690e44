//! From executed instructions to the accesses of threads: counts the barriers and loop trips of
//! each warp.

use super::order::Order;
use super::{Access, Kind, Space, WarpAccess};
use crate::exec::ldst::stored;
use crate::exec::mask::lanes;
use crate::exec::stride::Strides;
use crate::exec::{self, Parts, Step};
use crate::gpu::functional::Executed;
use isa::sem::atomic::Operation;
use isa::uop::Op;

/// Derives the accesses of one launch.
#[derive(Clone, Debug, Default)]
pub struct Follower {
    block: u64,
    warps: Vec<Progress>,
    /// Completed barriers of the whole block.
    barriers: u32,
    order: Order,
}

/// Progress of a warp of the running block.
#[derive(Clone, Copy, Debug, Default)]
struct Progress {
    instructions: u64,
    trips: u32,
    /// Trips at the latest barrier of the whole block.
    trips_at_barrier: u32,
}

impl Follower {
    /// Follows an instruction. Returns its access to shared and global memory, if it has one.
    #[inline]
    pub fn warp_access<'a>(&mut self, executed: &Executed<'a>) -> Option<WarpAccess<'a>> {
        let kind = self.step(executed)?;
        let Executed { warp, step, access, .. } = *executed;
        // The distances of a generic access are not known.
        let strides = if step == Step::Generic { Strides::default() } else { access.strides };
        Some(WarpAccess {
            block: warp.block as u32,
            warp: warp.index,
            barriers: self.barriers,
            kind,
            access,
            strides,
            parts: executed.parts(),
        })
    }

    /// Follows an instruction. Returns the kind of its access if it accesses shared or global
    /// memory.
    #[inline]
    fn step(&mut self, executed: &Executed) -> Option<Kind> {
        let Executed { kernel, warp, pc, step, access, .. } = *executed;
        if self.block != warp.block || self.warps.is_empty() {
            self.block = warp.block;
            self.warps.clear();
            self.warps.resize(kernel.warps_per_block() as usize, Progress::default());
            self.barriers = 0;
            self.order.begin(kernel.warps_per_block());
        }
        let progress = &mut self.warps[warp.index as usize];
        progress.instructions += 1;
        match step {
            Step::Global | Step::Shared | Step::Generic => Some(kind(access)),
            Step::Barrier => {
                let whole = self.order.arrive(warp.index, &access.arrival);
                self.completed(whole);
                None
            }
            Step::LastExit => {
                let whole = self.order.exit(warp.index);
                self.completed(whole);
                None
            }
            Step::Taken | Step::Diverged => {
                let inst = &kernel.program.code[pc as usize];
                progress.trips += u32::from(inst.op == Op::Bra && inst.imm <= pc);
                None
            }
            // Local memory is private to a thread, and constants are never written.
            Step::Next
            | Step::NotTaken
            | Step::Jump
            | Step::Const
            | Step::Texture
            | Step::Param
            | Step::Local
            | Step::FenceBlock
            | Step::FenceGlobal
            | Step::Exit => None,
        }
    }

    fn completed(&mut self, whole: bool) {
        if whole {
            self.barriers += 1;
            self.warps.iter_mut().for_each(|warp| warp.trips_at_barrier = warp.trips);
        }
    }

    /// Passes the accesses of `executed` to shared and global memory to `take`, with their order:
    /// lanes ascending, global memory first.
    pub fn follow(&mut self, executed: &Executed, mut take: impl FnMut(&Access, &Order)) {
        let kind = self.step(executed);
        let Executed { kernel, warp, pc, line, step, side, access, registers, .. } = *executed;
        let progress = self.warps[warp.index as usize];
        let inst = &kernel.program.code[pc as usize];
        if !self.order.follows() {
            self.order.begin_accesses(warp.block as u32, kernel.warps_per_block());
        }
        self.order.executed(warp.index, inst, step, side, progress.instructions);
        let Some(kind) = kind else { return };
        let Parts { global, shared, .. } = executed.parts();
        for (space, part) in [(Space::Global, global), (Space::Shared, shared)] {
            for lane in lanes(part) {
                let value = stored(kernel, registers, inst, lane);
                let access = Access {
                    block: warp.block as u32,
                    warp: warp.index,
                    lane: lane as u32,
                    instruction: progress.instructions,
                    barriers: self.barriers,
                    phase: self.order.barriers.clocks().phase(warp.index),
                    epoch: self.order.sync.epoch(warp.index),
                    trips: [progress.trips - progress.trips_at_barrier, progress.trips],
                    pc,
                    line,
                    space,
                    address: access.addr[lane],
                    bytes: access.bytes,
                    kind,
                    value,
                };
                take(&access, &self.order);
                self.order.accessed(&access, inst);
            }
        }
    }
}

/// Returns the kind of an access.
fn kind(access: &exec::Access) -> Kind {
    use Operation::{Add, And, MaxS, MaxU, MinS, MinU, Or, Xor};
    match access.atomic {
        None if access.store => Kind::Write,
        None => Kind::Read,
        Some(operation) => {
            let commutes = matches!(operation, Add | And | Or | Xor | MinS | MinU | MaxS | MaxU);
            let blind = access.op.shape().dst().is_none();
            if commutes && blind {
                Kind::Reduction(16 * access.bytes as u8 + operation as u8)
            } else {
                Kind::Atomic
            }
        }
    }
}
