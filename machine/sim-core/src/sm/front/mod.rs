//! The front end of an SM: finds the warps that can issue and the stall reason of each other warp.
//!
//! [`Front::classify`] determines the state of a warp. A warp that waits only for its unit, the
//! load/store queue or other warps is *ready* and stays in [`Ready`] until it issues. A stalled
//! warp is put on the timing wheel for the cycle in which its wait ends. If the end is not known,
//! the event that ends the wait puts it there.

mod fetch;
pub(in crate::sm) mod kinds;
pub(in crate::sm) mod scoreboard;

use crate::config::{MAX_SCHEDULERS, MAX_UNITS};
use crate::counters::WarpState;
use crate::exec::Warp;
use crate::sm::account::Account;
use crate::sm::context::SmContext;
use crate::sm::decode::{Decoded, Need, scoreboard_entries};
use crate::sm::scheduler::builtin::Builtin;
use crate::sm::scheduler::{Misconduct, Policy, View, bits};
use crate::sm::units::{Blocked, Units, place};
use crate::sm::warps::{Control, MAX_WARPS, PerWarp, WarpTable};
use crate::state::{CloneFrom, Part, Value};
use crate::time::NEVER;
use crate::time::period::Period;
use crate::time::wheel::Wheel;
use fetch::Fetch;
use kinds::FrontEnd;
use scoreboard::Scoreboard;

/// Warp status found by [`Front::classify`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::sm) enum Readiness {
    /// The warp waits only for its unit, the load/store queue and other warps.
    Ready,
    /// The warp cannot issue.
    Stalled(Stall),
}

/// A wait of a warp.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::sm) struct Stall {
    /// Stall reason.
    pub reason: WarpState,
    /// Shader cycle at which it ends; [`NEVER`] if an event ends it.
    pub until: u64,
    /// Whether it is the last wait of the instruction, so that the warp is ready afterwards.
    pub last: bool,
}

/// Ready warps, and the needs of all warps, as masks.
#[derive(CloneFrom, Debug, PartialEq, Eq, Value)]
pub(in crate::sm) struct Ready {
    /// All ready warps.
    pub all: u64,
    /// The need of each warp's next instruction: the masks below, by warp.
    needs: PerWarp<Need>,
    /// For each unit: the warps whose next instruction needs it.
    pub unit: [u64; MAX_UNITS],
    /// For each unit: the warps whose next instruction the second port could issue to it, together
    /// with an instruction of another warp.
    pub second: [u64; MAX_UNITS],
    /// Warps that need a free entry of the load/store queue.
    pub queue: u64,
}

impl Ready {
    /// No ready warps.
    fn new() -> Self {
        let needs = PerWarp::new(Need::default());
        Self { all: 0, needs, unit: [u64::MAX, 0, 0, 0, 0, 0, 0, 0], second: [0; MAX_UNITS], queue: 0 }
    }

    /// The need of the next instruction of `warp`.
    #[inline]
    pub(in crate::sm) fn need(&self, warp: u32) -> Need {
        self.needs[warp]
    }

    /// Sets the need of the next instruction of `warp`.
    #[inline]
    pub(in crate::sm) fn set_need(&mut self, warp: u32, need: Need) {
        if self.needs[warp] != need {
            self.change_need(warp, need);
        }
    }

    #[inline(never)]
    fn change_need(&mut self, warp: u32, need: Need) {
        let last = std::mem::replace(&mut self.needs[warp], need);
        let bit = 1 << warp;
        self.unit[place(last.unit())] &= !bit;
        self.unit[place(need.unit())] |= bit;
        self.queue = self.queue & !bit | u64::from(need.queued()) << warp;
        if let Some(unit) = last.second() {
            self.second[place(unit)] &= !bit;
        }
        if let Some(unit) = need.second() {
            self.second[place(unit)] |= bit;
        }
    }

    /// The ready warps that are not blocked by `blocked`.
    #[inline]
    pub(in crate::sm) fn unblocked(&self, blocked: Blocked) -> u64 {
        let full = if blocked.queue_full { self.queue } else { 0 };
        self.all & !(full | self.needing(blocked.units))
    }

