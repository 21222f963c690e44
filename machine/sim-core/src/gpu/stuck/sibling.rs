//! Whether the running lanes of a warp wait for lanes on its stack. A copy of the warp without the
//! running lanes is executed, to see whether it changes a word that their loop reads. The result
//! only explains a hang that is proved without it, so an approximation is sufficient: stores of
//! these lanes to global memory are ignored.
//!
//! Invariant `spin-locks`: A spin lock between lanes of one warp is proved to hang, while other
//! warps do anything; a lock that passes from holder to holder is not. A grid-wide barrier with too
//! many blocks names the blocks that never start. A counter that decides nothing does not hide a
//! loop.

use super::round::{LONGEST_ROUND, fetch};
use super::{Seen, World};
use crate::exec::mask::lanes;
use crate::exec::{Access, Kernel, Parts, Step, step};
use crate::gpu::stuck::report::{MOST_READS, RoundReport};
use isa::types::StateSpace;

/// Whether the waiting lanes of `seen`, whose running lanes repeat `round`, would change a word
/// that the round reads if they could run. Returns `true` if the answer is unknown, and `false` if
/// the lanes first exit or reach a barrier.
pub fn is_waited_for(kernel: &Kernel, seen: &Seen, round: &RoundReport, world: &World) -> bool {
    // The list of addresses may be incomplete.
    if round.reads.len() == MOST_READS {
        return true;
    }
    let mut warp = seen.warp.clone();
    let mut shared = seen.shared.to_vec();
    let mut access = Access::new();
    let running = warp.simt.mask();
    warp.live &= !running;
    warp.simt.exit(running);
    for _ in 0..LONGEST_ROUND {
        let Ok(done) = step(kernel, &mut warp, &mut access, &mut shared, 0) else { return true };
        if access.mask == 0 {
            continue;
        }
        let parts = match done {
            Step::Barrier | Step::LastExit => return false,
            Step::Global => Parts { global: access.mask, ..Parts::default() },
            Step::Shared => Parts { shared: access.mask, ..Parts::default() },
            Step::Generic => access.parts,
            _ => Parts::default(),
        };
        let read = |space, part| {
            let holds = |lane: usize, at: u32| at.abs_diff(access.addr[lane]) < access.bytes.max(8);
            lanes(part).any(|lane| round.reads.iter().any(|(of, at)| *of == space && holds(lane, *at)))
        };
        let changes = access.store || access.atomic.is_some();
        if changes && (read(StateSpace::Shared, parts.shared) || read(StateSpace::Global, parts.global)) {
            return true;
        }
        if parts.global != 0 {
            access.mask = parts.global;
            if access.answered() {
                let Some(memory) = world.memory else { return true };
                fetch(&access, &mut warp, memory);
            }
        }
    }
    true
}
