//! The watched SM: tells its recorder what each warp does in every issue cycle, whether it was ticked in it or not.
//!
//! States that do not depend on others are found by looking at all warps: in each tick after the waits have been
//! named, and once at the beginning of a sleep. Nothing of them changes while the SM sleeps; before mail changes
//! anything the sleep is recorded up to there. Which of *pipe busy*, *queue full* and *not selected* a ready warp is
//! in is asked for every issue cycle, as its scheduler finds it in its turn. So the recorder sees exactly what the
//! ledger books by its counts, and nothing depends on when the SM is ticked.

use super::Sm;
use super::execute::{Extra, Issue};
use super::issue::first_asked;
use super::scheduler::bits;
use super::setup::Setup;
use super::units::Blocked;
use crate::counters::WarpState;
use crate::events::Watch;
use crate::events::event::{Event, Issued, Origin, What, Why};
use crate::events::recorder::{Recorder, Standing};
use crate::time::NEVER;
use std::sync::Arc;

/// What a watched SM needs for it.
pub(super) struct Watched {
    recorder: Recorder,
    setup: Arc<Setup>,
}

impl Sm {
    /// Watches this SM from the launch's beginning on.
    pub fn watch(&mut self, watch: &Watch, setup: &Arc<Setup>) {
        let registers = super::decode::scoreboard_entries(&setup.kernel.program);
        let (warps, schedulers) = (self.warps.len(), self.front.schedulers.len());
        let recorder = Recorder::new(watch, self.id(), self.period.cycles(), warps, registers, schedulers);
        self.watched = Some(Box::new(Watched { recorder, setup: Arc::clone(setup) }));
    }

    /// Whether anybody watches.
    pub fn is_watched(&self) -> bool {
        self.watched.is_some()
    }

    /// Hands on what was recorded of the issue cycles that begin before shader cycle `before`.
    pub fn hand_on(&mut self, before: u64, out: &mut Vec<Event>) {
        self.record_until(self.period.cycle_from(before));
        if let Some(watched) = &mut self.watched {
            watched.recorder.drain(before, out);
        }
    }

    /// Calls `record` with the recorder if there is one.
    #[inline]
    fn with_recorder(&mut self, record: impl FnOnce(&Self, &mut Recorder, &Setup)) {
        if self.watched.is_some() {
            self.watched_does(record);
        }
    }

    /// Out of the way of SMs that nobody watches.
    #[cold]
    #[inline(never)]
    fn watched_does(&mut self, record: impl FnOnce(&Self, &mut Recorder, &Setup)) {
        if let Some(mut watched) = self.watched.take() {
            record(self, &mut watched.recorder, &watched.setup);
            self.watched = Some(watched);
        }
    }

    /// Records the issue cycles before `cycle` in which the SM has slept. To be called before mail changes anything.
    #[inline]
    pub(super) fn record_until(&mut self, cycle: u64) {
        self.with_recorder(move |sm, recorder, setup| sm.record_sleep(recorder, setup, cycle));
    }

    /// Records issue cycle `cycle`, being ticked, but for what the schedulers are about to do.
    #[inline]
    pub(super) fn record_waits(&mut self, cycle: u64) {
        self.with_recorder(move |sm, recorder, setup| {
            sm.waits(recorder, setup, cycle);
            recorder.until = cycle + 1;
        });
    }

    /// Records what keeps the ready warps of `scheduler`, which finds `found` blocked; `taker`: the warp that it picks,
    /// if it is not held by the one that issued last.
    #[inline]
    pub(super) fn record_ready(&mut self, scheduler: usize, cycle: u64, found: Blocked, taker: Option<u32>) {
        self.with_recorder(move |sm, recorder, setup| {
            let taken = taker.map_or(0, |warp| 1 << warp);
            let warps = sm.front.ready.all & sm.front.schedulers[scheduler].warps & !taken;
            let by = Some(taker.unwrap_or(recorder.taker(scheduler)));
            sm.ready_waits(recorder, setup, (scheduler, cycle), warps, found, by);
        });
    }

    /// Records what keeps the ready warps of `scheduler`, whose policy leaves the slot empty.
    #[inline]
    pub(super) fn record_left_empty(&mut self, scheduler: usize, cycle: u64, found: Blocked) {
        self.with_recorder(move |sm, recorder, setup| {
            let warps = sm.front.ready.all & sm.front.schedulers[scheduler].warps;
            sm.ready_waits(recorder, setup, (scheduler, cycle), warps, found, None);
        });
    }

