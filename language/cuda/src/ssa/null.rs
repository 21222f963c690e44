//! Null pointers among the addresses of variables. Where pointers have no generic addresses, 0 is
//! also the first address of local, shared and constant memory.

use super::{Binary, Function, Op, Value};

/// The first comparison whose operands can be the address that `is_address` makes, and a null
/// pointer.
pub fn comparison(f: &Function, is_address: impl Fn(&Op) -> bool) -> Option<Value> {
    let mut all = f.blocks.iter().flat_map(|block| &block.insts).copied();
    if !all.clone().any(|value| is_address(f.op(value))) {
        return None;
    }
    let is_variable = closure(f, |f, value, known| match f.op(value) {
        op if is_address(op) => true,
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
    all.find(|value| match *f.op(*value) {
        Op::Cmp(_, a, b) => any(&is_variable, a, b) && any(&is_null, a, b),
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