    /// Least blocked state among the ready warps of `mask`. None of them is eligible while the
    /// units `busy` are busy.
    #[inline]
    pub(in crate::sm) fn least_blocked(&self, mask: u64, busy: u32) -> Option<WarpState> {
        if self.all & mask == 0 {
            return None;
        }
        let on_unit = self.needing(busy) & self.all & mask != 0;
        Some(if on_unit { WarpState::PipeBusy } else { WarpState::LsuFull })
    }

    /// The warps, ready or not, that need one of the units in the mask `units`.
    #[inline]
    pub(in crate::sm) fn needing(&self, units: u32) -> u64 {
        bits(units.into()).fold(0, |warps, unit| warps | self.unit[unit as usize])
    }
}

/// A warp scheduler: its warps and its policy.
#[derive(CloneFrom, Debug, Part)]
pub(in crate::sm) struct Scheduler {
    #[state(part)]
    pub policy: Policy,
    /// Mask of its warp slots.
    pub warps: u64,
}

/// The front end.
#[derive(CloneFrom, Part)]
pub(in crate::sm) struct Front {
    pub scoreboard: Scoreboard,
    #[state(part)]
    fetch: Option<Fetch>,
    /// Timing wheel: the warps to check again, by issue cycle.
    pub wheel: Wheel,
    pub ready: Ready,
    /// Issue cycle at which a stalled warp will be ready, if known; else [`NEVER`].
    pub ready_at: PerWarp<u64>,
    #[state(part)]
    pub schedulers: Vec<Scheduler>,
    /// The scheduler of each warp.
    owners: PerWarp<u8>,
    /// Shader cycle from which each scheduler may issue again.
    pub port_free: [u64; MAX_SCHEDULERS],
    /// Whether the schedulers have a second port.
    pub two_ports: bool,
    /// The earliest shader cycle at which a tick may do something.
    pub wake: u64,
    #[state(fixed)]
    period: Period,
}

impl Front {
    /// The front end of SM number `sm` of the chip, without warps.
    pub(in crate::sm) fn new(sm: u32, context: &SmContext) -> Self {
        let config = &context.config;
        let (warps, schedulers) = (config.max_warps, config.schedulers);
        let scheduler = |number: u32| Scheduler {
            policy: Policy::new(config.policy, context.scheduler.as_ref(), sm, number, schedulers),
            warps: (number..warps).step_by(schedulers as usize).fold(0, |mask, warp| mask | 1 << warp),
        };
        let mut owners = PerWarp::new(0);
        (0..MAX_WARPS as u32).for_each(|warp| owners[warp] = (warp % schedulers) as u8);
        Self {
            owners,
            scoreboard: Scoreboard::new(warps, scoreboard_entries(&context.kernel.program)),
            fetch: config.instr_cache.map(|cache| Fetch::new(cache, sm)),
            wheel: Wheel::default(),
            ready: Ready::new(),
            ready_at: PerWarp::new(NEVER),
            schedulers: (0..schedulers).map(scheduler).collect(),
            port_free: [0; MAX_SCHEDULERS],
            two_ports: config.second_port.ports() == 2,
            wake: NEVER,
            period: Period::new(config.issue_period),
        }
    }

    /// Makes a front end without warps, built for another kernel, one for the kernel of `context`.
    pub(in crate::sm) fn adopt(&mut self, context: &SmContext) {
        self.scoreboard.resize(scoreboard_entries(&context.kernel.program));
    }

    /// Starts the warp `arch` in slot `warp` at issue cycle `at`. Returns whether there are lines
    /// of code to request.
    pub(in crate::sm) fn start_warp(&mut self, warp: u32, arch: &Warp, at: u64, code: &[Decoded]) -> bool {
        self.scoreboard.clear(warp);
        self.ready_at[warp] = NEVER;
        self.wake_warp(warp, at);
        self.fetch_next(warp, arch, None, code)
    }

    /// Classifies `warp` again in issue cycle `at`.
    #[inline]
    pub(in crate::sm) fn wake_warp(&mut self, warp: u32, at: u64) {
        self.wheel.insert(warp, at);
        self.wake_by(at);
    }

    /// Classifies the warps of the mask `warps` again in issue cycle `at`.
    pub(in crate::sm) fn wake_warps(&mut self, warps: u64, at: u64) {
        bits(warps).for_each(|warp| self.wake_warp(warp, at));
    }

