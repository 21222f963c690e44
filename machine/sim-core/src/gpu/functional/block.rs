//! The running block of a launch on the functional machine.

use super::access::perform;
use super::cells::Cells;
use super::counted::{Counted, Stretches, begin};
use super::{Ending, Executed, FIRST_LOOK, FunctionalEnd, Hooks, QUANTUM, TELL_EVERY};
use crate::counters::{Counters, InstCounters, PcCounters};
use crate::exec::barrier::deliver;
use crate::exec::mask::{active, count};
use crate::exec::step::compute;
use crate::exec::trap::{Fault, FaultKind, Trap};
use crate::exec::{Access, Kernel, Step, Warp, WarpId, step};
use crate::sm::barrier::{Barriers, OtherCount, Release};
use crate::sm::scheduler::bits;
use isa::uop::Op;
use isa::uop::issue::NO_INSTRUCTION;
use std::ops::Range;

/// State of a warp of the running block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// It can execute its next instruction.
    Ready,
    /// It waits at a barrier whose instruction is at `pc`.
    Waiting {
        /// Instruction index.
        pc: u32,
        /// Lanes that wait.
        lanes: u32,
    },
    /// It has exited.
    Exited,
}

/// The running block; its memory is reused for the next block. A copy continues like the original.
#[derive(Clone)]
pub struct Block<'k> {
    /// The launch.
    pub kernel: &'k Kernel,
    /// Warps of the block.
    pub warps: Vec<Warp>,
    /// State of each warp.
    pub states: Vec<State>,
    /// Number of executed warp instructions at which each warp began to run with its current lanes.
    pub(super) since: Vec<u64>,
    /// Number of warp instructions at which the method `look` is called next.
    pub(super) look: u64,
    /// Number of warp instructions at which the launch is next examined for whether it can end.
    pub(super) prove: u64,
    /// Number of the block, which is also the number of retired blocks.
    pub number: u64,
    /// Number of blocks of the launch.
    blocks: u64,
    /// Shared memory of the block.
    pub shared: Vec<u8>,
    /// Barriers of the block.
    pub barriers: Barriers,
    access: Access,
    /// Warp whose turn it is.
    turn: usize,
    /// Micro-ops that are left of this turn; 0 before the turn begins.
    left: u32,
    /// Whether a warp has executed an instruction in this round.
    moved: bool,
    /// Number of executed warp instructions.
    pub executed: u64,
    /// Floating-point operations, branches and barriers; the other counters are sums over `pcs`.
    counts: InstCounters,
    pcs: Vec<PcCounters>,
    /// Counts of each micro-op.
    counted: Vec<Counted>,
    /// Executed micro-ops that are not included in `counts` and `pcs`.
    stretches: Stretches,
    /// Number of executed warp instructions at which a run stops.
    pub limit: u64,
}

impl<'k> Block<'k> {
    /// Creates the first block of a launch, which executes without limit. `told`: whether its runs
    /// have a progress callback.
    pub fn new(kernel: &'k Kernel, told: bool) -> Self {
        let warps = (0..kernel.warps_per_block())
            .map(|_| Warp::empty(kernel.program.rows, kernel.program.call_depth))
            .collect();
        let blocks = if kernel.threads() == 0 { 0 } else { kernel.grid.count() };
        let mut block = Self {
            kernel,
            states: vec![State::Exited; kernel.warps_per_block() as usize],
            since: vec![0; kernel.warps_per_block() as usize],
            prove: FIRST_LOOK,
            look: if told { TELL_EVERY } else { FIRST_LOOK },
            number: 0,
            blocks,
            warps,
            shared: vec![0; kernel.shared_bytes as usize],
            barriers: Barriers::default(),
            access: Access::new(),
            turn: 0,
            left: 0,
            moved: false,
            executed: 0,
            counts: InstCounters::default(),
            pcs: vec![PcCounters::default(); kernel.program.code.len()],
            counted: Counted::all(&kernel.program),
            stretches: Stretches::new(kernel.program.code.len()),
            limit: u64::MAX,
        };
        if blocks > 0 {
            block.start(0);
        }
        block
    }

    /// Limits the launch to its first `blocks` blocks.
    pub fn only_first(&mut self, blocks: u64) {
        self.blocks = self.blocks.min(blocks);
    }

    /// Returns a copy of the launch before the first of the blocks given, which stops after `limit`
    /// warp instructions and is not examined for whether it can end.
    pub(super) fn ahead(&self, blocks: Range<u64>, limit: u64) -> Self {
        let mut block = Self::new(self.kernel, true);
        (block.blocks, block.limit, block.prove) = (blocks.end, limit, u64::MAX);
        block.start(blocks.start);
        block
    }

