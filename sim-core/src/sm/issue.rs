//! One issue cycle of an SM: wake warps, let each scheduler pick one, execute its instruction, and say when its
//! results, its unit and its next instruction are there.

use super::banks::passes;
use super::coalesce::coalesce;
use super::decode::{Decoded, NO_REGISTER};
use super::scheduler::{View, bits};
use super::sm::{NO_LOAD, Setup, Sm};
use crate::exec::{Step, step};
use crate::hooks::Mutant;
use crate::stats::WarpState;
use crate::time::NEVER;
use crate::time::message::{REQUEST_LANES, Request, RequestKind};
use crate::trap::Trap;

/// Slots that an instruction takes beside the one it issues in.
#[derive(Clone, Copy, Default)]
struct Extra {
    held: u64,
    replay: u64,
}

impl Sm {
    /// Everything that happens at hot cycle `now`, the beginning of an issue cycle.
    pub fn tick(&mut self, now: u64, setup: &Setup) {
        let cycle = now / self.period;
        self.settle(cycle);
        for warp in bits(self.wheel.take(cycle)) {
            self.look(warp, cycle, setup);
        }
        for scheduler in 0..self.port_free.len() {
            if self.port_free[scheduler] > now {
                continue;
            }
            // Looked at anew by each scheduler: the one before may have taken the unit in this very cycle.
            let busy = self.units.busy(now);
            let mut blocked =
                bits(u64::from(busy)).fold(0, |mask, unit| mask | self.needs_unit[unit as usize]);
            if self.lsu.is_full() {
                blocked |= self.needs_queue;
            }
            let eligible = self.ready & self.scheduler_warps[scheduler] & !blocked;
            if eligible == 0 {
                let reason = self.least_blocked(self.scheduler_warps[scheduler], busy);
                self.ledgers.slots_empty(scheduler, reason);
                continue;
            }
            let view = View {
                eligible,
                long_wait: self.long_wait(),
                age: &self.age,
                last_issue: &self.last_issue,
                rank: &self.rank,
            };
            let warp = self.policies[scheduler].pick(&view);
            self.issue(scheduler, warp, now, cycle, setup);
        }
        self.wake = self.next_wake(now);
    }

    /// Books empty slots up to issue cycle `at`.
    pub(super) fn settle(&mut self, at: u64) {
        self.ledgers.settle(at);
    }

    /// Closes the books at hot cycle `end`.
    pub fn close(&mut self, end: u64) {
        let blocks: Vec<(u64, u64)> =
            self.resident().map(|b| (b.since, u64::from(b.warps.count_ones()))).collect();
        self.ledgers.close(self.issue_cycle(end), &blocks, &mut self.units);
    }

    /// Resident warps that wait for memory, a fence or a barrier, or have exited.
    fn long_wait(&self) -> u64 {
        if !self.policies[0].asks_long_wait() {
            return 0;
        }
        let long = |w: &u32| self.ledgers.state(*w) >= WarpState::MemoryDependency;
        let idle = !self.ledgers.resident();
        bits(self.ledgers.resident()).filter(long).fold(idle, |mask, w| mask | 1 << w)
    }

    /// The least blocked state among the resident warps of `mask`; none if there are none.
    fn least_blocked(&self, mask: u64, busy: u32) -> Option<WarpState> {
        let state = |warp: u32| match self.ledgers.state(warp) {
            WarpState::NotSelected => {
                let on_unit = bits(u64::from(busy)).any(|u| self.needs_unit[u as usize] >> warp & 1 == 1);
                if on_unit { WarpState::PipeBusy } else { WarpState::LsuFull }
            }
            state => state,
        };
        bits(mask & self.ledgers.resident()).map(state).min()
    }

    /// The next hot cycle at which a tick could do something, mail aside.
    fn next_wake(&self, now: u64) -> u64 {
        let mut wake = self.wheel.next().map_or(NEVER, |cycle| cycle * self.period);
        for (scheduler, warps) in self.scheduler_warps.iter().enumerate() {
            // After an issue the scheduler is looked at again even if nothing is ready: to name the wait.
            if self.port_free[scheduler] > now {
                wake = wake.min(self.port_free[scheduler]);
                continue;
            }
            let ready = self.ready & warps;
            if ready == 0 {
                continue;
            }
            let units = (0..self.needs_unit.len()).filter(|u| self.needs_unit[*u] & ready != 0);
            let needed = units.fold(0, |mask, u| mask | 1 << u);
            if let Some(free) = self.units.next_free(needed, now) {
                wake = wake.min(self.issue_cycle(free) * self.period);
            }
        }
        wake
    }

