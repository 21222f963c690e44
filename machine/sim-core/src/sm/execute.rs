//! Executes the micro-ops of an issued instruction and charges it: the slots that it uses, its
//! unit, and the cycle at which its result is ready. The module [`super::effects`] has the effects
//! of the instructions that are not completed here.
//!
//! Invariant `fused-instruction-times`: A fused instruction takes one issue slot and waits for the
//! operands of all its micro-ops; an operand from memory has the overhead that the chip file
//! states. A stream of multiply-adds with such an operand reaches the measured share of the peak.

use super::Sm;
use super::context::SmContext;
use super::decode::{Decoded, NO_CONSTANT};
use super::front::kinds::FrontEnd;
use super::probe::Probe;
use crate::config::{MAX_SCHEDULERS, SecondCost};
use crate::counters::WarpState;
use crate::exec::trap::Trap;
use crate::exec::{Faulted, Step, step};
use crate::mem::bank;
use crate::state::Value;
use crate::time::NEVER;

/// An instruction that is being issued.
#[derive(Clone, Copy, Debug)]
pub(super) struct Issue<'s> {
    /// The scheduler that issues it.
    pub scheduler: usize,
    /// Whether it issues through the second dispatch port.
    pub second: bool,
    pub warp: u32,
    /// Active lanes of the warp when it issues.
    pub side: u32,
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
// The slots are not adjacent: the processor would wait if the compiler loaded two of them at once
// after they were stored one by one.
#[derive(Value)]
pub(super) struct ExtraSlots {
    /// Extra slots because the instruction is issued as a sequence.
    pub held: u64,
    /// Shader cycles (not slots) for which the passes keep the unit busy.
    pub passing: u64,
    /// Replay slots: further passes of a shared-memory access after bank conflicts, or further
    /// rounds of an atomic.
    pub replay: u64,
    /// Shader cycles by which the operands delay the result.
    pub late: u64,
    /// Slots for the different addresses of a constant memory read.
    pub constant: u64,
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
        match decoded.dual_issue.other_unit().filter(|_| issue.second) {
            Some(SecondCost { unit, busy, latency }) => {
                Self { unit, busy: busy.into(), latency: latency.into(), held: 0 }
            }
            None => Self {
                unit: decoded.unit(),
                busy: decoded.busy,
                latency: decoded.latency,
                held: u64::from(decoded.slots) - 1,
            },
        }
    }
}

