//! What the functional machine counts of each instruction, worked out once per launch.

use isa::uop::Program;
use isa::uop::issue::beginnings;

/// What is counted where a micro-op is executed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Counted {
    /// The main micro-op of the instruction that it begins;
    /// [`NO_INSTRUCTION`](isa::uop::issue::NO_INSTRUCTION) if another one begins it.
    pub main: u32,
    /// Floating-point operations of a lane of that instruction.
    pub flops: u32,
}

impl Counted {
    /// Of all micro-ops of `program`.
    pub fn all(program: &Program) -> Vec<Self> {
        let flops = |main: u32| program.code.get(main as usize).map_or(0, |inst| inst.op.flops());
        beginnings(&program.code).into_iter().map(|main| Self { main, flops: flops(main) }).collect()
    }
}
