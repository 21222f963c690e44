//! List scheduling: orders the instructions of each basic block so that loads are ahead of their
//! readers and independent chains alternate, as `ptxas` does.
//!
//! No instruction leaves its block. Calls, barriers, fences, votes, clocks and control flow keep
//! their places, and nothing moves across them. Between them an instruction moves only as far as
//! its registers allow ([`graph`]): after the writes that it reads, before the writes of registers
//! that it reads. Two accesses to one state space keep their order unless both are loads; volatile
//! and atomic accesses keep their order relative to all others. The micro-ops of a fused
//! instruction stay together, and every micro-op keeps its PTX line.
//!
//! Code that needs many registers is ordered for fewer ([`relieve`]).
//!
//! A kernel or function needs no more registers than before ([`list`]), except that Fermi allocates
//! an even number. An order that is not shorter for a single warp by the latencies of [`latency`]
//! is not used, so code that a compiler has scheduled stays as it is.
//!
//! Invariant `scheduling-changes-no-result`: A schedule changes no result: random and recorded
//! programs leave the same bytes with and without it.

mod graph;
mod latency;
mod list;
#[cfg(test)]
mod tests;

use super::bitset::BitSet;
use super::code::{Code, VInst};
use super::flow::Flow;
use super::link::CallSites;
use super::pressure::peak;
use super::pure::{depends_on_time, is_pure};
use super::slots::{MAX_WORDS, Numbering, live_out};
use crate::sreg::SReg;
use crate::types::Capability;
use crate::uop::Op;
use crate::uop::issue::{Fused, fused_as};
use graph::{Graph, Scratch};
use std::ops::Range;

/// Maximum number of instructions that are ordered together. The time grows with the number of
/// ready instructions, so a very long block is scheduled in pieces.
const WINDOW: usize = 256;

/// Largest number of registers of a thread of 2.x (CUDA C Programming Guide 4.0, appendix F).
const FERMI_REGISTERS: u32 = 63;

/// Whether an order may use a register that is allocated but not needed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spare {
    /// The code needs no more registers than before.
    None,
    /// On Fermi, which allocates pairs, an odd number may become an even one.
    Allocated,
    /// The code may need this number of registers.
    UpTo(u32),
}

/// Schedules each block of linked code.
pub fn schedule(code: &mut Code, sites: &CallSites, target: Capability, spare: Spare) {
    let flow = Flow::new(&code.insts);
    let numbers = Numbering::new(code.registers);
    if flow.starts.len().saturating_mul(numbers.len.div_ceil(64)) > MAX_WORDS {
        return;
    }
    let (outs, _) = live_out(&code.insts, &flow, &numbers);
    let owner = |block: usize| sites.owner(flow.range(block).start).map_or(0, |function| function + 1);
    let mut budgets = vec![0; 1 + sites.functions.len()];
    for (block, mut live) in outs.iter().cloned().enumerate() {
        let budget = &mut budgets[owner(block)];
        *budget = peak(&code.insts[flow.range(block)], &mut live, &numbers).max(*budget);
    }
    for budget in &mut budgets {
        *budget = match spare {
            Spare::Allocated if target.major == 2 => {
                budget.next_multiple_of(2).min(FERMI_REGISTERS).max(*budget)
            }
            Spare::UpTo(registers) => registers.max(*budget),
            Spare::None | Spare::Allocated => *budget,
        };
    }
    let budgets: Vec<u32> = (0..outs.len()).map(|block| budgets[owner(block)]).collect();
    each_window(code, &flow, outs, &numbers, |insts, units, live, block, scratch| {
        window(insts, units, live, &numbers, budgets[block], scratch);
    });
}

/// Orders the instructions where more than `goal` registers are live so that fewer are: a value is
/// loaded or computed near its reader. Everything else keeps its order.
pub fn relieve(code: &mut Code, goal: u32) {
    let flow = Flow::new(&code.insts);
    let numbers = Numbering::new(code.registers);
    if flow.starts.len().saturating_mul(numbers.len.div_ceil(64)) > MAX_WORDS {
        return;
    }
    let (outs, _) = live_out(&code.insts, &flow, &numbers);
    each_window(code, &flow, outs, &numbers, |insts, units, live, _, scratch| {
        relieve_window(insts, units, live, &numbers, goal, scratch);
    });
}

