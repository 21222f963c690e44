//! Unrolls loops whose number of iterations is known only when they start: copies of the body run
//! while as many iterations remain, and the loop itself does the rest.

use super::copy;
use crate::ssa::{Binary, Block, Cfg, Cmp, Function, Jump, Loop, Op, Terminator, Ty, Unroll, Value};

/// Copies of the body.
const TIMES: u64 = 4;
/// Instructions of a body.
const MAX_SIZE: usize = 20;

/// The test of a loop that counts up to a limit.
struct Test {
    /// The loop goes on if `next cmp limit`.
    cmp: Cmp,
    next: Value,
    limit: Value,
    step: u64,
    /// Index of the counter among the parameters of the header.
    param: usize,
}

/// Unrolls a loop, if it is short and counts. Returns whether it did.
pub(super) fn run(f: &mut Function, cfg: &Cfg, each: &Loop, latch: Block, size: usize) -> bool {
    if size > MAX_SIZE || !can_be_copied(f, each) {
        return false;
    }
    let Some(test) = test(f, each, latch) else { return false };
    copy::outside_uses(f, cfg, each);
    let guard = guard(f, cfg, each);
    let params = f.blocks[guard.at()].params.clone();
    let loc = f.blocks[latch.at()].loc;
    let ty = f.ty(test.next);
    let limit = match f.constant(test.limit) {
        Some(bits) => f.push(guard, ty, Op::Const(bits), loc),
        None => test.limit,
    };
    // Up to this value of the counter, all copies can run. It exists if the difference is exact.
    let distance = f.push(guard, ty, Op::Const(((TIMES - 1) * test.step) & ty.mask()), loc);
    let last = f.push(guard, ty, Op::Binary(Binary::Sub, limit, distance), loc);
    let exact = f.push(guard, Ty::I1, Op::Cmp(test.cmp, last, limit), loc);
    let enough = f.push(guard, Ty::I1, Op::Cmp(test.cmp, params[test.param], last), loc);
    let both = f.push(guard, Ty::I1, Op::Binary(Binary::And, exact, enough), loc);
    let maps: Vec<copy::Map> = (0..TIMES).map(|_| copy::blocks(f, &each.blocks)).collect();
    let first = maps[0].block(each.header);
    let rest = Jump { to: each.header, args: params.clone() };
    f.blocks[guard.at()].term = Terminator::Branch(both, Jump { to: first, args: params }, rest);
    for (index, map) in maps.iter().enumerate() {
        let (at, own) = (map.block(latch), map.block(each.header));
        let Terminator::Branch(cond, a, b) = f.blocks[at.at()].term.clone() else { continue };
        let (again, leave) = if a.to == own { (a, b) } else { (b, a) };
        if let Some(next) = maps.get(index + 1) {
            f.blocks[at.at()].term = Terminator::Jump(Jump { to: next.block(each.header), args: again.args });
            continue;
        }
        // Behind the last copy: the copies again, or what is left.
        let next = again.args[test.param];
        let more = f.push(at, Ty::I1, Op::Cmp(test.cmp, next, last), loc);
        let left = f.add_block();
        f.blocks[left.at()].loc = loc;
        let positive =
            matches!(&f.blocks[latch.at()].term, Terminator::Branch(_, yes, _) if yes.to == each.header);
        let rest = Jump { to: each.header, args: again.args.clone() };
        f.blocks[left.at()].term = if positive {
            Terminator::Branch(cond, rest, leave)
        } else {
            Terminator::Branch(cond, leave, rest)
        };
        f.blocks[at.at()].term =
            Terminator::Branch(more, Jump { to: first, args: again.args }, Jump::to(left));
    }
    f.unroll.push((first, Unroll::NONE));
    true
}

/// Whether nothing in a loop must stay single or synchronizes threads.
fn can_be_copied(f: &Function, each: &Loop) -> bool {
    let values = each.blocks.iter().flat_map(|block| &f.blocks[block.at()].insts);
    let mut ops = values.map(|value| f.op(*value));
    ops.all(|op| op.is_removable() || matches!(op, Op::Load { .. } | Op::Store { .. } | Op::Atomic { .. }))
}

fn test(f: &Function, each: &Loop, latch: Block) -> Option<Test> {
    let exits = each.blocks.iter().flat_map(|block| f.blocks[block.at()].term.jumps());
    if exits.filter(|jump| !each.contains(jump.to)).count() != 1 {
        return None;
    }
    let Terminator::Branch(cond, yes, no) = &f.blocks[latch.at()].term else { return None };
    let positive = yes.to == each.header;
    let again = if positive { yes } else { no };
    let Op::Cmp(cmp, a, b) = *f.op(*cond) else { return None };
    let cmp = if positive { cmp } else { cmp.negated() };
    if !matches!(cmp, Cmp::LtS | Cmp::LtU) {
        return None;
    }
    let inside = |value: Value| {
        each.blocks.iter().any(|block| {
            let data = &f.blocks[block.at()];
            data.insts.contains(&value) || data.params.contains(&value)
        })
    };
    if inside(b) && f.constant(b).is_none() {
        return None;
    }
    let param = again.args.iter().position(|arg| *arg == a)?;
    let counter = *f.blocks[each.header.at()].params.get(param)?;
    let Op::Binary(Binary::Add, x, step) = *f.op(a) else { return None };
    let step = f.signed(step).filter(|step| x == counter && (1..=1 << 20).contains(step))?;
    Some(Test { cmp, next: a, limit: b, step: step as u64, param })
}

/// A new block through which the loop is entered, with the parameters of its header.
fn guard(f: &mut Function, cfg: &Cfg, each: &Loop) -> Block {
    let guard = f.add_block();
    let types: Vec<Ty> = f.blocks[each.header.at()].params.iter().map(|param| f.ty(*param)).collect();
    for ty in types {
        f.add_param(guard, ty);
    }
    f.blocks[guard.at()].loc = f.blocks[each.header.at()].loc;
    for pred in cfg.preds[each.header.at()].iter().filter(|pred| !each.contains(**pred)) {
        let jumps = f.blocks[pred.at()].term.jumps_mut();
        jumps.filter(|jump| jump.to == each.header).for_each(|jump| jump.to = guard);
    }
    guard
}
