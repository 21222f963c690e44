//! Promotes slots of local memory to values.
//!
//! A slot is split into the parts that loads and stores access at constant offsets (scalar
//! replacement of aggregates). A part becomes a value if every access of its bytes has its offset
//! and size, and if the address of the slot is used for nothing but such accesses. Blocks with
//! several predecessors get a parameter for each part that is live there; `simplify` removes the
//! parameters that turn out to be copies.

use crate::ssa::{
    Block, Cfg, Convert, Function, Loc, Mem, Num, Op, Replacements, Space, Ty, Value, Variable,
};
use rustc_hash::FxHashMap;

/// Parts of all blocks together that are looked at while a function is promoted.
const MAX_STATE: usize = 128 << 20;

/// A part of a slot: its first byte and its bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Part {
    slot: u32,
    offset: i64,
    bytes: i64,
}

/// The address of a place in a slot.
type Place = (u32, i64);

/// Promotes what can be promoted. Returns whether anything changed.
pub fn run(function: &mut Function) -> bool {
    if function.slots.is_empty() {
        return false;
    }
    let cfg = Cfg::new(function);
    let places = places(function, &cfg);
    let parts = parts(function, &cfg, &places);
    if parts.is_empty() {
        return false;
    }
    // Each block has a bit for each part. What is left is promoted by the next call.
    let most = (MAX_STATE / function.blocks.len().max(1)).max(64);
    let parts: FxHashMap<_, _> = parts.into_iter().filter(|(_, (index, _))| *index < most).collect();
    let live = liveness(function, &cfg, &places, &parts);
    let joins = joins(function, &cfg, &places, &parts, &live);
    Renamer { function, places, parts, lanes: FxHashMap::default(), replacements: Replacements::default() }
        .run(&cfg, &joins);
    true
}

/// Slot and offset of each value that is an address in a slot.
fn places(function: &Function, cfg: &Cfg) -> Vec<Option<Place>> {
    let mut places: Vec<Option<Place>> = vec![None; function.values.len()];
    for &block in &cfg.order {
        for &value in &function.blocks[block.at()].insts {
            places[value.at()] = match *function.op(value) {
                Op::Slot(slot) => Some((slot, 0)),
                Op::ToGeneric(Space::Local, a) | Op::Copy(a) => places[a.at()],
                Op::Binary(crate::ssa::Binary::Add, a, b) => match (places[a.at()], function.signed(b)) {
                    (Some((slot, at)), Some(more)) => Some((slot, at.wrapping_add(more))),
                    _ => match (places[b.at()], function.signed(a)) {
                        (Some((slot, at)), Some(more)) => Some((slot, at.wrapping_add(more))),
                        _ => None,
                    },
                },
                _ => None,
            };
        }
    }
    places
}

/// The parts that can be promoted, with the memory type of their values, by slot and offset.
fn parts(function: &Function, cfg: &Cfg, places: &[Option<Place>]) -> FxHashMap<Part, (usize, Mem)> {
    let mut escaped = vec![false; function.slots.len()];
    let mut accesses: Vec<(Part, Mem)> = Vec::new();
    for &block in &cfg.order {
        let data = &function.blocks[block.at()];
        for &value in &data.insts {
            let op = function.op(value);
            let mut escape = |operand: Value| {
                if let Some((slot, _)) = places[operand.at()] {
                    escaped[slot as usize] = true;
                }
            };
            match op {
                Op::Load { mem, lanes, addr, offset, volatile: false, .. } if places[addr.at()].is_some() => {
                    add_parts(&mut accesses, places[addr.at()], *offset, *mem, usize::from(*lanes));
                }
                Op::Store { mem, addr, offset, volatile: false, values, .. }
                    if places[addr.at()].is_some() =>
                {
                    add_parts(&mut accesses, places[addr.at()], *offset, *mem, values.len());
                    values.iter().for_each(|value| escape(*value));
                }
                _ if places[value.at()].is_some() => {}
                op => op.each(escape),
            }
        }
        data.term.each(|operand| {
            if let Some((slot, _)) = places[operand.at()] {
                escaped[slot as usize] = true;
            }
        });
    }
    accesses.retain(|(part, _)| !escaped[part.slot as usize]);
    // Stable: the first access of a part gives its type.
    accesses.sort_by_key(|(part, _)| *part);
    let mut groups: Vec<(Part, Mem, bool)> = Vec::new();
    let mut end = (u32::MAX, 0);
    for (part, mem) in accesses {
        match groups.last_mut() {
            Some((last, _, _)) if *last == part => {}
            Some((last, _, good)) if end.0 == part.slot && part.offset < end.1 => {
                // Accesses of different sizes overlap: all of them stay in memory.
                *good = false;
                end.1 = end.1.max(part.offset + part.bytes);
                let slot = last.slot;
                groups.push((Part { slot, ..part }, mem, false));
            }
            _ => {
                end = (part.slot, part.offset + part.bytes);
                groups.push((part, mem, true));
            }
        }
    }
    groups.retain(|(_, _, good)| *good);
    groups.into_iter().enumerate().map(|(index, (part, mem, _))| (part, (index, mem))).collect()
}

