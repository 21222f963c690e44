//! One streaming multiprocessor: the timing of its instructions.
//!
//! [`Sm`] owns its parts, which the modules below describe. The module `exec` computes the results
//! of instructions. Here only addresses, masks and barrier operands affect the timing. Each part
//! owns its state: its methods change only that part and the parts among their parameters. Methods
//! of [`Sm`] connect the parts: this file (pipeline, blocks, messages), [`issue`] and [`execute`].

mod account;
pub mod barrier;
pub mod block;
pub mod context;
pub mod decode;
mod effects;
mod execute;
mod front;
pub mod inspect;
mod issue;
mod l1;
pub mod memory;
mod probe;
pub mod scheduler;
pub mod status;
pub mod throttle;
pub mod units;
pub mod warps;

#[cfg(test)]
mod tests;

use crate::config::SmConfig;
use crate::counters::{LevelCounters, SlotBreakdown};
use crate::events::{Event, MemoryEvent, Watch};
use crate::exec::trap::Trap;
use crate::hooks::Mutant;
use crate::state::{CloneFrom, Part};
use crate::time::NEVER;
use crate::time::message::Reply;
use crate::time::period::Period;
use account::Account;
use account::slots::SlotAccount;
use context::SmContext;
use front::Front;
use front::kinds::{FrontEnd, General, Single};
use front::scoreboard::Producer;
use memory::Memory;
use memory::replies::Loaded;
use probe::{Observed, Probe, Unobserved};
use scheduler::{SchedulerFault, bits};
use std::ops::Range;
use std::sync::Arc;
use throttle::{Throttled, activity};
use units::Units;
use warps::WarpTable;

/// Returns the issue slots of an SM without a block in the shader cycles `time`.
pub fn idle_slots(config: &SmConfig, time: Range<u64>) -> SlotBreakdown {
    let period = Period::new(config.issue_period);
    let mut slots = SlotAccount::new(config.schedulers as usize, config.second_port.ports());
    slots.open(period.cycle(time.start));
    slots.close(period.cycle_from(time.end), &mut []);
    slots.breakdown
}

/// A streaming multiprocessor. Times are in shader cycles unless stated otherwise.
#[derive(CloneFrom, Part)]
pub struct Sm {
    /// SM number in the chip.
    #[state(fixed)]
    id: u32,
    #[state(fixed)]
    period: Period,
    /// Warp and block slots.
    warps: WarpTable,
    /// Warps that can issue, and the stall reasons of the others.
    #[state(part)]
    front: Front,
    /// Execution units.
    #[state(part)]
    units: Units,
    /// Load/store unit, caches and pending loads.
    #[state(part)]
    memory: Memory,
    /// Issue slot breakdown, warp state breakdown and counters.
    pub account: Account,
    /// The recorder of an observed SM.
    #[state(fixed)]
    observed: Option<Box<Observed>>,
    /// Shader cycle of its last tick, or of its last event in the L1.
    ticked: u64,
    /// Whether it has new output since the cluster last read it; see [`Sm::output_at`].
    output: bool,
    /// Whether an instruction has put messages for the L1 into the load/store queue.
    queued: bool,
    /// Shader cycle of an event in the L1 that concerns the cluster; see [`Sm::acts_at`].
    acts_at: u64,
    /// Limits the number of blocks, if the chip has a throttle.
    throttle: Option<Throttled>,
    /// Shader cycles at which blocks retired, and the number of further blocks that may come then:
    /// the cluster reports them to the dispatcher.
    pub retired: Vec<(u64, u32)>,
    /// Traps of its warps, ordered by cycle.
    pub traps: Vec<Trap>,
    /// The first rule that a user's scheduling policy broke.
    pub scheduler_fault: Option<SchedulerFault>,
}

impl Sm {
    /// Creates the empty SM number `id` of the chip, number `index` of its cluster.
    pub fn new(id: u32, index: u8, context: &SmContext) -> Self {
        let config = &context.config;
        let (schedulers, period) = (config.schedulers as usize, Period::new(config.issue_period));
        Self {
            id,
            period,
            warps: WarpTable::new(id, context),
            front: Front::new(id, context),
            units: Units::new(&config.units, schedulers, period),
            memory: Memory::new(id, index, context),
            account: Account::new(schedulers, config.second_port.ports()),
            observed: None,
            ticked: 0,
            output: false,
            queued: false,
            acts_at: NEVER,
            throttle: Throttled::new(config.throttle, id, context.most_blocks),
            retired: Vec::new(),
            traps: Vec::new(),
            scheduler_fault: None,
        }
    }

    /// Makes an empty SM of another kernel an SM of the kernel of `context`.
    pub fn adopt(&mut self, context: &SmContext) {
        self.front.adopt(context);
    }

    /// The earliest shader cycle at which [`Self::tick`] may do something.
    #[inline]
    pub fn wake(&self) -> u64 {
        self.front.wake
    }

    /// SM number in the chip.
    pub fn id(&self) -> u32 {
        self.id
    }