    /// Continues behind `later`, the blocks that follow this one and have finished.
    pub(super) fn absorb(&mut self, later: Self) {
        self.number = later.number;
        self.executed += later.executed;
        if self.executed >= self.prove {
            self.prove = (self.executed + 1).next_power_of_two();
        }
        self.counts.merge(&later.counts);
        self.pcs.merge(&later.pcs);
        later.stretches.settle(&later.counted, &mut self.counts, &mut self.pcs);
    }

    /// Returns the number of blocks after this one.
    pub(super) fn left(&self) -> u64 {
        self.blocks.saturating_sub(self.number + 1)
    }

    /// Whether it is the last block.
    pub(super) fn is_last(&self) -> bool {
        self.number + 1 >= self.blocks
    }

    /// Starts the next block of the launch. Returns whether there is one.
    pub fn start_next(&mut self) -> bool {
        let is_next = !self.is_last();
        if is_next {
            self.start(self.number + 1);
        }
        is_next
    }

    /// Returns the result of the launch, which ends with `ending`.
    pub fn end(self, ending: Ending) -> FunctionalEnd {
        let Self { kernel, mut counts, mut pcs, counted, stretches, .. } = self;
        stretches.settle(&counted, &mut counts, &mut pcs);
        let code = &kernel.program.code;
        code.iter().zip(&pcs).for_each(|(inst, pc)| counts.add_instruction(inst.op.class(), pc));
        FunctionalEnd { ending, counts, pcs }
    }

    /// Starts block `number` of the grid with zeroed registers and shared memory, so that a run can
    /// be repeated.
    fn start(&mut self, number: u64) {
        self.number = number;
        let ctaid = self.kernel.grid.index_of(number);
        self.shared.fill(0);
        self.states.fill(State::Ready);
        self.barriers = Barriers::default();
        self.since.fill(self.executed);
        for (index, warp) in self.warps.iter_mut().enumerate() {
            let index = index as u32;
            let id = WarpId { block: number, ctaid, index, sm: 0, slot: index };
            warp.start(id, self.kernel.threads());
        }
    }

    /// Runs the block to its end. Returns `None` when the limit is reached; another call continues
    /// there.
    pub fn run<W: FnMut(Executed)>(
        &mut self,
        memory: &mut impl Cells,
        hooks: &mut Hooks<'_, '_, W>,
    ) -> Option<Ending> {
        loop {
            while self.turn < self.warps.len() {
                if self.states[self.turn] == State::Ready {
                    self.moved = true;
                    if let Err(ending) = self.turn(self.turn, memory, hooks) {
                        return ending;
                    }
                }
                self.turn += 1;
                self.left = 0;
            }
            self.turn = 0;
            if !std::mem::take(&mut self.moved) {
                let over = self.states.iter().all(|state| *state == State::Exited);
                return Some(if over {
                    Ending::Finished
                } else {
                    Ending::Hung(Box::new(self.stuck(memory, true)))
                });
            }
            if self.executed >= self.look
                && let Some(ending) = self.look(memory, &mut hooks.tell)
            {
                return Some(ending);
            }
        }
    }

