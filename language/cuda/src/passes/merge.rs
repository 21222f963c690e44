//! Moves a store that all predecessors of a block end with to the start of the block: its value
//! becomes a parameter, and the arms may be short enough for selections then.
//!
//! A store in front of a return stays in its arm if another arm has a barrier: threads that return
//! without work behind the arms have left, and a barrier does not wait for them.

use crate::ssa::{Block, Cfg, Function, Op, Terminator, Value};

/// Runs the pass. Returns whether anything changed.
pub fn run(f: &mut Function) -> bool {
    let cfg = Cfg::new(f);
    let mut changed = false;
    for &block in &cfg.order {
        // Each store is in front of those that were moved before.
        while merge(f, &cfg, block) {
            changed = true;
        }
    }
    changed
}

fn merge(f: &mut Function, cfg: &Cfg, block: Block) -> bool {
    let preds = cfg.preds[block.at()].clone();
    let returns = matches!(f.blocks[block.at()].term, Terminator::Return(_));
    if preds.len() < 2 || block == Function::ENTRY || returns && waits(f, cfg, block) {
        return false;
    }
    let stores: Option<Vec<Value>> = preds.iter().map(|pred| last_store(f, *pred, block)).collect();
    let Some(stores) = stores else { return false };
    let first = f.op(stores[0]).clone();
    let same = |store: &Value| match (&first, f.op(*store)) {
        (
            Op::Store { space, mem, addr, offset, values, .. },
            Op::Store { space: s, mem: m, addr: a, offset: o, values: v, .. },
        ) => space == s && mem == m && addr == a && offset == o && values.len() == v.len(),
        _ => false,
    };
    if !stores.iter().all(same) {
        return false;
    }
    let lists: Vec<Vec<Value>> = stores
        .iter()
        .map(|store| match f.op(*store) {
            Op::Store { values, .. } => values.to_vec(),
            _ => Vec::new(),
        })
        .collect();
    let mut op = first;
    if let Op::Store { values, .. } = &mut op {
        for (lane, value) in values.iter_mut().enumerate() {
            if lists.iter().all(|list| list[lane] == lists[0][lane]) {
                continue;
            }
            *value = f.add_param(block, f.ty(*value));
            for (pred, list) in preds.iter().zip(&lists) {
                if let Terminator::Jump(jump) = &mut f.blocks[pred.at()].term {
                    jump.args.push(list[lane]);
                }
            }
        }
    }
    f.values[stores[0].at()].op = op;
    for (pred, store) in preds.iter().zip(&stores) {
        f.blocks[pred.at()].insts.retain(|value| value != store);
    }
    f.blocks[block.at()].insts.insert(0, stores[0]);
    true
}

/// The store at the end of a block that only jumps to another; what follows it only computes.
fn last_store(f: &Function, block: Block, to: Block) -> Option<Value> {
    let data = &f.blocks[block.at()];
    if !matches!(&data.term, Terminator::Jump(jump) if jump.to == to) || block == to {
        return None;
    }
    let store = data.insts.iter().rev().find(|value| !f.op(**value).is_pure())?;
    matches!(f.op(*store), Op::Store { volatile: false, .. }).then_some(*store)
}

/// Whether an arm in front of a block may have a barrier, in it or in a function that it calls.
fn waits(f: &Function, cfg: &Cfg, block: Block) -> bool {
    let before = cfg.idom[block.at()];
    let mut seen = vec![false; f.blocks.len()];
    let mut open = cfg.preds[block.at()].clone();
    while let Some(arm) = open.pop() {
        if arm == before || std::mem::replace(&mut seen[arm.at()], true) {
            continue;
        }
        if f.blocks[arm.at()].insts.iter().any(|value| f.op(*value).may_wait()) {
            return true;
        }
        open.extend(&cfg.preds[arm.at()]);
    }
    false
}