impl Sm {
    /// The next instruction of a warp, for issue at shader cycle `now`, the start of issue cycle
    /// `cycle`, through the `second` port or the first one.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "on the path of every instruction, in several pipelines")]
    pub(super) fn issue_of<'c>(
        &self,
        (scheduler, warp): (usize, u32),
        second: bool,
        (now, cycle): (u64, u64),
        context: &'c SmContext,
    ) -> Issue<'c> {
        let simt = &self.warps.of(warp).simt;
        let decoded = &context.code[simt.pc() as usize];
        Issue { scheduler, second, warp, side: simt.mask(), decoded, now, cycle }
    }

    /// Issues an instruction. Returns the number of slots that it uses.
    // Inlined into each form of the pipeline, so that the constants of a form are folded.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "on the path of every instruction, in several pipelines")]
    pub(super) fn issue<F: FrontEnd, P: Probe>(&mut self, issue: Issue<'_>, context: &SmContext) -> u64 {
        let Issue { scheduler, second, warp, side, decoded, now, cycle } = issue;
        let cost = Cost::of(issue);
        self.front.ready.all &= !(1 << warp);
        self.warps.last_issue[warp] = cycle + 1;
        if second && decoded.dual_issue.other_unit().is_none() {
            self.account.issue_more(warp, decoded.main, side);
        } else {
            self.account.issue::<F>(warp, (scheduler, decoded.need), side, cycle, &mut self.units);
        }
        let mut usable = self.units.enters(cost.unit, scheduler, now) + u64::from(cost.latency);
        let (mut extra, outcome);
        if decoded.plain || decoded.is_single() {
            outcome = self.step(warp, now, context);
            let is_branch = matches!(outcome, Ok(Step::NotTaken | Step::Taken | Step::Diverged));
            // Most instructions have no effect on other warps, on caches or on global memory.
            if decoded.plain && (is_branch || outcome == Ok(Step::Next)) {
                if is_branch {
                    if decoded.conditional {
                        self.account.branched(decoded.main, outcome == Ok(Step::Diverged));
                    }
                    self.warps.control[warp].hold(usable, WarpState::Fetch);
                }
                self.front.scoreboard.results(warp, decoded, usable);
                return self.charge::<F, P>(issue, cost, ExtraSlots::default(), context);
            }
            extra = ExtraSlots::default();
        } else {
            extra = ExtraSlots::default();
            outcome = self.step_fused(issue, &mut extra, context);
            usable += extra.late;
        }
        let is_shared = matches!(outcome, Ok(Step::Shared)) && self.memory.access.atomic.is_none();
        if decoded.constant != NO_CONSTANT || !is_shared && !matches!(outcome, Ok(Step::Next)) {
            return self.complete::<F, P>(issue, usable, outcome, extra, context);
        }
        if is_shared {
            let cost = self.memory.shared_replays(decoded.slots, decoded.latency, context);
            (extra.replay, extra.passing) = (cost.replay.into(), cost.passing.into());
            usable += cost.late;
        }
        extra.held = cost.held;
        self.front.scoreboard.results(warp, decoded, usable);
        self.charge::<F, P>(issue, cost, extra, context)
    }

    /// Applies the effects of an instruction, whose operands have the cost `extra`. Without further
    /// delay the result can be used from shader cycle `usable` on. Returns the number of slots that
    /// the instruction uses.
    #[inline(never)]
    fn complete<F: FrontEnd, P: Probe>(
        &mut self,
        issue: Issue<'_>,
        usable: u64,
        outcome: Result<Step, Faulted>,
        mut extra: ExtraSlots,
        context: &SmContext,
    ) -> u64 {
        let cost = Cost::of(issue);
        if let Ok(done) = outcome {
            extra.held = cost.held;
            self.apply(issue, done, usable, &mut extra, context);
        } else {
            let (fault, warp) = (self.memory.access.take_fault(), self.warps.of(issue.warp));
            self.traps.push(Trap::new(&context.kernel, warp, fault, Some(self.id), issue.now));
            self.warps.control[issue.warp].hold(NEVER, WarpState::Exited);
            extra = ExtraSlots::default();
        }
        self.charge::<F, P>(issue, cost, extra, context)
    }

    /// Charges the slots, the port and the unit that an instruction uses. Returns the number of
    /// slots.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "on the path of every instruction, in several pipelines")]
    fn charge<F: FrontEnd, P: Probe>(
        &mut self,
        issue: Issue<'_>,
        cost: Cost,
        extra: ExtraSlots,
        context: &SmContext,
    ) -> u64 {
        let Issue { scheduler, second, warp, side, decoded, now, .. } = issue;
        self.account.operations(decoded, self.memory.access.mask);
        if self.warps.of(warp).simt.mask() != side {
            self.warps.control[warp].since = now;
        }
        P::record(self, |observed, sm| observed.issue(sm, issue, cost.unit, extra));
        let slots = 1 + extra.slots();
        let until = now + slots * self.period;
        self.units.occupy(cost.unit, scheduler, now, u64::from(cost.busy).max(extra.passing));
        let port_free = &mut self.front.port_free[scheduler % MAX_SCHEDULERS];
        *port_free = if second { until.max(*port_free) } else { until };
        self.account.slots.used(issue, extra, &mut self.account.pcs);
        if slots > 1 {
            self.warps.control[warp].issuing = until;
        }
        if F::fetch(&self.front).is_some() {
            self.output |= self.front.fetch_next(warp, self.warps.of(warp), Some(decoded), &context.code);
        }
        slots
    }

    /// Executes the next micro-op of `warp`.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "on the path of every instruction, in several pipelines")]
    fn step(&mut self, warp: u32, now: u64, context: &SmContext) -> Result<Step, Faulted> {
        let block = self.warps.control[warp].block as usize;
        let shared = &mut self.warps.blocks[block].shared;
        step(&context.kernel, &mut self.warps.arch[warp], &mut self.memory.access, shared, now)
    }

    /// Executes an instruction of several micro-ops: the operands first, then the main micro-op,
    /// then the test. Adds the cost of the operands to `extra`. A trap names the micro-op that
    /// caused it.
    #[inline(never)]
    fn step_fused(
        &mut self,
        issue: Issue<'_>,
        extra: &mut ExtraSlots,
        context: &SmContext,
    ) -> Result<Step, Faulted> {
        let Issue { warp, decoded, now, .. } = issue;
        for _ in 0..decoded.operands {
            match self.step(warp, now, context)? {
                Step::Shared => {
                    let cost = self.memory.shared_replays(1, 0, context);
                    extra.replay += u64::from(cost.replay);
                    extra.passing = extra.passing.max(cost.passing.into());
                    extra.late += cost.late;
                }
                Step::Const => extra.late += self.constant_load(issue, bank::CONSTANTS, extra, context),
                Step::Next | Step::Param => {}
                Step::NotTaken
                | Step::Taken
                | Step::Diverged
                | Step::Jump
                | Step::Global
                | Step::Local
                | Step::Generic
                | Step::Texture
                | Step::Barrier
                | Step::FenceBlock
                | Step::FenceGlobal
                | Step::Exit
                | Step::LastExit => unreachable!("the verifier accepts no such operand"),
            }
        }
        let done = self.step(warp, now, context)?;
        if decoded.tested {
            // The test compares registers in the lanes of the main micro-op; neither has a guard.
            self.step(warp, now, context)?;
        }
        Ok(done)
    }
}
