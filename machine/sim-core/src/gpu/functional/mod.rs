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
pub mod block;
mod cells;
mod counted;
mod speculation;
pub mod stepped;
mod stuck;
mod view;

use crate::counters::{InstCounters, PcCounters};
use crate::exec::trap::Trap;
use crate::exec::{Access, Kernel, Parts, Step, Warp, WarpId};
use crate::gpu::stop::StopReason;
use crate::gpu::stuck::report::StuckReport;
use crate::mem::image::Memory;
use crate::mem::map::AddressMap;
pub(in crate::gpu) use access::perform;
use block::Block;
pub use speculation::Speculation;
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
    /// The progress callback or the debugger asked to stop.
    Stopped(StopReason, Box<StuckReport>),
}

/// Progress callback. Its arguments are the number of retired blocks and the number of executed
/// warp instructions.
pub type Tell<'a> = &'a mut dyn FnMut(Reached) -> ControlFlow<StopReason>;

/// How far a run has come.
#[derive(Clone, Copy, Debug)]
pub struct Reached {
    /// Blocks that have ended.
    pub retired: u64,
    /// Warp instructions executed.
    pub executed: u64,
    /// Next instruction of the first warp of the block that runs, if there is one.
    pub pc: Option<u32>,
}

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
    /// Identity of the warp.
    pub warp: WarpId,
    /// Instruction index.
    pub pc: u32,
    /// For the first micro-op of an instruction, its main micro-op; else
    /// [`NO_INSTRUCTION`](isa::uop::issue::NO_INSTRUCTION).
    pub begins: u32,
    /// Lanes of the path that the warp executed, before the guard.
    pub side: u32,
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

impl Executed<'_> {
    /// Returns the lanes that accessed memory, by state space. Parameters are in no state space.
    #[inline]
    pub fn parts(&self) -> Parts {
        let (mask, none) = (self.access.mask, Parts::default());
        match self.step {
            Step::Global => Parts { global: mask, ..none },
            Step::Shared => Parts { shared: mask, ..none },
            Step::Local => Parts { local: mask, ..none },
            Step::Const => Parts { constant: mask, ..none },
            Step::Generic => self.access.parts,
            Step::Next
            | Step::NotTaken
            | Step::Taken
            | Step::Diverged
            | Step::Jump
            | Step::Param
            | Step::Texture
            | Step::Barrier
            | Step::FenceBlock
            | Step::FenceGlobal
            | Step::Exit
            | Step::LastExit => none,
        }
    }
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
    hooks: Hooks<'_, '_, impl FnMut(Executed)>,
) -> FunctionalEnd {
    let mut block = Block::new(kernel, hooks.tell.is_some());
    block.limit = max_instructions;
    finish(block, memory, hooks)
}

/// Runs a launch from the present state of `block` to its end; see [`run`].
pub fn finish<W: FnMut(Executed)>(
    mut block: Block<'_>,
    memory: &mut Memory,
    mut hooks: Hooks<'_, '_, W>,
) -> FunctionalEnd {
    memory.arrange(AddressMap::LINEAR);
    let ending = loop {
        match block.run(memory, &mut hooks) {
            None => break Ending::Limit(Box::new(block.stuck(memory, false))),
            Some(Ending::Finished) => {
                while let Some(speculation) = &mut hooks.speculation
                    && speculation.run(&mut block, memory, &mut hooks.tell)
                {
                    if let Some(stopped) = block.report(memory, &mut hooks.tell) {
                        return block.end(stopped);
                    }
                }
                if !block.start_next() {
                    break Ending::Finished;
                }
            }
            Some(ending) => break ending,
        }
    };
    block.end(ending)
}

/// Callbacks of a run.
pub struct Hooks<'t, 's, W> {
    /// Progress callback.
    pub tell: Option<Tell<'t>>,
    /// Called for every instruction.
    pub watch: Option<W>,
    /// Runs blocks on several host threads; `None`: one thread. Only for launches without an
    /// observer.
    pub speculation: Option<&'s mut Speculation>,
}

#[cfg(test)]
mod tests;
