//! Executes the micro-ops of an issued instruction and applies its effects: the slots that it uses,
//! the cycle at which its result is ready, the next wait of its warp, and its memory messages.
//!
//! Invariant `fused-instruction-times`: A fused instruction takes one issue slot and waits for the
//! operands of all its micro-ops; an operand from memory has the overhead that the chip file
//! states. A stream of multiply-adds with such an operand reaches the measured share of the peak.

use super::Sm;
use super::barrier::OtherCount;
use super::context::SmContext;
use super::decode::{Decoded, NO_CONSTANT};
use super::memory::access::Queued;
use super::memory::generic::Served;
use crate::config::MAX_SCHEDULERS;
use crate::counters::WarpState;
use crate::exec::barrier::Arrival;
use crate::exec::trap::{Fault, FaultKind, Trap};
use crate::exec::{Step, StepResult, step};
use crate::hooks::Mutant;
use crate::mem::bank;
use crate::time::NEVER;

/// An instruction that is being issued.
#[derive(Clone, Copy, Debug)]
pub(super) struct Issue<'s> {
    /// The scheduler that issues it.
    pub scheduler: usize,
    /// Whether it issues through the second dispatch port.
    pub second: bool,
    pub warp: u32,
    pub decoded: &'s Decoded,
    /// Start of the issue cycle, in shader cycles.
    pub now: u64,
    /// Issue cycle.
    pub cycle: u64,
}

impl Issue<'_> {
    /// Index of its main micro-op.
    #[inline]
    pub(super) fn pc(&self) -> u32 {
        self.decoded.main
    }
}

/// Costs of an instruction in addition to its issue slot and the latency of its class.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct ExtraSlots {
    /// Extra slots because the instruction is issued as a sequence.
    pub held: u64,
    /// Replay slots: further passes of a shared-memory access after bank conflicts, or further
    /// rounds of an atomic.
    pub replay: u64,
    /// Slots for the different addresses of a constant memory read.
    pub constant: u64,
    /// Shader cycles (not slots) for which the passes keep the unit busy.
    pub passing: u64,
    /// Shader cycles by which the operands delay the result.
    pub late: u64,
}

impl ExtraSlots {
    /// All extra slots. The slots of the sequence come first, the replays last.
    #[inline]
    pub(super) fn slots(&self) -> u64 {
        self.held + self.replay + self.constant
    }
}

/// Cost of an instruction: depends on its class and on the port that issues it.
#[derive(Clone, Copy, Debug)]
struct Cost {
    unit: u8,
    /// Shader cycles before the unit accepts another instruction.
    busy: u32,
    /// Shader cycles until the result can be used.
    latency: u32,
    /// Slots in addition to the first one.
    held: u64,
}

impl Cost {
    #[inline]
    fn of(issue: Issue<'_>) -> Self {
        let decoded = issue.decoded;
        match decoded.dual_issue.way().filter(|_| issue.second) {
            Some(way) => Self { unit: way.unit, busy: way.busy.into(), latency: way.latency.into(), held: 0 },
            None => Self {
                unit: decoded.unit,
                busy: decoded.busy,
                latency: decoded.latency,
                held: u64::from(decoded.slots) - 1,
            },
        }
    }
}

