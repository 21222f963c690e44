//! Strength reduction: addresses that grow by an invariant amount in each iteration become loop
//! variables, and the loop's test uses one of them if its counter has no other use.

mod affine;
mod exit;

use super::licm;
use super::unroll::{Counter, counters};
use crate::ssa::{Binary, Block, Cfg, Function, Loop, Loops, Op, Replacements, Value};
use affine::Affine;

/// Instructions that are looked at, which is the whole function for each loop.
const MAX_STEPS: usize = 10_000_000;

/// Runs the pass on all loops, inner ones first. Returns whether anything changed. With
/// `keeps_counters`, the loop's test stays: addresses of 64 bits are computed in 32 bits on chips
/// below 2.0, but a comparison of them would need both halves.
pub fn run(function: &mut Function, keeps_counters: bool) -> bool {
    licm::preheaders(function);
    let mut changed = false;
    // The blocks stay the same, only values are added.
    let cfg = Cfg::new(function);
    let mut steps = 0;
    for each in &Loops::new(function, &cfg).loops {
        if reduce(function, &cfg, each, keeps_counters) {
            changed = true;
            steps += function.size();
        }
        if steps > MAX_STEPS {
            break;
        }
    }
    changed
}

fn reduce(f: &mut Function, cfg: &Cfg, each: &Loop, keeps_counters: bool) -> bool {
    let ([latch], Some(preheader)) = (&each.latches[..], each.preheader(f, cfg)) else { return false };
    let latch = *latch;
    let inside = inside(f, each);
    let counters = counters(f, each, preheader, |value| !inside[value.at()]);
    if counters.is_empty() {
        return false;
    }
    let mut reduced: Vec<Pointer> = Vec::new();
    let mut map = Replacements::default();
    for (address, block) in addresses(f, each, &inside) {
        // Copies of the loop's body compute the same address in different blocks.
        if let Some(known) = reduced.iter().position(|known| equal(f, known.address, address, EQUAL_DEPTH)) {
            let always = cfg.dominates(block, latch);
            let known = &mut reduced[known];
            known.always |= always;
            let same = Pointer { address, ..*known };
            map.set(address, same.param);
            reduced.push(same);
            continue;
        }
        let mut affine = Affine { f, inside: &inside, counters: &counters };
        let Some(shape) = affine.shape(address) else { continue };
        if shape == affine::Shape::Invariant || counters.iter().any(|counter| counter.param == address) {
            continue;
        }
        let ty = affine.f.ty(address);
        let loc = affine.f.values[address.at()].loc;
        let (start, step) = (affine.start(address, preheader), affine.step(address, preheader));
        let Some(step) = step else { continue };
        let param = f.add_param(each.header, ty);
        let next = f.push(latch, ty, Op::Binary(Binary::Add, param, step), loc);
        for (from, arg) in [(preheader, start), (latch, next)] {
            let jumps = f.blocks[from.at()].term.jumps_mut().filter(|jump| jump.to == each.header);
            jumps.for_each(|jump| jump.args.push(arg));
        }
        map.set(address, param);
        let always = cfg.dominates(block, latch);
        reduced.push(Pointer { address, param, next, start, always });
    }
    if reduced.is_empty() {
        return false;
    }
    if !keeps_counters {
        exit::replace(f, cfg, each, preheader, &inside, &counters, &reduced);
    }
    f.replace(&mut map);
    true
}

/// A loop variable for an address.
#[derive(Clone, Copy)]
struct Pointer {
    /// The address that it replaces.
    address: Value,
    /// The variable.
    param: Value,
    /// Its value in the next iteration.
    next: Value,
    /// Its value before the loop.
    start: Value,
    /// Whether each iteration accesses memory there.
    always: bool,
}

/// Operations of an address that are compared.
const EQUAL_DEPTH: u32 = 8;

/// Whether two values are computed in the same way from the same values.
fn equal(f: &Function, a: Value, b: Value, depth: u32) -> bool {
    if a == b {
        return true;
    }
    let (Op::Binary(..) | Op::Convert(..) | Op::Const(_), true) = (f.op(a), depth > 0 && f.ty(a) == f.ty(b))
    else {
        return false;
    };
    match (f.op(a), f.op(b)) {
        (Op::Const(x), Op::Const(y)) => x == y,
        (Op::Convert(x, a), Op::Convert(y, b)) => x == y && equal(f, *a, *b, depth - 1),
        (Op::Binary(x, a, c), Op::Binary(y, b, d)) => {
            x == y && equal(f, *a, *b, depth - 1) && equal(f, *c, *d, depth - 1)
        }
        _ => false,
    }
}

/// For each value whether it is defined in the loop.
fn inside(f: &Function, each: &Loop) -> Vec<bool> {
    let mut inside = vec![false; f.values.len()];
    for block in &each.blocks {
        let data = &f.blocks[block.at()];
        data.params.iter().chain(&data.insts).for_each(|value| inside[value.at()] = true);
    }
    inside
}

/// The different addresses of accesses that are computed in the loop, with a block of an access;
/// a block that each iteration executes is preferred by coming first.
fn addresses(f: &Function, each: &Loop, inside: &[bool]) -> Vec<(Value, Block)> {
    let mut found: Vec<(Value, Block)> = Vec::new();
    for &block in &each.blocks {
        for &value in &f.blocks[block.at()].insts {
            let (Op::Load { addr, .. } | Op::Store { addr, .. } | Op::Atomic { addr, .. }) = f.op(value)
            else {
                continue;
            };
            if inside[addr.at()] && *f.op(*addr) != Op::Param && !found.iter().any(|(known, _)| known == addr)
            {
                found.push((*addr, block));
            }
        }
    }
    found
}

/// The counter of which a value is the parameter.
fn counter_of(counters: &[Counter], value: Value) -> Option<&Counter> {
    counters.iter().find(|counter| counter.param == value)
}