    /// Runs one turn of warp `index`. The error is the end of the launch, or `None` at the limit.
    fn turn<W: FnMut(Executed)>(
        &mut self,
        index: usize,
        memory: &mut impl Cells,
        hooks: &mut Hooks<'_, '_, W>,
    ) -> Result<(), Option<Ending>> {
        let mut left = if self.left == 0 { QUANTUM } else { self.left };
        while left > 0 {
            let watched = hooks.watch.is_some();
            left -= if watched { 0 } else { self.stretch(index, left) };
            if left == 0 {
                break;
            }
            left -= 1;
            if !watched && self.branch(index) {
                continue;
            }
            let warp = &mut self.warps[index];
            let (pc, side) = (warp.simt.pc(), warp.simt.mask());
            let Counted { main, flops, .. } = self.counted[pc as usize];
            if self.executed >= self.limit && main != NO_INSTRUCTION {
                self.left = left + 1;
                return Err(None);
            }
            let now = self.executed;
            let done = step(self.kernel, warp, &mut self.access, &mut self.shared, now);
            if warp.simt.mask() != side {
                self.since[index] = now;
            }
            self.executed += begin(&mut self.pcs, main, side);
            if !flops.is_none() {
                self.counts.operations(flops, count(self.access.mask).into());
            }
            let Ok(step) = done else {
                let trap = Trap::new(self.kernel, warp, self.access.take_fault(), None, now);
                return Err(Some(Ending::Trapped(Box::new(trap))));
            };
            if let Some(watch) = &mut hooks.watch {
                let line = self.kernel.program.lines.get(pc as usize).copied().unwrap_or(0);
                let (kernel, access) = (self.kernel, &self.access);
                let (warp, registers, begins) = (warp.id, &*warp, main);
                watch(Executed { kernel, warp, pc, begins, side, line, step, access, registers });
            }
            if self.access.past != 0 {
                self.pcs[pc as usize].past(self.access.take_past());
            }
            match step {
                Step::NotTaken | Step::Taken | Step::Diverged => {
                    if self.kernel.program.code[pc as usize].guard.get().is_some() {
                        self.counts.branch(step == Step::Diverged, &mut self.pcs[pc as usize]);
                    }
                }
                Step::Global | Step::Generic => {
                    if step == Step::Generic {
                        self.access.mask = self.access.parts.global;
                    }
                    memory.at(pc);
                    perform(&self.access, warp, memory);
                }
                Step::Barrier => {
                    let arrival = self.access.arrival;
                    self.counts.barriers += 1;
                    self.pcs[pc as usize].partial += u64::from(self.access.mask != warp.live);
                    let all = self.states.len() as u32;
                    let came = self.barriers.arrive(&arrival, index as u32, self.live(), all);
                    if arrival.waits {
                        self.states[index] = State::Waiting { pc, lanes: self.access.mask };
                    }
                    match came {
                        Ok(release) => self.release(release),
                        Err(OtherCount(first)) => {
                            let threads = 32 * if arrival.warps == 0 { all } else { arrival.warps };
                            let kind = FaultKind::OtherBarrierCount { barrier: arrival.id, threads, first };
                            let fault = Fault { kind, lanes: self.access.mask };
                            let trap = Trap::at(pc, self.kernel, &self.warps[index], fault, None, now);
                            return Err(Some(Ending::Trapped(Box::new(trap))));
                        }
                    }
                    if arrival.waits {
                        return Ok(());
                    }
                }
                Step::LastExit => {
                    self.states[index] = State::Exited;
                    // The waiting warps no longer wait for this one.
                    let live = self.live();
                    let mut barriers = std::mem::take(&mut self.barriers);
                    barriers.exit(live).for_each(|release| self.release(release));
                    self.barriers = barriers;
                    return Ok(());
                }
                Step::Next
                | Step::Jump
                | Step::Shared
                | Step::Const
                | Step::Texture
                | Step::FenceBlock
                | Step::FenceGlobal
                | Step::Param
                | Step::Local
                | Step::Exit => {}
            }
        }
        Ok(())
    }

    /// Executes at most `most` micro-ops of warp `index` that can be counted together. Returns
    /// their number: 0 if there are none, or if they could reach the instruction limit.
    #[expect(
        clippy::inline_always,
        reason = "half of its time would be the call, once per loop of the kernel"
    )]
    #[inline(always)]
    fn stretch(&mut self, index: usize, most: u32) -> u32 {
        let warp = &mut self.warps[index];
        let (pc, side) = (warp.simt.pc(), warp.simt.mask());
        let most = self.counted[pc as usize].together.min(most);
        if most == 0 || self.executed.saturating_add(most.into()) > self.limit {
            return 0;
        }
        let done = compute(self.kernel, warp, &mut self.access, &mut self.shared, most);
        if done > 0 {
            let (begun, last) = self.stretches.add(&self.counted, pc, pc + done, side);
            self.executed += begun;
            if warp.simt.mask() != side {
                self.since[index] = self.executed - last;
            }
        }
        done
    }

    /// Executes the next micro-op of warp `index` if it is a branch, as [`step`] does. Returns
    /// false, and changes nothing, if it is none, or if it could reach the instruction limit.
    #[expect(clippy::inline_always, reason = "as above")]
    #[inline(always)]
    fn branch(&mut self, index: usize) -> bool {
        let warp = &mut self.warps[index];
        let (pc, side) = (warp.simt.pc(), warp.simt.mask());
        let inst = &self.kernel.program.code[pc as usize];
        if inst.op != Op::Bra || self.executed >= self.limit {
            return false;
        }
        let taken = active(self.kernel, warp, inst);
        let divergent = warp.simt.branch(taken, inst.imm, inst.aux, self.kernel.first_path);
        if warp.simt.mask() != side {
            self.since[index] = self.executed;
        }
        self.executed += begin(&mut self.pcs, self.counted[pc as usize].main, side);
        if inst.guard.get().is_some() {
            self.counts.branch(divergent, &mut self.pcs[pc as usize]);
        }
        true
    }

    /// Returns the mask of warps that have not exited.
    pub fn live(&self) -> u64 {
        let live = (0..).zip(&self.states).filter(|(_, state)| **state != State::Exited);
        live.fold(0, |mask, (warp, _)| mask | 1 << warp)
    }

    /// Releases warps that wait at a barrier.
    fn release(&mut self, release: Release) {
        for warp in bits(release.warps) {
            let state = &mut self.states[warp as usize];
            if let State::Waiting { pc, lanes } = *state {
                let inst = &self.kernel.program.code[pc as usize];
                deliver(&mut self.warps[warp as usize], inst, lanes, release.found);
                *state = State::Ready;
            }
        }
    }
}