impl Sm {
    /// Issues an instruction. Returns the number of slots that it uses.
    // Inlined into each form of the pipeline, so that the constants of a form are folded.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "on the path of every instruction, in several pipelines")]
    pub(super) fn issue<const OBSERVED: bool, const SIMPLE: bool>(
        &mut self,
        issue: Issue<'_>,
        context: &SmContext,
    ) -> u64 {
        let Issue { scheduler, second, warp, decoded, now, cycle } = issue;
        let cost = Cost::of(issue);
        self.front.ready.all &= !(1 << warp);
        self.warps.last_issue[warp] = cycle + 1;
        let side = self.warps.of(warp).simt.mask();
        if second && decoded.dual_issue.way().is_none() {
            self.account.issue_more(warp, decoded.main, side);
        } else {
            let need = self.front.ready.need(warp);
            self.account.issue::<SIMPLE>(warp, (scheduler, need), side, cycle, &mut self.units);
        }
        let usable = self.units.enters::<SIMPLE>(cost.unit, scheduler, now) + u64::from(cost.latency);
        if decoded.plain {
            let outcome = self.step(warp, now, context);
            if let Ok(Step::Branch { divergent, .. }) = outcome {
                if decoded.conditional {
                    self.account.branched(decoded.main, divergent);
                }
                self.warps.control[warp].hold(usable, WarpState::Fetch);
            }
            if matches!(outcome, Ok(Step::Next | Step::Branch { .. })) {
                self.front.scoreboard.results(warp, decoded, usable);
                return self.charge::<OBSERVED, SIMPLE>(issue, cost, ExtraSlots::default(), side, context);
            }
            let copy = Issue { scheduler, second, warp, decoded, now, cycle };
            return self.complete::<OBSERVED, SIMPLE>(copy, Some(outcome), usable, side, context);
        }
        let copy = Issue { scheduler, second, warp, decoded, now, cycle };
        self.complete::<OBSERVED, SIMPLE>(copy, None, usable, side, context)
    }

    /// Applies the effects of an instruction of the lanes `side`. If `outcome` is `None`, executes
    /// it first. Without further delay the result can be used from shader cycle `usable` on.
    /// Returns the number of slots that the instruction uses.
    #[inline(never)]
    fn complete<const OBSERVED: bool, const SIMPLE: bool>(
        &mut self,
        issue: Issue<'_>,
        outcome: Option<StepResult>,
        mut usable: u64,
        side: u32,
        context: &SmContext,
    ) -> u64 {
        let Issue { warp, decoded, .. } = issue;
        let cost = Cost::of(issue);
        let mut extra = ExtraSlots::default();
        let outcome = match outcome {
            Some(outcome) => outcome,
            None if decoded.is_alone() => self.step(warp, issue.now, context),
            None => {
                let mut operands = ExtraSlots::default();
                let outcome = self.step_fused(issue, &mut operands, context);
                extra = operands;
                usable += extra.late;
                outcome
            }
        };
        extra.held = cost.held;
        let has_constant = decoded.constant != NO_CONSTANT;
        match outcome {
            Ok(Step::Next) if !has_constant => self.front.scoreboard.results(warp, decoded, usable),
            Ok(Step::Shared) if !has_constant && self.memory.access.atomic.is_none() => {
                let cost = self.memory.shared_replays(decoded.slots, decoded.latency, context);
                (extra.replay, extra.passing) = (cost.replay, cost.passing);
                self.front.scoreboard.results(warp, decoded, usable + cost.late);
            }
            Ok(done) => self.apply(issue, done, usable, &mut extra, context),
            Err(fault) => {
                let arch = self.warps.of(warp);
                self.traps.push(Trap::new(&context.kernel, arch, *fault, Some(self.id), issue.now));
                self.warps.control[warp].hold(NEVER, WarpState::Exited);
                extra = ExtraSlots::default();
            }
        }
        self.charge::<OBSERVED, SIMPLE>(issue, cost, extra, side, context)
    }

    /// Charges the slots, the port and the unit that an instruction of the lanes `side` uses.
    /// Returns the number of slots.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "on the path of every instruction, in several pipelines")]
    fn charge<const OBSERVED: bool, const SIMPLE: bool>(
        &mut self,
        issue: Issue<'_>,
        cost: Cost,
        extra: ExtraSlots,
        side: u32,
        context: &SmContext,
    ) -> u64 {
        let Issue { scheduler, second, warp, decoded, now, .. } = issue;
        self.account.operations(decoded, self.memory.access.mask);
        if self.warps.of(warp).simt.mask() != side {
            self.warps.control[warp].since = now;
        }
        if OBSERVED {
            self.record(|observed, sm| observed.issue(sm, issue, cost.unit, side, extra));
        }
        let slots = 1 + extra.slots();
        let until = now + slots * self.period;
        self.units.occupy::<SIMPLE>(cost.unit, scheduler, now, u64::from(cost.busy).max(extra.passing));
        let port_free = &mut self.front.port_free[scheduler % MAX_SCHEDULERS];
        *port_free = if second { until.max(*port_free) } else { until };
        self.account.slots.used(issue, extra, &mut self.account.pcs);
        if slots > 1 {
            self.warps.control[warp].issuing = until;
        }
        if !SIMPLE {
            self.output |= self.front.fetch_next(warp, self.warps.of(warp), Some(decoded), &context.code);
        }
        slots
    }

