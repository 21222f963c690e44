//! The functional machine for a debugger or an observer: one warp instruction after the other, with
//! the events of an observed SM.
//!
//! Time is the number of executed warp instructions. All blocks run on SM 0, one after the other,
//! and warp k of a block is in warp slot k. The warps and their turns are those of a plain run.

use super::block::{Block, State};
use super::{Ending, Executed, Hooks as Watched};
use crate::config::Chip;
use crate::counters::WarpState;
use crate::events::Watch;
use crate::events::event::{Event, Issued, Origin, What, Why};
use crate::events::recorder::{Recorder, WarpStatus};
use crate::exec::{Access, Kernel, Warp};
use crate::gpu::untimed::{Block as Resident, Untimed};
use crate::hooks::Hooks;
use crate::mem::image::Memory;
use crate::mem::map::AddressMap;
use crate::sm::barrier::Barriers;
use crate::sm::context::SmContext;
use crate::sm::decode::scoreboard_entries;
use crate::sm::inspect::IssuedAccess;
use isa::uop::issue::NO_INSTRUCTION;
use std::sync::Arc;

/// A launch on the functional machine, paused between two warp instructions. A copy continues like
/// the original; pages of memory are shared until one of the copies writes them.
#[derive(Clone)]
pub struct Stepped<'k> {
    /// The running block.
    pub block: Block<'k>,
    /// Global memory.
    memory: Memory,
    /// The launch for the coalescing rule and the bank rule of the chip.
    context: Arc<SmContext>,
    recorder: Recorder,
    /// Whether SM 0 is observed.
    is_watched: bool,
    /// For each warp, its last memory access.
    accesses: Vec<Option<Box<IssuedAccess>>>,
    /// Number of warp instructions before the first one of the block.
    since: u64,
    /// Number of warp instructions at which the launch ends.
    limit: u64,
    /// Whether all warps of the block have exited.
    finished: bool,
    /// Outcome of the launch.
    pub ending: Option<Ending>,
}

impl<'k> Stepped<'k> {
    /// Creates a launch before its first instruction, which ends after `limit` warp instructions.
    /// Its events are those in `watch`.
    pub fn new(kernel: &'k Arc<Kernel>, mut memory: Memory, chip: &Chip, limit: u64, watch: &Watch) -> Self {
        memory.arrange(AddressMap::LINEAR);
        let context = context(kernel, chip);
        let block = Block::new(kernel, false);
        let warps = block.warps.len();
        let registers = scoreboard_entries(&kernel.program);
        let recorder = Recorder::new(watch, 0, 1, warps, registers, 1);
        let ending = (kernel.threads() == 0 || kernel.grid.count() == 0).then_some(Ending::Finished);
        let mut new = Self {
            block,
            memory,
            context: Arc::new(context),
            recorder,
            is_watched: watch.sms.contains(&0),
            accesses: vec![None; warps],
            since: 0,
            limit,
            finished: false,
            ending,
        };
        if new.ending.is_none() {
            new.block_started();
        }
        new
    }

    /// Returns the mask of the warps of the block; 0 after the last block.
    fn warps(&self) -> u64 {
        if self.ending == Some(Ending::Finished) { 0 } else { u64::MAX >> (64 - self.block.warps.len()) }
    }

    /// Returns the launch's block and memory, from which a plain run continues.
    pub fn into_parts(self) -> (Block<'k>, Memory, Option<Ending>) {
        let Self { mut block, memory, ending, limit, .. } = self;
        block.limit = limit;
        (block, memory, ending)
    }

    /// Replaces the finished block by the next one.
    fn next_block(&mut self) {
        let (now, block, warps) = (self.executed(), self.block.number, self.warps());
        self.recorder.record(now, What::BlockRetired { block, warps });
        self.finished = false;
        self.block.start_next();
        self.block_started();
    }

    fn block_started(&mut self) {
        self.since = self.executed();
        self.accesses.fill(None);
        (0..self.block.warps.len() as u32).for_each(|warp| self.recorder.forget(warp));
        self.tell_block();
    }

