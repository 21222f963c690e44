//! The second dispatch port of a scheduler: what it issues beside the instruction that has just gone through the first.
//!
//! * `any_warp` (GT200): an instruction of another warp whose class has a way through it, such as the multiplication
//!   that goes to the special function units while the cores are busy with something else, if no ready warp needs them
//!   for what nothing else can do, and what needs them. The scheduler's policy picks among the warps that are ready.
//! * `same_warp` (compute capability 2.1): the next instruction of the same warp, if it needs nothing that is not there
//!   and its unit takes it. Both take one slot and leave the warp running: no branch, barrier, fence or sequence. Replays
//!   of the second one go through the first port.
//!
//! What keeps other schedulers from issuing issues through the first port only.

use super::decode::Beside;
use super::scheduler::View;
use super::sm::{Setup, Sm};
use super::units::Blocked;
use crate::config::SecondPort;

/// What has issued through the first port.
#[derive(Clone, Copy)]
pub(super) struct First {
    /// Of this warp.
    pub warp: u32,
    /// It takes so many slots.
    pub slots: u64,
    /// Another one of its warp may go with it.
    pub pairs: bool,
    /// Mask of the units that other schedulers had taken in this cycle.
    pub overtaken: u32,
}

impl Sm {
    /// `first` has issued through the first port of `scheduler`, which found `found` blocked: issues what can go with it
    /// through the second, and lets the warps go on.
    pub(super) fn issue_beside(
        &mut self,
        scheduler: usize,
        first: First,
        found: Blocked,
        (now, cycle): (u64, u64),
        setup: &Setup,
    ) {
        let mut left = false;
        let second = match setup.config.second_port {
            SecondPort::AnyWarp => self.other_warp(scheduler, now, cycle, setup, &mut left),
            SecondPort::SameWarp => self.goes_with(scheduler, first, now, setup).then_some(first.warp),
            SecondPort::None => None,
        };
        if self.is_watched() && setup.config.second_port == SecondPort::AnyWarp {
            self.ready &= !second.map_or(0, |warp| 1 << warp);
            self.record_ready(scheduler, cycle, found, Some(first.warp));
        }
        let Some(warp) = second else {
            self.ledgers.books.second_alone(scheduler, cycle, left);
            self.go_on(first.warp, first.slots, cycle, setup);
            return;
        };
        if warp != first.warp && first.overtaken >> setup.code[self.pc(warp)].unit & 1 == 1 {
            self.ledgers.not_busy_now(warp);
        }
        let slots = self.issue::<true>(scheduler, warp, now, cycle, setup);
        if warp == first.warp {
            self.go_on(warp, slots, cycle, setup);
        } else {
            self.go_on(first.warp, first.slots, cycle, setup);
            self.go_on(warp, slots, cycle, setup);
        }
    }

    /// The warp that the policy of `scheduler` takes among those that can issue through the second port; `left` if it
    /// takes none of them.
    fn other_warp(
        &mut self,
        scheduler: usize,
        now: u64,
        cycle: u64,
        setup: &Setup,
        left: &mut bool,
    ) -> Option<u32> {
        let busy = self.units.busy(scheduler, now) | self.units.alone();
        let warps = self.ready & self.scheduler_warps[scheduler];
        let free = self.second_unit.iter().enumerate().filter(|(unit, _)| busy >> unit & 1 == 0);
        let eligible = free.fold(0, |mask, (unit, ways)| {
            // What nothing else can execute goes before what has another way.
            let own = self.needs_unit[unit] & warps;
            mask | ways & if own == 0 { warps } else { own }
        });
        if eligible == 0 {
            return None;
        }
        let view = View {
            cycle,
            eligible,
            resident: self.ledgers.resident() & self.scheduler_warps[scheduler],
            long_wait: self.long_wait(),
            global: self.needs_queue & eligible,
            age: &self.age,
            last_issue: &self.last_issue,
            rank: &self.rank,
            block: &self.block,
        };
        match self.policies[scheduler].pick(&view) {
            Ok(Some(warp)) => Some(warp),
            answer => {
                if let Err(misconduct) = answer {
                    self.misconduct(misconduct, scheduler, eligible, now, setup);
                }
                *left = true;
                None
            }
        }
    }

    /// Whether the next instruction of the warp of `first` can issue with it.
    fn goes_with(&self, scheduler: usize, first: First, now: u64, setup: &Setup) -> bool {
        let warp = first.warp;
        let stopped = self.warps[warp as usize].done() || self.control[warp as usize].hold > now;
        let stopped = stopped || self.fetches(warp);
        if first.slots > 1 || !first.pairs || stopped {
            return false;
        }
        let next = &setup.code[self.pc(warp)];
        let blocked = self.blocked(scheduler, now);
        next.beside == Beside::Neighbour
            && (blocked.units | self.units.alone()) >> next.unit & 1 == 0
            && !(next.queued && blocked.queue_full)
            && self.scoreboard.check(warp, next.needs(), now).is_ok()
    }
}
