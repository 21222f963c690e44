//! A launch: the blocks in order, and in a block every thread alone to its next barrier or exit.

use super::memory::Memory;
use super::read::ReferenceProgram;
use super::step::{Context, Lanes, Outcome, Reduction, Status, Thread, Wait};
use isa::types::Dim3;

/// A launch of a program.
#[derive(Clone, Debug)]
pub struct Launch<'a> {
    /// Program of all threads of the block.
    pub program: &'a ReferenceProgram,
    /// Grid dimensions.
    pub grid: Dim3,
    /// Block dimensions.
    pub block: Dim3,
    /// Bytes of dynamic shared memory.
    pub dynamic_shared: u32,
    /// Bytes of the arguments, in order.
    pub args: Vec<Vec<u8>>,
    /// The chip's compute capability, 20 for 2.0: from 2.0 on `mad.f32` of older targets is fused,
    /// too.
    pub capability: u32,
    /// Number of instructions after which a thread counts as hanging.
    pub most_steps: u64,
    /// Order of the threads.
    pub order: Order,
    /// Byte that registers, shared and local memory consist of before they are written.
    pub fill: u8,
}

/// Order in which the threads of a block run between barriers. PTX leaves it open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// One thread after the other, each as far as it can run.
    Ascending,
    /// The same, the last thread first.
    Descending,
    /// Any thread for a few instructions, then any other one; from a seed.
    Random(u64),
}

impl<'a> Launch<'a> {
    /// Describes a launch without arguments and dynamic shared memory, on a chip of the target's
    /// capability.
    pub fn new(program: &'a ReferenceProgram, grid: impl Into<Dim3>, block: impl Into<Dim3>) -> Self {
        let (grid, block) = (grid.into(), block.into());
        let capability = program.target;
        Self {
            program,
            grid,
            block,
            dynamic_shared: 0,
            args: Vec::new(),
            capability,
            most_steps: 10_000_000,
            order: Order::Ascending,
            fill: 0,
        }
    }
}

/// Runs a launch on global memory, to which the module's own variables are added. The error names
/// the thread and the unsupported operation.
pub fn run(launch: &Launch, global: &mut Memory) -> Result<(), String> {
    let program = launch.program;
    for (address, bytes) in &program.globals {
        global.add(*address, bytes.clone());
    }
    let arguments = parameters(launch)?;
    let mut constants = Memory::of(program.constants.clone());
    for number in 0..launch.grid.count() {
        let ctaid = launch.grid.index_of(number);
        let shared_bytes = program.shared_bytes as usize + launch.dynamic_shared as usize;
        let mut shared = Memory::of(vec![launch.fill; shared_bytes]);
        let context = Context {
            program,
            fused: launch.capability >= 20,
            grid: launch.grid,
            block: launch.block,
            ctaid,
            global,
            shared: &mut shared,
            arguments: &arguments,
            constants: &mut constants,
            fill: launch.fill,
        };
        run_block(context, launch).map_err(|e| format!("block {ctaid}, {e}"))?;
    }
    Ok(())
}

/// Returns the bytes of the arguments at the offsets of their parameters.
fn parameters(launch: &Launch) -> Result<Vec<u8>, String> {
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
    Ok(bytes)
}

/// A block: its threads, their status, and how often each has arrived at each barrier without
/// waiting.
struct Block {
    threads: Vec<Thread>,
    at: Vec<Status>,
    arrived: Vec<[u32; 16]>,
}

/// Lanes of a warp.
const LANES: usize = 32;

fn run_block(mut context: Context, launch: &Launch) -> Result<(), String> {
    let count = context.block.count() as usize;
    let new = |i: usize| Thread::new(context.block.index_of(i as u64), i as u32, &context);
    let threads = (0..count).map(new).collect();
    let mut block = Block { threads, at: vec![Status::Runs; count], arrived: vec![[0; 16]; count] };
    let mut steps = vec![launch.most_steps; count];
    let mut state = if let Order::Random(seed) = launch.order { seed } else { 0 };
    loop {
        match launch.order {
            Order::Ascending => {
                (0..count).try_for_each(|i| block.go(i, &mut context, &mut steps, u64::MAX))?;
            }
            Order::Descending => {
                (0..count).rev().try_for_each(|i| block.go(i, &mut context, &mut steps, u64::MAX))?;
            }
            Order::Random(_) => loop {
                let running: Vec<usize> = (0..count).filter(|i| block.at[*i] == Status::Runs).collect();
                if running.is_empty() {
                    break;
                }
                state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
                let i = running[(state >> 33) as usize % running.len()];
                block.go(i, &mut context, &mut steps, 1 + (state >> 20) % 64)?;
            },
        }
        let progress = block.votes(&context)? | block.barriers(&context)?;
        if !progress {
            let blocked = block.at.iter().position(|then| *then != Status::Exits);
            return blocked.map_or(Ok(()), |i| {
                Err(format!("thread {} waits forever: {:?}", block.threads[i].tid, block.at[i]))
            });
        }
    }
}

