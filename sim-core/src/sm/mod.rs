//! One streaming multiprocessor: WHEN things happen inside it.
//!
//! [`Sm`] holds its parts and runs them: the warp and block slots ([`warps`]), the front end that
//! knows which warps can issue ([`front`]), the schedulers ([`scheduler`]) that pick among them
//! ([`issue`]), the units that take the instruction ([`units`]), its execution and its consequences
//! ([`execute`]), the memory side ([`memory`]) and the accounting ([`account`]). What an
//! instruction *does* is the matter of `exec/`; no data value other than an address, a mask or a
//! barrier operand decides anything here.
//!
//! A part owns its state: its methods change that part and the parts among their parameters.
//! Methods of [`Sm`] connect the parts. They are in three files: this one (pipeline, blocks,
//! messages), [`issue`] and [`execute`].

mod account;
pub mod barrier;
pub mod block;
pub mod decode;
mod execute;
mod front;
mod issue;
pub mod memory;
mod probe;
pub mod scheduler;
pub mod setup;
pub mod standing;
pub mod units;
pub mod warps;

#[cfg(test)]
mod tests;

use crate::counters::LevelCounters;
use crate::events::{Event, Watch};
use crate::exec::Warp;
use crate::exec::trap::Trap;
use crate::hooks::Mutant;
use crate::time::NEVER;
use crate::time::message::Reply;
use crate::time::period::Period;
use account::Account;
use block::BlockSlot;
use front::Front;
use front::scoreboard::Producer;
use issue::Round;
use memory::Memory;
use memory::replies::Loaded;
use probe::Watched;
use scheduler::{SchedulerFault, bits};
use setup::Setup;
use standing::At;
use std::sync::Arc;
use units::Units;
use warps::WarpTable;

/// A streaming multiprocessor. Methods take the time in shader cycles where they say nothing else.
#[derive(Clone)]
pub struct Sm {
    /// SM number in the chip.
    id: u32,
    period: Period,
    /// Warp and block slots.
    warps: WarpTable,
    /// Which warps can issue, and what the others wait for.
    front: Front,
    /// Execution units.
    units: Units,
    /// Load/store unit, caches and pending loads.
    memory: Memory,
    /// Issue slot breakdown, warp state breakdown and counters.
    pub account: Account,
    /// The recorder of a watched SM.
    watched: Option<Box<Watched>>,
    /// Shader cycle of its last tick.
    ticked: u64,
    /// It has queued a message, missed a line or released a block since the cluster last looked.
    output: bool,
    /// Shader cycles at which blocks left: the cluster reports them to the dispatcher.
    pub retired: Vec<u64>,
    /// Faults of its warps, in the order of cycles.
    pub traps: Vec<Trap>,
    /// The first rule that a user's scheduling policy broke.
    pub scheduler_fault: Option<SchedulerFault>,
}