    /// Executes the next micro-op of `warp`.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "on the path of every instruction, in several pipelines")]
    fn step(&mut self, warp: u32, now: u64, context: &SmContext) -> StepResult {
        let block = self.warps.control[warp].block as usize;
        let shared = &mut self.warps.blocks[block].shared;
        step(&context.kernel, &mut self.warps.arch[warp], &mut self.memory.access, shared, now)
    }

    /// Executes an instruction of several micro-ops: the operands first, then the main micro-op,
    /// then the test. Adds the cost of the operands to `extra`. A trap names the micro-op that
    /// caused it.
    fn step_fused(&mut self, issue: Issue<'_>, extra: &mut ExtraSlots, context: &SmContext) -> StepResult {
        let Issue { warp, now, decoded, .. } = issue;
        for _ in 0..decoded.operands {
            match self.step(warp, now, context)? {
                Step::Shared => {
                    let cost = self.memory.shared_replays(1, 0, context);
                    extra.replay += cost.replay;
                    extra.passing = extra.passing.max(cost.passing);
                    extra.late += cost.late;
                }
                Step::Const => extra.late += self.constant_load(issue, bank::CONSTANTS, extra, context),
                Step::Next | Step::Param => {}
                Step::Branch { .. }
                | Step::Jump
                | Step::Global
                | Step::Local
                | Step::Generic
                | Step::Barrier(_)
                | Step::Fence { .. }
                | Step::Exit { .. } => unreachable!("the verifier accepts no such operand"),
            }
        }
        let done = self.step(warp, now, context)?;
        if decoded.tested {
            // The test compares registers in the lanes of the main micro-op; neither has a guard.
            self.step(warp, now, context)?;
        }
        Ok(done)
    }

    /// Applies the effects of an executed instruction. Without further delay the result can be used
    /// from shader cycle `usable` on. Adds further costs to `extra`.
    #[inline(never)]
    fn apply(
        &mut self,
        issue: Issue<'_>,
        done: Step,
        mut usable: u64,
        extra: &mut ExtraSlots,
        context: &SmContext,
    ) {
        let Issue { warp, now, decoded, .. } = issue;
        if decoded.constant != NO_CONSTANT {
            self.memory.read_operand(issue, &mut self.warps.control[warp], context);
            self.output |= self.memory.has_misses();
        }
        let control = &mut self.warps.control[warp];
        let lanes = self.memory.access.mask;
        match done {
            Step::Const => usable += self.constant_load(issue, bank::CONSTANTS, extra, context),
            Step::Param if context.params_in_bank => {
                usable += self.constant_load(issue, bank::PARAMETERS, extra, context);
            }
            Step::Shared => {
                let cost = self.memory.shared_replays(decoded.slots, decoded.latency, context);
                (extra.replay, extra.passing) = (cost.replay, cost.passing);
                usable += cost.late;
                if self.memory.access.atomic.is_some() && lanes != 0 {
                    // The atomic is a loop of instructions: the next instruction waits until the
                    // last lane has finished.
                    control.hold(usable, WarpState::SharedDependency);
                }
            }
            Step::Global if lanes != 0 => {
                let queued = self.memory.queue_global(issue, self.warps.age[warp], context);
                return self.queued(issue, queued, context);
            }
            Step::Local if lanes != 0 => {
                let queued = self.memory.queue_local(issue, self.warps.age[warp], context);
                return self.queued(issue, queued, context);
            }
            Step::Generic if lanes != 0 => {
                let age = self.warps.age[warp];
                let served = self.memory.queue_generic(issue, extra, control, age, context);
                self.output |= self.memory.has_misses();
                return match served {
                    Served::Queued(queued) => self.queued(issue, queued, context),
                    Served::Here { usable, producer } => {
                        self.front.scoreboard.set(warp, decoded.dsts(), usable, producer);
                    }
                };
            }
            Step::Next | Step::Param | Step::Global | Step::Local | Step::Generic => {}
            Step::Branch { divergent, .. } => {
                if decoded.conditional {
                    self.account.branched(decoded.main, divergent);
                }
                control.hold(usable, WarpState::Fetch);
            }
            Step::Jump | Step::Exit { finished: false } => control.hold(usable, WarpState::Fetch),
            Step::Barrier(arrival) => {
                self.account.inst.barriers += 1;
                self.arrive(issue, &arrival, context);
            }
            Step::Fence { global } => {
                if !context.hooks.is(Mutant::FencesDoNothing) {
                    self.fence(issue, global, context);
                }
            }
            Step::Exit { finished: true } => {
                let until = now + u64::from(context.config.barrier_cycles);
                let released = self.warps.last_exit(warp, until, &context.kernel.program);
                self.front.wake_warps(released, self.period.cycle_from(until));
            }
        }
        self.front.scoreboard.results(warp, decoded, usable);
    }

