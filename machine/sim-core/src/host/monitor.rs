//! Progress reports and interruption of a launch: callbacks that the host program gives its
//! [`Gpu`]. A second callback receives the reports.
//!
//! One thread calls the monitor between windows, after about as much simulation as takes a host
//! some hundredths of a second. The amount is measured in simulated work, because the simulator
//! reads no clock. Reports do not depend on the monitor, and without a monitor nothing is counted
//! for it.
//!
//! Invariant `interrupts`: Following a launch changes no byte. The report of an interrupted launch
//! is exact as of its cycle. Ctrl-C, SIGTERM and SIGHUP end a run with the report so far and leave
//! no temporary file.

use super::gpu::Gpu;
use crate::exec::Kernel;
use crate::gpu::functional::Reached;
use crate::gpu::machine::Machine;
use crate::gpu::stop::StopReason;
use crate::gpu::stuck;
use crate::stats::Report;
use isa::source::Files;
use std::collections::BTreeMap;
use std::ops::ControlFlow;

/// Progress of a launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress<'a> {
    /// Name of the kernel.
    pub kernel: &'a str,
    /// Number of the launch on this GPU, from 1.
    pub launch: u32,
    /// Blocks that have ended.
    pub retired: u64,
    /// Blocks to simulate; in a sampled launch, the blocks of this pass.
    pub blocks: u64,
    /// Current shader cycle; 0 on the functional machine.
    pub cycle: u64,
    /// Warp instructions executed so far.
    pub instructions: u64,
    /// The files of the kernel's source.
    pub files: &'a Files,
    /// Line of the source that most warps execute next, or the first warp of the functional
    /// machine; none if no block is resident.
    pub line: Option<u32>,
    /// Pass of a sampled launch.
    pub pass: Option<Pass>,
    /// Totals of all concurrent kernels, including this kernel and the kernels that have ended.
    pub all: Concurrent,
}

/// Joint progress of concurrent kernels; for a kernel that runs alone these are the kernel's
/// numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Concurrent {
    /// Number of kernels.
    pub kernels: usize,
    /// Number of the first launch.
    pub first: u32,
    /// Blocks that have ended.
    pub retired: u64,
    /// Blocks to simulate.
    pub blocks: u64,
    /// Warp instructions executed so far.
    pub instructions: u64,
}

/// One simulation of the first blocks of a sampled launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pass {
    /// Number of the pass, from 1. The number of passes is not known in advance.
    pub number: u32,
    /// Blocks of the grid.
    pub of_blocks: u64,
}

/// Callback that receives the progress. After `Break` the launch stops, the reason is its verdict,
/// and its results are incomplete.
pub type Monitor = Box<dyn FnMut(&Progress<'_>) -> ControlFlow<StopReason> + Send>;

/// Callback that receives the reports.
pub type Listener = Box<dyn FnMut(&Report) + Send>;

impl Gpu {
    /// Sets the monitor that receives the progress of every later launch on either machine; it is
    /// not called for a short launch. For concurrent kernels it is called for each kernel that has
    /// not ended, one after the other, and `Break` stops all of them. `None` removes the monitor.
    /// Returns the previous monitor.
    pub fn monitor(&mut self, monitor: Option<Monitor>) -> Option<Monitor> {
        std::mem::replace(&mut self.monitor, monitor)
    }

    /// Sets the listener that receives the report of every later launch before the host program.
    /// `None` removes the listener. Returns the previous listener.
    pub fn listen(&mut self, listener: Option<Listener>) -> Option<Listener> {
        std::mem::replace(&mut self.listener, listener)
    }
}

/// Component ticks between two calls: some hundredths of a second.
const TICKS: u64 = 1 << 17;

/// Minimum and maximum number of shader cycles between two calls.
const CYCLES: (u64, u64) = (1 << 10, 1 << 24);

/// Schedule of the monitor calls of a timed launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Pace {
    every: u64,
    ticks: u64,
    /// Shader cycle of the next call.
    pub next: u64,
}

impl Pace {
    /// A schedule for a launch that begins, or continues, at shader cycle `at`.
    pub fn new(at: u64) -> Self {
        Self { every: CYCLES.0, ticks: 0, next: at + CYCLES.0 }
    }