    /// Finds out at issue cycle `cycle` what a warp that is not ready waits for; it may be ready now.
    fn look(&mut self, warp: u32, cycle: u64, setup: &Setup) {
        if self.ledgers.resident() >> warp & 1 == 0 || self.ready >> warp & 1 == 1 {
            return;
        }
        let now = cycle * self.period;
        let control = self.control[warp as usize];
        let pc = self.warps[warp as usize].simt.pc();
        if control.hold > now {
            self.ledgers.enter(warp, control.hold_state, cycle, pc);
            if control.hold != NEVER {
                self.look_at(warp, self.issue_cycle(control.hold));
            }
            return;
        }
        let decoded = &setup.code[pc as usize];
        match self.scoreboard.check(warp, decoded.needs(), now) {
            Err((at, producer)) => {
                self.ledgers.enter(warp, producer.wait(), cycle, pc);
                if at != NEVER {
                    self.look_at(warp, self.issue_cycle(at));
                }
            }
            Ok(()) => {
                let (unit, queued, rank) = (decoded.unit, decoded.queued, decoded.rank);
                self.ledgers.enter_ready(warp, cycle, pc, (unit, queued), &mut self.units);
                self.ready |= 1 << warp;
                self.needs_unit[unit as usize] |= 1 << warp;
                self.needs_queue |= u64::from(queued) << warp;
                self.rank[warp as usize] = rank;
            }
        }
    }

    /// Issues the next instruction of `warp`.
    fn issue(&mut self, scheduler: usize, warp: u32, now: u64, cycle: u64, setup: &Setup) {
        let w = warp as usize;
        let (pc, side) = (self.warps[w].simt.pc(), self.warps[w].simt.mask());
        let decoded = &setup.code[pc as usize];
        self.ready &= !(1 << warp);
        self.needs_unit[decoded.unit as usize] &= !(1 << warp);
        self.needs_queue &= !(1 << warp);
        self.last_issue[w] = cycle + 1;
        self.ledgers.leave_ready(warp, WarpState::Issuing, cycle, &mut self.units);

        let shared = &mut self.blocks[self.control[w].block as usize].shared;
        let outcome = step(&setup.kernel, &mut self.warps[w], shared, now as u32, &mut self.access);
        self.ledgers.executed(decoded, pc, side, self.access.mask);
        let extra = match outcome {
            Ok(done) => {
                self.ledgers.inst.control(done, decoded.conditional, &mut self.ledgers.pcs[pc as usize]);
                self.after(warp, pc, done, now, cycle, setup)
            }
            Err(fault) => {
                self.traps.push(Trap::new(&setup.kernel, &self.warps[w], fault, Some(self.id()), now));
                self.hold(warp, NEVER, WarpState::Exited);
                Extra::default()
            }
        };

        self.ledgers.slots_used(scheduler, cycle, pc, extra.held, extra.replay);
        let slots = 1 + extra.held + extra.replay;
        let lanes = u64::from(setup.config.units[decoded.unit as usize].lanes);
        let interval = 32u64.div_ceil(lanes) * u64::from(decoded.slots);
        self.units.occupy(decoded.unit, now, interval + extra.replay * self.period);
        self.port_free[scheduler] = now + slots * self.period;
        if slots > 1 {
            let control = &mut self.control[w];
            (control.hold, control.hold_state) = (now + slots * self.period, WarpState::Issuing);
            self.look_at(warp, cycle + slots);
        } else {
            self.look(warp, cycle + 1, setup);
        }
    }