    /// Reads constant memory relative to `base`. Returns the shader cycles by which the result is
    /// delayed.
    fn constant_load(
        &mut self,
        issue: Issue<'_>,
        base: u32,
        extra: &mut ExtraSlots,
        context: &SmContext,
    ) -> u64 {
        let control = &mut self.warps.control[issue.warp];
        let late = self.memory.constant_load(issue, base, extra, control, context);
        self.output |= self.memory.has_misses();
        late
    }

    /// Records that the messages of an instruction are in the load/store queue.
    fn queued(&mut self, issue: Issue<'_>, queued: Queued, context: &SmContext) {
        let Issue { warp, decoded, cycle, .. } = issue;
        let Queued { links, transactions, pending } = queued;
        let control = &mut self.warps.control[warp];
        control.links |= links;
        control.queued += 1;
        if pending {
            self.warps.block_of(warp).loads += 1;
            if !context.hooks.is(Mutant::ScoreboardIgnoresLoads) {
                self.front.scoreboard.set_pending(warp, decoded.dsts());
            }
        }
        self.account.pcs[decoded.main as usize].transactions += u64::from(transactions);
        self.output = true;
        if self.memory.queue_is_full() {
            self.account.queue_is_full(cycle + 1);
        }
    }

    /// Executes the arrival of a warp at a barrier.
    fn arrive(&mut self, issue: Issue<'_>, arrival: &Arrival, context: &SmContext) {
        let Issue { warp, now, .. } = issue;
        let lanes = self.memory.access.mask;
        match self.warps.arrive(warp, issue.pc(), lanes, arrival, context.hooks) {
            Ok(release) => {
                let late = u64::from(context.hooks.is(Mutant::BarrierReleasesLate)) * self.period;
                let until = now + u64::from(context.config.barrier_cycles) + late;
                let released = self.warps.release(release, until, &context.kernel.program);
                self.front.wake_warps(released, self.period.cycle_from(until));
            }
            Err(OtherCount(first)) => {
                let all = self.warps.block_of(warp).warps.count_ones();
                let threads = 32 * if arrival.warps == 0 { all } else { arrival.warps };
                let kind = FaultKind::OtherBarrierCount { barrier: arrival.id.into(), threads, first };
                let arch = self.warps.of(warp);
                let fault = Fault { kind, lanes };
                self.traps.push(Trap::at(issue.pc(), &context.kernel, arch, fault, Some(self.id), now));
                self.warps.control[warp].hold(NEVER, WarpState::Exited);
            }
        }
    }

    /// Executes `membar`: the warp waits for the replies of the partitions, or until its own
    /// accesses have left the queue.
    fn fence(&mut self, issue: Issue<'_>, global: bool, context: &SmContext) {
        let Issue { warp, .. } = issue;
        self.warps.held_at(warp, issue.pc(), self.memory.access.mask);
        let control = &mut self.warps.control[warp];
        if global && control.links != 0 {
            control.hold(NEVER, WarpState::Membar);
            let links = control.links;
            control.fences = links.count_ones();
            let queued = self.memory.queue_fence(issue, self.warps.age[warp], links);
            self.queued(issue, queued, context);
            self.warps.control[warp].links = 0;
        } else if !global && control.queued > 0 {
            control.wants_queue_empty = true;
            control.hold(NEVER, WarpState::Membar);
        }
    }
}
