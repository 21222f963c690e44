//! Replaces short branches by selections: both arms are executed, and `selp` picks the results. Two
//! branches to the same block become one whose condition is the `and` or `or` of theirs.

use crate::ssa::{Binary, Block, Cfg, Function, Jump, Op, Terminator, Time, Ty, Unary, Value};

/// Instructions of both arms together, besides constants.
const MAX_ARMS: usize = 6;
/// Instructions of a second test that is made with the first.
const MAX_TEST: usize = 3;
/// Selections that a branch may become.
const MAX_SELECTIONS: usize = 4;

/// Instructions that all rounds look at: branches to one block need a round each.
const MAX_STEPS: usize = 4_000_000;

/// Runs the pass until nothing changes. Returns whether anything changed.
pub fn run(function: &mut Function) -> bool {
    let mut any = false;
    let mut steps = 0;
    loop {
        steps += function.size();
        if any && steps > MAX_STEPS {
            return any;
        }
        let cfg = Cfg::new(function);
        // Inner branches are later in the order; outer ones follow in the next round.
        let mut touched = vec![false; function.blocks.len()];
        let mut changed = false;
        for &block in cfg.order.iter().rev() {
            if let Some(second) = chain(function, &cfg, block)
                && !touched[block.at()]
                && !touched[second.at()]
            {
                touched[block.at()] = true;
                touched[second.at()] = true;
                join(function, block, second);
                changed = true;
                continue;
            }
            let Some(found) = diamond(function, &cfg, block) else { continue };
            if touched[block.at()] || touched[found.to.at()] || found.arms.iter().any(|arm| touched[arm.at()])
            {
                continue;
            }
            touched[block.at()] = true;
            touched[found.to.at()] = true;
            found.arms.iter().for_each(|arm| touched[arm.at()] = true);
            convert(function, &found);
            changed = true;
        }
        if !changed {
            return any;
        }
        super::simplify::run(function);
        any = true;
    }
}

/// The second of two branches to the same block, if its test can be made with the first.
fn chain(f: &Function, cfg: &Cfg, block: Block) -> Option<Block> {
    let Terminator::Branch(_, a, b) = &f.blocks[block.at()].term else { return None };
    [(a, b), (b, a)].into_iter().find_map(|(next, other)| {
        let data = &f.blocks[next.to.at()];
        let Terminator::Branch(_, c, d) = &data.term else { return None };
        let alone = cfg.preds[next.to.at()].len() == 1 && data.params.is_empty() && next.to != block;
        // Exactly one way of the second branch is the other way of the first.
        let same = (c == other) != (d == other) && c.to != d.to && other.to != next.to;
        let short = cheap(f, next.to).is_some_and(|cost| cost <= MAX_TEST);
        (alone && same && short && c.to != next.to && d.to != next.to).then_some(next.to)
    })
}

/// Makes one branch of two.
fn join(f: &mut Function, block: Block, second: Block) {
    let (Terminator::Branch(first, a, b), Terminator::Branch(then, c, d)) =
        (f.blocks[block.at()].term.clone(), f.blocks[second.at()].term.clone())
    else {
        return;
    };
    let loc = f.blocks[second.at()].loc;
    let insts = std::mem::take(&mut f.blocks[second.at()].insts);
    for value in &insts {
        f.displace(*value);
    }
    f.blocks[block.at()].insts.extend(insts);
    let positive = a.to == second;
    let other = if positive { b } else { a };
    let leaves_if = c == other;
    let target = if leaves_if { d } else { c };
    // Both must stay, or either may leave; the second test is negated where it has the other sense.
    let test =
        if leaves_if == positive { f.push(block, Ty::I1, Op::Unary(Unary::Not, then), loc) } else { then };
    let op = if positive { Binary::And } else { Binary::Or };
    let cond = f.push(block, Ty::I1, Op::Binary(op, first, test), loc);
    f.blocks[block.at()].term = if positive {
        Terminator::Branch(cond, target, other)
    } else {
        Terminator::Branch(cond, other, target)
    };
    f.blocks[second.at()].term = Terminator::Unreachable;
}

/// A branch whose arms meet again at once.
struct Diamond {
    block: Block,
    cond: Value,
    /// Blocks whose instructions move into `block`.
    arms: Vec<Block>,
    to: Block,
    yes: Vec<Value>,
    no: Vec<Value>,
}

fn diamond(f: &Function, cfg: &Cfg, block: Block) -> Option<Diamond> {
    let Terminator::Branch(cond, yes, no) = &f.blocks[block.at()].term else { return None };
    let arm = |jump: &Jump| -> Option<&Jump> {
        let data = &f.blocks[jump.to.at()];
        let alone = cfg.preds[jump.to.at()].len() == 1 && data.params.is_empty() && jump.to != block;
        let Terminator::Jump(next) = &data.term else { return None };
        (alone && cheap(f, jump.to).is_some()).then_some(next)
    };
    let (first, second) = (arm(yes), arm(no));
    let (arms, yes, no) = match (first, second) {
        (Some(a), Some(b)) if a.to == b.to => (vec![yes.to, no.to], a, b),
        (Some(a), _) if a.to == no.to => (vec![yes.to], a, no),
        (_, Some(b)) if b.to == yes.to => (vec![no.to], yes, b),
        _ if yes.to == no.to => (Vec::new(), yes, no),
        _ => return None,
    };
    if yes.to == block || arms.contains(&yes.to) {
        return None;
    }
    let cost: usize = arms.iter().filter_map(|arm| cheap(f, *arm)).sum();
    let selections = yes.args.iter().zip(&no.args).filter(|(a, b)| a != b).count();
    if cost > MAX_ARMS || selections > MAX_SELECTIONS {
        return None;
    }
    Some(Diamond { block, cond: *cond, arms, to: yes.to, yes: yes.args.clone(), no: no.args.clone() })
}

/// Cost of executing a block always; `None` if that is not possible.
fn cheap(f: &Function, block: Block) -> Option<usize> {
    let mut cost = 0;
    for &value in &f.blocks[block.at()].insts {
        cost += match f.op(value) {
            Op::Const(_) | Op::Undef | Op::Bits(_) | Op::Address(_) | Op::Slot(_) => 0,
            Op::Binary(Binary::DivS | Binary::DivU | Binary::RemS | Binary::RemU | Binary::FDiv, ..)
            | Op::Load { .. } => return None,
            Op::Intrin(intrin, _) if intrin.row().time != Time::Short => return None,
            op if op.is_pure() => 1,
            _ => return None,
        };
    }
    Some(cost)
}

fn convert(f: &mut Function, found: &Diamond) {
    for arm in &found.arms {
        let insts = std::mem::take(&mut f.blocks[arm.at()].insts);
        // Executed by all lanes now.
        for value in &insts {
            f.displace(*value);
        }
        f.blocks[found.block.at()].insts.extend(insts);
    }
    let loc = f.blocks[found.block.at()].loc;
    let params = f.blocks[found.to.at()].params.clone();
    let args = found
        .yes
        .iter()
        .zip(&found.no)
        .zip(params)
        .map(|((&a, &b), param)| {
            if a == b {
                return a;
            }
            let ty = f.ty(a);
            debug_assert!(ty != Ty::Void && ty != Ty::Multi);
            let chosen = f.push(found.block, ty, Op::Select(found.cond, a, b), loc);
            f.values[chosen.at()].variable = f.values[param.at()].variable;
            chosen
        })
        .collect();
    f.blocks[found.block.at()].term = Terminator::Jump(Jump { to: found.to, args });
}