    /// Records an instruction that has issued to `unit` for the lanes `lanes` of its warp.
    #[inline]
    pub(super) fn record_issue(&mut self, issue: Issue<'_>, unit: u8, lanes: u32, extra: Extra) {
        let Issue { scheduler, second, warp, decoded, now, .. } = issue;
        self.with_recorder(move |sm, recorder, _| {
            let origin = Origin { warp, pc: decoded.main, cycle: now };
            let Extra { held, replay, constant, .. } = extra;
            let issued = Issued { origin, lanes, guarded: sm.memory.access.mask, held, replay, constant };
            let pipe = sm.units.pipe_number(unit, scheduler);
            recorder.issue(pipe, decoded.dsts(), issued);
            if !second {
                recorder.takes(scheduler, warp);
            }
            recorder.tell_stack(sm.period.cycle(now), warp, &sm.warps.of(warp).simt);
        });
    }

    /// Records that `warp` of another scheduler keeps `scheduler` from issuing.
    pub(super) fn record_shut(&mut self, scheduler: usize, warp: u32) {
        self.with_recorder(move |_, recorder, _| recorder.takes(scheduler, warp));
    }

    /// Records that the block in `slot` has moved in at issue cycle `at`.
    #[inline]
    pub(super) fn record_block(&mut self, slot: usize, at: u64) {
        self.with_recorder(move |sm, recorder, _| {
            bits(sm.warps.blocks[slot].warps).for_each(|warp| recorder.forget(warp));
            sm.tell_block(recorder, slot, at);
        });
    }

    /// Records that the block in `slot` moves out at issue cycle `at`.
    #[inline]
    pub(super) fn record_retired(&mut self, slot: usize, at: u64) {
        self.with_recorder(move |sm, recorder, _| {
            let (block, warps) = (sm.warps.blocks[slot].block, sm.warps.blocks[slot].warps);
            bits(warps).for_each(|warp| recorder.forget(warp));
            recorder.tell(at, What::BlockRetired { block, warps });
        });
    }

    /// Records that the values of a load of `warp` into `register` are home at shader cycle `now`, usable at `usable`.
    #[inline]
    pub(super) fn record_home(&mut self, warp: u32, register: u16, now: u64, usable: u64) {
        self.with_recorder(move |sm, recorder, _| {
            let load = recorder.producer(warp, register).filter(|_| recorder.warps >> warp & 1 == 1);
            if let Some(load) = load {
                recorder.tell(sm.period.cycle_from(now), What::LoadHome { load, at: now, usable });
            }
        });
    }

    /// The block in `slot` and the stacks of its warps, as they are at issue cycle `at`.
    fn tell_block(&self, recorder: &mut Recorder, slot: usize, at: u64) {
        let block = &self.warps.blocks[slot];
        let ctaid = self.warps.of(block.warps.trailing_zeros()).id.ctaid;
        let since = block.since * self.period;
        recorder.tell(at, What::BlockStarted { block: block.block, ctaid, warps: block.warps, since });
        for warp in bits(block.warps) {
            recorder.tell_stack(at, warp, &self.warps.of(warp).simt);
        }
    }

    fn record_sleep(&self, recorder: &mut Recorder, setup: &Setup, cycle: u64) {
        let (mut at, end) = (recorder.until.max(recorder.from), cycle.min(recorder.to));
        recorder.until = recorder.until.max(cycle);
        if at >= end {
            return;
        }
        self.waits(recorder, setup, at);
        let ready = self.front.ready.all & recorder.warps;
        let mut before = vec![None; self.front.schedulers.len()];
        while ready != 0 && at < end {
            // In the order of a tick.
            let (first, schedulers) = (first_asked(at, before.len()), before.len());
            for scheduler in (first..schedulers).chain(0..first) {
                let found = self.blocked_at(scheduler, at * self.period);
                if before[scheduler].replace(found) != Some(found) {
                    let (warps, by) =
                        (ready & self.front.schedulers[scheduler].warps, Some(recorder.taker(scheduler)));
                    self.ready_waits(recorder, setup, (scheduler, at), warps, found, by);
                }
            }
            at += 1;
        }
    }

    /// What takes nothing from `scheduler` in the issue cycle at shader cycle `now`, in which nothing issues.
    fn blocked_at(&self, scheduler: usize, now: u64) -> Blocked {
        Blocked { units: self.units.busy_at(scheduler, now), ..self.blocked(scheduler) }
    }

