//! Moves arrays of functions that are initialized with constants and only read afterwards to
//! constant memory: the tables that a kernel looks values up in.

use crate::ssa::{Binary, Block, Cfg, Function, Mem, Op, Space, SymId, Symbol, Value};

/// Bytes of an array.
const MAX_BYTES: u64 = 4096;
/// Bytes of constant memory that stay free for the variables of the program.
const MAX_CONSTANT: u64 = 60_000;

/// An array that can be moved, with its bytes.
struct Table {
    slot: u32,
    bytes: Vec<u8>,
    stores: Vec<Value>,
}

/// Runs the pass; adds the tables to the variables of the module. Returns whether it found one.
pub fn run(f: &mut Function, symbols: &mut Vec<Symbol>) -> bool {
    if f.slots.is_empty() {
        return false;
    }
    let cfg = Cfg::new(f);
    let roots = roots(f, &cfg);
    let all = accesses(f, &cfg, &roots);
    let mut used: u64 =
        symbols.iter().filter(|symbol| symbol.space == Space::Const).map(|one| one.size).sum();
    let mut removed = vec![false; f.values.len()];
    let mut any = false;
    for slot in 0..f.slots.len() as u32 {
        let size = f.slots[slot as usize].size;
        if size == 0 || size > MAX_BYTES || used + size > MAX_CONSTANT {
            continue;
        }
        let Some(accesses) = &all[slot as usize] else { continue };
        if let Some(table) = table(f, &cfg, &roots, slot, accesses) {
            table.stores.iter().for_each(|store| removed[store.at()] = true);
            place(f, &roots, table, accesses, symbols);
            used += size;
            any = true;
        }
    }
    if any {
        f.blocks.iter_mut().for_each(|block| block.insts.retain(|value| !removed[value.at()]));
    }
    any
}

/// An instruction in a block: its index there, and itself.
type Access = (Block, usize, Value);

/// For each slot the instructions that make its address, and that load from it or store to it, in
/// order; `None` if its address is used for anything else, or if nothing is loaded.
fn accesses(f: &Function, cfg: &Cfg, roots: &[Root]) -> Vec<Option<Vec<Access>>> {
    let mut all: Vec<Option<Vec<Access>>> = vec![Some(Vec::new()); f.slots.len()];
    let mut loaded = vec![false; f.slots.len()];
    let slot_of = |value: Value| roots[value.at()].map(|(slot, _)| slot as usize);
    for &block in &cfg.order {
        let data = &f.blocks[block.at()];
        for (at, &value) in data.insts.iter().enumerate() {
            let access = match f.op(value) {
                Op::Store { addr, volatile: false, .. } => slot_of(*addr),
                Op::Load { space: Space::Local, addr, volatile: false, .. } => {
                    let slot = slot_of(*addr);
                    if let Some(slot) = slot {
                        loaded[slot] = true;
                    }
                    slot
                }
                Op::Slot(slot) => Some(*slot as usize),
                _ => None,
            };
            if let Some(list) = access.and_then(|slot| all[slot].as_mut()) {
                list.push((block, at, value));
            }
            let mut escapes = |operand: Value| {
                if let Some(slot) = slot_of(operand) {
                    all[slot] = None;
                }
            };
            match f.op(value) {
                Op::Binary(..) if slot_of(value).is_some() => {}
                // The stored values are constants, or the slot is no table.
                Op::Store { volatile: false, values, .. } => values.iter().for_each(|one| escapes(*one)),
                Op::Load { space: Space::Local, volatile: false, .. } => {}
                op => op.each(escapes),
            }
        }
        data.term.each(|operand| {
            if let Some(slot) = slot_of(operand) {
                all[slot] = None;
            }
        });
    }
    for (list, loaded) in all.iter_mut().zip(loaded) {
        if !loaded {
            *list = None;
        }
    }
    all
}

/// For each value that is an address in a slot: the slot, and the offset if it is constant.
type Root = Option<(u32, Option<i64>)>;

