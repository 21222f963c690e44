//! The order that the instructions of a window must keep.

use super::latency;
use crate::lower::code::VInst;
use crate::lower::slots::Numbering;
use crate::uop::{Inst, MemoryKind, MemorySpace};
use std::ops::Range;

/// No instruction.
const NONE: u32 = u32::MAX;

/// Number of state spaces that a kernel writes: shared, global and local memory.
const SPACES: usize = 3;

/// The last accesses to registers, reused by all windows.
pub struct Scratch {
    written: Vec<u32>,
    read: Vec<Vec<u32>>,
}

impl Scratch {
    /// Creates an empty record.
    pub fn new(numbers: &Numbering) -> Self {
        Self { written: vec![NONE; numbers.len], read: vec![Vec::new(); numbers.len] }
    }
}

/// Dependencies between the instructions of a window.
pub struct Graph {
    /// For each instruction those that must come later, with the number of issue slots in between.
    pub later: Vec<Vec<(u32, u32)>>,
    /// For each instruction the number of entries of `later` that name it.
    pub before: Vec<u32>,
    /// Issue slots from each instruction to the end of the longest chain that begins there.
    pub path: Vec<u32>,
}

impl Graph {
    /// Finds the dependencies of `units`, ranges of micro-ops in `insts`.
    pub fn new(insts: &[VInst], units: &[Range<usize>], numbers: &Numbering, scratch: &mut Scratch) -> Self {
        let len = units.len();
        let mut graph = Self { later: vec![Vec::new(); len], before: vec![0; len], path: vec![0; len] };
        let latencies: Vec<u32> = units.iter().map(|unit| latency_of(&insts[unit.clone()])).collect();
        let mut memory: [(u32, Vec<u32>); SPACES] = [const { (NONE, Vec::new()) }; SPACES];
        for (unit, range) in (0..).zip(units) {
            let parts = &insts[range.clone()];
            for number in parts.iter().flat_map(VInst::uses).map(|used| numbers.of(used)) {
                graph.edge(scratch.written[number], unit, &latencies);
                scratch.read[number].push(unit);
            }
            for number in parts.iter().flat_map(VInst::defs).map(|def| numbers.of(def)) {
                graph.edge(scratch.written[number], unit, &latencies);
                for reader in std::mem::take(&mut scratch.read[number]) {
                    graph.link(reader, unit, 0);
                }
                scratch.written[number] = unit;
            }
            let (reads, writes) = parts.iter().map(effect).fold((0, 0), |a, b| (a.0 | b.0, a.1 | b.1));
            for (space, (writer, readers)) in memory.iter_mut().enumerate() {
                if (reads | writes) >> space & 1 == 1 {
                    graph.link(*writer, unit, 1);
                }
                if writes >> space & 1 == 1 {
                    readers.drain(..).for_each(|reader| graph.link(reader, unit, 1));
                    *writer = unit;
                } else if reads >> space & 1 == 1 {
                    readers.push(unit);
                }
            }
        }
        let touched = units.iter().flat_map(|range| &insts[range.clone()]);
        for number in touched.flat_map(|inst| inst.defs().chain(inst.uses())).map(|r| numbers.of(r)) {
            scratch.written[number] = NONE;
            scratch.read[number].clear();
        }
        for unit in (0..len).rev() {
            let below = graph.later[unit].iter().map(|(to, slots)| slots + graph.path[*to as usize]);
            graph.path[unit] = below.max().unwrap_or(0).max(latencies[unit]);
        }
        graph
    }

    /// Orders `unit` behind a write of a register that it reads or writes.
    fn edge(&mut self, writer: u32, unit: u32, latencies: &[u32]) {
        if writer != NONE {
            self.link(writer, unit, latencies[writer as usize]);
        }
    }

    fn link(&mut self, from: u32, to: u32, slots: u32) {
        if from != NONE && from != to {
            self.later[from as usize].push((to, slots));
            self.before[to as usize] += 1;
        }
    }

    /// Returns the number of issue slots until the last result, if one warp issues the instructions
    /// in this order.
    pub fn length(&self, order: &[u32]) -> u32 {
        let mut earliest = vec![0; order.len()];
        let (mut now, mut end) = (0, 0);
        for unit in order {
            let start = now.max(earliest[*unit as usize]);
            for (to, slots) in &self.later[*unit as usize] {
                earliest[*to as usize] = earliest[*to as usize].max(start + slots);
            }
            let rest = if self.later[*unit as usize].is_empty() { self.path[*unit as usize] } else { 0 };
            end = end.max(start + rest);
            now = start + 1;
        }
        end.max(now)
    }
}

/// Returns the latency of an instruction: that of its main micro-op, behind a fused load.
fn latency_of(parts: &[VInst]) -> u32 {
    parts.iter().map(latency::of).max().unwrap_or(0)
}

/// Returns the state spaces that a micro-op reads, and those that it writes, as bits. Volatile and
/// atomic accesses count as writes of all.
fn effect(inst: &VInst) -> (u32, u32) {
    let Some(memory) = inst.op.memory() else { return (0, 0) };
    let all = (1 << SPACES) - 1;
    let spaces = match memory.space {
        // Constant during a launch.
        MemorySpace::Param | MemorySpace::Const => return (0, 0),
        MemorySpace::Shared => 1,
        MemorySpace::Global => 2,
        MemorySpace::Local => 4,
        MemorySpace::Generic => all,
    };
    if memory.kind.is_atomic() || inst.aux & Inst::VOLATILE != 0 {
        return (0, all);
    }
    if memory.kind == MemoryKind::Load { (spaces, 0) } else { (0, spaces) }
}
