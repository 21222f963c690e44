//! Selection: in an issue cycle each scheduler finds the warps that can issue, and its policy picks one of them.
//!
//! Schedulers are asked one after the other. A scheduler that is asked later finds shared units and room in the
//! load/store queue taken by the ones before it.

mod second;

use crate::config::{MAX_SCHEDULERS, SecondPort};
use crate::counters::WarpState;
use crate::hooks::Mutant;
use crate::sm::Sm;
use crate::sm::decode::Beside;
use crate::sm::execute::Issue;
use crate::sm::scheduler::builtin::{Builtin, round_robin};
use crate::sm::scheduler::{Misconduct, Policy, SchedulerFault, View, bits};
use crate::sm::setup::Setup;
use crate::sm::units::Blocked;
use crate::time::NEVER;
use second::First;

/// The scheduler that is asked first in an issue cycle, and so has the first choice of shared units and of the queue.
/// The sequence consists of multiples of the golden ratio: at any distance between the cycles in which schedulers
/// compete, each of them is first equally often, and none for long. It depends only on the cycle.
#[inline]
pub(in crate::sm) fn first_asked(cycle: u64, schedulers: usize) -> usize {
    let fraction = cycle.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
    ((fraction * schedulers as u64) >> 32) as usize
}

/// One issue cycle: what the schedulers that have been asked found and did.
pub(in crate::sm) struct Round {
    /// Shader cycle at which it begins.
    pub now: u64,
    /// Issue cycle.
    pub cycle: u64,
    /// The scheduler that is asked first.
    first: usize,
    /// What was blocked at the beginning, for that scheduler.
    at_start: Blocked,
    issued: bool,
    /// A policy left its slot empty, or broke a rule.
    refused: bool,
}

impl Round {
    /// The issue cycle `cycle` of `sm`, which begins at shader cycle `now`.
    #[inline]
    pub(in crate::sm) fn new<const SIMPLE: bool>(sm: &Sm, now: u64, cycle: u64) -> Self {
        let first = if SIMPLE { 0 } else { first_asked(cycle, sm.front.schedulers.len()) };
        Self { now, cycle, first, at_start: sm.blocked(first), issued: false, refused: false }
    }
}

impl Sm {
    /// The scheduler whose turn it is in `round` issues an instruction, or its slot stays empty.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "part of the pipeline")]
    pub(in crate::sm) fn schedule<const WATCHED: bool, const SIMPLE: bool>(
        &mut self,
        turn: usize,
        round: &mut Round,
        setup: &Setup,
    ) {
        let scheduler = if SIMPLE { 0 } else { (round.first + turn) % self.front.schedulers.len() };
        let (now, cycle) = (round.now, round.cycle);
        let own = if SIMPLE { u64::MAX } else { self.front.schedulers[scheduler].warps };
        if self.front.port_free[scheduler % MAX_SCHEDULERS] > now {
            if WATCHED {
                // It finds what there was at the beginning: its warps wait for nothing that others take.
                let found = self.units.at_start(round.at_start, self.blocked(scheduler));
                self.record_ready(scheduler, cycle, found, None);
            }
            return;
        }
        let (mut found, mut overtaken) = (round.at_start, 0);
        if !SIMPLE && turn > 0 {
            found = self.blocked(scheduler);
            let start = self.units.at_start(round.at_start, found);
            if round.issued {
                found.units |= self.units.alone();
            }
            self.units.overtaken(scheduler, start, found);
            overtaken = found.units & !start.units;
        }
        let mut eligible = own & self.front.ready.unblocked(found);
        if setup.hooks.is(Mutant::NeglectsAWarp) && eligible.count_ones() > 1 {
            eligible &= eligible - 1;
        }
        if eligible == 0 {
            let reason = self.least_blocked(own, found.units);
            self.account.slots.empty(scheduler, cycle, reason);
            if WATCHED {
                self.record_ready(scheduler, cycle, found, None);
            }
            return;
        }
        let idles = setup.hooks.is(Mutant::SchedulerIdles) && cycle % 16 == 15;
        if let Some(warp) = if idles { None } else { self.pick(scheduler, now, eligible, setup) } {
            let next = &setup.code[self.warps.pc(warp) as usize];
            let alone = self.units.alone() >> next.unit & 1 == 1;
            if WATCHED && setup.config.second_port != SecondPort::AnyWarp {
                self.record_ready(scheduler, cycle, found, Some(warp));
            }
            let issue = Issue { scheduler, warp, decoded: next, now, cycle, second: false };
            let slots = self.issue::<WATCHED, SIMPLE>(issue, setup);
            if !SIMPLE && self.front.two_ports {
                let pairs = next.beside == Beside::Neighbour;
                let first = First { scheduler, warp, slots, pairs, overtaken, found };
                self.issue_second::<WATCHED>(first, now, cycle, setup);
            } else {
                self.continue_warp::<SIMPLE>(warp, slots, cycle, setup);
            }
            if !SIMPLE && alone {
                self.shut_others(scheduler, warp, round);
            }
            round.issued = true;
        } else {
            self.account.slots.empty(scheduler, cycle, Some(WarpState::NotSelected));
            if WATCHED {
                self.record_left_empty(scheduler, cycle, found);
            }
            round.refused = true;
        }
    }