/// Calls `order` for each window of each block, from last to first. `order` gets the registers that
/// are live after the window and changes them to those before it. `outs` has the registers that are
/// live after each block.
fn each_window(
    code: &mut Code,
    flow: &Flow,
    outs: Vec<BitSet>,
    numbers: &Numbering,
    mut order: impl FnMut(&mut [VInst], &[Range<usize>], &mut BitSet, usize, &mut Scratch),
) {
    let mut scratch = Scratch::new(numbers);
    for (block, mut live) in outs.into_iter().enumerate() {
        let range = flow.range(block);
        let mut end = range.end;
        for units in windows(&code.insts, range.clone()).into_iter().rev() {
            let (first, last) = (units[0].start, units[units.len() - 1].end);
            peak(&code.insts[last..end], &mut live, numbers);
            order(&mut code.insts, &units, &mut live, block, &mut scratch);
            end = first;
        }
    }
}

/// Orders the instructions `units` for `goal` registers if more are live. `live` has the registers
/// that are live after them, and becomes the set before them.
fn relieve_window(
    insts: &mut [VInst],
    units: &[Range<usize>],
    live: &mut BitSet,
    numbers: &Numbering,
    goal: u32,
    scratch: &mut Scratch,
) {
    let whole = units[0].start..units[units.len() - 1].end;
    let after = live.clone();
    let mut least = peak(&insts[whole.clone()], live, numbers);
    if least <= goal || units.len() < 3 {
        return;
    }
    let graph = Graph::new(insts, units, numbers, scratch);
    let mut best = None;
    for budget in [goal, 0] {
        let mut values = list::Values::new(insts, units, live, &after, numbers);
        let order = list::order(&graph, &mut values, budget);
        let of = |unit: &u32| insts[units[*unit as usize].clone()].iter().cloned();
        let ordered: Vec<VInst> = order.iter().flat_map(of).collect();
        let needed = peak(&ordered, &mut after.clone(), numbers);
        if needed < least {
            least = needed;
            best = Some(ordered);
        }
    }
    if let Some(ordered) = best {
        insts[whole].clone_from_slice(&ordered);
    }
}

/// Schedules the instructions `units`. `live` has the registers that are live after them, and
/// becomes the set before them.
fn window(
    insts: &mut [VInst],
    units: &[Range<usize>],
    live: &mut BitSet,
    numbers: &Numbering,
    budget: u32,
    scratch: &mut Scratch,
) {
    let whole = units[0].start..units[units.len() - 1].end;
    let after = live.clone();
    peak(&insts[whole.clone()], live, numbers);
    if units.len() < 3 {
        return;
    }
    let graph = Graph::new(insts, units, numbers, scratch);
    let own: Vec<u32> = (0..units.len() as u32).collect();
    let length = graph.length(&own);
    // A greedy choice of loads may leave too few registers for their readers. A smaller budget
    // takes fewer loads at a time.
    for less in [0, 2, 5] {
        let mut values = list::Values::new(insts, units, live, &after, numbers);
        let order = list::order(&graph, &mut values, budget.saturating_sub(less));
        if graph.length(&order) >= length {
            return;
        }
        let of = |unit: &u32| insts[units[*unit as usize].clone()].iter().cloned();
        let ordered: Vec<VInst> = order.iter().flat_map(of).collect();
        if peak(&ordered, &mut after.clone(), numbers) <= budget {
            insts[whole].clone_from_slice(&ordered);
            return;
        }
    }
}

/// Divides a block into windows of instructions that may change places. Each instruction is the
/// range of its micro-ops.
fn windows(insts: &[VInst], block: Range<usize>) -> Vec<Vec<Range<usize>>> {
    let mut windows: Vec<Vec<Range<usize>>> = Vec::new();
    let mut open = false;
    let mut first = block.start;
    while first < block.end {
        let mut end = first;
        while end + 1 < block.end && insts[end].is_operand() {
            end += 1;
        }
        end += 1;
        let is_test = |inst: &VInst| fused_as(inst.op, inst.aux) == Some(Fused::Test);
        end += usize::from(end < block.end && is_test(&insts[end]));
        if insts[first..end].iter().all(moves) {
            if !open || windows.last().is_none_or(|units| units.len() == WINDOW) {
                windows.push(Vec::new());
            }
            if let Some(units) = windows.last_mut() {
                units.push(first..end);
            }
            open = true;
        } else {
            open = false;
        }
        first = end;
    }
    windows
}

/// Whether a micro-op may change its place: arithmetic, a constant special register, or an access
/// to memory.
fn moves(inst: &VInst) -> bool {
    match inst.op {
        Op::MovSreg => SReg::from_code(inst.imm).is_some_and(|register| !depends_on_time(register)),
        op => is_pure(op) || op.memory().is_some(),
    }
}
