//! One issue cycle of an SM: wake warps, find out why each waits, let each scheduler pick one that does not, and
//! execute its instruction. What then follows from the instruction is in `effects`.

use super::decode::Beside;
use super::effects::{Extra, When};
use super::scheduler::{Misconduct, SchedulerFault, View, bits};
use super::second::First;
use super::sm::{Setup, Sm};
use super::units::Blocked;
use crate::config::SecondPort;
use crate::exec::step;
use crate::hooks::Mutant;
use crate::stats::WarpState;
use crate::time::NEVER;
use crate::trap::Trap;

/// The scheduler that is asked first in an issue cycle, and so has the first choice of shared units and of the queue.
/// The sequence is that of the multiples of the golden ratio: whatever the distance of the cycles in which schedulers
/// compete, each of them is first equally often, and none for long. It depends on nothing but the cycle.
pub(super) fn first_asked(cycle: u64, schedulers: usize) -> usize {
    let fraction = cycle.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
    ((fraction * schedulers as u64) >> 32) as usize
}

impl Sm {
    /// Everything that happens at hot cycle `now`, the beginning of an issue cycle.
    pub fn tick(&mut self, now: u64, setup: &Setup) {
        let cycle = self.period.cycle(now);
        let watched = self.is_watched();
        if watched {
            self.record_until(cycle);
        }
        self.settle(cycle);
        for warp in bits(self.wheel.take(cycle)) {
            self.look(warp, cycle, setup);
        }
        if watched {
            self.record_waits(cycle);
        }
        let schedulers = self.port_free.len();
        let first = first_asked(cycle, schedulers);
        let at_start = self.blocked(first, now);
        let (mut issued, mut refused) = (false, false);
        for turn in first..first + schedulers {
            let scheduler = if turn < schedulers { turn } else { turn - schedulers };
            if self.port_free[scheduler] > now {
                if watched {
                    // It finds what there was at the beginning: its warps wait for nothing that others take.
                    let found = self.units.at_start(at_start, self.blocked(scheduler, now));
                    self.record_ready(scheduler, cycle, found, None);
                }
                continue;
            }
            let (mut found, mut overtaken) = (at_start, 0);
            if scheduler != first {
                found = self.blocked(scheduler, now);
                let start = self.units.at_start(at_start, found);
                if issued {
                    found.units |= self.units.alone();
                }
                self.units.overtaken(scheduler, start, found);
                overtaken = found.units & !start.units;
            }
            let mut eligible = self.ready & self.scheduler_warps[scheduler] & !self.kept(found);
            if setup.hooks.is(Mutant::NeglectsAWarp) && eligible.count_ones() > 1 {
                eligible &= eligible - 1;
            }
            if eligible == 0 {
                let reason = self.least_blocked(self.scheduler_warps[scheduler], found.units);
                self.ledgers.books.empty(scheduler, reason);
                if watched {
                    self.record_ready(scheduler, cycle, found, None);
                }
                continue;
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
            let idles = setup.hooks.is(Mutant::SchedulerIdles) && cycle % 16 == 15;
            match if idles { Ok(None) } else { self.policies[scheduler].pick(&view) } {
                Ok(Some(warp)) => {
                    let decoded = &setup.code[self.pc(warp)];
                    let (pairs, alone) =
                        (decoded.beside == Beside::Neighbour, self.units.alone() >> decoded.unit & 1 == 1);
                    if watched && setup.config.second_port != SecondPort::AnyWarp {
                        self.record_ready(scheduler, cycle, found, Some(warp));
                    }
                    let slots = self.issue::<false>(scheduler, warp, now, cycle, setup);
                    if self.two_ports {
                        let issued = First { warp, slots, pairs, overtaken };
                        self.issue_beside(scheduler, issued, found, (now, cycle), setup);
                    } else {
                        self.go_on(warp, slots, cycle, setup);
                    }
                    if alone {
                        self.shut_others(scheduler, (warp, first), now);
                    }
                    issued = true;
                }
                answer => {
                    if let Err(misconduct) = answer {
                        self.misconduct(misconduct, scheduler, eligible, now, setup);
                    }
                    self.ledgers.books.empty(scheduler, Some(WarpState::NotSelected));
                    if watched {
                        self.record_left_empty(scheduler, cycle, found);
                    }
                    refused = true;
                }
            }
        }
        self.wake = self.next_wake(now);
        if refused {
            // Whoever refused is asked again in the next issue cycle.
            self.wake = self.wake.min(now + self.period);
        }
        if issued && schedulers > 1 {
            // It took a unit or let a block move out: other schedulers' empty slots may have another reason now.
            self.wake = self.wake.min(now + self.period);
        }
    }

    /// The ready warps that `found` keeps from issuing.
    fn kept(&self, found: Blocked) -> u64 {
        let full = if found.queue_full { self.needs_queue } else { 0 };
        if found.units == 0 {
            return full;
        }
        let mut kept = full;
        for (unit, warps) in self.needs_unit.iter().enumerate() {
            kept |= if found.units >> unit & 1 == 1 { *warps } else { 0 };
        }
        kept
    }

    /// The instruction at which `warp` stands.
    pub(super) fn pc(&self, warp: u32) -> usize {
        self.warps[warp as usize].simt.pc() as usize
    }

    /// At hot cycle `now`, when scheduler `first` was asked first, `warp` of `scheduler` has issued to a unit for which it
    /// needs what the others have: they do not issue until it may issue again.
    fn shut_others(&mut self, scheduler: usize, (warp, first): (u32, usize), now: u64) {
        let (until, schedulers) = (self.port_free[scheduler], self.port_free.len());
        let turn = |scheduler: usize| (scheduler + schedulers - first) % schedulers;
        for other in (0..schedulers).filter(|other| *other != scheduler) {
            // One that was asked before it has found nothing to issue in this cycle.
            let from = if turn(other) < turn(scheduler) { now + self.period } else { now };
            self.ledgers.books.shut(other, self.period.cycle(from), self.period.cycle(until));
            if self.port_free[other] < until {
                self.port_free[other] = until;
                self.record_shut(other, warp);
            }
        }
    }

    /// A user's policy did what it must not, at hot cycle `now`: the launch will be stopped.
    #[cold]
    pub(super) fn misconduct(
        &mut self,
        misconduct: Misconduct,
        scheduler: usize,
        eligible: u64,
        now: u64,
        setup: &Setup,
    ) {
        let (sm, resident) = (self.id(), self.ledgers.resident() & self.scheduler_warps[scheduler]);
        self.scheduler_fault.get_or_insert_with(|| SchedulerFault {
            misconduct,
            policy: setup.scheduler.as_ref().map_or_else(String::new, |own| own.name().to_owned()),
            sm,
            scheduler: scheduler as u32,
            cycle: now,
            issue_cycle: now / setup.config.issue_period as u64,
            eligible,
            resident,
        });
    }

    /// Books empty slots up to issue cycle `at`.
    pub(super) fn settle(&mut self, at: u64) {
        self.ledgers.books.settle(at);
    }

    /// Closes the books at hot cycle `end`.
    pub fn close(&mut self, end: u64) {
        self.record_until(self.issue_cycle(end));
        let blocks: Vec<(u64, u64)> =
            self.resident().map(|b| (b.since, u64::from(b.warps.count_ones()))).collect();
        self.ledgers.close(self.issue_cycle(end), &blocks, &mut self.units);
    }

    /// What can take in nothing from `scheduler` at hot cycle `now`.
    pub(super) fn blocked(&self, scheduler: usize, now: u64) -> Blocked {
        Blocked { units: self.units.busy(scheduler, now), queue_full: self.lsu.is_full() }
    }

    /// Resident warps that wait for memory, a fence or a barrier, or have exited.
    pub(super) fn long_wait(&self) -> u64 {
        if !self.policies[0].asks_long_wait() {
            return 0;
        }
        let long = |w: &u32| self.ledgers.state(*w) >= WarpState::MemoryDependency;
        let idle = !self.ledgers.resident();
        bits(self.ledgers.resident()).filter(long).fold(idle, |mask, w| mask | 1 << w)
    }

    /// The least blocked state among the resident warps of `mask`; none if there are none.
    fn least_blocked(&self, mask: u64, busy: u32) -> Option<WarpState> {
        // A warp that is ready and not eligible is less blocked than any other: no need to look at all of them.
        if self.ready & mask != 0 {
            let on_unit = bits(busy.into()).any(|unit| self.needs_unit[unit as usize] & mask != 0);
            return Some(if on_unit { WarpState::PipeBusy } else { WarpState::LsuFull });
        }
        bits(mask & self.ledgers.resident()).map(|warp| self.ledgers.state(warp)).min()
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
            let mut needed = 0;
            for (unit, warps) in self.needs_unit.iter().enumerate() {
                needed |= u32::from(warps & ready != 0) << unit;
            }
            if let Some(free) = self.units.next_free(needed, scheduler, now) {
                wake = wake.min(free);
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
        if control.issuing > now {
            self.look_at(warp, self.issue_cycle(control.issuing));
            return;
        }
        let decoded = &setup.code[self.warps[warp as usize].simt.pc() as usize];
        let pc = decoded.main;
        if control.hold > now {
            self.ledgers.enter(warp, control.hold_state, cycle, pc);
            if control.hold != NEVER {
                self.look_at(warp, self.issue_cycle(control.hold));
            } else if control.hold_state == WarpState::Exited {
                self.exited(warp, cycle);
            }
            return;
        }
        if self.fetches(warp) {
            self.ledgers.enter(warp, WarpState::Fetch, cycle, pc);
            return;
        }
        if let Err((at, producer)) = self.scoreboard.check(warp, decoded.needs(), now) {
            self.ledgers.enter(warp, producer.wait(), cycle, pc);
            if at != NEVER {
                self.look_at(warp, self.issue_cycle(at));
            }
            return;
        }
        let (unit, queued, rank) = (decoded.unit, decoded.queued, decoded.rank);
        self.ledgers.enter_ready(warp, cycle, pc, (unit, queued), &mut self.units);
        self.ready |= 1 << warp;
        self.needs_unit[unit as usize] |= 1 << warp;
        if let Beside::OtherWarp(second) = decoded.beside {
            self.second_unit[second.unit as usize] |= 1 << warp;
        }
        self.needs_queue |= u64::from(queued) << warp;
        self.rank[warp as usize] = rank;
    }

    /// Issues the next instruction of `warp` through the first or the second port of `scheduler`, and returns the slots
    /// that it takes.
    pub(super) fn issue<const SECOND: bool>(
        &mut self,
        scheduler: usize,
        warp: u32,
        now: u64,
        cycle: u64,
        setup: &Setup,
    ) -> u64 {
        let w = warp as usize;
        let side = self.warps[w].simt.mask();
        let decoded = &setup.code[self.warps[w].simt.pc() as usize];
        let pc = decoded.main;
        let way = if SECOND { decoded.beside.way() } else { None };
        let (unit, busy, latency) = match way {
            Some(way) => (way.unit, way.busy.into(), way.latency.into()),
            None => (decoded.unit, decoded.busy, decoded.latency),
        };
        self.ready &= !(1 << warp);
        self.needs_unit[decoded.unit as usize] &= !(1 << warp);
        self.needs_queue &= !(1 << warp);
        if let Beside::OtherWarp(second) = decoded.beside {
            self.second_unit[second.unit as usize] &= !(1 << warp);
        }
        self.last_issue[w] = cycle + 1;
        if SECOND && way.is_none() {
            self.ledgers.issues_more(warp, pc);
        } else {
            self.ledgers.leave_ready(warp, WarpState::Issuing, cycle, &mut self.units);
        }

        let mut operands = Extra::default();
        let outcome = if decoded.is_alone() {
            let shared = &mut self.blocks[self.control[w].block as usize].shared;
            step(&setup.kernel, &mut self.warps[w], shared, now, &mut self.access)
        } else {
            self.step_folded(warp, pc, now, &mut operands, setup)
        };
        if self.warps[w].simt.mask() != side {
            self.control[w].since = now;
        }
        self.ledgers.executed(decoded, pc, side, self.access.mask);
        let mut extra = match outcome {
            Ok(done) => {
                self.ledgers.inst.control(done, decoded.conditional, &mut self.ledgers.pcs[pc as usize]);
                let enters = self.units.enters(unit, scheduler, now);
                self.after(warp, pc, done, When { now, cycle, enters, latency }, operands, setup)
            }
            Err(fault) => {
                self.traps.push(Trap::new(&setup.kernel, &self.warps[w], fault, Some(self.id()), now));
                self.hold(warp, NEVER, WarpState::Exited);
                Extra::default()
            }
        };

        if way.is_some() {
            extra.held = 0;
        }
        if self.is_watched() {
            self.record_issue((scheduler, unit, SECOND), warp, pc, now, side, extra);
        }
        let slots = 1 + extra.slots();
        let until = now + slots * self.period;
        self.units.occupy(unit, scheduler, now, u64::from(busy).max(extra.passing));
        let books = &mut self.ledgers.books;
        if SECOND {
            books.second_used(scheduler, cycle, pc, extra, &mut self.ledgers.pcs);
            self.port_free[scheduler] = self.port_free[scheduler].max(until);
        } else {
            books.used(scheduler, cycle, pc, extra, &mut self.ledgers.pcs);
            self.port_free[scheduler] = until;
        }
        self.control[w].issuing = until;
        self.fetch_next(warp, Some(pc), setup);
        slots
    }

    /// What `warp`, which has issued for so many slots from `cycle` on, does then.
    #[inline]
    pub(super) fn go_on(&mut self, warp: u32, slots: u64, cycle: u64, setup: &Setup) {
        // The end of a block changes what the other schedulers see: it must not come before its cycle.
        if slots > 1 || self.warps[warp as usize].done() {
            self.look_at(warp, cycle + slots);
        } else {
            self.look(warp, cycle + 1, setup);
        }
    }
}
