//! How a launch ended, as the report tells it.
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
    /// The first blocks of a sampled launch ran to their end; the rest was not simulated. So there
    /// are results of the first blocks only, and the counters are estimates: see
    /// [`SampledReport`](super::sampled::SampledReport).
    Estimated,
    /// A thread did something illegal.
    Trapped {
        /// Everything about it.
        trap: TrapReport,
    },
    /// A user's own scheduling policy did what it must not.
    Scheduler {
        /// Everything about it.
        fault: SchedulerReport,
    },
    /// Nothing can move any more.
    Hung {
        /// Hot cycle at which the last warp came to rest, or, of warps that repeat a loop, at which
        /// that was found; functional: warp instructions executed.
        cycle: u64,
        /// Who waits for what.
        stuck: StuckReport,
    },
    /// Whoever follows the launch wanted no more of it.
    Interrupted {
        /// Where it was stopped: hot cycle, or warp instructions on the functional machine.
        cycle: u64,
        /// What was going on.
        stuck: StuckReport,
    },
    /// `--max-cycles` was reached.
    Limit {
        /// The limit: hot cycles, or warp instructions on the functional machine.
        limit: u64,
        /// What was going on.
        stuck: StuckReport,
    },
}

impl Verdict {
    /// What a launch that did not end was stuck in.
    pub fn stuck(&self) -> Option<&StuckReport> {
        match self {
            Self::Hung { stuck, .. } | Self::Limit { stuck, .. } | Self::Interrupted { stuck, .. } => {
                Some(stuck)
            }
            Self::Finished | Self::Estimated | Self::Trapped { .. } | Self::Scheduler { .. } => None,
        }
    }

    /// Whether the kernel ran to its end, all of it: then its results are there.
    pub fn is_finished(&self) -> bool {
        matches!(self, Self::Finished)
    }

    /// Whether the counters are those of the whole launch: it has finished, or they are estimated.
    pub fn is_whole(&self) -> bool {
        matches!(self, Self::Finished | Self::Estimated)
    }
}

/// A trap in words and numbers.
#[derive(Clone, Debug, Serialize)]
pub struct TrapReport {
    /// What happened.
    pub message: String,
    /// Kernel name.
    pub kernel: String,
    /// Block index.
    pub block: Dim3,
    /// Thread index of the first faulting lane.
    pub thread: Dim3,
    /// Warp number within the block.
    pub warp: u32,
    /// Faulting lanes, bit = lane.
    pub lanes: u32,
    /// SM, on the timed machine.
    pub sm: Option<u32>,
    /// Instruction index.
    pub pc: u32,
    /// Source line number.
    pub line: u32,
    /// Source line text.
    pub source: String,
    /// Character of `source`, from 1, at which the instruction begins.
    pub column: u32,
    /// The instruction as the source has it, as far as it stands on that line.
    pub instruction: String,
    /// Hot cycle (functional: warp instructions executed before).
    pub cycle: u64,
    /// Of a divergent barrier: which lanes are where.
    pub divergent: Option<DivergentBarrier>,
    /// What to do about it, where that is known.
    #[serde(skip)]
    pub help: Option<String>,
}

/// Who is where when a barrier was reached by some lanes of a warp only.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DivergentBarrier {
    /// The barrier's number.
    pub barrier: u32,
    /// The warps of the block that had reached a barrier like this by the stop, ascending; on the
    /// functional machine the first only.
    pub warps: Vec<u32>,
    /// Live lanes of the first warp that are elsewhere, the next to run first.
    pub elsewhere: Vec<Elsewhere>,
}

/// Lanes that are not at the barrier.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Elsewhere {
    /// Which; bit = lane.
    pub lanes: u32,
    /// Line at which they stand.
    pub line: u32,
    /// The barrier's own guard holds them back.
    pub guarded: bool,
    /// The barriers that their way may come to next, as (number, line); no number where a register
    /// holds it.
    pub ahead: Vec<(Option<u32>, u32)>,
}

impl TrapReport {
    /// The trap with the text of its source line and instruction.
    /// `warps` are those of the block that had trapped by the stop.
    pub fn new(trap: &Trap, program: &Program, warps: Vec<u32>) -> Self {
        let source = program.source.line(trap.line);
        let span = program.spans.get(trap.pc as usize).copied().unwrap_or_default();
        let text = program.source.text.get(span.range()).unwrap_or_default();
        let before = program.source.text.get(..span.start as usize).unwrap_or_default();
        let on_its_line = before.rsplit('\n').next().unwrap_or_default().trim_start();
        Self {
            column: on_its_line.chars().count() as u32 + 1,
            instruction: text.lines().next().unwrap_or_default().to_owned(),
            message: trap.fault.kind.to_string(),
            help: trap.fault.kind.help(),
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

/// Who is where, if `trap` is a divergent barrier.
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
