//! The active lanes of the instructions of each source line, counted while a launch runs.

use isa::uop::Program;
use serde::Serialize;
use sim_core::observe::{Event, Launched, Observer, Watch, What, Why};
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, PoisonError};

/// Lanes of a warp.
const LANES: usize = 32;

/// The histogram of one source line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LineLanes {
    /// Source line.
    pub line: u32,
    /// Text of the line.
    pub source: String,
    /// Warp instructions with 0, 1, … 32 active lanes. A lane whose guard is false is active.
    pub warps: Vec<u64>,
}

/// The histograms of a launch.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Lanes {
    /// Kernel.
    pub kernel: String,
    /// SM.
    pub sm: u32,
    /// Shader cycles that were observed.
    pub cycles: u64,
    /// Executed source lines, in order.
    pub lines: Vec<LineLanes>,
}

/// Warp instructions by their number of active lanes.
type Counts = [u64; LANES + 1];

/// An observer that counts the active lanes of the instructions of one SM.
#[derive(Debug)]
pub struct Recorder {
    /// Number of the launch, from 1.
    launch: u32,
    sm: u32,
    cycles: u64,
    program: Option<Arc<Program>>,
    /// By instruction.
    counts: BTreeMap<u32, Counts>,
    /// Last cycle with an event.
    last: u64,
    result: Arc<Mutex<Lanes>>,
}

impl Recorder {
    /// Observes the first `cycles` shader cycles of SM `sm` in launch number `launch`, from 1. The
    /// launch stops after these cycles. The result is complete when the launch has ended.
    pub fn new(launch: u32, sm: u32, cycles: u64) -> (Self, Arc<Mutex<Lanes>>) {
        let result = Arc::new(Mutex::new(Lanes { sm, ..Lanes::default() }));
        let counts = BTreeMap::new();
        let recorder =
            Self { launch, sm, cycles, program: None, counts, last: 0, result: Arc::clone(&result) };
        (recorder, result)
    }
}

impl Observer for Recorder {
    fn begin(&mut self, launch: &Launched<'_>) -> Option<Watch> {
        if launch.number != self.launch {
            return None;
        }
        self.program = Some(Arc::clone(launch.program));
        let sms = self.sm..self.sm + 1;
        Some(Watch { sms, warps: 0..u32::MAX, cycles: 0..self.cycles, then_stop: true, values: false })
    }

    fn events(&mut self, _: u32, events: &[Event]) -> ControlFlow<()> {
        for event in events {
            self.last = event.cycle;
            // The later slots of an instruction are events, too.
            if let What::State { why: Why::Issued(issued), .. } = &event.what
                && event.cycle == issued.origin.cycle
            {
                let counts = self.counts.entry(issued.origin.pc).or_insert([0; LANES + 1]);
                counts[issued.lanes.count_ones() as usize] += 1;
            }
        }
        ControlFlow::Continue(())
    }

    fn end(&mut self, _: &sim_core::stats::Report) {
        let Some(program) = self.program.take() else { return };
        let mut lines: BTreeMap<u32, Counts> = BTreeMap::new();
        for (pc, counts) in &self.counts {
            let Some(line) = program.lines.get(*pc as usize) else { continue };
            let sums = lines.entry(*line).or_insert([0; LANES + 1]);
            sums.iter_mut().zip(counts).for_each(|(sum, n)| *sum += n);
        }
        let mut result = self.result.lock().unwrap_or_else(PoisonError::into_inner);
        result.kernel.clone_from(&program.name);
        result.cycles = self.last;
        result.lines = lines
            .into_iter()
            .map(|(line, warps)| LineLanes {
                line,
                source: program.source.line(line).to_owned(),
                warps: warps.to_vec(),
            })
            .collect();
    }
}
