//! The interleaved machine under the debugger: the warp instructions of a schedule one after the
//! other, with the events of all warps.
//!
//! Time is the number of executed warp instructions. A request takes effect directly after the
//! instruction before it. Block b is on SM b, and warp k of a block is in warp slot k. `view` is
//! what the debugger sees.

mod view;

use super::end::End;
use super::execute::LONGEST;
use super::machine::{Action, Interleaved};
use super::request::Request;
use super::warp::Activity;
use crate::config::Chip;
use crate::counters::WarpState as Shown;
use crate::events::Watch;
use crate::events::event::{Issued, Origin, What, Why};
use crate::events::recorder::{Recorder, WarpStatus};
use crate::exec::Access;
use crate::gpu::functional::stepped::{context, described};
use crate::gpu::untimed::Untimed;
use crate::sm::context::SmContext;
use crate::sm::decode::scoreboard_entries;
use crate::sm::inspect::IssuedAccess;
use isa::uop::issue::{Fused, NO_INSTRUCTION, issues};
use std::sync::Arc;

/// A request under way, as the debugger shows it.
#[derive(Clone, Copy)]
struct Sent {
    warp: u32,
    request: u32,
    by: Origin,
    is_load: bool,
}

/// A launch that follows a schedule, paused between two warp instructions. A copy continues like
/// the original.
#[derive(Clone)]
pub struct Played {
    machine: Interleaved,
    actions: Arc<[Action]>,
    /// Number of actions that have begun.
    begun: usize,
    /// Warps that advance to their next steps, the first one last.
    free: Vec<usize>,
    /// Instructions that the last of `free` has executed since its step.
    advanced: u32,
    /// Accesses of the micro-ops of the last instruction.
    access: Access,
    context: Arc<SmContext>,
    /// For each micro-op that is a main one, the first of its instruction.
    firsts: Arc<[u32]>,
    /// For each block, its events.
    recorders: Vec<Recorder>,
    /// For each warp, its last memory access.
    accesses: Vec<Option<Box<IssuedAccess>>>,
    /// For each warp, the time at which it began to run with its current lanes.
    since: Vec<u64>,
    sent: Vec<Sent>,
    /// Mask of the blocks whose end is recorded.
    retired: u64,
    executed: u64,
    end: Option<End>,
}

impl Played {
    /// Creates a launch that has not begun, and whose warps will execute `actions`.
    pub fn new(mut start: Interleaved, actions: Arc<[Action]>, chip: &Chip) -> Self {
        start.wake_spinning();
        let kernel = &start.kernel;
        let code = &kernel.program.code;
        let mut firsts = vec![NO_INSTRUCTION; code.len()];
        issues(code).for_each(|issue| firsts[issue.main] = issue.first as u32);
        let slots = kernel.warps_per_block() as usize;
        let registers = scoreboard_entries(&kernel.program);
        let recorder = |block| {
            let mut new = Recorder::new(&Watch::ALL, block as u32, 1, slots, registers, 1);
            new.begun = true;
            new
        };
        let count = start.warps.len();
        let mut new = Self {
            actions,
            begun: 0,
            free: (0..count).rev().collect(),
            advanced: 0,
            access: Access::new(),
            context: Arc::new(context(kernel, chip)),
            firsts: firsts.into(),
            recorders: (0..start.blocks.len()).map(recorder).collect(),
            accesses: vec![None; count],
            since: vec![0; count],
            sent: Vec::new(),
            retired: 0,
            executed: 0,
            end: (count == 0).then_some(End::Finished),
            machine: start,
        };
        (0..new.recorders.len()).for_each(|block| new.block_started(block));
        if new.end.is_none() {
            new.settle();
        }
        new
    }

    fn block_started(&mut self, block: usize) {
        let (number, warps, slots) = (block as u64, self.mask(), self.slots());
        let ctaid = self.kernel().grid.index_of(number);
        let recorder = &mut self.recorders[block];
        recorder.record(0, What::BlockStarted { block: number, ctaid, warps, since: 0 });
        for (slot, state) in (0..).zip(&self.machine.warps[block * slots..][..slots]) {
            recorder.record_stack(0, slot, &state.warp.simt);
        }
    }

    /// The launch at the end of the schedule.
    pub fn into_machine(mut self) -> Interleaved {
        while self.end.is_none() {
            self.step();
        }
        self.machine
    }

    /// How the schedule has ended.
    pub fn end(&self) -> Option<&End> {
        self.end.as_ref()
    }

    /// Number of warps of a block.
    fn slots(&self) -> usize {
        self.kernel().warps_per_block() as usize
    }

    /// Mask of the warp slots of a block.
    fn mask(&self) -> u64 {
        u64::MAX >> (64 - self.slots())
    }

    /// Mask of the warps of a block that have not exited.
    fn live(&self, block: usize) -> u64 {
        self.machine.live(block)
    }

    /// Executes one warp instruction with the requests that take effect directly after it.
    fn step(&mut self) {
        self.retire();
        let before = self.executed;
        while self.executed == before && self.end.is_none() {
            let w = match self.free.last().and_then(|w| Some((*w, self.machine.next(*w)?.0))) {
                Some((w, pc)) => {
                    self.instruction(w, pc);
                    w
                }
                None => self.act(),
            };
            self.tests(w);
            self.settle();
        }
    }