    /// The warp that the policy of `scheduler` picks among the `eligible` ones at shader cycle `now`, or none.
    #[inline]
    pub(in crate::sm) fn pick(
        &mut self,
        scheduler: usize,
        now: u64,
        eligible: u64,
        setup: &Setup,
    ) -> Option<u32> {
        match &mut self.front.schedulers[scheduler].policy {
            // The policy of all known chips needs no view.
            Policy::Builtin(Builtin::LooseRoundRobin { last }) => Some(round_robin(last, eligible)),
            Policy::Builtin(_) | Policy::Own(_) => {
                let picked = self.ask(scheduler, self.period.cycle(now), eligible);
                picked.unwrap_or_else(|misconduct| {
                    self.misconduct(misconduct, scheduler, eligible, now, setup);
                    None
                })
            }
        }
    }

    /// Shows the policy of `scheduler` its warps.
    #[inline(never)]
    fn ask(&mut self, scheduler: usize, cycle: u64, eligible: u64) -> Result<Option<u32>, Misconduct> {
        let asks_long_wait = self.front.schedulers[scheduler].policy.asks_long_wait();
        let long_wait = if asks_long_wait { self.long_wait() } else { 0 };
        let (slots, table) = (self.warps.len(), &self.warps);
        let scheduler = &mut self.front.schedulers[scheduler];
        scheduler.policy.pick(&View {
            cycle,
            eligible,
            resident: self.account.resident() & scheduler.warps,
            long_wait,
            global: self.front.ready.queue & eligible,
            age: table.age.first(slots),
            last_issue: table.last_issue.first(slots),
            rank: table.rank.first(slots),
            block: table.block.first(slots),
        })
    }

    /// `warp` of `scheduler` has issued to a unit for which it needs what the other schedulers have: they do not issue
    /// until it may issue again.
    #[cold]
    fn shut_others(&mut self, scheduler: usize, warp: u32, round: &Round) {
        let (until, schedulers) = (self.front.port_free[scheduler], self.front.schedulers.len());
        let turn = |scheduler: usize| (scheduler + schedulers - round.first) % schedulers;
        for other in (0..schedulers).filter(|other| *other != scheduler) {
            // One that was asked before it has found nothing to issue in this cycle.
            let from = if turn(other) < turn(scheduler) { round.now + self.period } else { round.now };
            self.account.slots.shut(other, self.period.cycle(from), self.period.cycle(until));
            if self.front.port_free[other] < until {
                self.front.port_free[other] = until;
                self.record_shut(other, warp);
            }
        }
    }

    /// A user's policy broke a rule at shader cycle `now`: the launch will be stopped.
    #[cold]
    fn misconduct(
        &mut self,
        misconduct: Misconduct,
        scheduler: usize,
        eligible: u64,
        now: u64,
        setup: &Setup,
    ) {
        let (sm, resident) = (self.id(), self.account.resident() & self.front.schedulers[scheduler].warps);
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

    /// What takes nothing from `scheduler` in this issue cycle.
    #[inline]
    pub(in crate::sm) fn blocked(&self, scheduler: usize) -> Blocked {
        Blocked { units: self.units.busy(scheduler), queue_full: self.memory.lsu.is_full() }
    }

    /// Resident warps that wait for memory, a fence or a barrier, or have exited; and slots without a warp.
    fn long_wait(&self) -> u64 {
        let resident = self.account.resident();
        let long = |warp: &u32| self.account.state(*warp).is_long_wait();
        bits(resident).filter(long).fold(!resident, |mask, warp| mask | 1 << warp)
    }

    /// The least blocked state among the resident warps of `mask`; none if there are none.
    fn least_blocked(&self, mask: u64, busy: u32) -> Option<WarpState> {
        // A warp that is ready and not eligible is less blocked than any other: no need to look at all of them.
        let ready = &self.front.ready;
        if ready.all & mask != 0 {
            let on_unit = ready.needing(busy) & mask != 0;
            return Some(if on_unit { WarpState::PipeBusy } else { WarpState::LsuFull });
        }
        self.account.least_blocked(mask)
    }

    /// The next shader cycle at which a tick could do something, unless a message arrives.
    #[inline]
    pub(in crate::sm) fn next_wake<const SIMPLE: bool>(&self, round: &Round) -> u64 {
        let woken = self.front.wheel.next().saturating_mul(self.period.cycles());
        if SIMPLE && round.issued {
            // After an issue the scheduler is asked again even if nothing is ready: to name the wait.
            return woken.min(self.front.port_free[0]);
        }
        let several = !SIMPLE && self.front.schedulers.len() > 1;
        if round.refused || round.issued && several {
            // A policy that refused is asked again in the next issue cycle. An instruction has taken a unit or let a block
            // leave: the empty slots of other schedulers may have another reason now.
            return woken.min(round.now + self.period);
        }
        woken.min(self.next_slot(round.now))
    }

    /// The next shader cycle at which a scheduler may issue again, or at which a unit takes an instruction of a ready warp.
    #[inline(never)]
    fn next_slot(&self, now: u64) -> u64 {
        let mut next = NEVER;
        for (number, scheduler) in self.front.schedulers.iter().enumerate() {
            let port_free = self.front.port_free[number];
            next = next.min(if port_free > now {
                port_free
            } else {
                let ready = self.front.ready.all & scheduler.warps;
                self.units.next_free(number, |unit| self.front.ready.unit[unit] & ready != 0)
            });
        }
        next
    }

    /// After `warp` has issued for so many slots from `cycle` on: when it is classified again.
    #[inline]
    pub(in crate::sm) fn continue_warp<const SIMPLE: bool>(
        &mut self,
        warp: u32,
        slots: u64,
        cycle: u64,
        setup: &Setup,
    ) {
        // The end of a block changes what the other schedulers see: it must not come before its cycle.
        if slots > 1 || self.warps.of(warp).done() {
            self.front.wheel.insert(warp, cycle + slots);
        } else {
            self.classify::<SIMPLE>(warp, cycle + 1, setup);
        }
    }
}
