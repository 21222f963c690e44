//! Accesses and barriers that the strict rules forbid, counted under the rules of hardware.
//!
//! Invariant `relaxed-rules-are-counted`: Under `--memory page` and `--barriers hardware`, both
//! machines count the same accesses outside of allocations and the same barriers of partial warps,
//! and compute the same results. A report without such counts is the same under all rules.

use crate::counters::PcCounters;
use isa::uop::Program;
use serde::Serialize;

/// Actions of a launch that the strict rules forbid.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RelaxedReport {
    /// Number of times that a thread read outside of every allocation.
    pub past_reads: u64,
    /// Number of times that a thread wrote outside of every allocation, atomics included.
    pub past_writes: u64,
    /// Number of times that a warp reached a barrier with only some of its live threads.
    pub divergent_barriers: u64,
    /// The same counts for each source line, with `line` and `source`.
    pub lines: Vec<RelaxedLine>,
}

/// The counts of one source line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RelaxedLine {
    /// Source line number.
    pub line: u32,
    /// Source line text.
    pub source: String,
    /// Reads outside of every allocation.
    pub past_reads: u64,
    /// Writes outside of every allocation.
    pub past_writes: u64,
    /// Barriers with only some of the live threads of the warp.
    pub divergent_barriers: u64,
}

impl RelaxedReport {
    /// Makes the report from the counters of each instruction; `None` if all counts are 0.
    pub fn new(program: &Program, pcs: &[PcCounters]) -> Option<Self> {
        let counted = |pc: &PcCounters| pc.past_reads + pc.past_writes + pc.partial > 0;
        let mut lines: Vec<RelaxedLine> = Vec::new();
        for (pc, line) in pcs.iter().zip(&program.lines).filter(|(pc, _)| counted(pc)) {
            let place = lines.iter().position(|known| known.line == *line).unwrap_or_else(|| {
                let source = program.source.line(*line).to_owned();
                let zero =
                    RelaxedLine { line: *line, source, past_reads: 0, past_writes: 0, divergent_barriers: 0 };
                lines.push(zero);
                lines.len() - 1
            });
            lines[place].past_reads += pc.past_reads;
            lines[place].past_writes += pc.past_writes;
            lines[place].divergent_barriers += pc.partial;
        }
        lines.sort_by_key(|line| line.line);
        let sum = |of: fn(&RelaxedLine) -> u64| lines.iter().map(of).sum();
        let (past_reads, past_writes) = (sum(|line| line.past_reads), sum(|line| line.past_writes));
        let divergent_barriers = sum(|line| line.divergent_barriers);
        (!lines.is_empty()).then_some(Self { past_reads, past_writes, divergent_barriers, lines })
    }
}
