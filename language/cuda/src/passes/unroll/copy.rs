//! Copies of blocks.

use crate::ssa::{Block, BlockData, Cfg, Function, Local, Loop, Mem, Op, Slot, Space, Ty, Unroll, Value};
use rustc_hash::FxHashMap;

/// The copies of blocks and values.
pub(crate) struct Map {
    blocks: FxHashMap<Block, Block>,
    values: FxHashMap<Value, Value>,
}

impl Map {
    /// The copy of a block, or the block itself.
    pub(crate) fn block(&self, block: Block) -> Block {
        self.blocks.get(&block).copied().unwrap_or(block)
    }

    fn value(&self, value: Value) -> Value {
        self.values.get(&value).copied().unwrap_or(value)
    }
}

/// Copies blocks. Jumps and operands inside refer to the copies.
pub(crate) fn blocks(f: &mut Function, list: &[Block]) -> Map {
    let mut map = Map { blocks: FxHashMap::default(), values: FxHashMap::default() };
    for &block in list {
        let new = f.add_block();
        map.blocks.insert(block, new);
        let data = f.blocks[block.at()].clone();
        let mut copy = |value: &Value| {
            let data = f.values[value.at()].clone();
            f.values.push(data);
            let new = Value(f.values.len() as u32 - 1);
            f.note_assigned(new);
            map.values.insert(*value, new);
            new
        };
        let params = data.params.iter().map(&mut copy).collect();
        let insts = data.insts.iter().map(&mut copy).collect();
        f.blocks[new.at()] = BlockData { params, insts, term: data.term, loc: data.loc };
    }
    for block in list {
        let new = map.block(*block);
        for value in f.blocks[new.at()].insts.clone() {
            f.values[value.at()].op.each_mut(|operand| *operand = map.value(*operand));
        }
        let mut term = std::mem::take(&mut f.blocks[new.at()].term);
        term.each_mut(|operand| *operand = map.value(*operand));
        term.jumps_mut().for_each(|jump| jump.to = map.block(jump.to));
        f.blocks[new.at()].term = term;
    }
    // Requests for inner loops hold for the copies too.
    let inner: Vec<(Block, Unroll)> =
        f.unroll.iter().filter_map(|(head, factor)| Some((*map.blocks.get(head)?, *factor))).collect();
    f.unroll.extend(inner);
    map
}

/// Appends copies of all blocks, values and slots of another function. Returns the first new block,
/// and the copy of the entry.
pub(crate) fn function(f: &mut Function, other: &Function) -> (u32, Block) {
    let (block, value, slot) = (f.blocks.len() as u32, f.values.len() as u32, f.slots.len() as u32);
    let first = f.locals.len() as u32;
    f.locals.extend(other.locals.iter().map(|local| Local { is_inlined: true, ..local.clone() }));
    let own = |slot: &Slot| Slot { local: slot.local.map(|local| local + first), ..slot.clone() };
    f.slots.extend(other.slots.iter().map(own));
    f.unroll.extend(other.unroll.iter().map(|(head, factor)| (Block(head.0 + block), *factor)));
    for data in &other.values {
        let mut data = data.clone();
        data.op.each_mut(|operand| operand.0 += value);
        if let Op::Slot(index) = &mut data.op {
            *index += slot;
        }
        if let Some(variable) = &mut data.variable {
            variable.local += first;
        }
        f.values.push(data);
    }
    for data in &other.blocks {
        let mut data = data.clone();
        data.params.iter_mut().chain(&mut data.insts).for_each(|each| each.0 += value);
        data.term.each_mut(|operand| operand.0 += value);
        data.term.jumps_mut().for_each(|jump| jump.to.0 += block);
        f.blocks.push(data);
    }
    (block, Block(block))
}

