//! Moves loads of global memory up to the load before them, past stores and arithmetic that do not
//! depend on them, so that their latencies overlap.

use super::alias;
use crate::ssa::{Block, Function, Op, Space, Value};

/// Registers that a group of loads may fill.
const MAX_GROUP: usize = 8;
/// Instructions that may move with a load: the computation of its address.
const MAX_CHAIN: usize = 6;

/// Runs the pass.
pub fn run(f: &mut Function) {
    for block in f.block_ids() {
        let loads = f.blocks[block.at()].insts.iter().filter(|value| lanes(f, **value).is_some()).count();
        if loads > 1 {
            group(f, block);
        }
    }
}

/// Registers that a load of global memory fills.
fn lanes(f: &Function, value: Value) -> Option<usize> {
    match f.op(value) {
        Op::Load { space: Space::Global | Space::Generic, lanes, volatile: false, .. } => {
            Some(usize::from(*lanes))
        }
        _ => None,
    }
}

fn group(f: &mut Function, block: Block) {
    let mut insts = std::mem::take(&mut f.blocks[block.at()].insts);
    // Position after the last load of the group, and the registers that the group fills.
    let mut end: Option<usize> = None;
    let mut filled = 0;
    let mut index = 0;
    while index < insts.len() {
        let Some(lanes) = lanes(f, insts[index]) else {
            index += 1;
            continue;
        };
        let moved = match end {
            Some(to) if to < index && filled + lanes <= MAX_GROUP => hoist(f, &mut insts, index, to),
            _ => None,
        };
        if let Some(after) = moved {
            end = Some(after);
            filled += lanes;
        } else {
            let joins = end == Some(index) && filled + lanes <= MAX_GROUP;
            filled = if joins { filled + lanes } else { lanes };
            end = Some(index + 1);
        }
        // Parts of a vector stay behind their load.
        while let (Some(at), Some(Op::Extract(..))) =
            (end, end.and_then(|at| insts.get(at)).map(|v| f.op(*v)))
        {
            end = Some(at + 1);
        }
        index = index.max(end.unwrap_or(0).saturating_sub(1)) + 1;
    }
    f.blocks[block.at()].insts = insts;
}

/// Moves the load at `from` and the computation of its address to `to`. Returns the position after
/// the load.
fn hoist(f: &Function, insts: &mut [Value], from: usize, to: usize) -> Option<usize> {
    let load = insts[from];
    let access = alias::access(f, f.op(load))?;
    let mut chain = vec![load];
    for at in (to..from).rev() {
        let value = insts[at];
        let needed = chain.iter().any(|user| {
            let mut uses = false;
            f.op(*user).each(|operand| uses |= operand == value);
            uses
        });
        if needed {
            if !f.op(value).is_pure() || chain.len() >= MAX_CHAIN {
                return None;
            }
            chain.push(value);
            continue;
        }
        let op = f.op(value);
        let orders = match op {
            Op::Store { volatile: false, .. } => {
                alias::access(f, op).is_none_or(|other| access.may_overlap(f, &other))
            }
            op => op.writes_memory(),
        };
        if orders {
            return None;
        }
    }
    chain.reverse();
    insts[to..=from].sort_by_key(|value| !chain.contains(value));
    // The sort is stable, so the chain keeps its order and the load is its last instruction.
    Some(to + chain.len())
}
