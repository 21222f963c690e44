//! What follows from an instruction that has been executed: the slots it takes, when its result can be used, what its
//! warp waits for next, and the messages it makes.

use super::barrier::{OtherCount, Release};
use super::decode::NO_CONSTANT;
use super::scheduler::bits;
use super::sm::{Setup, Sm};
use crate::exec::Step;
use crate::exec::barrier::{Arrival, deliver};
use crate::hooks::Mutant;
use crate::mem::bank;
use crate::stats::WarpState;
use crate::time::NEVER;
use crate::time::message::Request;
use crate::trap::{Fault, FaultKind, Trap};

/// Slots that an instruction takes beside the one it issues in: held ones first, replays last.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Extra {
    /// The instruction is a sequence.
    pub held: u64,
    /// It finishes passes of a shared-memory access after bank conflicts, or an atomic's further turns.
    pub replay: u64,
    /// It goes on with the different addresses of a read of constant memory.
    pub constant: u64,
    /// Hot cycles (no slots) for which its passes keep the unit busy.
    pub passing: u64,
    /// Hot cycles by which operands make its result later.
    pub late: u64,
}

impl Extra {
    /// All slots.
    pub(super) fn slots(&self) -> u64 {
        self.held + self.replay + self.constant
    }
}

/// When an instruction issues.
#[derive(Clone, Copy)]
pub(super) struct When {
    /// Hot cycle.
    pub now: u64,
    /// Issue cycle.
    pub cycle: u64,
    /// Hot cycle at which it enters its unit, within the issue cycle.
    pub enters: u64,
    /// Hot cycles from there until its result can be used.
    pub latency: u32,
}

impl Sm {
    /// What follows from an instruction that has been executed, whose operands took what `operands` says.
    pub(super) fn after(
        &mut self,
        warp: u32,
        pc: u32,
        done: Step,
        when: When,
        operands: Extra,
        setup: &Setup,
    ) -> Extra {
        let When { now, cycle, enters, latency } = when;
        let decoded = &setup.code[pc as usize];
        let mut extra = Extra { held: u64::from(decoded.slots) - 1, ..operands };
        let mut latency = enters - now + u64::from(latency) + operands.late;
        if decoded.constant != NO_CONSTANT {
            self.read_operand(warp, pc, setup);
        }
        match done {
            Step::Const => latency += self.constant_load(warp, pc, bank::CONSTANTS, &mut extra, setup),
            Step::Param if setup.params_in_bank => {
                latency += self.constant_load(warp, pc, bank::PARAMETERS, &mut extra, setup);
            }
            Step::Next | Step::Param => {}
            Step::Shared => {
                let cost = self.shared_replays((decoded.slots, decoded.latency), setup);
                (extra.replay, extra.passing) = (cost.replay, cost.passing);
                latency += cost.late;
                if self.access.atomic.is_some() && self.access.mask != 0 {
                    // A loop of instructions: what comes behind it waits until the last lane has had its turn.
                    self.hold(warp, now + latency, WarpState::SharedDependency);
                }
            }
            Step::Global => {
                if self.access.mask != 0 {
                    self.queue_access(warp, pc, now, cycle, setup);
                    return extra;
                }
            }
            Step::Local => {
                if self.access.mask != 0 {
                    self.queue_local(warp, pc, now, cycle, setup);
                    return extra;
                }
            }
            Step::Generic => {
                if self.access.mask != 0 {
                    return self.generic(warp, pc, now, cycle, setup);
                }
            }
            Step::Branch { .. } | Step::Jump | Step::Exit { finished: false } => {
                self.hold(warp, now + latency, WarpState::Fetch);
            }
            Step::Barrier(arrival) => self.come_to(&arrival, warp, pc, now, setup),
            Step::Fence { .. } if setup.hooks.is(Mutant::FencesDoNothing) => {}
            Step::Fence { global } => {
                self.held_at(warp, pc);
                self.fence(warp, global, now, cycle);
            }
            Step::Exit { finished: true } => {
                self.hold(warp, NEVER, WarpState::Exited);
                let block = &mut self.blocks[self.control[warp as usize].block as usize];
                block.live &= !(1 << warp);
                let live = block.live;
                let mut barriers = std::mem::take(&mut block.barriers);
                for release in barriers.exit(live) {
                    self.leave_barrier(release, now + u64::from(setup.config.barrier_cycles), setup);
                }
                self.blocks[self.control[warp as usize].block as usize].barriers = barriers;
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

    /// `warp` comes to a barrier, the instruction at `pc`.
    fn come_to(&mut self, arrival: &Arrival, warp: u32, pc: u32, now: u64, setup: &Setup) {
        let block = &mut self.blocks[self.control[warp as usize].block as usize];
        let mut awaited = block.live;
        if setup.hooks.is(Mutant::BarrierReleasesEarly) {
            awaited &= awaited - 1;
        }
        let all = block.warps.count_ones();
        let came = block.barriers.arrive(arrival, warp, awaited, all);
        if arrival.waits {
            self.hold(warp, NEVER, WarpState::Barrier);
            self.held_at(warp, pc);
        }
        match came {
            Ok(release) => {
                let late = u64::from(setup.hooks.is(Mutant::BarrierReleasesLate)) * self.period;
                self.leave_barrier(release, now + u64::from(setup.config.barrier_cycles) + late, setup);
            }
            Err(OtherCount(first)) => {
                let (barrier, threads) =
                    (arrival.id, 32 * if arrival.warps == 0 { all } else { arrival.warps });
                let kind = FaultKind::OtherBarrierCount { barrier, threads, first };
                let fault = Fault { kind, lanes: self.access.mask };
                let (kernel, place) = (&setup.kernel, Some(self.id()));
                self.traps.push(Trap::at(pc, kernel, &self.warps[warp as usize], fault, place, now));
                self.hold(warp, NEVER, WarpState::Exited);
            }
        }
    }

    /// The warps of `release` may leave their barrier at hot cycle `until`.
    fn leave_barrier(&mut self, release: Release, until: u64, setup: &Setup) {
        for warp in bits(release.warps) {
            let control = &self.control[warp as usize];
            let (inst, lanes) = (&setup.kernel.program.code[control.held_at as usize], control.held_lanes);
            deliver(&mut self.warps[warp as usize], inst, lanes, release.found);
            self.hold(warp, until, WarpState::Barrier);
            self.look_at(warp, self.issue_cycle(until));
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
            self.queue(warp, messages, false, now, cycle);
            self.control[warp as usize].links = 0;
        } else if !global && control.queued > 0 {
            control.wants_queue_empty = true;
            (control.hold, control.hold_state) = (NEVER, WarpState::Membar);
        }
    }
}
