//! Active lanes of the warp instructions of each source line.

use crate::words::Words;
use serde::Serialize;
use std::collections::BTreeMap;

/// Number of possible counts of active lanes, from 0 to 32.
const COUNTS: usize = 33;

/// The warp instructions of a source line by their number of active lanes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LineLanes {
    /// Source line.
    pub line: u32,
    /// Number of active lanes, and the warp instructions with it; ascending, without zeros.
    pub counts: Vec<(u32, u64)>,
}

/// Counts by instruction. Lanes whose guard is false count as active, as in the report.
#[derive(Clone, Debug, Default)]
pub struct Lanes {
    /// For each instruction, the executions by number of active lanes.
    by_pc: Vec<[u64; COUNTS]>,
}

impl Lanes {
    /// Counts for a program of that many instructions.
    pub fn new(instructions: usize) -> Self {
        Self { by_pc: vec![[0; COUNTS]; instructions] }
    }

    /// Counts an instruction that was executed for these lanes.
    pub fn add(&mut self, pc: u32, lanes: u32) {
        if let Some(counts) = self.by_pc.get_mut(pc as usize) {
            counts[lanes.count_ones() as usize] += 1;
        }
    }

    /// Returns the executed lines, ascending.
    pub fn by_line(&self, words: &Words) -> Vec<LineLanes> {
        let mut lines: BTreeMap<u32, [u64; COUNTS]> = BTreeMap::new();
        for (pc, counts) in (0..).zip(&self.by_pc).filter(|(_, counts)| counts.iter().any(|n| *n > 0)) {
            let sums = lines.entry(words.line(pc)).or_insert([0; COUNTS]);
            sums.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
        }
        let row = |(line, sums): (u32, [u64; COUNTS])| LineLanes {
            line,
            counts: (0..).zip(sums).filter(|(_, count)| *count > 0).collect(),
        };
        lines.into_iter().map(row).collect()
    }
}
