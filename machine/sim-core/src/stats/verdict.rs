//! The end of a launch in the report.
//!
//! Invariant `every-run-has-a-verdict`: Every run ends with a verdict.

use super::scheduler::SchedulerReport;
use super::stuck::StuckReport;
use crate::exec::trap::{FaultKind, Trap};
use crate::exec::ways;
use isa::types::Dim3;
use isa::uop::Program;
use serde::Serialize;

/// How a launch ended.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Verdict {
    /// Every block ran to its end and memory was drained.
    Finished,
    /// The first blocks of a sampled launch ran to their end; the rest was not simulated. There are
    /// results of the first blocks only, and the counters are estimates: see
    /// [`SampledReport`](super::sampled::SampledReport).
    Estimated,
    /// A thread executed an illegal operation.
    Trapped {
        /// The trap.
        trap: TrapReport,
    },
    /// A user-defined scheduling policy violated its rules.
    Scheduler {
        /// The violation.
        fault: SchedulerReport,
    },
    /// The launch can make no progress.
    Hung {
        /// Shader cycle of the last progress; for warps that repeat a loop, the cycle of the proof.
        /// Functional machine: warp instructions executed.
        cycle: u64,
        /// State of the waiting warps.
        stuck: StuckReport,
    },
    /// The monitor or observer of the launch stopped it.
    Interrupted {
        /// Position of the stop: shader cycle, or warp instructions on the functional machine.
        cycle: u64,
        /// State of the warps.
        stuck: StuckReport,
    },
    /// The monitor of the launch stopped it because its limit on wall time was reached. The
    /// position depends on the host: another run stops elsewhere.
    TimeLimit {
        /// Position of the stop: shader cycle, or warp instructions on the functional machine.
        cycle: u64,
        /// State of the warps.
        stuck: StuckReport,
    },
    /// `--max-cycles` was reached.
    Limit {
        /// The limit: shader cycles, or warp instructions on the functional machine.
        limit: u64,
        /// State of the warps.
        stuck: StuckReport,
    },
}

impl Verdict {
    /// Returns the state of the warps of a launch that did not end.
    pub fn stuck(&self) -> Option<&StuckReport> {
        match self {
            Self::Hung { stuck, .. }
            | Self::Limit { stuck, .. }
            | Self::TimeLimit { stuck, .. }
            | Self::Interrupted { stuck, .. } => Some(stuck),
            Self::Finished | Self::Estimated | Self::Trapped { .. } | Self::Scheduler { .. } => None,
        }
    }

    /// Whether the whole kernel ran to its end, so that its results are complete.
    pub fn is_finished(&self) -> bool {
        matches!(self, Self::Finished)
    }

    /// Whether the counters are those of the whole launch: it has finished, or they are estimated.
    pub fn is_whole(&self) -> bool {
        matches!(self, Self::Finished | Self::Estimated)
    }
}

/// A trap with its position.
#[derive(Clone, Debug, Serialize)]
pub struct TrapReport {
    /// Description of the fault.
    pub message: String,
    /// Kernel name.
    pub kernel: String,
    /// Block index.
    pub block: Dim3,
    /// Thread index of the first faulting lane.
    pub thread: Dim3,
    /// Number of the warp in its block.
    pub warp: u32,
    /// Faulting lanes, bit = lane.
    pub lanes: u32,
    /// SM; `null` on the functional machine.
    pub sm: Option<u32>,
    /// Instruction index.
    pub pc: u32,
    /// Source line number.
    pub line: u32,
    /// Source line text.
    pub source: String,
    /// Column of the instruction in `source`, in characters from 1; 1 in a line of CUDA C.
    pub column: u32,
    /// PTX text of the instruction, up to the end of its line.
    pub instruction: String,
    /// Shader cycle; functional machine: number of warp instructions executed before.
    pub cycle: u64,
    /// Positions of the lanes at a divergent barrier; otherwise `null`.
    pub divergent: Option<DivergentBarrier>,
    /// Advice, if there is any.
    #[serde(skip)]
    pub help: Option<String>,
    /// Kind of the fault.
    #[serde(skip)]
    pub class: TrapClass,
}

