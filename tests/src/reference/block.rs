//! A launch: blocks in order, and in a block every thread alone to its next barrier or exit.

use super::memory::Memory;
use super::read::Program;
use super::step::{Outcome, Reduction, Surroundings, Then, Thread, Wait};
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
    /// The chip's compute capability, 20 for 2.0: from there on `mad.f32` of older targets is
    /// fused, too.
    pub capability: u32,
    /// A thread that executes more instructions than this has hung.
    pub most_steps: u64,
}

impl<'a> Launch<'a> {
    /// A launch without arguments and dynamic shared memory, on a chip of the target's own
    /// capability.
    pub fn new(program: &'a Program, grid: impl Into<Dim3>, block: impl Into<Dim3>) -> Self {
        let (grid, block) = (grid.into(), block.into());
        let capability = program.target;
        Self { program, grid, block, dynamic_shared: 0, args: Vec::new(), capability, most_steps: 10_000_000 }
    }
}

/// Runs a launch on global memory, to which the module's own variables are added. The error says
/// which thread did what this interpreter cannot do.
pub fn run(launch: &Launch, global: &mut Memory) -> Result<(), String> {
    let program = launch.program;
    for (address, bytes) in &program.globals {
        global.add(*address, bytes.clone());
    }
    let arguments = parameters(launch)?;
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
            arguments: &arguments,
            constants: &mut constants,
        };
        run_block(around, launch.most_steps).map_err(|e| format!("block {ctaid}, {e}"))?;
    }
    Ok(())
}

/// The arguments' bytes, each where its parameter is.
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

/// A block: its threads, where each of them stands, and how often it has arrived at each barrier
/// without waiting.
struct Block {
    threads: Vec<Thread>,
    at: Vec<Then>,
    arrived: Vec<[u32; 16]>,
}

/// Lanes of a warp.
const LANES: usize = 32;

fn run_block(mut around: Surroundings, most_steps: u64) -> Result<(), String> {
    let count = around.block.count() as usize;
    let new = |i: usize| Thread::new(around.block.index_of(i as u64), i as u32, &around);
    let threads = (0..count).map(new).collect();
    let mut block = Block { threads, at: vec![Then::Runs; count], arrived: vec![[0; 16]; count] };
    loop {
        for i in 0..count {
            block.go(i, &mut around, most_steps)?;
        }
        let went_on = block.votes(&around)? | block.barriers(&around)?;
        if !went_on {
            let stands = block.at.iter().position(|then| *then != Then::Exits);
            return stands.map_or(Ok(()), |i| {
                Err(format!("thread {} waits for ever: {:?}", block.threads[i].tid, block.at[i]))
            });
        }
    }
}

impl Block {
    /// Runs a thread, if it can, to its next barrier, vote or exit.
    fn go(&mut self, i: usize, around: &mut Surroundings, most_steps: u64) -> Result<(), String> {
        let thread = &mut self.threads[i];
        let mut steps = 0;
        while self.at[i] == Then::Runs {
            if steps == most_steps {
                return Err(format!("thread {}: no end after {most_steps} instructions", thread.tid));
            }
            steps += 1;
            match thread.step(around).map_err(|e| format!("thread {}: {e}", thread.tid))? {
                Then::Arrives(barrier) => self.arrived[i][barrier as usize % 16] += 1,
                then => self.at[i] = then,
            }
        }
        Ok(())
    }

    /// The threads that have not exited, by warps.
    fn warps(&self) -> Vec<Vec<usize>> {
        let live = |warp: usize| {
            let end = self.at.len().min(warp + LANES);
            (warp..end).filter(|i| self.at[*i] != Then::Exits).collect::<Vec<_>>()
        };
        (0..self.at.len()).step_by(LANES).map(live).filter(|live| !live.is_empty()).collect()
    }

    /// Lets those warps go on all of whose threads stand at one vote; whether there were any.
    fn votes(&mut self, around: &Surroundings) -> Result<bool, String> {
        let mut any = false;
        for warp in self.warps() {
            let votes: Option<Vec<_>> = warp
                .iter()
                .map(|i| if let Then::Votes(vote) = self.at[*i] { Some((*i, vote)) } else { None })
                .collect();
            let Some(votes) = votes.filter(|v| v.iter().all(|(_, vote)| vote.at == v[0].1.at)) else {
                continue;
            };
            let lanes = |which: &dyn Fn(bool) -> bool| {
                let voted = votes.iter().filter(|(_, vote)| vote.value.is_some_and(which));
                voted.fold(0, |lanes, (i, _)| lanes | 1 << (i % LANES))
            };
            let outcome = Outcome::Lanes(lanes(&|_| true), lanes(&|value| value));
            for (i, vote) in &votes {
                if vote.value.is_some() {
                    self.threads[*i].go_on(outcome, around)?;
                }
                self.at[*i] = Then::Runs;
            }
            any = true;
        }
        Ok(any)
    }

    /// Lets threads go on whose barrier has as many warps as it needs; whether there were any. A
    /// warp has come when its threads wait there or one has arrived, and counts as 32 threads.
    fn barriers(&mut self, around: &Surroundings) -> Result<bool, String> {
        let mut any = false;
        for barrier in 0..16 {
            let wait = |then: &Then| match then {
                Then::Waits(wait) if wait.barrier == barrier => Some(*wait),
                _ => None,
            };
            let waiting: Vec<(usize, Wait)> =
                self.at.iter().enumerate().filter_map(|(i, then)| Some((i, wait(then)?))).collect();
            let Some((_, first)) = waiting.first() else { continue };
            let came = |warp: &&Vec<usize>| {
                warp.iter().all(|i| wait(&self.at[*i]).is_some())
                    || warp.iter().any(|i| self.arrived[*i][barrier as usize] > 0)
            };
            let warps = self.warps();
            let wanted = first.threads.unwrap_or((LANES * warps.len()) as u64);
            if ((LANES * warps.iter().filter(came).count()) as u64) < wanted {
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
                    self.threads[*i].go_on(Outcome::Number(number), around)?;
                }
                self.at[*i] = Then::Runs;
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