    /// What follows from an instruction that has been executed.
    fn after(&mut self, warp: u32, pc: u32, done: Step, now: u64, cycle: u64, setup: &Setup) -> Extra {
        let decoded = &setup.code[pc as usize];
        let mut extra = Extra { held: u64::from(decoded.slots) - 1, replay: 0 };
        let mut latency = u64::from(decoded.latency);
        match done {
            Step::Next | Step::Const | Step::Param => {}
            Step::Shared => {
                extra.replay = self.shared_replays(decoded, setup);
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
                let block = &mut self.blocks[self.control[warp as usize].block as usize];
                let free = block.barriers.arrive(id as usize, warp, block.live);
                self.leave_barrier(free, now + u64::from(setup.config.barrier_cycles));
            }
            Step::Fence { global } => self.fence(warp, global, now, cycle),
            Step::Exit { finished: true } => {
                self.hold(warp, NEVER, WarpState::Exited);
                let slot = self.control[warp as usize].block as usize;
                let block = &mut self.blocks[slot];
                block.live &= !(1 << warp);
                let free = block.barriers.exit(block.live);
                self.leave_barrier(free, now + u64::from(setup.config.barrier_cycles));
                self.ledgers.enter(warp, WarpState::Exited, cycle + 1, pc);
                self.retire_if_done(slot, cycle + 1);
            }
        }
        if decoded.dst != NO_REGISTER {
            self.scoreboard.set(warp, decoded.dst, now + latency, decoded.producer);
        }
        extra
    }

    /// The warp cannot issue before hot cycle `until`.
    fn hold(&mut self, warp: u32, until: u64, state: WarpState) {
        let control = &mut self.control[warp as usize];
        (control.hold, control.hold_state) = (until, state);
    }

    /// The warps of `free` may leave their barrier at hot cycle `until`.
    fn leave_barrier(&mut self, free: u64, until: u64) {
        for warp in bits(free) {
            self.hold(warp, until, WarpState::Barrier);
            self.look_at(warp, self.issue_cycle(until));
        }
    }

    /// Counts a shared-memory access and returns the slots that its bank conflicts take.
    fn shared_replays(&mut self, decoded: &Decoded, setup: &Setup) -> u64 {
        let access = &self.access;
        if access.mask == 0 {
            return 0;
        }
        let config = &setup.config.shared;
        let passes = passes(config, &access.addr, access.mask, access.bytes);
        let counters =
            if access.store { &mut self.ledgers.shared_store } else { &mut self.ledgers.shared_load };
        counters.requests += 1;
        counters.passes += u64::from(passes.total);
        counters.conflict_passes += u64::from(passes.total - passes.least);
        counters.bytes_asked += u64::from(access.mask.count_ones() * access.bytes);
        let cycles = |passes: u32| u64::from(passes * config.pass_cycles);
        let own = self.period * u64::from(decoded.slots);
        let needed = cycles(passes.total).div_ceil(self.period);
        needed.saturating_sub((cycles(passes.least).max(own)).div_ceil(self.period))
    }

    /// Puts the global access in `access` into the load/store queue.
    fn queue_access(&mut self, warp: u32, pc: u32, now: u64, cycle: u64, setup: &Setup) {
        let register = setup.code[pc as usize].dst;
        let store = self.access.store;
        let tag = if store { NO_LOAD } else { self.expect_load(warp, register, now) };
        let mut messages = self.lsu.messages();
        let made = coalesce(&setup.config.lsu, &setup.map, &self.access, self.index, tag, &mut messages);
        let counters = if store { &mut self.ledgers.store } else { &mut self.ledgers.load };
        counters.requests += 1;
        counters.transactions += u64::from(made.transactions);
        counters.bytes_asked += u64::from(self.access.mask.count_ones() * self.access.bytes);
        counters.bytes_moved += u64::from(made.bytes);
        counters.coalesced_groups += u64::from(made.coalesced_groups);
        counters.uncoalesced_groups += u64::from(made.uncoalesced_groups);
        self.ledgers.pcs[pc as usize].transactions += u64::from(made.transactions);
        if !store {
            self.expect_replies(tag, messages.len() as u32);
            if !setup.hooks.is(Mutant::ScoreboardIgnoresLoads) {
                self.scoreboard.set_pending(warp, register);
            }
        }
        self.queue(warp, messages, now, cycle);
    }

    /// Queues messages of `warp`.
    fn queue(&mut self, warp: u32, messages: Vec<(u16, Request)>, now: u64, cycle: u64) {
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
            let fence = Request { sm: self.index, tag: warp as u16, ..fence_request() };
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

/// A fence for SM 0 and warp 0.
pub fn fence_request() -> Request {
    Request {
        kind: RequestKind::Fence,
        sm: 0,
        tag: 0,
        bytes: 4,
        transactions: 1,
        bursts: 0,
        lanes: 0,
        chunk: 0,
        offset: [0; REQUEST_LANES],
        data: [0; REQUEST_LANES],
    }
}
