//! The test at the end of a loop compares a pointer instead of the counter, if the counter has no
//! other use then.

use super::Pointer;
use super::affine::Affine;
use crate::passes::unroll::Counter;
use crate::ssa::{Binary, Block, Cfg, Cmp, Convert, Function, Loop, Num, Op, Terminator, Ty, Value};

/// Replaces the test of a loop that is left at its latch only.
///
/// Each iteration accesses memory at the pointer, so the addresses up to the end do not wrap. The
/// loop is entered only if the counter is below its limit.
pub(super) fn replace(
    f: &mut Function,
    cfg: &Cfg,
    each: &Loop,
    preheader: Block,
    inside: &[bool],
    counters: &[Counter],
    pointers: &[Pointer],
) -> Option<()> {
    let latch = each.latches[0];
    let exits = each.blocks.iter().flat_map(|block| f.blocks[block.at()].term.jumps());
    if exits.filter(|jump| !each.contains(jump.to)).count() != 1 {
        return None;
    }
    let Terminator::Branch(cond, yes, _) = &f.blocks[latch.at()].term else { return None };
    let (cond, positive) = (*cond, yes.to == each.header);
    let Op::Cmp(cmp, a, b) = *f.op(cond) else { return None };
    let cmp = if positive { cmp } else { cmp.negated() };
    let counter = *counters.iter().find(|counter| counter.next == a)?;
    if inside.get(b.at()).copied().unwrap_or(false) && f.constant(b).is_none() || counter.down {
        return None;
    }
    let one = f.constant(counter.step) == Some(1);
    let order = cmp == Cmp::LtS || cmp == Cmp::Ne && one;
    if !order || f.signed(counter.step)? <= 0 {
        return None;
    }
    if !guarded(f, cfg, preheader, counter.start, b, cmp) || !only_counts(f, each, &counter, cond, pointers) {
        return None;
    }
    // A pointer that grows by a constant factor of the counter.
    let (pointer, factor) = pointers.iter().filter(|pointer| pointer.always).find_map(|pointer| {
        let mut affine = Affine { f, inside, counters };
        factor(&mut affine, pointer.address, &counter, 12).filter(|factor| *factor > 0).map(|k| (pointer, k))
    })?;
    let (ty, loc) = (f.ty(pointer.next), f.values[cond.at()].loc);
    let narrow = f.ty(b);
    let limit = match f.constant(b) {
        Some(bits) => f.push(preheader, narrow, Op::Const(bits), loc),
        None => b,
    };
    let count = f.push(preheader, narrow, Op::Binary(Binary::Sub, limit, counter.start), loc);
    let bytes = match (narrow, ty) {
        (Ty::I32, Ty::I64) => {
            // The guard makes the difference positive; as an unsigned number it cannot overflow.
            let wide = f.push(preheader, ty, Op::Convert(Convert::c(Num::U32, Num::U64), count), loc);
            let factor = f.push(preheader, ty, Op::Const(factor as u64), loc);
            f.push(preheader, ty, Op::Binary(Binary::Mul, wide, factor), loc)
        }
        (a, b) if a == b => {
            let factor = f.push(preheader, ty, Op::Const(factor as u64 & ty.mask()), loc);
            f.push(preheader, ty, Op::Binary(Binary::Mul, count, factor), loc)
        }
        _ => return None,
    };
    let end = f.push(preheader, ty, Op::Binary(Binary::Add, pointer.start, bytes), loc);
    let next = pointer.next;
    let test = if cmp == Cmp::Ne { Cmp::Ne } else { Cmp::LtU };
    let new = f.push(latch, Ty::I1, Op::Cmp(test, next, end), loc);
    if let Terminator::Branch(cond, yes, no) = &mut f.blocks[latch.at()].term {
        *cond = new;
        if !positive {
            std::mem::swap(yes, no);
        }
    }
    Some(())
}