    /// Runs the issue cycles and the events of the L1 from shader cycle `from` to before `end`,
    /// during which no message may arrive, up to the first one that has output for the cluster.
    /// Returns the number of ticks.
    #[inline]
    pub fn run(&mut self, from: u64, end: u64, context: &SmContext) -> u64 {
        if self.memory.l1().is_some() {
            self.run_with_l1(from, end, context)
        } else if self.front.wake < end && !self.output {
            self.issue_cycles(end, context)
        } else {
            0
        }
    }

    /// Runs the issue cycles before shader cycle `end`, at least one, up to the first one that has
    /// output for the cluster or a message for the L1. Returns the number of ticks.
    #[inline]
    fn issue_cycles(&mut self, end: u64, context: &SmContext) -> u64 {
        self.queued = false;
        // Separate instantiations: the common cases skip tests for features that they lack.
        match (self.is_observed(), self.front.is_single()) {
            (true, _) => self.run_as::<General, Observed>(end, context),
            (false, false) => self.run_as::<General, Unobserved>(end, context),
            (false, true) => self.run_as::<Single, Unobserved>(end, context),
        }
    }

    /// Runs the issue cycle that starts at `now`.
    pub fn tick(&mut self, now: u64, context: &SmContext) {
        // Output that the cluster has not read would otherwise stop the run.
        let output = std::mem::take(&mut self.output);
        self.front.wake = now;
        self.issue_cycles(now + 1, context);
        self.output |= output;
    }

    /// Same as [`Self::issue_cycles`], with the pipeline of a kind of SM.
    #[inline(never)]
    fn run_as<F: FrontEnd, P: Probe>(&mut self, end: u64, context: &SmContext) -> u64 {
        let mut ticks = 0;
        loop {
            self.pipeline::<F, P>(self.front.wake, context);
            ticks += 1;
            if self.front.wake >= end || self.output | self.queued {
                return ticks;
            }
        }
    }

    /// The stages of the issue cycle that starts at shader cycle `now`.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "the loop around it is a separate function")]
    fn pipeline<F: FrontEnd, P: Probe>(&mut self, now: u64, context: &SmContext) {
        debug_assert!(self.period.begins(now) && now >= self.ticked, "issue cycles in their order");
        self.ticked = now;
        let cycle = self.period.cycle(now);
        P::record(self, |observed, sm| observed.sleep(sm, cycle));
        for warp in bits(self.front.wheel.take(cycle)) {
            self.wake_warp::<F>(warp, cycle, context);
        }
        P::record(self, |observed, sm| observed.tick(sm, cycle));
        if self.front.ready.all == 0 {
            self.front.wake = self.leave_empty(now, cycle);
            return;
        }
        let mut round = F::begin(self, now, cycle);
        for turn in 0..F::schedulers(&self.front) {
            self.schedule::<F, P>(turn, &mut round, context);
        }
        if round.issued && self.front.ready.all == 0 && self.front.wheel.next() > cycle + 1 {
            // No warp can issue in the next cycle.
            self.front.wake = self.leave_empty(now + self.period, cycle + 1);
            return;
        }
        // An event that is due immediately waits for the next issue cycle.
        self.front.wake = F::next_wake(&self.front, &round, &self.units).max(now + self.period);
    }

    // ── messages that arrive ──

    /// Starts block number `block`. The dispatcher sent it because there are free slots.
    pub fn start_block(&mut self, now: u64, block: u64, context: &SmContext) {
        let since = self.period.cycle_from(now);
        self.record_until(since);
        let from = now + u64::from(context.config.block_start_cycles);
        let slot = self.warps.start_block(block, from, since, context);
        let warps = self.warps.blocks[slot].warps;
        self.account.block_started(warps, context.code.len(), since);
        for warp in bits(warps) {
            self.output |= self.front.start_warp(warp, self.warps.of(warp), since, &context.code);
        }
        self.record(|observed, sm| observed.block_started(sm, slot, since));
    }

    /// Releases a block at issue cycle `at` if its warps have exited and its loads have completed.
    fn retire_if_done(&mut self, slot: usize, at: u64) {
        if !self.warps.blocks[slot].done() {
            return;
        }
        self.record(|observed, sm| observed.block_retired(&sm.warps.blocks[slot], at));
        let block = self.warps.release_block(slot);
        self.account.block_retired(block.warps, block.since, at);
        let places = match &mut self.throttle {
            None => 1,
            Some(throttle) => {
                self.account.slots.settle(at);
                throttle.block_ended(activity(at, &self.account.slots.breakdown, &self.memory))
            }
        };
        self.retired.push((at * self.period, places));
        self.output = true;
        self.front.wake_by(at);
    }

    /// Receives the reply to a load.
    pub fn load_reply(&mut self, now: u64, reply: &Reply, context: &SmContext) {
        if context.hooks.is(Mutant::LoseReplies) {
            return;
        }
        self.record_until(self.period.cycle_from(now));
        if let Some(loaded) = self.memory.load_reply(now, reply, &mut self.warps, context) {
            self.loaded(now, loaded, context);
        }
    }

