//! The second dispatch port of a scheduler: what it issues with the instruction that has just gone through the first.
//!
//! * `any_warp` (GT200): an instruction of another warp whose class has a way through it, such as the multiplication
//!   that goes to the special function units while the cores are busy with another instruction. Warps that nothing but
//!   this unit can serve come first. The scheduler's policy picks among the warps that are ready.
//! * `same_warp` (compute capability 2.1): the next instruction of the same warp, if its operands are available and its
//!   unit is free. Both take one slot and leave the warp running: no branch, barrier, fence or sequence. Replays of the
//!   second one go through the first port.
//!
//! An instruction that keeps other schedulers from issuing issues through the first port only.

use crate::config::SecondPort;
use crate::sm::Sm;
use crate::sm::decode::Beside;
use crate::sm::execute::Issue;
use crate::sm::setup::Setup;
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

impl Sm {
    /// `first` has issued through the first port: issues what can go with it through the second, and lets the warps go on.
    #[inline(never)]
    pub(in crate::sm) fn issue_second<const WATCHED: bool>(
        &mut self,
        first: First,
        now: u64,
        cycle: u64,
        setup: &Setup,
    ) {
        let First { scheduler, .. } = first;
        let mut left = false;
        let second = match setup.config.second_port {
            SecondPort::AnyWarp => self.other_warp(scheduler, now, setup, &mut left),
            SecondPort::SameWarp => self.pairs_with(first, now, setup).then_some(first.warp),
            SecondPort::None => None,
        };
        if WATCHED && setup.config.second_port == SecondPort::AnyWarp {
            self.front.ready.all &= !second.map_or(0, |warp| 1 << warp);
            let (found, taker) = (first.found, Some(first.warp));
            self.record(|watched, sm| watched.ready(sm, (scheduler, cycle), found, taker));
        }
        let Some(warp) = second else {
            self.account.slots.second_alone(scheduler, cycle, left);
            self.continue_warp::<false>(first.warp, first.slots, cycle, setup);
            return;
        };
        let next = &setup.code[self.warps.pc(warp) as usize];
        if warp != first.warp && first.overtaken >> next.unit & 1 == 1 {
            self.account.not_busy_now(warp);
        }
        let issue = Issue { scheduler, warp, decoded: next, now, cycle, second: true };
        let slots = self.issue::<WATCHED, false>(issue, setup);
        if warp == first.warp {
            self.continue_warp::<false>(warp, slots, cycle, setup);
        } else {
            self.continue_warp::<false>(first.warp, first.slots, cycle, setup);
            self.continue_warp::<false>(warp, slots, cycle, setup);
        }
    }

    /// The warp that the policy of `scheduler` picks among those that can issue through the second port; `left` if it
    /// picks none of them.
    fn other_warp(&mut self, scheduler: usize, now: u64, setup: &Setup, left: &mut bool) -> Option<u32> {
        let busy = self.units.busy(scheduler) | self.units.alone();
        let ready = &self.front.ready;
        let warps = ready.all & self.front.schedulers[scheduler].warps;
        let free = ready.second.iter().enumerate().filter(|(unit, _)| busy >> unit & 1 == 0);
        let eligible = free.fold(0, |mask, (unit, ways)| {
            // Warps that only this unit can serve come before warps that have another way.
            let own = ready.unit[unit] & warps;
            mask | ways & if own == 0 { warps } else { own }
        });
        if eligible == 0 {
            return None;
        }
        let picked = self.pick(scheduler, now, eligible, setup);
        *left = picked.is_none();
        picked
    }

    /// Whether the next instruction of the warp of `first` can issue with it.
    fn pairs_with(&self, first: First, now: u64, setup: &Setup) -> bool {
        let warp = first.warp;
        let stopped = self.warps.of(warp).done() || self.warps.control[warp].hold > now;
        let stopped = stopped || self.front.fetches(warp);
        if first.slots > 1 || !first.pairs || stopped {
            return false;
        }
        let next = &setup.code[self.warps.pc(warp) as usize];
        let blocked = self.blocked(first.scheduler);
        next.beside == Beside::Neighbour
            && (blocked.units | self.units.alone()) >> next.unit & 1 == 0
            && !(next.queued && blocked.queue_full)
            && self.front.scoreboard.check(warp, next.needs(), now).is_ok()
    }
}
