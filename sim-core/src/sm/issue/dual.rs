//! The second dispatch port of a scheduler: dual issue with the instruction that has just issued
//! through the first port.
//!
//! * `any_warp` (GT200): an instruction of another warp whose class the second port can issue. An
//!   example is a multiplication on the special function units while the cores are busy with
//!   another instruction. Warps that only this unit can serve come first. The scheduler's policy
//!   selects among the ready warps.
//! * `same_warp` (compute capability 2.1): the next instruction of the same warp, if its operands
//!   are available and its unit is free. Both instructions take one slot and leave the warp
//!   running: no branch, barrier, fence or sequence. Replays of the second instruction use the
//!   first port.
//!
//! An instruction that blocks other schedulers issues through the first port only.
//!
//! Invariant `dual-issue`: A second dispatch port issues a product of another warp, or the next
//! independent instruction of the same warp, and the breakdown counts its slots.

use crate::sm::front::Ready;
use crate::sm::units::Blocked;

/// The instruction that has issued through the first port.
#[derive(Clone, Copy)]
pub(in crate::sm) struct First {
    pub scheduler: usize,
    pub warp: u32,
    /// Number of slots that it uses.
    pub slots: u64,
    /// Whether another instruction of its warp may issue with it.
    pub pairs: bool,
    /// Mask of the units that other schedulers have occupied in this cycle.
    pub overtaken: u32,
    /// Units and queue that the scheduler found blocked.
    pub found: Blocked,
}

impl Ready {
    /// Returns the warps of `warps` that can issue through the second port together with an
    /// instruction of another warp. The units in the mask `taken` are not available.
    pub(in crate::sm) fn dual_issue(&self, warps: u64, taken: u32) -> u64 {
        let warps = self.all & warps;
        let free = self.second.iter().enumerate().filter(|(unit, _)| taken >> unit & 1 == 0);
        free.fold(0, |mask, (unit, ways)| {
            // Warps that only this unit can serve come before warps that can use another one.
            let own = self.unit[unit] & warps;
            mask | ways & if own == 0 { warps } else { own }
        })
    }
}
