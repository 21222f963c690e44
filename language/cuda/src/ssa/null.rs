//! Null pointers among the addresses of local variables. Where pointers have no generic addresses,
//! 0 is also the first address of local memory: a function that can tell the two apart leaves it
//! free.

use super::{Binary, Function, Op, Value};

/// Whether a comparison has an address of a local variable and a null pointer as possible operands.
pub fn is_compared(f: &Function) -> bool {
    let all = || f.blocks.iter().flat_map(|block| &block.insts).copied();
    if !all().any(|value| matches!(f.op(value), Op::Slot(_))) {
        return false;
    }
    let is_local = closure(f, |f, value, known| match f.op(value) {
        Op::Slot(_) => true,
        Op::Copy(a)
        | Op::Bits(a)
        | Op::ToGeneric(_, a)
        | Op::Convert(_, a)
        | Op::Binary(Binary::Sub, a, _) => known[a.at()],
        Op::Binary(Binary::Add, a, b) | Op::Select(_, a, b) => known[a.at()] || known[b.at()],
        _ => false,
    });
    let is_null = closure(f, |f, value, known| match f.op(value) {
        Op::Copy(a) | Op::Bits(a) | Op::ToGeneric(_, a) | Op::Convert(_, a) => known[a.at()],
        Op::Select(_, a, b) => known[a.at()] || known[b.at()],
        _ => f.constant(value) == Some(0),
    });
    let any = |known: &[bool], a: Value, b: Value| known[a.at()] || known[b.at()];
    all().any(|value| match *f.op(value) {
        Op::Cmp(_, a, b) => any(&is_local, a, b) && any(&is_null, a, b),
        _ => false,
    })
}

/// The values with a property that instructions and block parameters pass on.
fn closure(f: &Function, step: impl Fn(&Function, Value, &[bool]) -> bool) -> Vec<bool> {
    let mut known = vec![false; f.values.len()];
    loop {
        let mut changed = false;
        for block in &f.blocks {
            for &value in &block.insts {
                if !known[value.at()] && step(f, value, &known) {
                    known[value.at()] = true;
                    changed = true;
                }
            }
            for jump in block.term.jumps() {
                for (param, arg) in f.blocks[jump.to.at()].params.iter().zip(&jump.args) {
                    let passes = known[arg.at()] || step(f, *arg, &known);
                    if passes && !known[param.at()] {
                        known[param.at()] = true;
                        changed = true;
                    }
                }
            }
        }
        if !changed {
            return known;
        }
    }
}
