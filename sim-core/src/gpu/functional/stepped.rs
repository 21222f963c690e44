//! The functional machine under the debugger: one warp instruction after the other, with the events
//! of an observed SM.
//!
//! Time is the number of executed warp instructions. All blocks run on SM 0, one after the other,
//! and warp k of a block is in warp slot k. The warps and their turns are those of a plain run.

use super::block::{Block, State};
use super::{Ending, Executed, Hooks};
use crate::config::Chip;
use crate::counters::WarpState;
use crate::events::Watch;
use crate::events::event::{Event, Issued, Origin, What, Why};
use crate::events::recorder::{Recorder, WarpStatus};
use crate::exec::Kernel;
use crate::mem::image::Memory;
use crate::mem::map::AddressMap;
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
    pub memory: Memory,
    /// The launch for the coalescing rule and the bank rule of the chip.
    pub context: Arc<SmContext>,
    recorder: Recorder,
    /// For each warp, its last memory access.
    accesses: Vec<Option<Box<IssuedAccess>>>,
    /// Number of warp instructions before the first one of the block.
    pub since: u64,
    /// Number of warp instructions at which the launch ends.
    limit: u64,
    /// Whether all warps of the block have exited.
    finished: bool,
    /// Outcome of the launch.
    pub ending: Option<Ending>,
}

impl<'k> Stepped<'k> {
    /// Creates a launch before its first instruction, which ends after `limit` warp instructions.
    pub fn new(kernel: &'k Arc<Kernel>, mut memory: Memory, chip: &Chip, limit: u64) -> Self {
        memory.arrange(AddressMap::LINEAR);
        let map = AddressMap::of(chip);
        let burst_bytes = chip.partition.dram.burst_bytes;
        let hooks = crate::hooks::Hooks::default();
        let context = SmContext::new(Arc::clone(kernel), chip.sm.clone(), map, burst_bytes, hooks);
        let block = Block::new(kernel, false);
        let warps = block.warps.len();
        let watch =
            Watch { sms: 0..1, warps: 0..u32::MAX, cycles: 0..u64::MAX, then_stop: false, values: false };
        let registers = scoreboard_entries(&kernel.program);
        let mut recorder = Recorder::new(&watch, 0, 1, warps, registers, 1);
        recorder.begun = true;
        let ending = (kernel.threads() == 0 || kernel.grid.count() == 0).then_some(Ending::Finished);
        let mut new = Self {
            block,
            memory,
            context: Arc::new(context),
            recorder,
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

    /// Returns the number of executed warp instructions.
    pub fn executed(&self) -> u64 {
        self.block.executed
    }

    /// Returns the mask of the warps of the block; 0 after the last block.
    pub fn warps(&self) -> u64 {
        if self.ending == Some(Ending::Finished) { 0 } else { u64::MAX >> (64 - self.block.warps.len()) }
    }

    /// Returns the number of blocks that have finished.
    pub fn retired(&self) -> u64 {
        self.block.number + u64::from(self.finished)
    }

    /// Returns the last memory access of a warp.
    pub fn last_access(&self, warp: u32) -> Option<&IssuedAccess> {
        self.accesses.get(warp as usize)?.as_deref()
    }

    /// Runs until `until` warp instructions have been executed, or to the end of the launch, and
    /// appends the events to `events`.
    pub fn advance(&mut self, until: u64, events: &mut Vec<Event>) {
        while self.ending.is_none() && self.executed() < until {
            if self.finished {
                self.next_block();
            }
            self.step();
        }
        self.recorder.drain(u64::MAX, events);
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
        let (now, block, warps) = (self.executed(), self.block.number, self.warps());
        let ctaid = self.block.kernel.grid.index_of(block);
        self.since = now;
        self.accesses.fill(None);
        (0..self.block.warps.len() as u32).for_each(|warp| self.recorder.forget(warp));
        self.recorder.record(now, What::BlockStarted { block, ctaid, warps, since: now });
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
        let others = self.statuses();
        let Self { block, memory, context, accesses, .. } = self;
        block.limit = now + 1;
        let (mut first, mut main, mut lanes) = (0, NO_INSTRUCTION, 0);
        let mut issued = None;
        let watch = |executed: Executed<'_>| {
            if executed.begins != NO_INSTRUCTION {
                (first, main, lanes) = (executed.pc, executed.begins, executed.side);
            }
            if executed.pc == main {
                let origin = Origin { warp: executed.warp.slot, pc: main, cycle: now };
                let guarded = executed.access.mask;
                let decoded = &context.code[first as usize];
                let mut transactions = 0;
                if let Some(access) = IssuedAccess::of(decoded, origin, executed.access, context) {
                    let global = access.part(access.global_lanes());
                    transactions = context.coalescer.transactions(&global, access.whole_lines).len() as u32;
                    accesses[origin.warp as usize] = Some(Box::new(access));
                }
                let (held, replay, constant) = (0, 0, 0);
                issued = Some(Issued { origin, lanes, guarded, held, replay, constant, transactions });
            }
        };
        let ended = block.run(memory, &mut Hooks { tell: None, watch: Some(watch), speculation: None });
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
        (0..self.block.warps.len() as u32).map(|slot| self.status(slot)).collect()
    }

    /// Returns the state of a warp before the next instruction. A warp that can continue is *not
    /// selected*.
    pub fn status(&self, slot: u32) -> WarpStatus {
        let block = &self.block;
        let simt = &block.warps[slot as usize].simt;
        let last = self.recorder.issued(slot).map(|issued| issued.origin);
        match block.states[slot as usize] {
            State::Ready => {
                let (pc, lanes) = (simt.pc(), simt.mask());
                WarpStatus { pc, lanes, state: WarpState::NotSelected, why: Why::LeftEmpty }
            }
            State::Waiting { pc, lanes } => {
                let barrier = block.barriers.of(slot);
                let counted = barrier.and_then(|(_, gathering)| gathering.counted());
                let arrived = barrier.map_or(0, |(_, gathering)| gathering.arrived.count_ones());
                let why = Why::Barrier {
                    at: last,
                    id: barrier.map(|(id, _)| id),
                    arrived: counted.map_or(arrived, |(_, count)| count),
                    live: counted.map_or(block.live().count_ones(), |(wanted, _)| wanted),
                    until: None,
                };
                WarpStatus { pc, lanes, state: WarpState::Barrier, why }
            }
            State::Exited => {
                let why = Why::Exited { live: block.live().count_ones(), loads: 0 };
                WarpStatus { pc: last.map_or(0, |last| last.pc), lanes: 0, state: WarpState::Exited, why }
            }
        }
    }
}