/// Values of a loop that are used outside go through slots, which `promote` removes after the loop
/// was copied.
pub(super) fn outside_uses(f: &mut Function, cfg: &Cfg, each: &Loop) {
    let mut home = vec![false; f.values.len()];
    let mut inside = vec![false; f.blocks.len()];
    for &block in &each.blocks {
        inside[block.at()] = true;
        let data = &f.blocks[block.at()];
        data.params.iter().chain(&data.insts).for_each(|value| home[value.at()] = true);
    }
    // Blocks outside, with copies that are newer than the graph.
    let new = (cfg.position.len() as u32..f.blocks.len() as u32).map(Block);
    let outside: Vec<Block> =
        cfg.order.iter().copied().filter(|block| !inside[block.at()]).chain(new).collect();
    // In order of first use, for stable output.
    let mut used: Vec<Value> = Vec::new();
    let mut seen = vec![false; f.values.len()];
    for &block in &outside {
        let data = &f.blocks[block.at()];
        let mut note = |value: Value| {
            if home[value.at()] && !std::mem::replace(&mut seen[value.at()], true) {
                used.push(value);
            }
        };
        data.insts.iter().for_each(|value| f.op(*value).each(&mut note));
        data.term.each(&mut note);
    }
    for value in used {
        let ty = f.ty(value);
        // What costs nothing is repeated outside.
        if let op @ (Op::Const(_) | Op::Undef) = f.op(value).clone() {
            for &block in &outside {
                replace_in(f, block, value, |f| f.add_value(ty, op.clone(), crate::ssa::Loc::default()));
            }
            continue;
        }
        demote(f, &outside, &inside, value);
    }
}

fn demote(f: &mut Function, outside: &[Block], inside: &[bool], value: Value) {
    let ty = f.ty(value);
    let (mem, ptr) = match Mem::of(ty) {
        Some(mem) => (mem, Ty::I32),
        None => (Mem::B32, Ty::I32),
    };
    f.slots.push(Slot { name: String::new(), size: mem.bytes(), align: mem.bytes() as u32, local: None });
    let slot = f.slots.len() as u32 - 1;
    let loc = f.values[value.at()].loc;
    // A predicate is stored as an integer.
    let Some(home) = (0..inside.len()).find(|block| {
        inside[*block]
            && (f.blocks[*block].params.contains(&value) || f.blocks[*block].insts.contains(&value))
    }) else {
        return;
    };
    let mut added = vec![f.add_value(ptr, Op::Slot(slot), loc)];
    let stored = if ty == Ty::I1 {
        let one = f.add_value(Ty::I32, Op::Const(1), loc);
        let zero = f.add_value(Ty::I32, Op::Const(0), loc);
        added.extend([one, zero]);
        let chosen = f.add_value(Ty::I32, Op::Select(value, one, zero), loc);
        added.push(chosen);
        chosen
    } else {
        value
    };
    let (addr, values) = (added[0], smallvec::smallvec![stored]);
    let store = Op::Store { space: Space::Local, mem, addr, offset: 0, volatile: false, values };
    added.push(f.add_value(Ty::Void, store, loc));
    let insts = &mut f.blocks[home].insts;
    let at = insts.iter().position(|inst| *inst == value).map_or(0, |index| index + 1);
    insts.splice(at..at, added);
    for &block in outside {
        let mut extra = Vec::new();
        replace_in(f, block, value, |f| {
            let addr = f.add_value(ptr, Op::Slot(slot), loc);
            let load = Op::Load {
                space: Space::Local,
                mem,
                lanes: 1,
                addr,
                offset: 0,
                volatile: false,
                pointer: false,
            };
            let loaded = f.add_value(mem.ty(), load, loc);
            extra.extend([addr, loaded]);
            if ty == Ty::I1 {
                let zero = f.add_value(Ty::I32, Op::Const(0), loc);
                let truth = f.add_value(Ty::I1, Op::Cmp(crate::ssa::Cmp::Ne, loaded, zero), loc);
                extra.extend([zero, truth]);
                return truth;
            }
            loaded
        });
        // `replace_in` inserted only the last value; its operands precede it.
        if let Some((_, before)) = extra.split_last() {
            f.blocks[block.at()].insts.splice(0..0, before.iter().copied());
        }
    }
}

/// Replaces the uses of a value in a block by a new value, which is inserted at its start.
fn replace_in(f: &mut Function, block: Block, value: Value, make: impl FnOnce(&mut Function) -> Value) {
    let data = &f.blocks[block.at()];
    let mut used = false;
    data.insts.iter().for_each(|inst| f.op(*inst).each(|operand| used |= operand == value));
    data.term.each(|operand| used |= operand == value);
    if !used {
        return;
    }
    let new = make(f);
    let insts = f.blocks[block.at()].insts.clone();
    for inst in insts {
        f.values[inst.at()].op.each_mut(|operand| {
            if *operand == value {
                *operand = new;
            }
        });
    }
    let block = &mut f.blocks[block.at()];
    block.insts.insert(0, new);
    block.term.each_mut(|operand| {
        if *operand == value {
            *operand = new;
        }
    });
}
