//! Being told how far a launch is, and stopping it: a callback that the host program gives its
//! [`Gpu`]. Another is shown the reports.
//!
//! The monitor is called between windows, by one thread, when about so much has been simulated as
//! takes a host some hundredths of a second. That is measured by what the simulator did, for no
//! clock is read in here. Nothing of it shows in a report, and without a monitor nothing is asked
//! or counted for one.
//!
//! Invariant `interrupts`: Following a launch changes no byte. The report of an interrupted launch
//! is exact as of its cycle. Ctrl-C, SIGTERM and SIGHUP end a run with the report so far and leave
//! no temporary file.

use super::gpu::Gpu;
use crate::gpu::machine::Machine;
use crate::stats::Report;
use std::ops::ControlFlow;

/// How far a launch is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress<'a> {
    /// Name of the kernel.
    pub kernel: &'a str,
    /// The launch's number on this GPU, from 1.
    pub launch: u32,
    /// Blocks that have ended.
    pub retired: u64,
    /// Blocks that are simulated: of a sampled launch those of this pass.
    pub blocks: u64,
    /// Hot cycle; 0 on the functional machine.
    pub cycle: u64,
    /// Warp instructions so far.
    pub instructions: u64,
    /// Of a sampled launch, which pass this is.
    pub pass: Option<Pass>,
    /// All kernels that run concurrently, this one and kernels that have ended among them.
    pub all: Concurrent,
}

/// How far concurrent kernels are together; of a kernel that runs alone these are its own numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Concurrent {
    /// Number of kernels.
    pub kernels: usize,
    /// Number of the first launch.
    pub first: u32,
    /// Blocks that have ended.
    pub retired: u64,
    /// Blocks that are simulated.
    pub blocks: u64,
    /// Warp instructions so far.
    pub instructions: u64,
}

/// One simulation of the first blocks of a sampled launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pass {
    /// Its number, from 1. How many there will be is not known beforehand.
    pub number: u32,
    /// Blocks of the grid.
    pub of_blocks: u64,
}

/// Who is told. On `Break` the launch stops there, its report says
/// [`Interrupted`](crate::stats::report::Verdict::Interrupted), and no results should be expected
/// of it.
pub type Monitor = Box<dyn FnMut(&Progress<'_>) -> ControlFlow<()> + Send>;

/// Is shown reports.
pub type Listener = Box<dyn FnMut(&Report) + Send>;

impl Gpu {
    /// From now on `monitor` is told of every launch, on either machine, how far it is; a launch
    /// that is short is not told of at all. Of concurrent kernels it is told of each that has not
    /// ended, one after the other, and stops all of them. `None`: nobody is. Returns who was
    /// before.
    pub fn monitor(&mut self, monitor: Option<Monitor>) -> Option<Monitor> {
        std::mem::replace(&mut self.monitor, monitor)
    }

    /// From now on `listener` is shown the report of every launch before the host program gets it.
    /// `None`: nobody is. Returns who was before.
    pub fn listen(&mut self, listener: Option<Listener>) -> Option<Listener> {
        std::mem::replace(&mut self.listener, listener)
    }
}

/// Island ticks between two calls: some hundredths of a second.
const TICKS: u64 = 1 << 17;

/// Fewest and most hot cycles between two calls.
const CYCLES: (u64, u64) = (1 << 10, 1 << 24);

/// When the monitor of a timed launch is called next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Pace {
    every: u64,
    ticks: u64,
    /// The hot cycle of the next call.
    pub next: u64,
}

impl Pace {
    /// For a launch that begins.
    pub fn new() -> Self {
        Self { every: CYCLES.0, ticks: 0, next: CYCLES.0 }
    }

    /// The machine has come to hot cycle `at`, after `ticks` more ticks. Whether it is time for a
    /// call.
    pub fn came(&mut self, at: u64, ticks: u64) -> bool {
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

/// How far kernel `k` of `machine` is, which has paused at hot cycle `at`.
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
        pass,
        all,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_are_as_far_apart_as_the_work_wants() {
        let mut pace = Pace::new();
        assert!(!pace.came(1023, 1));
        assert!(pace.came(1024, 1));
        assert_eq!(pace.next, 1024 + 2048, "little was done: the next is farther off");
        let ticks = |cycles: u64, each: u64| {
            let (mut pace, mut at, mut calls) = (Pace::new(), 0, Vec::new());
            while at < cycles {
                let ticks = (pace.next - at) * each / 8;
                at = pace.next;
                assert!(pace.came(at, ticks));
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
