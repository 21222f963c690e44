//! The observed SM: reports to its recorder the state of each warp in every issue cycle, including
//! cycles in which the SM was not ticked.
//!
//! For warps that are not ready, the states are recorded in each tick after classification, and
//! once at the start of a sleep. They do not change while the SM sleeps; before a message changes a
//! state, the sleep is recorded up to that cycle. A ready warp is *pipe busy*, *queue full* or *not
//! selected*; this is determined in every issue cycle from the state that its scheduler sees in its
//! turn. The recorder therefore sees exactly the states that the warp state breakdown counts,
//! independent of the cycles in which the SM is ticked.
//!
//! Invariant `observed-hangs`: A hang is found in an observed launch too.

use super::Sm;
use super::block::BlockSlot;
use super::context::SmContext;
use super::execute::{ExtraSlots, Issue};
use super::inspect::IssuedAccess;
use super::issue::first_asked;
use super::scheduler::bits;
use super::units::Blocked;
use crate::counters::WarpState;
use crate::events::event::{Event, Issued, Origin, What, Why};
use crate::events::recorder::{Recorder, WarpStatus};
use crate::events::{MemoryRecorder, Watch};
use crate::time::NEVER;
use std::sync::Arc;

/// The reports of a pipeline, as a type: the pipeline is compiled for each implementation.
pub(super) trait Probe {
    /// Calls `record` with the recorder of `sm`.
    fn record(sm: &mut Sm, record: impl FnOnce(&mut Observed, &Sm));
}

/// The probe of an SM without a recorder: reports nothing.
pub(super) struct Unobserved;

impl Probe for Unobserved {
    #[inline]
    fn record(_: &mut Sm, _: impl FnOnce(&mut Observed, &Sm)) {}
}

impl Probe for Observed {
    // Kept out of the code path of SMs that are not observed.
    #[cold]
    #[inline(never)]
    fn record(sm: &mut Sm, record: impl FnOnce(&mut Observed, &Sm)) {
        if let Some(mut observed) = sm.observed.take() {
            record(&mut observed, sm);
            sm.observed = Some(observed);
        }
    }
}

/// The recorder of an observed SM.
#[derive(Clone)]
pub(super) struct Observed {
    recorder: Recorder,
    context: Arc<SmContext>,
    /// For each warp slot, the last memory access.
    accesses: Vec<Option<Box<IssuedAccess>>>,
    /// Events of the L1, if they are observed.
    pub(super) memory: Option<MemoryRecorder>,
}

impl Observed {
    /// Observes `sm`, whose launch is `context`, from the start of the launch.
    pub(super) fn new(watch: &Watch, sm: &Sm, context: &Arc<SmContext>) -> Self {
        let registers = super::decode::scoreboard_entries(&context.kernel.program);
        let (warps, schedulers) = (sm.warps.len(), sm.front.schedulers.len());
        let recorder = Recorder::new(watch, sm.id(), sm.period.cycles(), warps, registers, schedulers);
        let memory = watch.memory.then(|| MemoryRecorder::new(sm.id(), watch.cycles.clone()));
        Self { recorder, context: Arc::clone(context), accesses: vec![None; warps], memory }
    }

    /// Returns the last memory access of the warp in `slot`.
    pub(super) fn last_access(&self, slot: u32) -> Option<&IssuedAccess> {
        self.accesses.get(slot as usize)?.as_deref()
    }

    /// Returns the instruction that computes the value of a scoreboard entry of the warp in `slot`.
    pub(super) fn producer(&self, slot: u32, entry: u16) -> Option<Origin> {
        self.recorder.producer(slot, entry)
    }

    /// Moves the events of the issue cycles that start before shader cycle `before` to `out`.
    pub(super) fn deliver(&mut self, before: u64, out: &mut Vec<Event>) {
        self.recorder.drain(before, out);
    }

    /// Records issue cycle `cycle`, in which `sm` is ticked, up to the issue stage.
    pub(super) fn tick(&mut self, sm: &Sm, cycle: u64) {
        self.waits(sm, cycle);
        self.recorder.until = cycle + 1;
    }

    /// Records the stall reasons of the ready warps of `scheduler`, which finds `found` blocked and
    /// selects no warp. The warp that issued last counts as the user of the issue slot.
    pub(super) fn not_selected(&mut self, sm: &Sm, place: (usize, u64), found: Blocked) {
        let user = self.recorder.selected(place.0);
        self.ready_waits(sm, place, u64::MAX, found, Some(user));
    }

    /// Records the stall reasons of the ready warps of `scheduler`, which finds `found` blocked and
    /// selects `warp`. The warps of the mask `issuing` issue in this cycle.
    pub(super) fn selected(&mut self, sm: &Sm, place: (usize, u64), found: Blocked, warp: u32, issuing: u64) {
        self.ready_waits(sm, place, !issuing, found, Some(warp));
    }