impl Block {
    /// Runs a thread, if it can run, to its next barrier, vote or exit, or for `most` instructions.
    /// `steps` has the number of instructions that each thread may still execute.
    fn go(&mut self, i: usize, context: &mut Context, steps: &mut [u64], most: u64) -> Result<(), String> {
        let thread = &mut self.threads[i];
        for _ in 0..most {
            if self.at[i] != Status::Runs {
                break;
            }
            steps[i] = steps[i].checked_sub(1).ok_or_else(|| format!("thread {}: no end", thread.tid))?;
            match thread.step(context).map_err(|e| format!("thread {}: {e}", thread.tid))? {
                Status::Arrives(barrier) => self.arrived[i][barrier as usize % 16] += 1,
                then => self.at[i] = then,
            }
        }
        Ok(())
    }

    /// Returns the threads that have not exited, by warps.
    fn warps(&self) -> Vec<Vec<usize>> {
        let live = |warp: usize| {
            let end = self.at.len().min(warp + LANES);
            (warp..end).filter(|i| self.at[*i] != Status::Exits).collect::<Vec<_>>()
        };
        (0..self.at.len()).step_by(LANES).map(live).filter(|live| !live.is_empty()).collect()
    }

    /// Completes the votes of warps whose threads are all at the same vote. Returns whether there
    /// were any.
    fn votes(&mut self, context: &Context) -> Result<bool, String> {
        let mut any = false;
        for warp in self.warps() {
            let votes: Option<Vec<_>> = warp
                .iter()
                .map(|i| if let Status::Votes(vote) = self.at[*i] { Some((*i, vote)) } else { None })
                .collect();
            let Some(votes) = votes.filter(|v| v.iter().all(|(_, vote)| vote.at == v[0].1.at)) else {
                continue;
            };
            let mut lanes = Lanes::default();
            for (i, vote) in &votes {
                let bit = 1 << (i % LANES);
                lanes.live |= bit;
                lanes.voted |= if vote.value.is_some() { bit } else { 0 };
                lanes.for_it |= if vote.value == Some(true) { bit } else { 0 };
                lanes.offers[i % LANES] = vote.offers;
            }
            let outcome = Outcome::Lanes(lanes);
            for (i, vote) in &votes {
                if vote.value.is_some() {
                    self.threads[*i].resume(outcome, context)?;
                }
                self.at[*i] = Status::Runs;
            }
            any = true;
        }
        Ok(any)
    }

    /// Completes barriers at which enough warps have arrived. Returns whether there were any. A
    /// warp has arrived when its threads wait there or one of them has arrived, and counts as 32
    /// threads.
    fn barriers(&mut self, context: &Context) -> Result<bool, String> {
        let mut any = false;
        for barrier in 0..16 {
            let wait = |then: &Status| match then {
                Status::Waits(wait) if wait.barrier == barrier => Some(*wait),
                _ => None,
            };
            let waiting: Vec<(usize, Wait)> =
                self.at.iter().enumerate().filter_map(|(i, then)| Some((i, wait(then)?))).collect();
            let Some((_, first)) = waiting.first() else { continue };
            let arrived_warp = |warp: &&Vec<usize>| {
                warp.iter().all(|i| wait(&self.at[*i]).is_some())
                    || warp.iter().any(|i| self.arrived[*i][barrier as usize] > 0)
            };
            let warps = self.warps();
            let wanted = first.threads.unwrap_or((LANES * warps.len()) as u64);
            if ((LANES * warps.iter().filter(arrived_warp).count()) as u64) < wanted {
                continue;
            }
            let held =
                waiting.iter().filter(|(_, wait)| wait.reduction.is_some_and(|(_, holds)| holds)).count();
            for (i, wait) in &waiting {
                if let Some((kind, _)) = wait.reduction {
                    let number = match kind {
                        Reduction::Count => held as u64,
                        Reduction::And => (held == waiting.len()).into(),
                        Reduction::Or => (held > 0).into(),
                    };
                    self.threads[*i].resume(Outcome::Number(number), context)?;
                }
                self.at[*i] = Status::Runs;
            }
            for arrived in &mut self.arrived {
                let of_thread = &mut arrived[barrier as usize];
                *of_thread = of_thread.saturating_sub(1);
            }
            any = true;
        }
        Ok(any)
    }
}