fn add_parts(all: &mut Vec<(Part, Mem)>, place: Option<Place>, offset: i64, mem: Mem, lanes: usize) {
    let Some((slot, at)) = place else { return };
    for lane in 0..lanes as i64 {
        all.push((part(slot, at, offset, mem, lane), mem));
    }
}

fn part(slot: u32, at: i64, offset: i64, mem: Mem, lane: i64) -> Part {
    let bytes = mem.bytes() as i64;
    Part { slot, offset: at.wrapping_add(offset).wrapping_add(lane * bytes), bytes }
}

/// For each block the parts that are read before they are written.
fn liveness(
    function: &Function,
    cfg: &Cfg,
    places: &[Option<Place>],
    parts: &FxHashMap<Part, (usize, Mem)>,
) -> Vec<Vec<u64>> {
    let words = parts.len().div_ceil(64);
    let mut live = vec![vec![0u64; words]; function.blocks.len()];
    let mut killed = live.clone();
    for &block in &cfg.order {
        for &value in &function.blocks[block.at()].insts {
            each_part(function, value, places, parts, |index, is_store, _| {
                let (word, bit) = (index / 64, 1u64 << (index % 64));
                if is_store {
                    killed[block.at()][word] |= bit;
                } else if killed[block.at()][word] & bit == 0 {
                    live[block.at()][word] |= bit;
                }
            });
        }
    }
    let mut changed = true;
    while changed {
        changed = false;
        for &block in cfg.order.iter().rev() {
            for jump in function.blocks[block.at()].term.jumps() {
                for word in 0..words {
                    let new = live[jump.to.at()][word] & !killed[block.at()][word] | live[block.at()][word];
                    changed |= new != live[block.at()][word];
                    live[block.at()][word] = new;
                }
            }
        }
    }
    live
}

/// Whether a bit of a set is on.
fn has(set: &[u64], index: usize) -> bool {
    set[index / 64] >> (index % 64) & 1 != 0
}

/// For each block the parts that need a parameter, sorted: different values come together there,
/// and one of them is read. These are the iterated dominance frontiers of the stores, where the
/// part is live.
fn joins(
    function: &Function,
    cfg: &Cfg,
    places: &[Option<Place>],
    parts: &FxHashMap<Part, (usize, Mem)>,
    live: &[Vec<u64>],
) -> Vec<Vec<usize>> {
    let mut frontier: Vec<Vec<Block>> = vec![Vec::new(); function.blocks.len()];
    for &block in &cfg.order {
        if cfg.preds[block.at()].len() < 2 || block == Function::ENTRY {
            continue;
        }
        for &pred in &cfg.preds[block.at()] {
            let mut at = pred;
            // Above a block that has it, all blocks have it.
            while at != cfg.idom[block.at()] && frontier[at.at()].last() != Some(&block) {
                frontier[at.at()].push(block);
                at = cfg.idom[at.at()];
            }
        }
    }
    let count = parts.values().map(|(index, _)| index + 1).max().unwrap_or(0);
    let mut stores: Vec<Vec<Block>> = vec![Vec::new(); count];
    for &block in &cfg.order {
        for &value in &function.blocks[block.at()].insts {
            each_part(function, value, places, parts, |index, is_store, _| {
                if is_store && stores[index].last() != Some(&block) {
                    stores[index].push(block);
                }
            });
        }
    }
    let mut joins: Vec<Vec<usize>> = vec![Vec::new(); function.blocks.len()];
    for (index, mut work) in stores.into_iter().enumerate() {
        while let Some(block) = work.pop() {
            for &join in &frontier[block.at()] {
                if has(&live[join.at()], index) && joins[join.at()].last() != Some(&index) {
                    joins[join.at()].push(index);
                    work.push(join);
                }
            }
        }
    }
    joins
}