/// Kind of a fault, as a host program distinguishes them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TrapClass {
    /// An access outside of every allocation, or to host memory.
    Address,
    /// A misaligned access.
    Misaligned,
    /// An access through a generic address to a state space that it cannot access.
    Space,
    /// A failed assertion.
    Assertion,
    /// Any other fault.
    Other,
}

impl TrapClass {
    fn of(kind: &FaultKind) -> Self {
        match kind {
            FaultKind::OutOfBounds { .. } | FaultKind::HostPointer { .. } => Self::Address,
            FaultKind::Misaligned { .. } => Self::Misaligned,
            FaultKind::WrongSpace { .. } => Self::Space,
            FaultKind::AssertionFailed => Self::Assertion,
            _ => Self::Other,
        }
    }
}

/// Positions of the lanes when only some lanes of a warp reached a barrier.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DivergentBarrier {
    /// Number of the barrier.
    pub barrier: u32,
    /// Warps of the block that had reached a barrier with only some of their live lanes when the
    /// launch stopped (functional machine: only the first).
    pub warps: Vec<u32>,
    /// Groups of the other live lanes of the faulting warp, the next to run first: `lanes`, the
    /// `line` of their position, `guarded` if the guard of the barrier itself excludes them, and
    /// `ahead`, the next barriers on their paths, as pairs of (number, line); the number is `null`
    /// if a register holds it.
    pub elsewhere: Vec<Elsewhere>,
}

/// Lanes that are not at the barrier.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Elsewhere {
    /// The lanes; bit = lane.
    pub lanes: u32,
    /// Line of the lanes' next instruction.
    pub line: u32,
    /// Whether the barrier's guard is false for these lanes.
    pub guarded: bool,
    /// The barriers that the lanes may reach next, as (number, line); no number if a register
    /// contains it.
    pub ahead: Vec<(Option<u32>, u32)>,
}

impl TrapReport {
    /// Makes the report of a trap with the text of its source line and instruction. `warps` are the
    /// warps of the block that had trapped when the launch stopped.
    pub fn new(trap: &Trap, program: &Program, warps: Vec<u32>) -> Self {
        let source = program.source.line(trap.line);
        let text = program.ptx_text(trap.pc);
        Self {
            column: program.column(trap.pc),
            instruction: text.lines().next().unwrap_or_default().to_owned(),
            message: trap.fault.kind.to_string(),
            help: trap.fault.kind.help(),
            class: TrapClass::of(&trap.fault.kind),
            kernel: trap.kernel.clone(),
            block: trap.block,
            thread: trap.thread,
            warp: trap.warp,
            lanes: trap.fault.lanes,
            sm: trap.sm,
            pc: trap.pc,
            line: trap.line,
            source: source.to_owned(),
            cycle: trap.cycle,
            divergent: divergent(trap, program, warps),
        }
    }
}

/// Returns the positions of the lanes, if `trap` is a divergent barrier.
fn divergent(trap: &Trap, program: &Program, warps: Vec<u32>) -> Option<DivergentBarrier> {
    let FaultKind::DivergentBarrier { barrier, .. } = trap.fault.kind else { return None };
    let line = |pc: u32| program.lines.get(pc as usize).copied().unwrap_or(0);
    let ahead = |pc, until| {
        let barriers = ways::barriers_ahead(program, pc, until).into_iter();
        barriers.map(|pc| (program.barrier(&program.code[pc as usize]), line(pc))).collect()
    };
    let mut elsewhere = Vec::new();
    let guarded = trap.side & !trap.fault.lanes;
    if guarded != 0 {
        let ahead = ahead(trap.pc + 1, trap.until);
        elsewhere.push(Elsewhere { lanes: guarded, line: trap.line, guarded: true, ahead });
    }
    elsewhere.extend(trap.waiting.iter().map(|w| Elsewhere {
        lanes: w.lanes,
        line: line(w.pc),
        guarded: false,
        ahead: ahead(w.pc, w.until),
    }));
    Some(DivergentBarrier { barrier, warps, elsewhere })
}