    /// Records the stall reasons of the ready warps of `scheduler`, whose policy leaves the slot
    /// empty.
    pub(super) fn left_empty(&mut self, sm: &Sm, place: (usize, u64), found: Blocked) {
        self.ready_waits(sm, place, u64::MAX, found, None);
    }

    /// Records that an instruction has issued to `unit`.
    pub(super) fn issue(&mut self, sm: &Sm, issue: Issue<'_>, unit: u8, extra: ExtraSlots) {
        let Issue { scheduler, second, warp, side: lanes, decoded, now, .. } = issue;
        let origin = Origin { warp, pc: decoded.main, cycle: now };
        let ExtraSlots { held, replay, constant, .. } = extra;
        let guarded = sm.memory.access.mask;
        let transactions = sm.memory.transactions_of(warp, decoded.main, now);
        let issued = Issued { origin, lanes, guarded, held, replay, constant, transactions };
        let pipe = sm.units.pipe_number(unit, scheduler);
        self.recorder.issue(pipe, decoded.dsts(), issued);
        if !second {
            self.recorder.select(scheduler, warp);
        }
        // An instruction that traps accesses nothing.
        let trapped = sm.traps.last().is_some_and(|trap| (trap.cycle, trap.pc) == (now, decoded.main));
        let access = IssuedAccess::of(decoded, origin, &sm.memory.access, &self.context);
        if let Some(access) = access.filter(|_| !trapped) {
            self.accesses[warp as usize] = Some(Box::new(access));
        }
        let cycle = sm.period.cycle(now);
        if self.recorder.wants_values(warp, cycle) {
            // The values of a pending load are recorded when they arrive.
            let pending = sm.front.scoreboard.slowest(warp, decoded.dsts());
            if pending.is_none_or(|(_, ready)| ready != NEVER) {
                self.record_values(sm, cycle, origin, issued.guarded, decoded.dsts());
            }
        }
        self.recorder.record_stack(cycle, warp, &sm.warps.of(warp).simt);
    }

    /// Records the values of the scoreboard entries `registers`, which `by` has written in `lanes`.
    fn record_values(&mut self, sm: &Sm, cycle: u64, by: Origin, lanes: u32, registers: &[u16]) {
        let (warp, counts) = (sm.warps.of(by.warp), self.context.kernel.program.rows);
        self.recorder.record_values(cycle, by, lanes, registers, (warp, counts));
    }

    /// Records that `warp` of another scheduler blocks `scheduler`.
    pub(super) fn shut(&mut self, scheduler: usize, warp: u32) {
        self.recorder.select(scheduler, warp);
    }

    /// Records that the block in `slot` has started at issue cycle `at`.
    pub(super) fn block_started(&mut self, sm: &Sm, slot: usize, at: u64) {
        for warp in bits(sm.warps.blocks[slot].warps) {
            self.recorder.forget(warp);
            self.accesses[warp as usize] = None;
        }
        self.tell_block(sm, slot, at);
    }

    /// Records that `block` leaves its slot at issue cycle `at`.
    pub(super) fn block_retired(&mut self, block: &BlockSlot, at: u64) {
        let (block, warps) = (block.block, block.warps);
        bits(warps).for_each(|warp| self.recorder.forget(warp));
        self.recorder.record(at, What::BlockRetired { block, warps });
    }

    /// Records that all values of a load of `warp` into `registers` have returned by issue cycle
    /// `cycle`, at shader cycle `at`. They can be used from shader cycle `usable` on.
    pub(super) fn load_returned(
        &mut self,
        sm: &Sm,
        (warp, registers): (u32, &[u16]),
        cycle: u64,
        at: u64,
        usable: u64,
    ) {
        let Some(register) = registers.first() else { return };
        let observed = self.recorder.warps >> warp & 1 == 1;
        let Some(load) = self.recorder.producer(warp, *register).filter(|_| observed) else { return };
        self.recorder.record(cycle, What::LoadCompleted { load, at, usable });
        if self.recorder.wants_values(warp, cycle) {
            self.record_values(sm, cycle, load, self.recorder.lanes(warp, *register), registers);
        }
    }

    /// Records the block in `slot` and the reconvergence stacks of its warps at issue cycle `at`.
    fn tell_block(&mut self, sm: &Sm, slot: usize, at: u64) {
        let block = &sm.warps.blocks[slot];
        let ctaid = sm.warps.of(block.warps.trailing_zeros()).id.ctaid;
        let since = block.since * sm.period;
        self.recorder.record(at, What::BlockStarted { block: block.block, ctaid, warps: block.warps, since });
        for warp in bits(block.warps) {
            self.recorder.record_stack(at, warp, &sm.warps.of(warp).simt);
        }
    }

