//! The functional machine: runs a launch with the same `exec` on a plain memory image, without
//! time.
//!
//! It is the reference for the timed machine, and a mode for users. Blocks run in linear order, one
//! after the other. The warps of a block take turns of [`QUANTUM`] instructions, so that a warp
//! that spins on a value does not keep another warp of its block from writing the value. Loads and
//! stores are performed immediately, lanes in ascending order, so fences have no effect. `%clock`
//! reads as the number of warp instructions so far.
//!
//! Invariant `timing-changes-no-result`: Timing does not change results: the timed machine leaves
//! the same bytes as the functional machine, for all timing parameters, with all queues of depth 1,
//! under every scheduling policy.

mod access;
mod counted;
mod stuck;

use crate::counters::{InstCounters, PcCounters};
use crate::exec::barrier::deliver;
use crate::exec::mask::count;
use crate::exec::step::compute;
use crate::exec::trap::{Fault, FaultKind, Trap};
use crate::exec::{Access, Kernel, Step, Warp, WarpId, step};
use crate::gpu::stuck::report::StuckReport;
use crate::mem::image::Memory;
use crate::sm::barrier::{Barriers, OtherCount, Release};
use crate::sm::scheduler::bits;
use access::perform;
use counted::{Counted, Stretches};
use isa::uop::issue::NO_INSTRUCTION;
use std::ops::ControlFlow;

/// Most instructions that a warp executes in one turn.
pub const QUANTUM: u32 = 256;

/// Outcome of a launch on the functional machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    /// All blocks have finished.
    Finished,
    /// An instruction could not be executed.
    Trapped(Box<Trap>),
    /// The warps of a block wait for each other, or for an event that can never occur.
    Hung(Box<StuckReport>),
    /// The limit on warp instructions was reached.
    Limit(Box<StuckReport>),
    /// The progress callback asked to stop.
    Interrupted(Box<StuckReport>),
}

/// Progress callback. Its arguments are the number of retired blocks and the number of executed
/// warp instructions.
pub type Tell<'a> = &'a mut dyn FnMut(u64, u64) -> ControlFlow<()>;

/// Warp instructions between two calls of the progress callback.
const TELL_EVERY: u64 = 1 << 18;

/// Warp instruction before which a launch is first examined for whether it can end; later
/// examinations are at each power of two.
pub const FIRST_LOOK: u64 = 1 << 20;

/// Result of a functional run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FunctionalEnd {
    /// Outcome.
    pub ending: Ending,
    /// Counters of the executed instructions, including a trapping one.
    pub counts: InstCounters,
    /// The same counters for each instruction.
    pub pcs: Vec<PcCounters>,
}

/// An executed warp instruction, as [`run`] passes it to its observer.
#[derive(Clone, Copy, Debug)]
pub struct Executed<'a> {
    /// The launch.
    pub kernel: &'a Kernel,
    /// The warp.
    pub warp: WarpId,
    /// Instruction index.
    pub pc: u32,
    /// One-based line of the PTX source.
    pub line: u32,
    /// Kind of the executed step.
    pub step: Step,
    /// Lanes that took part and, for a load or store, the accessed addresses.
    pub access: &'a Access,
    /// Registers of the warp after the instruction. The result of a load from global memory is not
    /// in them.
    pub registers: &'a Warp,
}

/// The `watch` argument of a run without an observer.
pub const UNOBSERVED: Option<fn(Executed)> = None;

/// Runs a launch to its end or until `max_instructions` warp instructions have been executed. Calls
/// `watch` for every instruction in the order of execution, except for a trapping one.
///
/// All writes up to the end of the run remain in memory, for every outcome.
pub fn run(
    kernel: &Kernel,
    memory: &mut Memory,
    max_instructions: u64,
    tell: Option<Tell<'_>>,
    watch: Option<impl FnMut(Executed)>,
) -> FunctionalEnd {
    let warps = (0..kernel.warps_per_block())
        .map(|_| Warp::empty(kernel.program.rows, kernel.program.call_depth))
        .collect();
    let mut block = Block {
        kernel,
        states: vec![State::Ready; kernel.warps_per_block() as usize],
        since: vec![0; kernel.warps_per_block() as usize],
        prove: FIRST_LOOK,
        look: if tell.is_some() { TELL_EVERY } else { FIRST_LOOK },
        tell,
        number: 0,
        last: false,
        warps,
        shared: vec![0; kernel.shared_bytes as usize],
        barriers: Barriers::default(),
        access: Access::new(),
        executed: 0,
        counts: InstCounters::default(),
        pcs: vec![PcCounters::default(); kernel.program.code.len()],
        counted: Counted::all(&kernel.program),
        stretches: Stretches::new(kernel.program.code.len()),
        limit: max_instructions,
        watch,
    };
    let blocks = if kernel.threads() == 0 { 0 } else { kernel.grid.count() };
    let mut ending = Ending::Finished;
    for number in 0..blocks {
        block.number = number;
        block.last = number + 1 == blocks;
        block.start(number);
        ending = block.run(memory);
        if ending != Ending::Finished {
            break;
        }
    }
    let Block { mut counts, mut pcs, counted, stretches, .. } = block;
    stretches.settle(&counted, &mut counts, &mut pcs);
    kernel.program.code.iter().zip(&pcs).for_each(|(inst, pc)| counts.add_instruction(inst.op.class(), pc));
    FunctionalEnd { ending, counts, pcs }
}

