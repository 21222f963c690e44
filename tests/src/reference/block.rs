//! A launch: blocks in order, and in a block every thread alone to its next barrier or exit.

use super::memory::Memory;
use super::read::Program;
use super::step::{Surroundings, Then, Thread};
use isa::types::Dim3;

/// A launch of a program.
#[derive(Clone, Debug)]
pub struct Launch<'a> {
    /// The program.
    pub program: &'a Program,
    /// Blocks.
    pub grid: Dim3,
    /// Threads of a block.
    pub block: Dim3,
    /// Bytes of dynamic shared memory.
    pub dynamic_shared: u32,
    /// The arguments' bytes, in order.
    pub args: Vec<Vec<u8>>,
    /// The chip's compute capability, 20 for 2.0: from there on `mad.f32` of older targets is fused, too.
    pub capability: u32,
    /// A thread that executes more instructions than this has hung.
    pub most_steps: u64,
}

impl<'a> Launch<'a> {
    /// A launch without arguments and dynamic shared memory, on a chip of the target's own capability.
    pub fn new(program: &'a Program, grid: impl Into<Dim3>, block: impl Into<Dim3>) -> Self {
        let (grid, block) = (grid.into(), block.into());
        let capability = program.target;
        Self { program, grid, block, dynamic_shared: 0, args: Vec::new(), capability, most_steps: 10_000_000 }
    }
}

/// Runs a launch on global memory, to which the module's own variables are added. The error says which thread did
/// what this interpreter cannot do.
pub fn run(launch: &Launch, global: &mut Memory) -> Result<(), String> {
    let program = launch.program;
    for (address, bytes) in &program.globals {
        global.add(*address, bytes.clone());
    }
    let mut params = parameters(launch)?;
    let mut constants = Memory::of(program.constants.clone());
    for number in 0..launch.grid.count() {
        let ctaid = launch.grid.index_of(number);
        let mut shared = Memory::of(vec![0; program.shared_bytes as usize + launch.dynamic_shared as usize]);
        let around = Surroundings {
            program,
            fused: launch.capability >= 20,
            grid: launch.grid,
            block: launch.block,
            ctaid,
            global,
            shared: &mut shared,
            params: &mut params,
            constants: &mut constants,
        };
        run_block(around, launch.most_steps).map_err(|e| format!("block {ctaid}, {e}"))?;
    }
    Ok(())
}

/// The parameters' memory.
fn parameters(launch: &Launch) -> Result<Memory, String> {
    let places = &launch.program.params;
    if places.len() != launch.args.len() {
        return Err(format!("{} arguments for {} parameters", launch.args.len(), places.len()));
    }
    let mut bytes = Vec::new();
    for (place, argument) in places.iter().zip(&launch.args) {
        if place.bytes != argument.len() as u64 {
            return Err(format!("{} bytes for a parameter of {}", argument.len(), place.bytes));
        }
        bytes.resize(place.address as usize, 0);
        bytes.extend(argument);
    }
    Ok(Memory::of(bytes))
}

fn run_block(mut around: Surroundings, most_steps: u64) -> Result<(), String> {
    let count = around.block.count();
    let new = |i: u64| Thread::new(around.block.index_of(i), i as u32, around.program);
    let mut threads: Vec<Thread> = (0..count).map(new).collect();
    while !threads.is_empty() {
        let mut waiting = Vec::new();
        let mut at = None;
        for mut thread in threads {
            let then = go(&mut thread, &mut around, most_steps)
                .map_err(|e| format!("thread {}: {e}", thread.tid))?;
            let Then::Waits(barrier) = then else { continue };
            if at.is_some_and(|at| at != barrier) {
                return Err(format!("threads wait at barriers {at:?} and {barrier}"));
            }
            at = Some(barrier);
            waiting.push(thread);
        }
        // All have arrived or exited.
        threads = waiting;
    }
    Ok(())
}

/// Runs a thread to its next barrier or its exit.
fn go(thread: &mut Thread, around: &mut Surroundings, most_steps: u64) -> Result<Then, String> {
    for _ in 0..most_steps {
        let then = thread.step(around)?;
        if then != Then::Runs {
            return Ok(then);
        }
    }
    Err(format!("no end after {most_steps} instructions"))
}