    /// Proceeds to the next instruction, or to the end of the schedule.
    fn settle(&mut self) {
        loop {
            if let Some(w) = self.free.last().copied() {
                let is_going = matches!(self.machine.next(w), Some((_, false)));
                if is_going && self.advanced < LONGEST {
                    return;
                }
                if is_going {
                    self.machine.never_acts(w);
                }
                self.free.pop();
                self.advanced = 0;
                continue;
            }
            match self.actions.get(self.begun) {
                Some(Action::Deliver { .. }) => {
                    self.act();
                }
                Some(action) => match self.machine.wake_to(*action) {
                    Some(w) => self.free.push(w),
                    None => return,
                },
                None => {
                    self.end = self.machine.end();
                    debug_assert!(self.end.is_some(), "the schedule is the one of a launch that ends");
                    return;
                }
            }
        }
    }

    /// Executes the tests that are fused with the last instruction of warp `w`: they follow its
    /// main micro-op.
    fn tests(&mut self, w: usize) {
        while let Some((pc, false)) = self.machine.next(w)
            && self.kernel().program.code[pc as usize].fused() == Some(Fused::Test)
        {
            self.machine.advance_by_one(w, pc, &mut self.access, &mut Vec::new());
        }
    }

    /// Whether all warps of a block have exited, and none of its requests is under way.
    fn is_over(&self, block: usize) -> bool {
        let is_own = |request: &Arc<Request>| request.block as usize == block;
        self.live(block) == 0 && !self.machine.pending.iter().any(is_own)
    }

    /// Records the end of blocks.
    fn retire(&mut self) {
        let (now, warps) = (self.executed, self.mask());
        for block in 0..self.recorders.len() {
            if self.retired >> block & 1 == 0 && self.is_over(block) {
                self.retired |= 1 << block;
                self.recorders[block].record(now, What::BlockRetired { block: block as u64, warps });
            }
        }
    }

    /// Executes a micro-op of a warp that is no step.
    fn instruction(&mut self, w: usize, pc: u32) {
        let (others, lanes) = (self.statuses(), self.machine.warps[w].warp.simt.mask());
        let mut released = Vec::new();
        self.machine.advance_by_one(w, pc, &mut self.access, &mut released);
        self.advanced += 1;
        self.executed(w, pc, lanes, others);
        // The warp goes on first.
        let at = self.free.len() - 1;
        self.free.splice(at..at, released);
    }

    /// Begins the next action. Returns its warp.
    fn act(&mut self) -> usize {
        let action = self.actions[self.begun];
        self.begun += 1;
        let w = action.warp() as usize;
        let (others, lanes) = (self.statuses(), self.machine.warps[w].warp.simt.mask());
        let (done, free) = self.machine.begin(action, &mut self.access);
        self.free = free;
        self.free.reverse();
        self.advanced = 0;
        match action {
            Action::Step { warp } => {
                let by =
                    Origin { warp: self.machine.warps[w].warp.id.index, pc: done.pc, cycle: self.executed };
                let sent = &self.machine.pending[self.machine.pending.len() - done.requests as usize..];
                let sent = sent.iter().map(|request| Sent {
                    warp,
                    request: request.number,
                    by,
                    is_load: !request.rows.is_empty(),
                });
                self.sent.extend(sent);
                self.advanced = 1;
                self.executed(w, done.pc, lanes, others);
            }
            Action::Deliver { warp, request } => self.delivered(warp, request),
        }
        w
    }

    /// Records that a load is complete, if this was its last request.
    fn delivered(&mut self, warp: u32, request: u32) {
        let Some(at) = self.sent.iter().position(|sent| (sent.warp, sent.request) == (warp, request)) else {
            return;
        };
        let Sent { by, is_load, .. } = self.sent.remove(at);
        if is_load && !self.sent.iter().any(|sent| sent.warp == warp && sent.by == by) {
            // It takes effect directly after the instruction before.
            let (now, block) = (self.executed - 1, self.machine.warps[warp as usize].warp.id.block as usize);
            self.recorders[block].record(now, What::LoadCompleted { load: by, at: now, usable: now });
        }
    }

    /// State of each warp before the next instruction, by number.
    fn statuses(&self) -> Vec<Option<WarpStatus>> {
        let blocks = 0..self.recorders.len() as u32;
        blocks.flat_map(|block| (0..self.slots() as u32).map(move |slot| self.status(block, slot))).collect()
    }

    /// Records an executed micro-op of warp `w` in the lanes `lanes` of the current path, if it is
    /// the main one of its instruction. `others` are the states before it.
    fn executed(&mut self, w: usize, pc: u32, lanes: u32, others: Vec<Option<WarpStatus>>) {
        let first = self.firsts[pc as usize];
        if first == NO_INSTRUCTION {
            return;
        }
        let now = self.executed;
        self.executed += 1;
        let state = &self.machine.warps[w];
        if state.warp.simt.mask() != lanes {
            self.since[w] = now;
        }
        let (block, slot) = (state.warp.id.block as usize, state.warp.id.index);
        let origin = Origin { warp: slot, pc, cycle: now };
        let (held, replay, constant) = (0, 0, 0);
        let mut issued = Issued { origin, lanes, guarded: 0, held, replay, constant, transactions: 0 };
        if state.activity != Activity::Trapped {
            let (access, transactions) = described(&self.context, first, origin, &self.access);
            (issued.guarded, issued.transactions) = (self.access.mask, transactions);
            if access.is_some() {
                self.accesses[w] = access;
            }
        }
        let slots = self.slots();
        for (other, status) in others.into_iter().enumerate().filter(|(other, _)| *other != w) {
            let Some(mut status) = status else { continue };
            if status.state == Shown::NotSelected && other / slots == block {
                status.why = Why::Taken { by: slot };
            }
            self.recorders[other / slots].record_state(now, (other % slots) as u32, status);
        }
        self.recorders[block].issue(0, &[], issued);
        self.recorders[block].record_stack(now, slot, &self.machine.warps[w].warp.simt);
    }
}