    /// A load has completed at shader cycle `now`.
    fn loaded(&mut self, now: u64, loaded: Loaded, context: &SmContext) {
        let at = self.period.cycle_from(now);
        let Loaded { warp, pc, usable, .. } = loaded;
        let registers = context.code[pc as usize].dsts();
        self.front.scoreboard.set(warp, registers, usable, Producer::Memory);
        self.record(|observed, sm| observed.load_returned(sm, (warp, registers), at, now, usable));
        self.front.wake_warp(warp, at);
        self.warps.block_of(warp).loads -= 1;
        self.retire_if_done(self.warps.control[warp].block.into(), at);
    }

    /// Receives a partition's reply to a fence.
    pub fn fence_reply(&mut self, now: u64, reply: &Reply) {
        let (warp, at) = (u32::from(reply.tag), self.period.cycle_from(now));
        self.record_until(at);
        if self.warps.fence_answered(warp, now) {
            self.front.wake_warp(warp, at);
        }
    }

    /// Receives the missing line at `address`: a line of code if `code` is set, else of constants.
    pub fn line_came(&mut self, now: u64, code: bool, address: u32, context: &SmContext) {
        let at = self.period.cycle_from(now);
        self.record_until(at);
        if code {
            self.front.code_came(at, address);
        } else {
            self.memory.constants_came(now, address, &mut self.warps, &mut self.front, &context.code);
        }
    }

    // ── output for the cluster ──

    /// Shader cycle from which the cluster has output of this SM to send: a message, a request for
    /// a line, or the end of a block. [`NEVER`] without output.
    #[inline]
    pub fn output_at(&self) -> u64 {
        if self.output { self.ticked } else { NEVER }
    }

    /// Marks the output as read by the cluster.
    #[inline]
    pub fn take_output(&mut self) {
        self.output = false;
    }

    /// Next line to request: whether it is a line of code, and its address.
    pub fn missing_line(&mut self) -> Option<(bool, u32)> {
        let constants = self.memory.missing_constants().map(|address| (false, address));
        constants.or_else(|| Some((true, self.front.missing_code()?)))
    }

    /// Reports that the message returned by [`Memory::outgoing`] was sent at shader cycle `now`.
    #[inline]
    pub fn sent(&mut self, now: u64) {
        if self.memory.sent() {
            self.message_left(now);
        }
    }

    // ── observation ──

    /// Cycle of the first trap or scheduler fault, which stops the launch; else [`NEVER`].
    pub fn must_stop(&self) -> u64 {
        let trap = self.traps.first().map_or(NEVER, |trap| trap.cycle);
        trap.min(self.scheduler_fault.as_ref().map_or(NEVER, |fault| fault.cycle))
    }

    /// The memory side: the cluster reads its messages; diagnostics and counters read its state.
    #[inline]
    pub fn memory(&self) -> &Memory {
        &self.memory
    }

    /// Lookups in the instruction cache.
    pub fn fetch_counters(&self) -> LevelCounters {
        self.front.fetch_counters()
    }

    /// Begins both breakdowns at shader cycle `at`, the start of an issue cycle, instead of 0.
    pub fn open(&mut self, at: u64) {
        self.account.slots.open(self.period.cycle(at));
    }

    /// Completes both breakdowns at shader cycle `end`.
    pub fn close(&mut self, end: u64) {
        let end = self.period.cycle_from(end);
        self.record_until(end);
        let blocks = self.warps.resident().map(|block| (block.warps, block.since));
        self.account.close(end, blocks, |warp| self.front.need_of(warp), &mut self.units);
    }

    /// Observes this SM from the start of the launch.
    pub fn watch(&mut self, watch: &Watch, context: &Arc<SmContext>) {
        self.observed = Some(Box::new(Observed::new(watch, self, context)));
        if watch.memory {
            self.memory.watch_l1();
        }
    }

    /// Removes the recorder.
    pub fn stop_observing(&mut self) {
        self.observed = None;
    }

    /// Whether it has a recorder.
    pub fn is_observed(&self) -> bool {
        self.observed.is_some()
    }

    /// Moves the events of the issue cycles that start before shader cycle `before` to `out`.
    pub fn deliver(&mut self, before: u64, out: &mut Vec<Event>) {
        self.record_until(self.period.cycle_from(before));
        self.record(|observed, _| observed.deliver(before, out));
    }

    /// Moves the events of the L1 before shader cycle `before` to `out`.
    pub fn deliver_memory(&mut self, before: u64, out: &mut Vec<MemoryEvent>) {
        if let Some(memory) = self.observed.as_mut().and_then(|observed| observed.memory.as_mut()) {
            memory.drain(before, out);
        }
    }

    /// Calls `record` with the recorder if there is one.
    #[inline]
    fn record(&mut self, record: impl FnOnce(&mut Observed, &Self)) {
        if self.observed.is_some() {
            Observed::record(self, record);
        }
    }

    /// Records the cycles before `cycle` in which the SM slept, before a message changes a state.
    #[inline]
    fn record_until(&mut self, cycle: u64) {
        self.record(|observed, sm| observed.sleep(sm, cycle));
    }
}
