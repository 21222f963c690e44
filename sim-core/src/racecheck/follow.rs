//! From executed instructions to the accesses of threads: counts the barriers and loop trips of
//! each warp.

use super::{Access, Kind, Space};
use crate::exec::ldst::stored;
use crate::exec::mask::lanes;
use crate::exec::{self, Step};
use crate::gpu::functional::Executed;
use isa::sem::atomic::Operation;
use isa::uop::Op;

/// Derives the accesses of one launch.
#[derive(Clone, Debug, Default)]
pub struct Follower {
    block: u64,
    warps: Vec<Progress>,
    /// Whether the block's further barriers are not counted.
    uncounted: bool,
    partial_barriers: bool,
}

/// Progress of a warp of the running block.
#[derive(Clone, Copy, Debug, Default)]
struct Progress {
    instructions: u64,
    barriers: u32,
    trips: u32,
    /// Trips at its latest barrier, and at the previous one.
    trips_at_barrier: [u32; 2],
}

impl Follower {
    /// Passes the accesses of `executed` to shared and global memory to `take`: lanes ascending,
    /// global memory first.
    pub fn follow(&mut self, executed: &Executed, mut take: impl FnMut(&Access)) {
        let Executed { kernel, warp, pc, line, step, access, registers, .. } = *executed;
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
            // Local memory is private to a thread, and constants are never written.
            Step::Generic => [(Space::Global, access.parts.global), (Space::Shared, access.parts.shared)],
            // The warp executes nothing more until the other warps have arrived.
            Step::Barrier(arrival) => {
                let all = arrival.warps == 0 || arrival.warps == kernel.warps_per_block();
                if all && arrival.waits {
                    if !self.uncounted {
                        progress.barriers += 1;
                        progress.trips_at_barrier = [progress.trips, progress.trips_at_barrier[0]];
                    }
                    return;
                }
                // A count cannot express the order of these barriers. A barrier for a part of the
                // block is ignored.
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

    /// Stops counting the barriers of the block, because warp `index` has passed a barrier of the
    /// whole block without waiting and runs ahead of the others. The waiting warps have already
    /// counted the barrier at which they wait. That count is undone, because the barrier does not
    /// order their accesses before the next ones of this warp.
    fn stop_counting(&mut self, index: usize) {
        self.uncounted = true;
        let passed = self.warps[index].barriers;
        for warp in self.warps.iter_mut().filter(|warp| warp.barriers > passed) {
            warp.barriers = passed;
            warp.trips_at_barrier[0] = warp.trips_at_barrier[1];
        }
    }

    /// Whether there were barriers whose order is not tracked: barriers for a part of a block, and
    /// all barriers of a block after a `bar.arrive` for the whole block.
    pub fn partial_barriers(&self) -> bool {
        self.partial_barriers
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
