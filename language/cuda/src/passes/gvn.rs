//! Global value numbering: merges equal pure instructions, loads of unchanged memory, and loads of
//! values that were just stored.
//!
//! Pure instructions are found in all dominating blocks. Loads and stores are followed along paths
//! of blocks with one predecessor each.

use super::alias::{self, Access};
use crate::ssa::{Block, Cfg, Convert, Function, Mem, Num, Op, Replacements, Ty, Value};
use rustc_hash::FxHashMap;

type Key = (Ty, Op);

/// A value in memory: where, and the value itself.
#[derive(Clone)]
struct Known {
    access: Access,
    mem: Mem,
    lanes: u8,
    value: Value,
    /// Whether the value was stored, and may have more bits than the memory.
    stored: bool,
}

/// Runs the pass. Returns whether anything changed.
pub fn run(function: &mut Function) -> bool {
    let cfg = Cfg::new(function);
    let mut children = vec![Vec::new(); function.blocks.len()];
    for &block in cfg.order.iter().skip(1) {
        children[cfg.idom[block.at()].at()].push(block);
    }
    let mut walk = Walk {
        table: FxHashMap::default(),
        map: Replacements::default(),
        memory: vec![Vec::new(); function.blocks.len()],
    };
    if function.blocks.is_empty() {
        return false;
    }
    // A walk of the dominator tree; leaving a block removes its instructions from the table.
    let mut stack: Vec<(Block, usize, Vec<Key>)> = vec![(Function::ENTRY, 0, Vec::new())];
    while let Some((block, next, mut keys)) = stack.pop() {
        if next == 0 {
            keys = walk.block(function, &cfg, block);
        }
        if let Some(&child) = children[block.at()].get(next) {
            stack.push((block, next + 1, keys));
            stack.push((child, 0, Vec::new()));
        } else {
            for key in keys {
                walk.table.remove(&key);
            }
        }
    }
    let changed = !walk.map.is_empty();
    function.replace(&mut walk.map);
    changed
}

struct Walk {
    table: FxHashMap<Key, Value>,
    map: Replacements,
    /// What is known about memory at the end of each block.
    memory: Vec<Vec<Known>>,
}

impl Walk {
    fn block(&mut self, f: &mut Function, cfg: &Cfg, block: Block) -> Vec<Key> {
        let mut keys = Vec::new();
        let mut memory = match cfg.preds[block.at()][..] {
            [pred] if block != Function::ENTRY => self.memory[pred.at()].clone(),
            _ => Vec::new(),
        };
        let old = std::mem::take(&mut f.blocks[block.at()].insts);
        let mut new = Vec::with_capacity(old.len());
        for value in old {
            f.values[value.at()].op.each_mut(|operand| *operand = self.map.find(*operand));
            let op = f.op(value);
            if op.is_pure() && *op != Op::Undef {
                let key = (f.ty(value), op.clone());
                if let Some(&leader) = self.table.get(&key) {
                    let both = f.values[leader.at()].nsw && f.values[value.at()].nsw;
                    f.values[leader.at()].nsw = both;
                    self.map.set(value, leader);
                    continue;
                }
                self.table.insert(key.clone(), value);
                keys.push(key);
            } else if let Some(other) = Self::access(f, value, &mut memory, &mut new) {
                self.map.set(value, other);
                continue;
            }
            new.push(value);
        }
        f.blocks[block.at()].insts = new;
        f.blocks[block.at()].term.each_mut(|operand| *operand = self.map.find(*operand));
        self.memory[block.at()] = memory;
        keys
    }

    /// Follows an access of memory; returns the value of a load that is already known.
    fn access(
        f: &mut Function,
        value: Value,
        memory: &mut Vec<Known>,
        new: &mut Vec<Value>,
    ) -> Option<Value> {
        let op = f.op(value);
        let access = alias::access(f, op);
        match *op {
            Op::Load { mem, lanes, volatile: false, .. } => {
                let access = access?;
                let found = memory.iter().find(|known| {
                    known.access.same(&access) && known.lanes == lanes && known.mem.bytes() == mem.bytes()
                });
                if let Some(known) = found.cloned()
                    && let Some(value) = same_value(f, &known, mem, value, new)
                {
                    return Some(value);
                }
                memory.push(Known { access, mem, lanes, value, stored: false });
            }
            Op::Store { mem, volatile, ref values, .. } => {
                let single = (values.len() == 1 && !volatile).then(|| values[0]);
                let Some(access) = access else {
                    memory.clear();
                    return None;
                };
                memory.retain(|known| !known.access.may_overlap(f, &access));
                if let Some(value) = single {
                    memory.push(Known { access, mem, lanes: 1, value, stored: true });
                }
            }
            Op::Atomic { .. } => match access {
                Some(access) => memory.retain(|known| !known.access.may_overlap(f, &access)),
                None => memory.clear(),
            },
            ref op if op.writes_memory() => memory.clear(),
            _ => {}
        }
        // Long tables cost time and find little.
        if memory.len() > 64 {
            memory.remove(0);
        }
        None
    }
}

/// The value of a load of `mem` that reads what is known.
fn same_value(f: &mut Function, known: &Known, mem: Mem, load: Value, new: &mut Vec<Value>) -> Option<Value> {
    if known.mem == mem && (!known.stored || mem.bytes() >= 4) {
        return Some(known.value);
    }
    if known.lanes != 1 {
        return None;
    }
    let op = match mem {
        Mem::U8 => Op::Convert(Convert::c(Num::U32, Num::U8), known.value),
        Mem::U16 => Op::Convert(Convert::c(Num::U32, Num::U16), known.value),
        Mem::S8 => Op::Convert(Convert::c(Num::S32, Num::S8), known.value),
        Mem::S16 => Op::Convert(Convert::c(Num::S32, Num::S16), known.value),
        _ => Op::Bits(known.value),
    };
    let loc = f.values[load.at()].loc;
    let value = f.add_value(mem.ty(), op, loc);
    new.push(value);
    Some(value)
}
