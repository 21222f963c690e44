//! The second dispatch port of a scheduler: what it issues with the instruction that has just gone
//! through the first.
//!
//! * `any_warp` (GT200): an instruction of another warp whose class has a way through it, such as
//!   the multiplication that goes to the special function units while the cores are busy with
//!   another instruction. Warps that nothing but this unit can serve come first. The scheduler's
//!   policy picks among the warps that are ready.
//! * `same_warp` (compute capability 2.1): the next instruction of the same warp, if its operands
//!   are available and its unit is free. Both take one slot and leave the warp running: no branch,
//!   barrier, fence or sequence. Replays of the second one go through the first port.
//!
//! An instruction that keeps other schedulers from issuing issues through the first port only.
//!
//! Invariant `dual-issue`: A second dispatch port issues a product of another warp, or the next
//! independent instruction of the same warp, and the breakdown counts its slots.

use crate::sm::front::Ready;
use crate::sm::units::Blocked;

/// What has issued through the first port.
#[derive(Clone, Copy)]
pub(in crate::sm) struct First {
    pub scheduler: usize,
    pub warp: u32,
    /// Slots that it takes.
    pub slots: u64,
    /// Another instruction of its warp may issue with it.
    pub pairs: bool,
    /// Mask of the units that other schedulers had taken in this cycle.
    pub overtaken: u32,
    /// What the scheduler found blocked.
    pub found: Blocked,
}

impl Ready {
    /// Those of `warps` that can issue through the second port, beside another warp's instruction,
    /// while `taken` (a mask of units) take nothing.
    pub(in crate::sm) fn beside(&self, warps: u64, taken: u32) -> u64 {
        let warps = self.all & warps;
        let free = self.second.iter().enumerate().filter(|(unit, _)| taken >> unit & 1 == 0);
        free.fold(0, |mask, (unit, ways)| {
            // Warps that only this unit can serve come before warps that have another way.
            let own = self.unit[unit] & warps;
            mask | ways & if own == 0 { warps } else { own }
        })
    }
}