/// State of a warp of the running block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// It can execute its next instruction.
    Ready,
    /// It waits at a barrier whose instruction is at `pc`.
    Waiting { pc: u32, lanes: u32 },
    /// It has exited.
    Exited,
}

/// The running block; its memory is reused for the next block.
struct Block<'k, 't, W> {
    kernel: &'k Kernel,
    warps: Vec<Warp>,
    states: Vec<State>,
    /// Number of executed warp instructions at which each warp began to run with its current lanes.
    since: Vec<u64>,
    /// Number of warp instructions at which the method `look` is called next.
    look: u64,
    /// Number of warp instructions at which the launch is next examined for whether it can end.
    prove: u64,
    tell: Option<Tell<'t>>,
    /// Number of the block, which is also the number of retired blocks.
    number: u64,
    /// Whether it is the last block.
    last: bool,
    shared: Vec<u8>,
    barriers: Barriers,
    access: Access,
    /// Number of executed warp instructions.
    executed: u64,
    /// Floating-point operations, branches and barriers; the other counters are sums over `pcs`.
    counts: InstCounters,
    pcs: Vec<PcCounters>,
    /// Counts of each micro-op.
    counted: Vec<Counted>,
    /// Executed micro-ops that are not included in `counts` and `pcs`.
    stretches: Stretches,
    limit: u64,
    watch: Option<W>,
}

impl<W: FnMut(Executed)> Block<'_, '_, W> {
    /// Starts block `number` of the grid with zeroed registers and shared memory, so that a run can
    /// be repeated.
    fn start(&mut self, number: u64) {
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

    /// Runs the block to its end.
    fn run(&mut self, memory: &mut Memory) -> Ending {
        loop {
            let mut moved = false;
            for index in 0..self.warps.len() {
                if self.states[index] == State::Ready {
                    moved = true;
                    if let Err(ending) = self.turn(index, memory) {
                        return ending;
                    }
                }
            }
            if !moved {
                let over = self.states.iter().all(|state| *state == State::Exited);
                return if over {
                    Ending::Finished
                } else {
                    Ending::Hung(Box::new(self.stuck(memory, true)))
                };
            }
            if self.executed >= self.look
                && let Some(ending) = self.look(memory)
            {
                return ending;
            }
        }
    }

    /// Runs one turn of warp `index`.
    fn turn(&mut self, index: usize, memory: &mut Memory) -> Result<(), Ending> {
        let mut left = QUANTUM;
        while left > 0 {
            let done = self.stretch(index, left);
            if done > 0 {
                left -= done;
                continue;
            }
            left -= 1;
            let warp = &mut self.warps[index];
            let (pc, side) = (warp.simt.pc(), warp.simt.mask());
            let Counted { main, flops, .. } = self.counted[pc as usize];
            if self.executed >= self.limit && main != NO_INSTRUCTION {
                return Err(Ending::Limit(Box::new(self.stuck(memory, false))));
            }
            let now = self.executed;
            let done = step(self.kernel, warp, &mut self.access, &mut self.shared, now);
            if warp.simt.mask() != side {
                self.since[index] = now;
            }
            if main != NO_INSTRUCTION {
                self.executed += 1;
                let counters = &mut self.pcs[main as usize];
                counters.executed += 1;
                counters.threads += u64::from(count(side));
                if !flops.is_none() {
                    self.counts.operations(flops, count(self.access.mask).into());
                }
            }
            let step = match done {
                Ok(step) => step,
                Err(fault) => {
                    return Err(Ending::Trapped(Box::new(Trap::new(self.kernel, warp, *fault, None, now))));
                }
            };
            if let Some(watch) = &mut self.watch {
                let line = self.kernel.program.lines.get(pc as usize).copied().unwrap_or(0);
                let access = &self.access;
                watch(Executed {
                    kernel: self.kernel,
                    warp: warp.id,
                    pc,
                    line,
                    step,
                    access,
                    registers: warp,
                });
            }
            match step {
                Step::Branch { divergent, .. } => {
                    if self.kernel.program.code[pc as usize].guard.get().is_some() {
                        self.counts.branch(divergent, &mut self.pcs[pc as usize]);
                    }
                }
                Step::Global => perform(&self.access, warp, memory),
                Step::Generic => {
                    self.access.mask = self.access.parts.global;
                    perform(&self.access, warp, memory);
                }
                Step::Barrier(arrival) => {
                    self.counts.barriers += 1;
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
                            return Err(Ending::Trapped(Box::new(trap)));
                        }
                    }
                    if arrival.waits {
                        return Ok(());
                    }
                }
                Step::Exit { finished: true } => {
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
                | Step::Fence { .. }
                | Step::Param
                | Step::Local
                | Step::Exit { finished: false } => {}
            }
        }
        Ok(())
    }

    /// Executes at most `most` micro-ops of warp `index` that can be counted together. Returns
    /// their number: 0 if there are none, if the run is observed, or if it could reach the
    /// instruction limit.
    fn stretch(&mut self, index: usize, most: u32) -> u32 {
        let warp = &mut self.warps[index];
        let (pc, side) = (warp.simt.pc(), warp.simt.mask());
        let most = self.counted[pc as usize].together.min(most);
        if most == 0 || self.watch.is_some() || self.executed + u64::from(most) > self.limit {
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

    /// Returns the mask of warps that have not exited.
    fn live(&self) -> u64 {
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

#[cfg(test)]
mod tests;
