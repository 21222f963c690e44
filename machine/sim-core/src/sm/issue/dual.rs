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

use crate::config::SecondPort;
use crate::sm::Sm;
use crate::sm::context::SmContext;
use crate::sm::decode::DualIssue;
use crate::sm::front::kinds::General;
use crate::sm::front::{Readiness, Ready};
use crate::sm::probe::Probe;
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
        free.fold(0, |mask, (unit, candidates)| {
            // Warps that only this unit can serve come before warps that can use another one.
            let own = self.unit[unit] & warps;
            mask | candidates & if own == 0 { warps } else { own }
        })
    }
}

impl Sm {
    /// Same as [`Self::continue_warp`], for the second port.
    #[inline(never)]
    fn continue_later(&mut self, warp: u32, slots: u64, cycle: u64, context: &SmContext) {
        self.continue_warp::<General>(warp, slots, cycle, context);
    }

    /// Issues a second instruction through the second dispatch port, after `first` has issued
    /// through the first one. Then lets the warps continue.
    #[inline(never)]
    pub(in crate::sm) fn issue_second<P: Probe>(
        &mut self,
        first: First,
        now: u64,
        cycle: u64,
        context: &SmContext,
    ) {
        let First { scheduler, .. } = first;
        let (mut found, mut left) = (self.blocked(scheduler), false);
        found.units |= self.units.exclusive();
        let second = match context.config.second_port {
            SecondPort::AnyWarp => {
                let eligible =
                    self.front.ready.dual_issue(self.front.schedulers[scheduler].warps, found.units);
                let picked = if eligible == 0 { None } else { self.pick(scheduler, now, eligible, context) };
                left = eligible != 0 && picked.is_none();
                picked
            }
            SecondPort::SameWarp => self.pairs_with(first, found, now, context).then_some(first.warp),
            SecondPort::None => None,
        };
        if context.config.second_port == SecondPort::AnyWarp {
            let pair = second.map_or(1 << first.warp, |warp| 1 << first.warp | 1 << warp);
            P::record(self, |observed, sm| {
                observed.selected(sm, (scheduler, cycle), first.found, first.warp, pair);
            });
        }
        let Some(warp) = second else {
            self.account.slots.second_alone(scheduler, cycle, left);
            self.continue_later(first.warp, first.slots, cycle, context);
            return;
        };
        let issue = self.issue_of((scheduler, warp), true, (now, cycle), context);
        if warp != first.warp && first.overtaken >> issue.decoded.unit() & 1 == 1 {
            self.account.not_busy_now(warp);
        }
        let slots = self.issue::<General, P>(issue, context);
        if warp != first.warp {
            self.continue_later(first.warp, first.slots, cycle, context);
        }
        self.continue_later(warp, slots, cycle, context);
    }

    /// Whether the next instruction of the warp of `first` can issue with it at shader cycle `now`.
    /// The units and the queue in `blocked` are not available to the second port.
    fn pairs_with(&self, first: First, blocked: Blocked, now: u64, context: &SmContext) -> bool {
        let warp = first.warp;
        if first.slots > 1 || !first.pairs || self.warps.of(warp).done() {
            return false;
        }
        let next = &context.code[self.warps.pc(warp) as usize];
        next.dual_issue == DualIssue::OtherInstruction
            && blocked.units >> next.unit() & 1 == 0
            && !(next.need.queued() && blocked.queue_full)
            && self.front.classify::<General>(warp, &self.warps.control[warp], next, now) == Readiness::Ready
    }
}