/// Whether the loop is reached only if `start cmp limit` is true.
fn guarded(f: &Function, cfg: &Cfg, preheader: Block, start: Value, limit: Value, cmp: Cmp) -> bool {
    if let (Some(start), Some(limit)) = (f.signed(start), f.signed(limit)) {
        return start < limit;
    }
    let same = |a: Value, b: Value| a == b || f.constant(a).is_some() && f.op(a) == f.op(b);
    let (mut block, mut start, mut limit) = (preheader, start, limit);
    for _ in 0..8 {
        let up = cfg.idom[block.at()];
        if up == block {
            return false;
        }
        // The block before a loop can have the first value of the counter as a parameter.
        let mut jumps = f.blocks[up.at()].term.jumps().filter(|jump| jump.to == block);
        if let (Some(jump), None, [_]) = (jumps.next(), jumps.next(), &cfg.preds[block.at()][..]) {
            let params = &f.blocks[block.at()].params;
            let argument = |value: Value| {
                params.iter().position(|param| *param == value).map_or(value, |place| jump.args[place])
            };
            (start, limit) = (argument(start), argument(limit));
        }
        if let Terminator::Branch(cond, yes, no) = &f.blocks[up.at()].term
            && let Op::Cmp(test, a, b) = *f.op(*cond)
            && cfg.preds[block.at()].len() == 1
            && yes.to != no.to
        {
            let mut test = if yes.to == block { test } else { test.negated() };
            let (mut a, mut b) = (a, b);
            if same(b, start) && same(a, limit) {
                (a, b, test) = (b, a, test.swapped());
            }
            let implied = match cmp {
                Cmp::Ne => matches!(test, Cmp::LtS | Cmp::LtU),
                _ => test == Cmp::LtS,
            };
            if same(a, start) && same(b, limit) && implied {
                return true;
            }
        }
        block = up;
    }
    false
}

/// Whether the counter is used for its own next value, the test, and the addresses only.
fn only_counts(f: &Function, each: &Loop, counter: &Counter, cond: Value, pointers: &[Pointer]) -> bool {
    // The addresses are replaced, so what only they use does not count.
    let mut needed = vec![false; f.values.len()];
    let mut work = Vec::new();
    for block in f.block_ids() {
        let data = &f.blocks[block.at()];
        for &value in data
            .insts
            .iter()
            .filter(|value| !f.op(**value).is_removable() || matches!(f.op(**value), Op::Load { .. }))
        {
            f.op(value).each(|operand| work.push(operand));
        }
        if let Terminator::Branch(value, ..) | Terminator::Return(Some(value)) = &data.term
            && *value != cond
        {
            work.push(*value);
        }
        for jump in data.term.jumps() {
            let skip = jump.to == each.header;
            let params = &f.blocks[jump.to.at()].params;
            for (param, arg) in params.iter().zip(&jump.args) {
                if !(skip && *param == counter.param) {
                    work.push(*arg);
                }
            }
        }
    }
    while let Some(value) = work.pop() {
        if needed[value.at()] || pointers.iter().any(|pointer| pointer.address == value) {
            continue;
        }
        if value == counter.param || value == counter.next {
            return false;
        }
        needed[value.at()] = true;
        f.op(value).each(|operand| work.push(operand));
    }
    true
}

/// The constant by which a value grows when the counter grows by 1.
fn factor(affine: &mut Affine<'_>, value: Value, counter: &Counter, depth: u32) -> Option<i64> {
    if value == counter.param {
        return Some(1);
    }
    if affine.shape(value)? == super::affine::Shape::Invariant {
        return Some(0);
    }
    if depth == 0 {
        return None;
    }
    match *affine.f.op(value) {
        Op::Binary(Binary::Add, a, b) => {
            factor(affine, a, counter, depth - 1)?.checked_add(factor(affine, b, counter, depth - 1)?)
        }
        Op::Binary(Binary::Sub, a, b) => {
            factor(affine, a, counter, depth - 1)?.checked_sub(factor(affine, b, counter, depth - 1)?)
        }
        Op::Binary(Binary::Mul | Binary::MulWideS, a, b) => {
            factor(affine, a, counter, depth - 1)?.checked_mul(affine.f.signed(b)?)
        }
        Op::Binary(Binary::Shl, a, b) => {
            let shift = u32::try_from(affine.f.signed(b)?).ok()?;
            factor(affine, a, counter, depth - 1)?.checked_mul(1i64.checked_shl(shift)?)
        }
        Op::Convert(_, a) => factor(affine, a, counter, depth - 1),
        _ => None,
    }
}
