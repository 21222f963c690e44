//! From executed instructions to the accesses of threads: counts the barriers and trips of each warp.

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
    partial_barriers: bool,
}

/// How far a warp of the running block has come.
#[derive(Clone, Copy, Debug, Default)]
struct Progress {
    instructions: u64,
    barriers: u32,
    trips: u32,
    trips_at_barrier: u32,
}

impl Follower {
    /// Hands the accesses of `executed` to shared and global memory to `take`, lanes ascending, those to global memory first.
    pub fn follow(&mut self, executed: &Executed, mut take: impl FnMut(&Access)) {
        let Executed { kernel, warp, pc, line, step, access, registers } = *executed;
        if self.block != warp.block {
            self.block = warp.block;
            self.warps.clear();
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
                // Those for a part of the block order less than a count can tell: they count for nothing.
                if arrival.warps != 0 {
                    self.partial_barriers = true;
                } else if arrival.waits {
                    progress.barriers += 1;
                    progress.trips_at_barrier = progress.trips;
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
        for (space, part) in parts {
            for lane in lanes(part) {
                let inst = &kernel.program.code[pc as usize];
                let value = (kind == Kind::Write).then(|| stored(kernel, registers, inst, lane));
                take(&Access {
                    block: warp.block as u32,
                    warp: warp.index,
                    lane: lane as u32,
                    instruction: progress.instructions,
                    barriers: progress.barriers,
                    trips: [progress.trips - progress.trips_at_barrier, progress.trips],
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

    /// Whether there were barriers for a part of a block, which it does not follow.
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
