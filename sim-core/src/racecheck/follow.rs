//! From executed instructions to the accesses of threads: counts the barriers and trips of each
//! warp.

use super::{Access, Kind, Space};
use crate::exec::ldst::stored;
use crate::exec::mask::lanes;
use crate::exec::{self, Step};
use crate::gpu::functional::Executed;
use isa::sem::atomic::Operation;
use isa::uop::Op;

/// Follows one launch.
#[derive(Clone, Debug, Default)]
pub struct Follower {
    block: u64,
    warps: Vec<Progress>,
    /// From here on the block's barriers are not counted.
    uncounted: bool,
    partial_barriers: bool,
}

/// How far a warp of the running block has come.
#[derive(Clone, Copy, Debug, Default)]
struct Progress {
    instructions: u64,
    barriers: u32,
    trips: u32,
    /// Trips at its latest barrier, and at the one before that.
    trips_at_barrier: [u32; 2],
}

impl Follower {
    /// Hands the accesses of `executed` to shared and global memory to `take`, lanes ascending,
    /// those to global memory first.
    pub fn follow(&mut self, executed: &Executed, mut take: impl FnMut(&Access)) {
        let Executed { kernel, warp, pc, line, step, access, registers } = *executed;
        if self.block != warp.block {
            self.block = warp.block;
            self.warps.clear();
            self.uncounted = false;
        }
        let index = warp.index as usize;
        if self.warps.len() <= index {
            self.warps.resize(index + 1, Progress::default());
        }
        let progress = &mut self.warps[index];
        progress.instructions += 1;
        let parts = match step {
            Step::Global => [(Space::Global, access.mask), (Space::Shared, 0)],
            Step::Shared => [(Space::Global, 0), (Space::Shared, access.mask)],
            // Local memory is nobody else's, and constants are never written.
            Step::Generic => [(Space::Global, access.parts.global), (Space::Shared, access.parts.shared)],
            // The warp executes nothing more before the others have come.
            Step::Barrier(arrival) => {
                let all = arrival.warps == 0 || arrival.warps == kernel.warps_per_block();
                if all && arrival.waits {
                    if !self.uncounted {
                        progress.barriers += 1;
                        progress.trips_at_barrier = [progress.trips, progress.trips_at_barrier[0]];
                    }
                    return;
                }
                // These order less than a count can tell. One for a part of the block counts for
                // nothing.
                self.partial_barriers = true;
                if all {
                    self.stop_counting(index);
                }
                return;
            }
            Step::Branch { taken: true, .. } => {
                let inst = &kernel.program.code[pc as usize];
                progress.trips += u32::from(inst.op == Op::Bra && inst.imm <= pc);
                return;
            }
            _ => return,
        };
        let kind = kind(access);
        let inst = &kernel.program.code[pc as usize];
        for (space, part) in parts {
            for lane in lanes(part) {
                let value = stored(kernel, registers, inst, lane);
                take(&Access {
                    block: warp.block as u32,
                    warp: warp.index,
                    lane: lane as u32,
                    instruction: progress.instructions,
                    barriers: progress.barriers,
                    trips: [progress.trips - progress.trips_at_barrier[0], progress.trips],
                    pc,
                    line,
                    space,
                    address: access.addr[lane],
                    bytes: access.bytes,
                    kind,
                    value,
                });
            }
        }
    }

    /// Warp `index` has come by a barrier of the whole block without waiting, and runs ahead of it:
    /// from now on the block's barriers are not counted. Those who wait have counted the one at
    /// which they do, and take it back, for it orders nothing behind what this warp does next.
    fn stop_counting(&mut self, index: usize) {
        self.uncounted = true;
        let passed = self.warps[index].barriers;
        for warp in self.warps.iter_mut().filter(|warp| warp.barriers > passed) {
            warp.barriers = passed;
            warp.trips_at_barrier[0] = warp.trips_at_barrier[1];
        }
    }

    /// Whether there were barriers whose order it does not follow: for a part of a block, or from a
    /// `bar.arrive` for all of it on.
    pub fn partial_barriers(&self) -> bool {
        self.partial_barriers
    }
}

/// What an access does to its bytes.
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
