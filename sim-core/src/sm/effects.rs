//! What follows from an instruction that has been executed: the slots it takes, when its result can be used, what its
//! warp waits for next, and the messages it makes.

use super::banks::{atomic_passes, passes};
use super::coalesce::Addressed;
use super::decode::Decoded;
use super::mail::NO_LOAD;
use super::scheduler::bits;
use super::sm::{Setup, Sm};
use crate::exec::Step;
use crate::hooks::Mutant;
use crate::stats::WarpState;
use crate::time::NEVER;
use crate::time::message::Request;

/// Slots that an instruction takes beside the one it issues in.
#[derive(Clone, Copy, Default)]
pub(super) struct Extra {
    /// The instruction is a sequence.
    pub held: u64,
    /// It finishes passes of a shared-memory access after bank conflicts.
    pub replay: u64,
    /// Hot cycles (no slots) for which even without conflicts its passes keep the unit busy.
    pub passing: u64,
}

impl Sm {
    /// What follows from an instruction that has been executed.
    pub(super) fn after(
        &mut self,
        warp: u32,
        pc: u32,
        done: Step,
        now: u64,
        cycle: u64,
        setup: &Setup,
    ) -> Extra {
        let decoded = &setup.code[pc as usize];
        let mut extra = Extra { held: u64::from(decoded.slots) - 1, ..Extra::default() };
        let mut latency = u64::from(decoded.latency);
        match done {
            Step::Next | Step::Const | Step::Param => {}
            Step::Shared => {
                (extra.replay, extra.passing) = self.shared_replays(decoded, setup);
                latency += extra.replay * self.period;
            }
            Step::Global => {
                if self.access.mask != 0 {
                    self.queue_access(warp, pc, now, cycle, setup);
                    return extra;
                }
            }
            Step::Branch { .. } | Step::Exit { finished: false } => {
                self.hold(warp, now + latency, WarpState::Fetch);
            }
            Step::Barrier { id } => {
                self.hold(warp, NEVER, WarpState::Barrier);
                self.held_at(warp, pc);
                let block = &mut self.blocks[self.control[warp as usize].block as usize];
                let mut awaited = block.live;
                if setup.hooks.is(Mutant::BarrierReleasesEarly) {
                    awaited &= awaited - 1;
                }
                let free = block.barriers.arrive(id as usize, warp, awaited);
                let late = u64::from(setup.hooks.is(Mutant::BarrierReleasesLate)) * self.period;
                self.leave_barrier(free, now + u64::from(setup.config.barrier_cycles) + late);
            }
            Step::Fence { .. } if setup.hooks.is(Mutant::FencesDoNothing) => {}
            Step::Fence { global } => {
                self.held_at(warp, pc);
                self.fence(warp, global, now, cycle);
            }
            Step::Exit { finished: true } => {
                self.hold(warp, NEVER, WarpState::Exited);
                let block = &mut self.blocks[self.control[warp as usize].block as usize];
                block.live &= !(1 << warp);
                let free = block.barriers.exit(block.live);
                self.leave_barrier(free, now + u64::from(setup.config.barrier_cycles));
            }
        }
        for register in decoded.dsts() {
            self.scoreboard.set(warp, *register, now + latency, decoded.producer);
        }
        extra
    }

    /// The warp cannot issue before hot cycle `until`.
    pub(super) fn hold(&mut self, warp: u32, until: u64, state: WarpState) {
        let control = &mut self.control[warp as usize];
        (control.hold, control.hold_state) = (until, state);
    }

    /// Notes that the lanes of `access` have executed the barrier or fence at `pc`.
    fn held_at(&mut self, warp: u32, pc: u32) {
        let control = &mut self.control[warp as usize];
        (control.held_at, control.held_lanes) = (pc, self.access.mask);
    }

    /// The warps of `free` may leave their barrier at hot cycle `until`.
    fn leave_barrier(&mut self, free: u64, until: u64) {
        for warp in bits(free) {
            self.hold(warp, until, WarpState::Barrier);
            self.look_at(warp, self.issue_cycle(until));
        }
    }

