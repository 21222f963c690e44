//! Moves what both arms of a branch compute in front of it, and joins a division with the remainder
//! of the same operands.

use crate::ssa::{Binary, Block, Cfg, Function, Op, Replacements, Terminator, Value};

/// Instructions of an arm that are looked at.
const MAX_LOOK: usize = 64;

/// Runs the pass. Returns whether anything changed.
pub fn run(f: &mut Function) -> bool {
    let cfg = Cfg::new(f);
    let mut map = Replacements::default();
    let mut changed = false;
    for &block in cfg.order.iter().rev() {
        let Terminator::Branch(_, yes, no) = &f.blocks[block.at()].term else { continue };
        let (yes, no) = (yes.to, no.to);
        let alone = |arm: Block| cfg.preds[arm.at()].len() == 1 && f.blocks[arm.at()].params.is_empty();
        if yes != no && yes != block && no != block && alone(yes) && alone(no) {
            changed |= arms(f, block, yes, no, &mut map);
        }
    }
    f.replace(&mut map);
    for &block in &cfg.order {
        changed |= remainders(f, block);
    }
    changed
}

fn arms(f: &mut Function, block: Block, yes: Block, no: Block, map: &mut Replacements) -> bool {
    let mut changed = false;
    let mut index = 0;
    let mut written = false;
    while index < f.blocks[yes.at()].insts.len().min(MAX_LOOK) {
        let value = f.blocks[yes.at()].insts[index];
        f.values[value.at()].op.each_mut(|operand| *operand = map.find(*operand));
        let op = f.op(value).clone();
        let load = matches!(op, Op::Load { volatile: false, .. });
        // The operands must be defined before the branch; constants can move with their users.
        let found = if op.is_pure() || load && !written { equal(f, &op, value, no, load, map) } else { None };
        let free = found.is_some() && operands_outside(f, &op, yes);
        written |= op.writes_memory();
        match found {
            Some(at) if free => {
                let other = f.blocks[no.at()].insts.remove(at);
                f.blocks[yes.at()].insts.remove(index);
                f.displace(value);
                f.blocks[block.at()].insts.push(value);
                let both = f.values[value.at()].nsw && f.values[other.at()].nsw;
                f.values[value.at()].nsw = both;
                // The object of the other load may be no vector.
                if f.values[value.at()].member != f.values[other.at()].member {
                    f.values[value.at()].member = None;
                }
                map.set(other, value);
                changed |= !matches!(op, Op::Const(_));
            }
            _ => index += 1,
        }
    }
    changed
}

/// Position of an equal instruction in the other arm.
fn equal(
    f: &mut Function,
    op: &Op,
    value: Value,
    arm: Block,
    load: bool,
    map: &mut Replacements,
) -> Option<usize> {
    let insts: Vec<Value> = f.blocks[arm.at()].insts.iter().copied().take(MAX_LOOK).collect();
    for (at, other) in insts.into_iter().enumerate() {
        f.values[other.at()].op.each_mut(|operand| *operand = map.find(*operand));
        let candidate = f.op(other);
        if candidate == op && f.ty(other) == f.ty(value) {
            return Some(at);
        }
        if load && candidate.writes_memory() {
            return None;
        }
    }
    None
}

fn operands_outside(f: &Function, op: &Op, arm: Block) -> bool {
    let mut outside = true;
    op.each(|operand| outside &= !f.blocks[arm.at()].insts.contains(&operand));
    outside
}

/// `a % b` beside `a / b` is `a - a / b * b`.
fn remainders(f: &mut Function, block: Block) -> bool {
    let insts = f.blocks[block.at()].insts.clone();
    let mut changed = false;
    for &value in &insts {
        let (div, a, b) = match *f.op(value) {
            Op::Binary(Binary::RemS, a, b) => (Binary::DivS, a, b),
            Op::Binary(Binary::RemU, a, b) => (Binary::DivU, a, b),
            _ => continue,
        };
        let wanted = Op::Binary(div, a, b);
        let Some(quotient) = insts.iter().copied().find(|other| *f.op(*other) == wanted) else { continue };
        let (ty, loc) = (f.ty(value), f.values[value.at()].loc);
        let product = f.add_value(ty, Op::Binary(Binary::Mul, quotient, b), loc);
        f.values[value.at()].op = Op::Binary(Binary::Sub, a, product);
        f.values[value.at()].nsw = false;
        let list = &mut f.blocks[block.at()].insts;
        // The division depends on the same operands, so it can be moved to the remainder.
        list.retain(|other| *other != quotient || list_before(&insts, quotient, value));
        let at = list.iter().position(|other| *other == value).unwrap_or(0);
        let mut added = vec![product];
        if !list_before(&insts, quotient, value) {
            added.insert(0, quotient);
        }
        list.splice(at..at, added);
        changed = true;
    }
    changed
}

fn list_before(insts: &[Value], a: Value, b: Value) -> bool {
    let place = |value: Value| insts.iter().position(|other| *other == value);
    place(a) < place(b)
}