fn roots(f: &Function, cfg: &Cfg) -> Vec<Root> {
    let mut roots: Vec<Root> = vec![None; f.values.len()];
    for &block in &cfg.order {
        for &value in &f.blocks[block.at()].insts {
            roots[value.at()] = match *f.op(value) {
                Op::Slot(slot) => Some((slot, Some(0))),
                Op::Binary(Binary::Add, a, b) => {
                    let sum = |(slot, at): (u32, Option<i64>), other: Value| {
                        (slot, at.and_then(|at| at.checked_add(f.signed(other)?)))
                    };
                    match (roots[a.at()], roots[b.at()]) {
                        (Some(root), None) => Some(sum(root, b)),
                        (None, Some(root)) => Some(sum(root, a)),
                        _ => None,
                    }
                }
                _ => None,
            };
        }
    }
    roots
}

/// The table in a slot: its stores are constants at known places, all in one block, and its loads
/// come behind them.
fn table(f: &Function, cfg: &Cfg, roots: &[Root], slot: u32, accesses: &[Access]) -> Option<Table> {
    let of = |value: Value| roots[value.at()].filter(|(other, _)| *other == slot);
    let mut made = Table { slot, bytes: vec![0; f.slots[slot as usize].size as usize], stores: Vec::new() };
    let mut written = vec![false; made.bytes.len()];
    let mut home: Option<(Block, usize)> = None;
    let mut loads = Vec::new();
    for &(block, at, value) in accesses {
        match f.op(value) {
            Op::Store { space, mem, addr, offset, values, .. } => {
                let start = of(*addr)?.1?.checked_add(*offset)?;
                let elsewhere = home.is_some_and(|(home, _)| home != block);
                if *space != Space::Local || elsewhere || !loads.is_empty() {
                    return None;
                }
                home = Some((block, at));
                for (lane, stored) in values.iter().enumerate() {
                    let first = usize::try_from(start).ok()? + lane * mem.bytes() as usize;
                    let bits = f.constant(*stored)?.to_le_bytes();
                    for (index, byte) in bits.iter().take(mem.bytes() as usize).enumerate() {
                        let place = first + index;
                        if std::mem::replace(written.get_mut(place)?, true) {
                            return None;
                        }
                        made.bytes[place] = *byte;
                    }
                }
                made.stores.push(value);
            }
            Op::Load { .. } => loads.push((block, at)),
            _ => {}
        }
    }
    let (home, last) = home?;
    let behind = |(block, at): &(Block, usize)| {
        if *block == home { *at > last } else { cfg.dominates(home, *block) }
    };
    // Elements that only the program's logic keeps from being read are 0.
    (!loads.is_empty() && loads.iter().all(behind)).then_some(made)
}

/// Makes a variable of a table and reads it.
fn place(f: &mut Function, roots: &[Root], table: Table, accesses: &[Access], symbols: &mut Vec<Symbol>) {
    let symbol = SymId(symbols.len() as u32);
    let slot = &f.slots[table.slot as usize];
    let (size, align) = (slot.size, slot.align);
    let name = format!("__table_{}_{}", f.name, table.slot);
    for &(_, _, value) in accesses {
        let op = match f.op(value).clone() {
            Op::Slot(_) => Op::Address(symbol),
            Op::Load { mem, lanes, addr, offset, volatile, pointer, .. } => {
                let at = roots[addr.at()].and_then(|(_, at)| at);
                let start = at.and_then(|at| usize::try_from(at + offset).ok());
                match start.filter(|_| lanes == 1).and_then(|at| element(&table.bytes, at, mem)) {
                    Some(bits) => Op::Const(bits),
                    None => Op::Load { space: Space::Const, mem, lanes, addr, offset, volatile, pointer },
                }
            }
            _ => continue,
        };
        f.values[value.at()].op = op;
    }
    symbols.push(Symbol {
        name,
        space: Space::Const,
        size,
        align,
        init: table.bytes,
        relocations: Vec::new(),
        code: Vec::new(),
        external: false,
        visible: false,
        texture: false,
        surface: false,
        sampler: None,
    });
}

/// The value of a load at a known place.
fn element(bytes: &[u8], at: usize, mem: Mem) -> Option<u64> {
    let part = bytes.get(at..at + mem.bytes() as usize)?;
    let mut word = [0u8; 8];
    word[..part.len()].copy_from_slice(part);
    let bits = u64::from_le_bytes(word);
    Some(match mem {
        Mem::S8 => u64::from(bits as u8 as i8 as u32),
        Mem::S16 => u64::from(bits as u16 as i16 as u32),
        _ => bits,
    })
}