    /// Records the block and the reconvergence stacks of its warps.
    fn tell_block(&mut self) {
        let (now, block, warps, since) = (self.executed(), self.block.number, self.warps(), self.since);
        let ctaid = self.block.kernel.grid.index_of(block);
        self.recorder.record(now, What::BlockStarted { block, ctaid, warps, since });
        for (slot, warp) in (0..).zip(&self.block.warps) {
            self.recorder.record_stack(now, slot, &warp.simt);
        }
    }

    /// Executes one warp instruction.
    fn step(&mut self) {
        let now = self.executed();
        if now >= self.limit {
            self.ending = Some(Ending::Limit(Box::new(self.block.stuck(&self.memory, false))));
            return;
        }
        if self.is_watched && !self.recorder.begun && self.recorder.wants(now) {
            self.recorder.begun = true;
            self.tell_block();
        }
        let others = self.statuses();
        let Self { block, memory, context, accesses, .. } = self;
        block.limit = now + 1;
        let (mut first, mut main, mut lanes) = (0, NO_INSTRUCTION, 0);
        let mut issued = None;
        let mut written = &[][..];
        let watch = |executed: Executed<'_>| {
            if executed.begins != NO_INSTRUCTION {
                (first, main, lanes) = (executed.pc, executed.begins, executed.side);
            }
            if executed.pc == main {
                let origin = Origin { warp: executed.warp.slot, pc: main, cycle: now };
                let guarded = executed.access.mask;
                let (access, transactions) = described(context, first, origin, executed.access);
                if access.is_some() {
                    accesses[origin.warp as usize] = access;
                }
                written = context.code[first as usize].dsts();
                let (held, replay, constant) = (0, 0, 0);
                issued = Some(Issued { origin, lanes, guarded, held, replay, constant, transactions });
            }
        };
        let ended = block.run(memory, &mut Watched { tell: None, watch: Some(watch), speculation: None });
        if let Some(Ending::Trapped(trap)) = &ended {
            let origin = Origin { warp: trap.warp, pc: trap.pc, cycle: now };
            let lanes = self.block.warps[trap.warp as usize].simt.mask();
            // It has written no register.
            let (guarded, held, replay, constant, transactions) = (0, 0, 0, 0, 0);
            let trapped = Issued { origin, lanes, guarded, held, replay, constant, transactions };
            issued = issued.or(Some(trapped));
        }
        if let Some(issued) = issued {
            let by = issued.origin.warp;
            for (slot, mut status) in (0..).zip(others).filter(|(slot, _)| *slot != by) {
                if status.state == WarpState::NotSelected {
                    status.why = Why::Taken { by };
                }
                self.recorder.record_state(now, slot, status);
            }
            self.recorder.issue(0, &[], issued);
            if self.recorder.wants_values(by, now) {
                let row = (&self.block.warps[by as usize], self.block.kernel.program.rows);
                self.recorder.record_values(now, issued.origin, issued.guarded, written, row);
            }
            self.recorder.record_stack(now, by, &self.block.warps[by as usize].simt);
        }
        match ended {
            Some(Ending::Finished) if !self.block.is_last() => self.finished = true,
            Some(ending) => self.ending = Some(ending),
            None => {}
        }
    }

    /// Returns the state of each warp before the next instruction.
    fn statuses(&self) -> Vec<WarpStatus> {
        (0..self.block.warps.len() as u32).map(|slot| self.state(slot)).collect()
    }

    /// Returns the state of a warp of the block before the next instruction.
    fn state(&self, slot: u32) -> WarpStatus {
        let block = &self.block;
        let simt = &block.warps[slot as usize].simt;
        let last = self.recorder.issued(slot).map(|issued| issued.origin);
        match block.states[slot as usize] {
            State::Ready => {
                let (pc, lanes) = (simt.pc(), simt.mask());
                WarpStatus { pc, lanes, state: WarpState::NotSelected, why: Why::LeftEmpty }
            }
            State::Waiting { pc, lanes } => {
                let why = at_barrier(&block.barriers, slot, last, block.live().count_ones());
                WarpStatus { pc, lanes, state: WarpState::Barrier, why }
            }
            State::Exited => {
                let why = Why::Exited { live: block.live().count_ones(), loads: 0 };
                WarpStatus { pc: last.map_or(0, |last| last.pc), lanes: 0, state: WarpState::Exited, why }
            }
        }
    }
}