impl Sm {
    /// SM number `id` of the chip, `index` of its cluster, empty.
    pub fn new(id: u32, index: u8, setup: &Setup) -> Self {
        let config = &setup.config;
        let (schedulers, period) = (config.schedulers as usize, Period::new(config.issue_period));
        let ports = config.second_port.ports();
        Self {
            id,
            period,
            warps: WarpTable::new(id, setup),
            front: Front::new(id, setup),
            units: Units::new(&config.units, schedulers, period),
            memory: Memory::new(id, index, setup),
            account: Account::new(schedulers, ports, setup.code.len()),
            watched: None,
            ticked: 0,
            output: false,
            retired: Vec::new(),
            traps: Vec::new(),
            scheduler_fault: None,
        }
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

    /// Runs through the issue cycles before shader cycle `end`, as long as no message comes: to the
    /// first one in which it has output for the cluster. Returns the number of ticks.
    #[inline]
    pub fn run(&mut self, end: u64, setup: &Setup) -> u64 {
        if self.front.wake >= end || self.output {
            return 0;
        }
        // Compiled apart: the common cases test for nothing that they do not have.
        match (self.is_watched(), self.front.is_simple()) {
            (true, _) => self.run_as::<true, false>(end, setup),
            (false, false) => self.run_as::<false, false>(end, setup),
            (false, true) => self.run_as::<false, true>(end, setup),
        }
    }

    /// Everything that happens in the issue cycle that begins at `now`.
    pub fn tick(&mut self, now: u64, setup: &Setup) {
        // Output that the cluster has not taken yet would keep it from running.
        let output = std::mem::take(&mut self.output);
        self.front.wake = now;
        self.run(now + 1, setup);
        self.output |= output;
    }

    /// Ticks at least once. `WATCHED`: with a recorder. `SIMPLE`: see [`Front::is_simple`].
    #[inline(never)]
    fn run_as<const WATCHED: bool, const SIMPLE: bool>(&mut self, end: u64, setup: &Setup) -> u64 {
        let mut ticks = 0;
        loop {
            self.pipeline::<WATCHED, SIMPLE>(self.front.wake, setup);
            ticks += 1;
            if self.front.wake >= end || self.output {
                return ticks;
            }
        }
    }

    /// The stages of the issue cycle that begins at shader cycle `now`.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "the loop around it is a function of its own")]
    fn pipeline<const WATCHED: bool, const SIMPLE: bool>(&mut self, now: u64, setup: &Setup) {
        debug_assert!(self.period.begins(now) && now >= self.ticked, "issue cycles in their order");
        self.ticked = now;
        let cycle = self.period.cycle(now);
        if WATCHED {
            self.record_until(cycle);
        }
        for warp in bits(self.front.wheel.take(cycle)) {
            self.look_at::<SIMPLE>(warp, cycle, setup);
        }
        if WATCHED {
            self.record(|watched, sm| watched.tick(sm, cycle));
        }
        let schedulers = if SIMPLE { 1 } else { self.front.schedulers.len() };
        for scheduler in 0..schedulers {
            self.units.begin(scheduler, now);
        }
        let mut round = Round::new::<SIMPLE>(self, now, cycle);
        for turn in 0..schedulers {
            self.schedule::<WATCHED, SIMPLE>(turn, &mut round, setup);
        }
        // An event that is due at once, such as a free barrier, waits for the next issue cycle.
        self.front.wake = self.front.next_wake::<SIMPLE>(&round, &self.units).max(now + self.period);
    }

    // ── messages that arrive ──

    /// Block number `block` arrives; it was sent because there are free slots.
    pub fn start_block(&mut self, now: u64, block: u64, setup: &Setup) {
        let since = self.period.cycle_from(now);
        self.record_until(since);
        let from = now + u64::from(setup.config.block_start_cycles);
        let slot = self.warps.start_block(block, from, since, setup);
        let warps = self.warps.blocks[slot].warps;
        self.account.block_started(warps, since);
        for warp in bits(warps) {
            self.output |= self.front.start_warp(warp, self.warps.of(warp), since, &setup.code);
        }
        self.record(|watched, sm| watched.block_started(sm, slot, since));
    }

    /// Releases a block at issue cycle `at` if its warps have exited and its loads have returned.
    fn retire_if_done(&mut self, slot: usize, at: u64) {
        if !self.warps.blocks[slot].done() {
            return;
        }
        self.record(|watched, sm| watched.block_retired(&sm.warps.blocks[slot], at));
        let block = self.warps.release_block(slot);
        self.account.block_retired(block.warps, block.since, at);
        self.retired.push(at * self.period);
        self.output = true;
        self.front.wake_by(at);
    }

    /// A reply to a load arrives.
    pub fn load_reply(&mut self, now: u64, reply: &Reply, setup: &Setup) {
        if setup.hooks.is(Mutant::LoseReplies) {
            return;
        }
        let at = self.period.cycle_from(now);
        self.record_until(at);
        let Some(loaded) = self.memory.load_reply(now, reply, &mut self.warps, setup) else { return };
        let Loaded { warp, pc, usable } = loaded;
        let registers = setup.code[pc as usize].dsts();
        self.front.scoreboard.set(warp, registers, usable, Producer::Memory);
        if let Some(register) = registers.first() {
            self.record(|watched, _| watched.load_returned(warp, *register, at, now, usable));
        }
        self.front.wake_warp(warp, at);
        self.warps.block_of(warp).loads -= 1;
        self.retire_if_done(self.warps.control[warp].block.into(), at);
    }

    /// A line for the L1 arrives.
    pub fn fill_reply(&mut self, now: u64, reply: &Reply, setup: &Setup) {
        let released = self.memory.fill(now, reply);
        for reply in &released {
            self.load_reply(now, reply, setup);
        }
        self.memory.reuse(released);
    }

    /// Loads that have hit the L1 return.
    pub fn take_hits(&mut self, now: u64, setup: &Setup) {
        while let Some(reply) = self.memory.take_hit(now) {
            self.load_reply(now, &reply, setup);
        }
    }

    /// A partition has answered a fence of a warp.
    pub fn fence_reply(&mut self, now: u64, reply: &Reply) {
        let (warp, at) = (u32::from(reply.tag), self.period.cycle_from(now));
        self.record_until(at);
        if self.warps.fence_answered(warp, now) {
            self.front.wake_warp(warp, at);
        }
    }

    /// The line at `address`, which was missing, arrives; `code`: of the program.
    pub fn line_came(&mut self, now: u64, code: bool, address: u32, setup: &Setup) {
        let at = self.period.cycle_from(now);
        self.record_until(at);
        if code {
            self.front.code_came(at, address);
        } else {
            self.memory.constants_came(now, address, &mut self.warps, &mut self.front, &setup.code);
        }
    }

    // ── output for the cluster ──

    /// Shader cycle from which the cluster has something to send for it: a message, a request for a
    /// line, or the end of a block. [`NEVER`] without output.
    #[inline]
    pub fn output_at(&self) -> u64 {
        if self.output { self.ticked } else { NEVER }
    }

    /// The cluster has taken its output.
    #[inline]
    pub fn take_output(&mut self) {
        self.output = false;
    }

    /// The next line to request: whether it is one of code, and its address.
    pub fn missing_line(&mut self) -> Option<(bool, u32)> {
        let constants = self.memory.missing_constants().map(|address| (false, address));
        constants.or_else(|| Some((true, self.front.missing_code()?)))
    }

    /// The message that [`Memory::outgoing`] gave has left at shader cycle `now`.
    #[inline]
    pub fn sent(&mut self, now: u64) {
        if self.memory.sent() {
            self.message_left(now);
        }
    }

    /// The L1 looks at the first messages of the load/store queue that are ready by `now`.
    pub fn look_up(&mut self, now: u64) {
        while self.memory.look_up(now) {
            self.message_left(now);
        }
    }

    /// The oldest message leaves the load/store queue at shader cycle `now`.
    fn message_left(&mut self, now: u64) {
        let was_full = self.memory.queue_is_full();
        // This cycle's issue, if there is one, has been: the room shows in the next.
        let from = self.period.cycle(now) + 1;
        self.record_until(from);
        let Some((warp, age)) = self.memory.release(now) else { return };
        if was_full {
            self.account.queue_has_room(from, &mut self.units);
            self.front.wake_by(from);
        }
        if self.warps.age[warp] == age && self.warps.left_queue(warp, from * self.period) {
            self.front.wake_warp(warp, from);
        }
    }

    // ── observation ──

    /// Cycle of the first trap or scheduler fault, which stops the launch; [`NEVER`] without.
    pub fn must_stop(&self) -> u64 {
        let trap = self.traps.first().map_or(NEVER, |trap| trap.cycle);
        trap.min(self.scheduler_fault.as_ref().map_or(NEVER, |fault| fault.cycle))
    }

    /// The memory side: what the cluster may send, and what explanations and counters need.
    #[inline]
    pub fn memory(&self) -> &Memory {
        &self.memory
    }

    /// The shader cycle at which the state of a warp last changed, or a block last left.
    pub fn last_change(&self) -> u64 {
        self.account.last_change() * self.period
    }

    /// A warp, the shader cycle from which it has run with the same lanes, and what it waits for.
    pub fn standing(&self, slot: u32) -> (&Warp, u64, At) {
        self.warps.standing(slot)
    }

    /// Resident blocks with their warps, for explanations.
    pub fn resident(&self) -> impl Iterator<Item = &BlockSlot> {
        self.warps.resident()
    }

    /// Look-ups of lines in its instruction cache.
    pub fn fetch_counters(&self) -> LevelCounters {
        self.front.fetch_counters()
    }

    /// Completes both breakdowns at cycle `end`.
    pub fn close(&mut self, end: u64) {
        let end = self.period.cycle_from(end);
        self.record_until(end);
        let blocks = self.warps.resident().map(|block| (block.warps, block.since));
        self.account.close(end, blocks, |warp| self.front.scheduler_of(warp), &mut self.units);
    }

    /// Watches this SM from the launch's beginning on.
    pub fn watch(&mut self, watch: &Watch, setup: &Arc<Setup>) {
        self.watched = Some(Box::new(Watched::new(watch, self, setup)));
    }

    /// Removes the recorder.
    pub fn unwatch(&mut self) {
        self.watched = None;
    }

    /// Whether it has a recorder.
    pub fn is_watched(&self) -> bool {
        self.watched.is_some()
    }

    /// Passes on what was recorded of the issue cycles that begin before shader cycle `before`.
    pub fn hand_on(&mut self, before: u64, out: &mut Vec<Event>) {
        self.record_until(self.period.cycle_from(before));
        self.record(|watched, _| watched.hand_on(before, out));
    }

    /// Calls `record` with the recorder if there is one.
    #[inline]
    fn record(&mut self, record: impl FnOnce(&mut Watched, &Self)) {
        if self.watched.is_some() {
            self.record_watched(record);
        }
    }

    /// Out of the way of SMs that are not watched.
    #[cold]
    #[inline(never)]
    fn record_watched(&mut self, record: impl FnOnce(&mut Watched, &Self)) {
        if let Some(mut watched) = self.watched.take() {
            record(&mut watched, self);
            self.watched = Some(watched);
        }
    }

    /// Records the issue cycles before `cycle` in which the SM slept, before a message has effects.
    #[inline]
    fn record_until(&mut self, cycle: u64) {
        self.record(|watched, sm| watched.sleep(sm, cycle));
    }
}