    /// Makes the next tick occur in issue cycle `at` at the latest.
    #[inline]
    pub(in crate::sm) fn wake_by(&mut self, at: u64) {
        self.wake = self.wake.min(at * self.period);
    }

    /// Whether the SM has one scheduler with one port and the round robin policy, and no
    /// instruction cache; see [`kinds::Single`].
    pub(in crate::sm) fn is_single(&self) -> bool {
        let turns = |scheduler: &Scheduler| {
            matches!(scheduler.policy, Policy::Builtin(Builtin::LooseRoundRobin { .. }))
        };
        self.schedulers.len() == 1
            && self.schedulers.iter().all(turns)
            && !self.two_ports
            && self.fetch.is_none()
    }

    /// Marks `warp` as ready.
    #[inline]
    pub(in crate::sm) fn set_ready(&mut self, warp: u32) {
        self.ready_at[warp] = NEVER;
        self.ready.all |= 1 << warp;
    }

    /// Wakes `warp` when its wait ends, if its end is known.
    #[inline]
    pub(in crate::sm) fn set_stalled(&mut self, warp: u32, stall: Stall) {
        if stall.until != NEVER {
            let at = self.period.cycle_from(stall.until);
            self.ready_at[warp] = if stall.last { at } else { NEVER };
            self.wheel.insert(warp, at);
        }
    }

    /// The scheduler of `warp`.
    #[inline]
    pub(in crate::sm) fn scheduler_of(&self, warp: u32) -> usize {
        self.owners[warp].into()
    }

    /// The scheduler of `warp`, and the need of the warp's next instruction.
    pub(in crate::sm) fn need_of(&self, warp: u32) -> (usize, Need) {
        (self.scheduler_of(warp), self.ready.need(warp))
    }

    /// The warp that the policy of `scheduler` selects among the `eligible` warps in issue cycle
    /// `cycle`, if any.
    #[inline(never)]
    pub(in crate::sm) fn ask(
        &mut self,
        scheduler: usize,
        cycle: u64,
        eligible: u64,
        warps: &WarpTable,
        account: &Account,
    ) -> Result<Option<u32>, Misconduct> {
        let scheduler = &mut self.schedulers[scheduler];
        let slots = warps.len();
        scheduler.policy.pick(&View {
            cycle,
            eligible,
            resident: account.resident() & scheduler.warps,
            long_wait: if scheduler.policy.asks_long_wait() { account.long_wait() } else { 0 },
            global: self.ready.queue & eligible,
            age: warps.age.first(slots),
            last_issue: warps.last_issue.first(slots),
            rank: warps.rank.first(slots),
            block: warps.block.first(slots),
        })
    }

    /// The next shader cycle at which a scheduler may issue again, or at which a unit accepts an
    /// instruction of a ready warp.
    #[inline(never)]
    fn next_slot(&self, now: u64, units: &Units) -> u64 {
        let mut next = NEVER;
        for (number, scheduler) in self.schedulers.iter().enumerate() {
            let port_free = self.port_free[number];
            next = next.min(if port_free > now {
                port_free
            } else {
                let ready = self.ready.all & scheduler.warps;
                units.next_free(number, |unit| self.ready.unit[unit] & ready != 0)
            });
        }
        next
    }

    /// Determines the state of `warp` with next instruction `next`. The warp uses no issue slot at
    /// shader cycle `now`.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "on the path of every instruction, in several pipelines")]
    pub(in crate::sm) fn classify<F: FrontEnd>(
        &self,
        warp: u32,
        control: &Control,
        next: &Decoded,
        now: u64,
    ) -> Readiness {
        if control.hold > now {
            // The registers that are not pending become ready in known cycles.
            let last = F::fetch(self).is_none()
                && self.scoreboard.check(warp, next.split_needs(), control.hold).is_ok();
            return Readiness::Stalled(Stall { reason: control.hold_state, until: control.hold, last });
        }
        if F::fetch(self).is_some_and(|fetch| fetch.is_missing(warp)) {
            return Readiness::Stalled(Stall { reason: WarpState::Fetch, until: NEVER, last: false });
        }
        match self.scoreboard.check(warp, next.split_needs(), now) {
            Ok(()) => Readiness::Ready,
            Err((until, reason)) => Readiness::Stalled(Stall { reason, until, last: true }),
        }
    }
}
