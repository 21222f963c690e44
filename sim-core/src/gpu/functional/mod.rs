//! The functional machine: a launch through the same `exec`, on a plain memory image, without time.
//!
//! It is the oracle of the timed machine, and a mode that users get. Blocks run in linear order,
//! one after the other. The warps of a block take turns of [`QUANTUM`] instructions, so that a warp
//! that spins until another one of its block has written something does not keep it from writing.
//! Loads and stores are performed at once, lanes ascending; fences therefore have nothing to do.
//! `%clock` reads as the number of warp instructions so far.
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

/// Most instructions that a warp executes before it is another's turn.
pub const QUANTUM: u32 = 256;

/// How a launch ended on the functional machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    /// All blocks have finished.
    Finished,
    /// An instruction could not be executed.
    Trapped(Box<Trap>),
    /// The warps of a block wait for each other, or for ever for what none of them will do.
    Hung(Box<StuckReport>),
    /// The most warp instructions allowed were executed.
    Limit(Box<StuckReport>),
    /// Whoever is told of the progress wanted no more.
    Interrupted(Box<StuckReport>),
}

/// Who is told from time to time how many blocks have ended and how many warp instructions were
/// executed.
pub type Tell<'a> = &'a mut dyn FnMut(u64, u64) -> ControlFlow<()>;

/// Warp instructions between two times.
const TELL_EVERY: u64 = 1 << 18;

/// The warp instruction before which a launch is looked at for the first time, to see whether it
/// can end at all; then again at each power of two.
pub const FIRST_LOOK: u64 = 1 << 20;

/// The end of a functional run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FunctionalEnd {
    /// How it ended.
    pub ending: Ending,
    /// What was executed, a trapping instruction included.
    pub counts: InstCounters,
    /// The same by instruction.
    pub pcs: Vec<PcCounters>,
}

/// An executed warp instruction, as [`run`] shows it.
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
    /// What it was.
    pub step: Step,
    /// Lanes that took part and, of a load or store, what it accesses.
    pub access: &'a Access,
    /// The warp's registers behind it; what a load from global memory brings is not there yet.
    pub registers: &'a Warp,
}

/// The `watch` of a run that is not watched.
pub const UNWATCHED: Option<fn(Executed)> = None;

/// Runs a launch to its end or until `max_instructions` warp instructions have been executed.
/// `watch` is shown every instruction, in the order of execution, a trapping one excepted.
///
/// Memory keeps what was written until then, however the run ends.
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

/// What a warp of the running block does next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// Its next instruction.
    Ready,
    /// It waits at a barrier, whose instruction stands at `pc`.
    Waiting { pc: u32, lanes: u32 },
    /// Nothing.
    Exited,
}

/// The block that runs; its memory is used again for the next one.
struct Block<'k, 't, W> {
    kernel: &'k Kernel,
    warps: Vec<Warp>,
    states: Vec<State>,
    /// The warp instruction since which each warp has run with the same lanes.
    since: Vec<u64>,
    /// When the launch is looked at next, whatever for.
    look: u64,
    /// When to see next whether it can end.
    prove: u64,
    tell: Option<Tell<'t>>,
    /// Number of the block: as many have ended.
    number: u64,
    /// No block comes after it.
    last: bool,
    shared: Vec<u8>,
    barriers: Barriers,
    access: Access,
    /// Warp instructions.
    executed: u64,
    /// Floating-point operations, branches and barriers; the rest are sums over `pcs`.
    counts: InstCounters,
    pcs: Vec<PcCounters>,
    /// By micro-op.
    counted: Vec<Counted>,
    /// What was executed and is neither in `counts` nor in `pcs` yet.
    stretches: Stretches,
    limit: u64,
    watch: Option<W>,
}

impl<W: FnMut(Executed)> Block<'_, '_, W> {
    /// Starts block `number` of the grid: registers and shared memory zero, so that a run can be
    /// repeated.
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

    /// Gives warp `index` its turn.
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
                    // Those who wait no longer wait for this one.
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
    /// their number: 0 if there are none, if the run is watched, or if the limit of instructions
    /// could be reached.
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

    /// The warps that have not exited.
    fn live(&self) -> u64 {
        let live = (0..).zip(&self.states).filter(|(_, state)| **state != State::Exited);
        live.fold(0, |mask, (warp, _)| mask | 1 << warp)
    }

    /// Lets warps go that have waited at a barrier.
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