    /// Tells the states of all warps that are not ready, and at first what has been before.
    fn waits(&self, recorder: &mut Recorder, setup: &Setup, cycle: u64) {
        if !recorder.wants(cycle) {
            return;
        }
        if !recorder.begun {
            recorder.begun = true;
            for slot in (0..self.warps.blocks.len()).filter(|slot| self.warps.blocks[*slot].resident) {
                self.tell_block(recorder, slot, cycle);
            }
        }
        for warp in bits(self.account.resident() & recorder.warps & !self.front.ready.all) {
            let (state, pc) = (self.account.state(warp), self.account.pc(warp));
            let (why, lanes) = match (state, recorder.issued(warp)) {
                (WarpState::Issuing, Some(issued)) => (Why::Issued(issued), issued.lanes),
                _ => (self.why(recorder, setup, warp, state, pc), self.warps.of(warp).simt.mask()),
            };
            recorder.tell_state(cycle, warp, Standing { pc, lanes, state, why });
        }
    }

    /// Tells what keeps ready warps of a scheduler in an issue cycle in which it finds `found` blocked and is
    /// `by`'s; nobody's if its policy has left the slot empty.
    fn ready_waits(
        &self,
        recorder: &mut Recorder,
        setup: &Setup,
        (scheduler, cycle): (usize, u64),
        warps: u64,
        found: Blocked,
        by: Option<u32>,
    ) {
        for warp in bits(warps & recorder.warps) {
            let simt = &self.warps.of(warp).simt;
            let unit = setup.code[simt.pc() as usize].unit;
            let (state, why) = if found.units >> unit & 1 == 1 {
                let free = self.units.takes_at(unit, scheduler).max((cycle + 1) * self.period);
                let user = recorder.user(self.units.pipe_number(unit, scheduler));
                (WarpState::PipeBusy, Why::Unit { unit, user, free })
            } else if found.queue_full && self.front.ready.queue >> warp & 1 == 1 {
                (WarpState::LsuFull, Why::QueueFull)
            } else {
                (WarpState::NotSelected, by.map_or(Why::LeftEmpty, |by| Why::Taken { by }))
            };
            recorder.tell_state(cycle, warp, Standing { pc: simt.pc(), lanes: simt.mask(), state, why });
        }
    }

    /// Why a warp that is not ready is in `state`, standing at `pc`.
    fn why(&self, recorder: &Recorder, setup: &Setup, warp: u32, state: WarpState, pc: u32) -> Why {
        let control = &self.warps.control[warp];
        let block = &self.warps.blocks[control.block as usize];
        let last = recorder.issued(warp).map(|issued| issued.origin);
        match state {
            WarpState::Fetch => Why::Fetch { after: last, until: control.hold },
            WarpState::Barrier => {
                let barrier = block.barriers.of(warp);
                let counted = barrier.and_then(|(_, gathering)| gathering.counted());
                let arrived = barrier.map_or(0, |(_, gathering)| gathering.arrived.count_ones());
                Why::Barrier {
                    at: last,
                    id: barrier.map(|(id, _)| id),
                    arrived: counted.map_or(arrived, |(_, count)| count),
                    live: counted.map_or(block.live.count_ones(), |(wanted, _)| wanted),
                    until: (control.hold != NEVER).then_some(control.hold),
                }
            }
            WarpState::Membar => {
                let queued = if control.wants_queue_empty { control.queued } else { 0 };
                Why::Fence { answers: control.fences, queued }
            }
            // Lines of constant memory are missing to its last instruction.
            WarpState::ConstantDependency if control.hold == NEVER => {
                Why::Register { producer: last, ready: None }
            }
            WarpState::Exited if !self.warps.of(warp).done() => Why::Trapped,
            WarpState::Exited => Why::Exited { live: block.live.count_ones(), loads: block.loads },
            WarpState::Issuing
            | WarpState::NotSelected
            | WarpState::PipeBusy
            | WarpState::LsuFull
            | WarpState::ExecutionDependency
            | WarpState::ConstantDependency
            | WarpState::SharedDependency
            | WarpState::MemoryDependency => {
                let slowest = self.front.scoreboard.slowest(warp, setup.code[pc as usize].needs());
                let producer = slowest.and_then(|(register, _)| recorder.producer(warp, register));
                let ready = slowest.map(|(_, ready)| ready).filter(|ready| *ready != NEVER);
                Why::Register { producer, ready }
            }
        }
    }
}