/// Calls a function with index, whether it is a store, and lane for each promoted part that an
/// instruction accesses.
fn each_part(
    function: &Function,
    value: Value,
    places: &[Option<Place>],
    parts: &FxHashMap<Part, (usize, Mem)>,
    mut f: impl FnMut(usize, bool, i64),
) {
    let (addr, offset, mem, lanes, is_store) = match function.op(value) {
        Op::Load { addr, offset, mem, lanes, .. } => (addr, offset, mem, i64::from(*lanes), false),
        Op::Store { addr, offset, mem, values, .. } => (addr, offset, mem, values.len() as i64, true),
        _ => return,
    };
    let Some(&Some((slot, at))) = places.get(addr.at()) else { return };
    for lane in 0..lanes {
        if let Some((index, _)) = parts.get(&part(slot, at, *offset, *mem, lane)) {
            f(*index, is_store, lane);
        }
    }
}

struct Renamer<'a> {
    function: &'a mut Function,
    places: Vec<Option<Place>>,
    parts: FxHashMap<Part, (usize, Mem)>,
    /// The values of each vector load that became single loads.
    lanes: FxHashMap<Value, Vec<Value>>,
    replacements: Replacements,
}

/// The values of the parts at a place.
struct State {
    values: Vec<Option<Value>>,
    /// Replaced values, in order.
    before: Vec<(usize, Option<Value>)>,
}

impl State {
    fn set(&mut self, index: usize, value: Value) {
        self.before.push((index, self.values[index].replace(value)));
    }

    fn leave(&mut self, mark: usize) {
        for (index, value) in self.before.drain(mark..).rev() {
            self.values[index] = value;
        }
    }
}

