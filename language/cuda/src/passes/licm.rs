//! Moves invariant instructions out of loops.

use super::alias;
use crate::ssa::{
    Binary, Block, BlockData, Cfg, Function, Jump, Loop, Loops, Op, Space, Terminator, Time, Value,
};

/// Runs the pass on all loops, inner ones first. Returns whether anything changed.
pub fn run(function: &mut Function) -> bool {
    preheaders(function);
    let cfg = Cfg::new(function);
    let loops = Loops::new(function, &cfg);
    let mut home = vec![None; function.values.len()];
    for &block in &cfg.order {
        let data = &function.blocks[block.at()];
        for &value in data.params.iter().chain(&data.insts) {
            home[value.at()] = Some(block);
        }
    }
    let mut changed = false;
    for each in &loops.loops {
        if let Some(preheader) = each.preheader(function, &cfg) {
            changed |= hoist(function, &cfg, each, preheader, &mut home);
        }
    }
    changed
}

/// Gives each loop a block before its header that jumps only there.
pub fn preheaders(function: &mut Function) {
    let cfg = Cfg::new(function);
    let loops = Loops::new(function, &cfg);
    for each in &loops.loops {
        if each.header == Function::ENTRY || each.preheader(function, &cfg).is_some() {
            continue;
        }
        let outside: Vec<Block> =
            cfg.preds[each.header.at()].iter().copied().filter(|pred| !each.contains(*pred)).collect();
        let new = function.add_block();
        let params: Vec<_> =
            function.blocks[each.header.at()].params.iter().map(|v| function.ty(*v)).collect();
        let args = params.into_iter().map(|ty| function.add_param(new, ty)).collect();
        let loc = function.blocks[each.header.at()].loc;
        let BlockData { term, loc: at, .. } = &mut function.blocks[new.at()];
        *term = Terminator::Jump(Jump { to: each.header, args });
        *at = loc;
        for pred in outside {
            for jump in function.blocks[pred.at()].term.jumps_mut().filter(|jump| jump.to == each.header) {
                jump.to = new;
            }
        }
    }
}

fn hoist(f: &mut Function, cfg: &Cfg, each: &Loop, to: Block, home: &mut [Option<Block>]) -> bool {
    let mut inside = vec![false; f.blocks.len()];
    each.blocks.iter().for_each(|block| inside[block.at()] = true);
    let writes: Vec<Value> = each
        .blocks
        .iter()
        .flat_map(|block| &f.blocks[block.at()].insts)
        .copied()
        .filter(|value| f.op(*value).writes_memory())
        .collect();
    let leaves = |block: &&Block| f.blocks[block.at()].term.jumps().any(|jump| !inside[jump.to.at()]);
    let mut ends: Vec<Block> = each.blocks.iter().filter(leaves).copied().collect();
    ends.extend(&each.latches);
    let mut changed = false;
    for &block in &each.blocks {
        // Executed in the first iteration too: before any way out of the loop.
        let always = ends.iter().all(|end| cfg.dominates(block, *end));
        let insts = std::mem::take(&mut f.blocks[block.at()].insts);
        let mut stay = Vec::with_capacity(insts.len());
        for value in insts {
            let mut invariant = true;
            f.op(value).each(|operand| {
                invariant &= home[operand.at()].is_some_and(|at| !inside[at.at()]);
            });
            if invariant && movable(f, value, always, &writes) {
                f.displace(value);
                f.blocks[to.at()].insts.push(value);
                home[value.at()] = Some(to);
                changed |= !matches!(f.op(value), Op::Const(_));
            } else {
                stay.push(value);
            }
        }
        f.blocks[block.at()].insts = stay;
    }
    changed
}

/// Whether an instruction with invariant operands may leave the loop. What is not executed in each
/// iteration leaves only if it is cheap.
fn movable(f: &Function, value: Value, always: bool, writes: &[Value]) -> bool {
    match f.op(value) {
        Op::Extract(all, _) => !matches!(f.op(*all), Op::Asm(_) | Op::Tex(_) | Op::Surface(_)),
        Op::Load { space, volatile: false, .. } => {
            let Some(access) = alias::access(f, f.op(value)) else { return false };
            let written = |write: &Value| match alias::access(f, f.op(*write)) {
                Some(other) => access.may_overlap(f, &other),
                None => true,
            };
            always && (*space == Space::Const || !writes.iter().any(written))
        }
        Op::Binary(Binary::DivS | Binary::DivU | Binary::RemS | Binary::RemU | Binary::FDiv, ..) => always,
        Op::Intrin(intrin, _) => always || intrin.row().time != Time::Longest,
        op => op.is_pure(),
    }
}
