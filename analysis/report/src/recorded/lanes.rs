//! Active lanes of the warp instructions of each source line.

use isa::terms::Terms;
use isa::uop::Program;
use serde::Serialize;
use std::collections::BTreeMap;

/// Number of possible counts of active lanes, from 0 to 32.
const COUNTS: usize = 33;

/// The warp instructions of a source line by their number of active lanes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LineLanes {
    /// Source line.
    pub line: u32,
    /// Text of the line.
    pub source: String,
    /// Number of active lanes, and the warp instructions with it; ascending, without zeros. A lane
    /// whose guard is false is active, as in the report.
    pub counts: Vec<(u32, u64)>,
}

/// The active lanes of a launch.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Lanes {
    /// Name of the kernel.
    pub kernel: String,
    /// SM whose instructions were counted.
    pub sm: u32,
    /// Shader cycles in which they were counted.
    pub cycles: u64,
    /// Executed lines, ascending.
    pub lines: Vec<LineLanes>,
    /// The words of the kernel.
    #[serde(skip)]
    pub terms: &'static Terms,
}

/// Counts by instruction.
#[derive(Clone, Debug)]
pub(super) struct Counted {
    /// For each instruction, the executions by number of active lanes.
    by_pc: Vec<[u64; COUNTS]>,
}

impl Counted {
    /// Counts for a program of that many instructions.
    pub(super) fn new(instructions: usize) -> Self {
        Self { by_pc: vec![[0; COUNTS]; instructions] }
    }

    /// Counts an instruction that was executed for these lanes.
    pub(super) fn add(&mut self, pc: u32, lanes: u32) {
        if let Some(counts) = self.by_pc.get_mut(pc as usize) {
            counts[lanes.count_ones() as usize] += 1;
        }
    }

    /// Returns the executed lines, ascending.
    pub(super) fn by_line(&self, program: &Program) -> Vec<LineLanes> {
        let mut lines: BTreeMap<u32, [u64; COUNTS]> = BTreeMap::new();
        for (counts, line) in self.by_pc.iter().zip(&program.lines) {
            if counts.iter().any(|n| *n > 0) {
                let sums = lines.entry(*line).or_insert([0; COUNTS]);
                sums.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
            }
        }
        let row = |(line, sums): (u32, [u64; COUNTS])| LineLanes {
            line,
            source: program.source.line(line).to_owned(),
            counts: (0..).zip(sums).filter(|(_, count)| *count > 0).collect(),
        };
        lines.into_iter().map(row).collect()
    }
}