    /// Counts a shared-memory access and returns the slots that its bank conflicts take, and the hot cycles that its
    /// passes take without conflicts.
    fn shared_replays(&mut self, decoded: &Decoded, setup: &Setup) -> (u64, u64) {
        let access = &self.access;
        if access.mask == 0 {
            return (0, 0);
        }
        let config = &setup.config.shared;
        let passes = match access.atomic {
            Some(_) => atomic_passes(config, &access.addr, access.mask, access.bytes),
            None => passes(config, &access.addr, access.mask, access.bytes),
        };
        let counters = match access.atomic {
            Some(_) => &mut self.ledgers.shared_atomic,
            None if access.store => &mut self.ledgers.shared_store,
            None => &mut self.ledgers.shared_load,
        };
        counters.requests += 1;
        counters.passes += u64::from(passes.total);
        counters.conflict_passes += u64::from(passes.total - passes.least);
        counters.bytes_asked += u64::from(access.mask.count_ones() * access.bytes);
        let cycles = |passes: u32| u64::from(passes * config.pass_cycles);
        let own = self.period * u64::from(decoded.slots);
        let needed = cycles(passes.total).div_ceil(self.period);
        let least = cycles(passes.least);
        (needed.saturating_sub(least.max(own).div_ceil(self.period)), least)
    }

    /// Puts the global access in `access` into the load/store queue.
    fn queue_access(&mut self, warp: u32, pc: u32, now: u64, cycle: u64, setup: &Setup) {
        let answered = self.access.answered();
        let tag = if answered { self.expect_load(warp, pc, now) } else { NO_LOAD };
        let mut messages = self.lsu.messages();
        let made = setup.coalescer.messages(&self.access, self.index, tag, &mut messages);
        let counters = match self.access.atomic {
            Some(_) => &mut self.ledgers.atomic,
            None if self.access.store => &mut self.ledgers.store,
            None => &mut self.ledgers.load,
        };
        counters.requests += 1;
        counters.transactions += u64::from(made.transactions);
        counters.bytes_asked += u64::from(self.access.mask.count_ones() * self.access.bytes);
        counters.bytes_moved += u64::from(made.bytes);
        counters.coalesced_groups += u64::from(made.coalesced_groups);
        counters.uncoalesced_groups += u64::from(made.uncoalesced_groups);
        self.ledgers.pcs[pc as usize].transactions += u64::from(made.transactions);
        if answered {
            self.expect_replies(tag, messages.len() as u32);
            if !setup.hooks.is(Mutant::ScoreboardIgnoresLoads) {
                for register in setup.code[pc as usize].dsts() {
                    self.scoreboard.set_pending(warp, *register);
                }
            }
        }
        self.queue(warp, messages, now, cycle);
    }

    /// Queues messages of `warp`.
    fn queue(&mut self, warp: u32, messages: Vec<Addressed>, now: u64, cycle: u64) {
        let control = &mut self.control[warp as usize];
        control.links = messages.iter().fold(control.links, |links, (link, _)| links | 1 << link);
        control.queued += 1;
        self.lsu.push(now, warp, self.age[warp as usize], messages);
        if self.lsu.is_full() {
            self.ledgers.queue_is_full(cycle + 1);
        }
    }

    /// `membar`: waits for the partitions' answers, or until the warp's own accesses have left the queue.
    fn fence(&mut self, warp: u32, global: bool, now: u64, cycle: u64) {
        let control = &mut self.control[warp as usize];
        if global && control.links != 0 {
            let mut messages = self.lsu.messages();
            let fence = Request::fence(self.index, warp as u16);
            messages.extend(bits(control.links).map(|link| (link as u16, fence)));
            control.fences = messages.len() as u32;
            (control.hold, control.hold_state) = (NEVER, WarpState::Membar);
            self.queue(warp, messages, now, cycle);
            self.control[warp as usize].links = 0;
        } else if !global && control.queued > 0 {
            control.wants_queue_empty = true;
            (control.hold, control.hold_state) = (NEVER, WarpState::Membar);
        }
    }
}
