//! Promotes slots of local memory to values.
//!
//! A slot is split into the parts that loads and stores access at constant offsets (scalar
//! replacement of aggregates). A part becomes a value if every access of its bytes has its offset
//! and size, and if the address of the slot is used for nothing but such accesses. Blocks with
//! several predecessors get a parameter for each part that is live there; `simplify` removes the
//! parameters that turn out to be copies.

use crate::ssa::{Cfg, Convert, Function, Loc, Mem, Num, Op, Replacements, Space, Ty, Value, Variable};
use rustc_hash::FxHashMap;

/// Values of parts that all blocks together have while a function is promoted.
const MAX_STATE: usize = 4 << 20;

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
    // Each block has a value for each part: memory and time are the product. What is left is
    // promoted by the next call.
    let most = (MAX_STATE / function.blocks.len().max(1)).max(64);
    let parts: FxHashMap<_, _> = parts.into_iter().filter(|(_, (index, _))| *index < most).collect();
    let live = liveness(function, &cfg, &places, &parts);
    Renamer {
        function,
        places,
        parts,
        outgoing: FxHashMap::default(),
        replacements: Replacements::default(),
    }
    .run(&cfg, &live);
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
    /// Values of the parts at the end of each block.
    outgoing: FxHashMap<u32, Vec<Option<Value>>>,
    replacements: Replacements,
}

impl Renamer<'_> {
    fn run(mut self, cfg: &Cfg, live: &[Vec<u64>]) {
        let mut mems = vec![Mem::B32; self.parts.len()];
        let mut variables = vec![None; self.parts.len()];
        for (part, (index, mem)) in &self.parts {
            mems[*index] = *mem;
            let local = self.function.slots[part.slot as usize].local;
            variables[*index] = local.map(|local| Variable { local, offset: part.offset as u32 });
        }
        let is_live =
            |block: crate::ssa::Block, index: usize| live[block.at()][index / 64] >> (index % 64) & 1 != 0;
        let joins: Vec<bool> = self
            .function
            .block_ids()
            .map(|block| cfg.preds[block.at()].len() != 1 && block != Function::ENTRY)
            .collect();
        for &block in &cfg.order {
            let mut state: Vec<Option<Value>> = if joins[block.at()] {
                (0..mems.len())
                    .map(|index| {
                        is_live(block, index).then(|| {
                            let param = self.function.add_param(block, mems[index].ty());
                            self.function.values[param.at()].variable = variables[index];
                            param
                        })
                    })
                    .collect()
            } else {
                let pred = cfg.preds[block.at()].first();
                pred.and_then(|pred| self.outgoing.get(&pred.0))
                    .cloned()
                    .unwrap_or_else(|| vec![None; mems.len()])
            };
            let old = std::mem::take(&mut self.function.blocks[block.at()].insts);
            let mut new = Vec::with_capacity(old.len());
            for value in old {
                self.rename(value, (&mems, &variables), &mut state, &mut new);
            }
            self.function.blocks[block.at()].insts = new;
            self.outgoing.insert(block.0, state);
        }
        for &block in &cfg.order {
            let mut term = std::mem::take(&mut self.function.blocks[block.at()].term);
            for jump in term.jumps_mut().filter(|jump| joins[jump.to.at()]) {
                for (index, mem) in mems.iter().enumerate().filter(|(index, _)| is_live(jump.to, *index)) {
                    let value = self.outgoing.get(&block.0).and_then(|state| state[index]);
                    let value = value
                        .unwrap_or_else(|| self.function.push(block, mem.ty(), Op::Undef, Loc::default()));
                    jump.args.push(value);
                }
            }
            self.function.blocks[block.at()].term = term;
        }
        self.function.replace(&mut self.replacements);
    }

    fn rename(
        &mut self,
        value: Value,
        (mems, variables): (&[Mem], &[Option<Variable>]),
        state: &mut [Option<Value>],
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
                        let current = state[index].unwrap_or_else(|| {
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
                    self.outgoing.insert(u32::MAX - value.0, loaded.into_iter().map(Some).collect());
                }
            }
            Op::Extract(all, lane) => {
                let all = self.replacements.find(all);
                match self.outgoing.get(&(u32::MAX - all.0)).and_then(|list| list[lane as usize]) {
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
                        state[index] = Some(stored);
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
