//! Replaces short branches by selections: both arms are executed, and `selp` picks the results.

use crate::ssa::{Binary, Block, Cfg, Function, Intrin, Jump, Op, Terminator, Ty, Value};

/// Instructions of both arms together, besides constants.
const MAX_ARMS: usize = 6;
/// Selections that a branch may become.
const MAX_SELECTIONS: usize = 4;

/// Runs the pass until nothing changes. Returns whether anything changed.
pub fn run(function: &mut Function) -> bool {
    let mut any = false;
    loop {
        let cfg = Cfg::new(function);
        // Inner branches are later in the order; outer ones follow in the next round.
        let mut touched = vec![false; function.blocks.len()];
        let mut changed = false;
        for &block in cfg.order.iter().rev() {
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
            Op::Intrin(
                Intrin::Div(_) | Intrin::SqrtRounded(_) | Intrin::RcpRounded(_) | Intrin::DivFull,
                _,
            ) => {
                return None;
            }
            op if op.is_pure() => 1,
            _ => return None,
        };
    }
    Some(cost)
}

fn convert(f: &mut Function, found: &Diamond) {
    for arm in &found.arms {
        let insts = std::mem::take(&mut f.blocks[arm.at()].insts);
        f.blocks[found.block.at()].insts.extend(insts);
    }
    let loc = f.blocks[found.block.at()].loc;
    let args = found
        .yes
        .iter()
        .zip(&found.no)
        .map(|(&a, &b)| {
            if a == b {
                return a;
            }
            let ty = f.ty(a);
            debug_assert!(ty != Ty::Void && ty != Ty::Multi);
            f.push(found.block, ty, Op::Select(found.cond, a, b), loc)
        })
        .collect();
    f.blocks[found.block.at()].term = Terminator::Jump(Jump { to: found.to, args });
}