    /// Records the issue cycles before `cycle` in which `sm` has slept. Must be called before a
    /// message changes the state.
    pub(super) fn sleep(&mut self, sm: &Sm, cycle: u64) {
        let recorder = &mut self.recorder;
        let (mut at, end) = (recorder.until.max(recorder.from), cycle.min(recorder.to));
        recorder.until = recorder.until.max(cycle);
        if at >= end {
            return;
        }
        self.waits(sm, at);
        let ready = sm.front.ready.all & self.recorder.warps != 0;
        let mut before = vec![None; sm.front.schedulers.len()];
        while ready && at < end {
            // In the order of a tick.
            let (first, schedulers) = (first_asked(at, before.len()), before.len());
            for scheduler in (first..schedulers).chain(0..first) {
                // No instruction issues: units become free, and the queue does not change.
                let units = sm.units.busy_at(scheduler, at * sm.period);
                let found = Blocked { units, ..sm.blocked(scheduler) };
                if before[scheduler].replace(found) != Some(found) {
                    self.not_selected(sm, (scheduler, at), found);
                }
            }
            at += 1;
        }
    }

    /// Records the states of all warps that are not ready. The first call also records the resident
    /// blocks.
    fn waits(&mut self, sm: &Sm, cycle: u64) {
        if !self.recorder.wants(cycle) {
            return;
        }
        if !self.recorder.begun {
            self.recorder.begun = true;
            for slot in (0..sm.warps.blocks.len()).filter(|slot| sm.warps.blocks[*slot].resident) {
                self.tell_block(sm, slot, cycle);
            }
        }
        for warp in bits(sm.account.resident() & self.recorder.warps & !sm.front.ready.all) {
            let (state, pc) = (sm.account.state(warp), sm.account.pc(warp));
            let (why, lanes) = match (state, self.recorder.issued(warp)) {
                (WarpState::Issuing, Some(issued)) => (Why::Issued(issued), issued.lanes),
                _ => (self.why(sm, (warp, cycle), state, pc), sm.warps.of(warp).simt.mask()),
            };
            self.recorder.record_state(cycle, warp, WarpStatus { pc, lanes, state, why });
        }
    }

    /// Records the stall reasons of the ready warps of the mask `warps` of a scheduler in an issue
    /// cycle in which it finds `found` blocked. `by` is the warp that uses the issue slot; `None`
    /// if the policy has left the slot empty.
    fn ready_waits(
        &mut self,
        sm: &Sm,
        (scheduler, cycle): (usize, u64),
        warps: u64,
        found: Blocked,
        by: Option<u32>,
    ) {
        let own = sm.front.ready.all & sm.front.schedulers[scheduler].warps;
        for warp in bits(own & warps & self.recorder.warps) {
            let simt = &sm.warps.of(warp).simt;
            let unit = self.context.code[simt.pc() as usize].unit();
            let (state, why) = if found.units >> unit & 1 == 1 {
                let free = sm.units.takes_at(unit, scheduler).max((cycle + 1) * sm.period);
                let user = self.recorder.user(sm.units.pipe_number(unit, scheduler));
                (WarpState::PipeBusy, Why::Unit { unit, user, free })
            } else if found.queue_full && sm.front.ready.queue >> warp & 1 == 1 {
                (WarpState::LsuFull, Why::QueueFull)
            } else {
                (WarpState::NotSelected, by.map_or(Why::LeftEmpty, |by| Why::Taken { by }))
            };
            self.recorder.record_state(
                cycle,
                warp,
                WarpStatus { pc: simt.pc(), lanes: simt.mask(), state, why },
            );
        }
    }

    /// Reason why a warp that is not ready is in `state` in issue cycle `cycle`, with its next
    /// instruction at `pc`.
    fn why(&self, sm: &Sm, (warp, cycle): (u32, u64), state: WarpState, pc: u32) -> Why {
        let control = &sm.warps.control[warp];
        let block = &sm.warps.blocks[control.block as usize];
        let last = self.recorder.issued(warp).map(|issued| issued.origin);
        match state {
            WarpState::Fetch => {
                let missing = control.hold <= cycle * sm.period && sm.front.misses_code(warp);
                Why::Fetch { after: last, until: (!missing).then_some(control.hold) }
            }
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
            // Its last instruction waits for lines of constant memory, or is replayed.
            WarpState::ConstantDependency | WarpState::SharedDependency
                if control.hold > cycle * sm.period && control.hold_state == state =>
            {
                Why::Register { producer: last, ready: (control.hold != NEVER).then_some(control.hold) }
            }
            WarpState::Exited if !sm.warps.of(warp).done() => Why::Trapped,
            WarpState::Exited => Why::Exited { live: block.live.count_ones(), loads: block.loads },
            WarpState::Issuing
            | WarpState::NotSelected
            | WarpState::PipeBusy
            | WarpState::LsuFull
            | WarpState::ExecutionDependency
            | WarpState::ConstantDependency
            | WarpState::SharedDependency
            | WarpState::MemoryDependency => {
                let slowest = sm.front.scoreboard.slowest(warp, self.context.code[pc as usize].needs());
                let producer = slowest.and_then(|(register, _)| self.recorder.producer(warp, register));
                let ready = slowest.map(|(_, ready)| ready).filter(|ready| *ready != NEVER);
                Why::Register { producer, ready }
            }
        }
    }
}
