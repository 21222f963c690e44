//! Contracts products and sums into multiply-adds.

use crate::ssa::{Binary, Cfg, Function, Op, Ternary, Ty, Unary, Value};

/// What the target has.
#[derive(Clone, Copy, Debug)]
pub struct Contraction {
    /// Floats are contracted (`-fmad`).
    pub floats: bool,
    /// Doubles are contracted too.
    pub doubles: bool,
    /// The target is `sm_20` or later. Earlier targets multiply 24 bits faster than 32.
    pub fermi: bool,
}

/// Runs the pass.
pub fn run(function: &mut Function, how: Contraction) {
    if !how.fermi {
        narrow(function);
    }
    let uses = uses(function);
    // Products outside of the block stay there: they may be invariant in a loop.
    let mut here = vec![false; function.values.len()];
    let cfg = Cfg::new(function);
    for &block in &cfg.order {
        let old = std::mem::take(&mut function.blocks[block.at()].insts);
        let mut new = Vec::with_capacity(old.len());
        for value in &old {
            here[value.at()] = true;
        }
        for value in old {
            contract(function, value, how, &uses, &here, &mut new);
            new.push(value);
        }
        for value in &new {
            // Negations that were added are beyond the end.
            if let Some(here) = here.get_mut(value.at()) {
                *here = false;
            }
        }
        function.blocks[block.at()].insts = new;
    }
}

/// Products of operands with at most 24 significant bits become `mul24`.
fn narrow(f: &mut Function) {
    for index in 0..f.values.len() {
        let Op::Binary(Binary::Mul, a, b) = f.values[index].op else { continue };
        if f.values[index].ty != Ty::I32 {
            continue;
        }
        let (x, y) = (super::fold::upper_bits(f, a), super::fold::upper_bits(f, b));
        if x <= 24 && y <= 24 {
            f.values[index].op = Op::Binary(Binary::Mul24U, a, b);
        }
    }
}

/// Number of uses of each value.
fn uses(f: &Function) -> Vec<u32> {
    let mut uses = vec![0; f.values.len()];
    for block in &f.blocks {
        block.insts.iter().for_each(|value| f.op(*value).each(|operand| uses[operand.at()] += 1));
        block.term.each(|operand| uses[operand.at()] += 1);
    }
    uses
}

fn contract(
    f: &mut Function,
    value: Value,
    how: Contraction,
    uses: &[u32],
    here: &[bool],
    new: &mut Vec<Value>,
) {
    let ty = f.ty(value);
    let Op::Binary(op @ (Binary::Add | Binary::Sub), a, b) = *f.op(value) else { return };
    let floats = match ty {
        Ty::F32 => how.floats,
        Ty::F64 => how.doubles,
        _ => false,
    };
    if ty.is_float() {
        if !floats {
            return;
        }
        let product = |f: &Function, v: Value| match *f.op(v) {
            Op::Binary(Binary::Mul, x, y) if uses[v.at()] == 1 && here[v.at()] => Some((x, y)),
            _ => None,
        };
        let op = if op == Binary::Add {
            let (product, other) = match (product(f, a), product(f, b)) {
                (Some(product), _) => (product, b),
                (None, Some(product)) => (product, a),
                (None, None) => return,
            };
            Op::Ternary(Ternary::Mad, product.0, product.1, other)
        } else if let Some((x, y)) = product(f, a) {
            let minus = negated(f, b, ty, value, new);
            Op::Ternary(Ternary::Mad, x, y, minus)
        } else if let Some((x, y)) = product(f, b) {
            let minus = negated(f, x, ty, value, new);
            Op::Ternary(Ternary::Mad, minus, y, a)
        } else {
            return;
        };
        f.values[value.at()].op = op;
        return;
    }
    if op != Binary::Add {
        return;
    }
    let product = |f: &Function, v: Value| match *f.op(v) {
        Op::Binary(kind, x, y) if uses[v.at()] == 1 && here[v.at()] => {
            let op = match kind {
                Binary::Mul if ty == Ty::I32 => Ternary::Mad,
                // A product of addresses with a power of two is a cheap shift inside a sum below
                // sm_20, and `mad.wide` has no constant address there.
                Binary::MulWideS if how.fermi => Ternary::MadWideS,
                Binary::MulWideU if how.fermi => Ternary::MadWideU,
                Binary::Mul24S => Ternary::Mad24S,
                Binary::Mul24U => Ternary::Mad24U,
                _ => return None,
            };
            Some((op, x, y))
        }
        _ => None,
    };
    let (found, other) = match (product(f, a), product(f, b)) {
        (Some(found), _) => (found, b),
        (None, Some(found)) => (found, a),
        (None, None) => return,
    };
    f.values[value.at()].op = Op::Ternary(found.0, found.1, found.2, other);
}

/// The value with the opposite sign, added before `user`.
fn negated(f: &mut Function, value: Value, ty: Ty, user: Value, new: &mut Vec<Value>) -> Value {
    let loc = f.values[user.at()].loc;
    let op = match f.constant(value) {
        Some(bits) if ty == Ty::F32 => Op::Const(bits ^ (1 << 31)),
        Some(bits) => Op::Const(bits ^ (1 << 63)),
        None => Op::Unary(Unary::Neg, value),
    };
    let minus = f.add_value(ty, op, loc);
    new.push(minus);
    minus
}