/// One block after the other, on SM 0.
impl Untimed for Stepped<'_> {
    fn executed(&self) -> u64 {
        self.block.executed
    }

    fn has_ended(&self) -> bool {
        self.ending.is_some()
    }

    fn sms(&self) -> u32 {
        1
    }

    fn kernel(&self) -> &Kernel {
        self.block.kernel
    }

    fn context(&self) -> &SmContext {
        &self.context
    }

    fn memory(&self) -> &Memory {
        &self.memory
    }

    fn blocks(&self) -> Vec<Resident> {
        let (warps, number) = (self.warps(), self.block.number);
        let index = self.block.kernel.grid.index_of(number);
        let block = Resident { sm: 0, number, index, warps, live: self.block.live(), since: self.since };
        if warps == 0 { Vec::new() } else { vec![block] }
    }

    fn retired(&self) -> u64 {
        self.block.number + u64::from(self.finished)
    }

    fn block(&self, number: u64) -> Option<(&[u8], &Barriers)> {
        let is_resident = self.warps() != 0 && self.block.number == number;
        is_resident.then_some((&self.block.shared[..], &self.block.barriers))
    }

    fn warp(&self, sm: u32, slot: u32) -> Option<&Warp> {
        let is_resident = sm == 0 && slot < 64 && self.warps() >> slot & 1 == 1;
        is_resident.then(|| &self.block.warps[slot as usize])
    }

    fn status(&self, sm: u32, slot: u32) -> Option<WarpStatus> {
        self.warp(sm, slot).map(|_| self.state(slot))
    }

    fn last_access(&self, sm: u32, slot: u32) -> Option<&IssuedAccess> {
        self.warp(sm, slot).and_then(|_| self.accesses[slot as usize].as_deref())
    }

    fn held_at(&self, sm: u32, slot: u32) -> Option<(u32, u32)> {
        self.warp(sm, slot)?;
        match self.block.states[slot as usize] {
            State::Waiting { pc, lanes } => Some((pc, lanes)),
            State::Ready | State::Exited => None,
        }
    }

    fn advance(&mut self, until: u64, events: &mut Vec<Event>) {
        while self.ending.is_none() && self.executed() < until {
            if self.finished {
                self.next_block();
            }
            self.step();
        }
        self.recorder.drain(u64::MAX, events);
    }
}

/// A launch without time for the coalescing rule and the bank rule of a chip.
pub fn context(kernel: &Arc<Kernel>, chip: &Chip) -> SmContext {
    let (map, burst_bytes) = (AddressMap::of(chip), chip.partition.dram.burst_bytes);
    SmContext::new(Arc::clone(kernel), chip.sm.clone(), map, burst_bytes, Hooks::default())
}

/// The access of an executed instruction whose first micro-op is at `first`, if it accesses memory,
/// and the number of its transactions.
pub fn described(
    context: &SmContext,
    first: u32,
    origin: Origin,
    access: &Access,
) -> (Option<Box<IssuedAccess>>, u32) {
    let decoded = &context.code[first as usize];
    let Some(access) = IssuedAccess::of(decoded, origin, access, context) else { return (None, 0) };
    let global = access.part(access.global_lanes());
    let transactions = context.coalescer.transactions(&global, access.whole_lines).len();
    (Some(Box::new(access)), transactions as u32)
}

/// Why the warp in a slot waits at a barrier, whose instruction is `at`, in a block with `live`
/// warps that have not exited.
pub fn at_barrier(barriers: &Barriers, slot: u32, at: Option<Origin>, live: u32) -> Why {
    let barrier = barriers.of(slot);
    let counted = barrier.and_then(|(_, gathering)| gathering.counted());
    let arrived = barrier.map_or(0, |(_, gathering)| gathering.arrived.count_ones());
    Why::Barrier {
        at,
        id: barrier.map(|(id, _)| id),
        arrived: counted.map_or(arrived, |(_, count)| count),
        live: counted.map_or(live, |(wanted, _)| wanted),
        until: None,
    }
}
