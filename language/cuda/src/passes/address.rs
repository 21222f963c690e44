//! Constant parts of addresses become offsets of the access.

use crate::ssa::{Binary, Cfg, Function, Op};

/// Runs the pass.
pub fn run(function: &mut Function) {
    let cfg = Cfg::new(function);
    for &block in &cfg.order {
        for index in 0..function.blocks[block.at()].insts.len() {
            let value = function.blocks[block.at()].insts[index];
            let (Op::Load { mut addr, mut offset, .. }
            | Op::Store { mut addr, mut offset, .. }
            | Op::Atomic { mut addr, mut offset, .. }) = *function.op(value)
            else {
                continue;
            };
            while let Op::Binary(Binary::Add, base, more) = *function.op(addr) {
                let Some(sum) = function.signed(more).and_then(|more| offset.checked_add(more)) else {
                    break;
                };
                if i32::try_from(sum).is_err() || function.constant(base).is_some() {
                    break;
                }
                (addr, offset) = (base, sum);
            }
            if let Op::Load { addr: a, offset: o, .. }
            | Op::Store { addr: a, offset: o, .. }
            | Op::Atomic { addr: a, offset: o, .. } = &mut function.values[value.at()].op
            {
                (*a, *o) = (addr, offset);
            }
        }
    }
}