    /// Notes that the machine has reached shader cycle `at` after `ticks` more ticks. Returns
    /// whether the monitor is due.
    pub fn advance(&mut self, at: u64, ticks: u64) -> bool {
        self.ticks += ticks;
        if at < self.next {
            return false;
        }
        match self.ticks {
            few if few < TICKS / 2 => self.every = (2 * self.every).min(CYCLES.1),
            many if many > 2 * TICKS => self.every = (self.every / 2).max(CYCLES.0),
            _ => {}
        }
        self.ticks = 0;
        self.next = at.saturating_add(self.every);
        true
    }
}

/// Returns the progress callback of a launch on the functional machine.
pub(super) fn functional_progress<'m>(
    monitor: &'m mut Monitor,
    kernel: &'m Kernel,
) -> impl FnMut(Reached) -> ControlFlow<StopReason> + 'm {
    move |Reached { retired, executed: instructions, pc }| {
        let (launch, blocks) = (kernel.number(), kernel.grid.count());
        monitor(&Progress {
            kernel: &kernel.program.name,
            launch,
            retired,
            blocks,
            cycle: 0,
            instructions,
            files: kernel.program.source.files(),
            line: pc.and_then(|pc| kernel.program.lines.get(pc as usize).copied()),
            pass: None,
            all: Concurrent { kernels: 1, first: launch, retired, blocks, instructions },
        })
    }
}

/// Progress of kernel `k` of `machine`, which has paused at shader cycle `at`.
pub(super) fn of_machine(machine: &Machine, k: usize, at: u64, pass: Option<Pass>) -> Progress<'_> {
    let instructions_of = |k| -> u64 {
        let sms = machine.clusters_of(k).iter().flat_map(|c| &c.sms);
        sms.map(|sm| sm.account.instructions()).sum()
    };
    let kernel = machine.kernel(k);
    let (retired, blocks) = machine.dispatcher.progress(k);
    let instructions = instructions_of(k);
    let kernels = machine.dispatcher.kernels();
    let first = machine.kernel(0).number();
    let mut all = Concurrent { kernels, first, retired: 0, blocks: 0, instructions: 0 };
    for k in 0..kernels {
        let (retired, blocks) = machine.dispatcher.progress(k);
        all.retired += retired;
        all.blocks += blocks;
        all.instructions += instructions_of(k);
    }
    Progress {
        kernel: &kernel.program.name,
        launch: kernel.number(),
        retired,
        blocks,
        cycle: at,
        instructions,
        files: kernel.program.source.files(),
        line: line_of_most(machine, k),
        pass,
        all,
    }
}

/// Returns the source line that most warps of kernel `k` execute next, the first one of several.
fn line_of_most(machine: &Machine, k: usize) -> Option<u32> {
    let lines = &machine.kernel(k).program.lines;
    let mut warps: BTreeMap<u32, u32> = BTreeMap::new();
    for pc in stuck::next_instructions(machine, k) {
        *warps.entry(*lines.get(pc as usize)?).or_default() += 1;
    }
    warps.into_iter().rev().max_by_key(|(_, warps)| *warps).map(|(line, _)| line)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_are_spaced_by_the_simulated_work() {
        let mut pace = Pace::new(0);
        assert!(!pace.advance(1023, 1));
        assert!(pace.advance(1024, 1));
        assert_eq!(pace.next, 1024 + 2048, "little work was done, so the interval doubles");
        let ticks = |cycles: u64, each: u64| {
            let (mut pace, mut at, mut calls) = (Pace::new(0), 0, Vec::new());
            while at < cycles {
                let ticks = (pace.next - at) * each / 8;
                at = pace.next;
                assert!(pace.advance(at, ticks));
                calls.push(ticks);
            }
            *calls.last().expect("there were calls")
        };
        for each in [1, 8, 80] {
            let last = ticks(1 << 26, each);
            assert!((TICKS / 2..=2 * TICKS).contains(&last), "{each} ticks in 8 cycles: {last} at last");
        }
    }
}