impl Renamer<'_> {
    fn run(mut self, cfg: &Cfg, joins: &[Vec<usize>]) {
        let count = self.parts.values().map(|(index, _)| index + 1).max().unwrap_or(0);
        let mut mems = vec![Mem::B32; count];
        let mut variables = vec![None; count];
        for (part, (index, mem)) in &self.parts {
            mems[*index] = *mem;
            let local = self.function.slots[part.slot as usize].local;
            variables[*index] = local.map(|local| Variable { local, offset: part.offset as u32 });
        }
        let mut children: Vec<Vec<Block>> = vec![Vec::new(); self.function.blocks.len()];
        for &block in cfg.order.iter().skip(1) {
            children[cfg.idom[block.at()].at()].push(block);
        }
        // A walk of the dominator tree; leaving a block takes its values back.
        let mut state = State { values: vec![None; count], before: Vec::new() };
        let mut stack = vec![(Function::ENTRY, None)];
        while let Some((block, entered)) = stack.pop() {
            if let Some(mark) = entered {
                state.leave(mark);
                continue;
            }
            stack.push((block, Some(state.before.len())));
            for &index in &joins[block.at()] {
                let param = self.function.add_param(block, mems[index].ty());
                self.function.values[param.at()].variable = variables[index];
                state.set(index, param);
            }
            let old = std::mem::take(&mut self.function.blocks[block.at()].insts);
            let mut new = Vec::with_capacity(old.len());
            for value in old {
                self.rename(value, (&mems, &variables), &mut state, &mut new);
            }
            self.function.blocks[block.at()].insts = new;
            let mut term = std::mem::take(&mut self.function.blocks[block.at()].term);
            for jump in term.jumps_mut() {
                for &index in &joins[jump.to.at()] {
                    jump.args.push(state.values[index].unwrap_or_else(|| {
                        self.function.push(block, mems[index].ty(), Op::Undef, Loc::default())
                    }));
                }
            }
            self.function.blocks[block.at()].term = term;
            stack.extend(children[block.at()].iter().rev().map(|child| (*child, None)));
        }
        self.function.replace(&mut self.replacements);
    }

    fn rename(
        &mut self,
        value: Value,
        (mems, variables): (&[Mem], &[Option<Variable>]),
        state: &mut State,
        new: &mut Vec<Value>,
    ) {
        let mut touched = Vec::new();
        each_part(self.function, value, &self.places, &self.parts, |index, _, lane| {
            touched.push((index, lane));
        });
        let loc = self.function.values[value.at()].loc;
        match self.function.op(value).clone() {
            Op::Load { mem, lanes, addr, offset, space, volatile, pointer } if !touched.is_empty() => {
                // A vector load becomes single loads; those of promoted parts are replaced.
                let mut loaded = Vec::new();
                for lane in 0..i64::from(lanes) {
                    let found = touched.iter().find(|(_, at)| *at == lane);
                    let result = if let Some(&(index, _)) = found {
                        let current = state.values[index].unwrap_or_else(|| {
                            let undef = self.function.add_value(mems[index].ty(), Op::Undef, loc);
                            new.push(undef);
                            undef
                        });
                        self.converted(current, mems[index], mem, loc, new)
                    } else {
                        let offset = offset + lane * mem.bytes() as i64;
                        let op = Op::Load { mem, lanes: 1, addr, offset, space, volatile, pointer };
                        let single = self.function.add_value(mem.ty(), op, loc);
                        new.push(single);
                        single
                    };
                    loaded.push(result);
                }
                if lanes == 1 {
                    self.replacements.set(value, loaded[0]);
                } else {
                    self.function.values[value.at()].op = Op::Undef;
                    self.lanes.insert(value, loaded);
                }
            }
            Op::Extract(all, lane) => {
                let all = self.replacements.find(all);
                match self.lanes.get(&all).map(|list| list[lane as usize]) {
                    Some(single) => self.replacements.set(value, single),
                    None => new.push(value),
                }
            }
            Op::Store { mem, addr, offset, space, values, volatile } if !touched.is_empty() => {
                for (lane, stored) in values.iter().enumerate() {
                    let stored = self.replacements.find(*stored);
                    if let Some(&(index, _)) = touched.iter().find(|(_, at)| *at == lane as i64) {
                        let stored = self.converted(stored, mem, mems[index], loc, new);
                        let stored = match variables[index] {
                            Some(variable) => self.assigned(variable, stored, loc, new),
                            None => stored,
                        };
                        state.set(index, stored);
                    } else {
                        let offset = offset + lane as i64 * mem.bytes() as i64;
                        let values = smallvec::smallvec![stored];
                        let op = Op::Store { mem, addr, offset, space, values, volatile };
                        new.push(self.function.add_value(Ty::Void, op, loc));
                    }
                }
            }
            _ => new.push(value),
        }
    }

    /// Notes an assignment to a variable of the source. Returns the assigned value, or its copy.
    fn assigned(&mut self, variable: Variable, value: Value, loc: Loc, new: &mut Vec<Value>) -> Value {
        let data = &mut self.function.values[value.at()];
        let local = &mut self.function.locals[variable.local as usize];
        // The parameter of a kernel has its value before the first instruction.
        if matches!(data.op, Op::KernelParam { .. }) && local.parameter.is_some() && loc == local.loc {
            return value;
        }
        let constant = if let Op::Const(bits) = data.op { Some(bits) } else { None };
        local.assigned.add(variable.offset, loc, constant);
        // A value that another statement or variable has is not written here.
        if data.variable.is_none() && data.loc == loc && constant.is_none() && data.op != Op::Undef {
            data.variable = Some(variable);
            self.function.note_assigned(value);
            return value;
        }
        let ty = data.ty;
        if !self.function.keeps_variables || ty == Ty::I1 || data.op == Op::Undef {
            return value;
        }
        let copy = self.function.add_value(ty, Op::Copy(value), loc);
        self.function.values[copy.at()].variable = Some(variable);
        self.function.note_assigned(copy);
        new.push(copy);
        copy
    }

    /// The value that a load of type `to` finds after a store of type `from` of the same size.
    fn converted(&mut self, value: Value, from: Mem, to: Mem, loc: Loc, new: &mut Vec<Value>) -> Value {
        let op = match to {
            // The stored value may have more than the bits of the memory type.
            Mem::U8 | Mem::S8 | Mem::U16 | Mem::S16 => {
                let num = match to {
                    Mem::U8 => Num::U8,
                    Mem::S8 => Num::S8,
                    Mem::U16 => Num::U16,
                    _ => Num::S16,
                };
                let from = if num.signed() { Num::S32 } else { Num::U32 };
                Op::Convert(Convert::c(from, num), value)
            }
            _ if from.ty() == to.ty() => return value,
            _ => Op::Bits(value),
        };
        let value = self.function.add_value(to.ty(), op, loc);
        new.push(value);
        value
    }
}
