//! Moves instructions without operands (parameters, special registers, addresses of variables) to
//! their first use, so that they occupy a register for a short time only.

use crate::ssa::{Block, Cfg, Function, Loops, Op, Value};

/// Runs the pass.
pub fn run(f: &mut Function) {
    let cfg = Cfg::new(f);
    let loops = Loops::new(f, &cfg);
    let depth = |block: Block| loops.of[block.at()].map_or(0, |index| loops.loops[index].depth);
    let mut home: Vec<Option<Block>> = vec![None; f.values.len()];
    for &block in &cfg.order {
        for &value in &f.blocks[block.at()].insts {
            let movable = matches!(
                f.op(value),
                Op::KernelParam { .. } | Op::Special(_) | Op::Address(_) | Op::Slot(_) | Op::FuncAddress(_)
            );
            if movable {
                home[value.at()] = Some(block);
            }
        }
    }
    // The block that dominates all uses.
    let mut target: Vec<Option<Block>> = vec![None; f.values.len()];
    for &block in &cfg.order {
        let data = &f.blocks[block.at()];
        let mut used = |value: Value| {
            if home[value.at()].is_some() {
                let new = target[value.at()].map_or(block, |old| common(&cfg, old, block));
                target[value.at()] = Some(new);
            }
        };
        data.insts.iter().for_each(|value| f.op(*value).each(&mut used));
        data.term.each(&mut used);
    }
    let mut moved: Vec<Vec<Value>> = vec![Vec::new(); f.blocks.len()];
    for &block in &cfg.order {
        let insts = std::mem::take(&mut f.blocks[block.at()].insts);
        let mut stay = Vec::with_capacity(insts.len());
        for value in insts {
            match (home[value.at()], target[value.at()]) {
                (Some(home), Some(mut to)) => {
                    while depth(to) > depth(home) && to != home {
                        to = cfg.idom[to.at()];
                    }
                    moved[to.at()].push(value);
                }
                _ => stay.push(value),
            }
        }
        f.blocks[block.at()].insts = stay;
    }
    let mut is_waiting = vec![false; f.values.len()];
    for &block in &cfg.order {
        let waiting = std::mem::take(&mut moved[block.at()]);
        if waiting.is_empty() {
            continue;
        }
        for value in &waiting {
            is_waiting[value.at()] = true;
        }
        let insts = std::mem::take(&mut f.blocks[block.at()].insts);
        let mut new = Vec::with_capacity(insts.len() + waiting.len());
        for value in insts {
            f.op(value).each(|operand| {
                if std::mem::take(&mut is_waiting[operand.at()]) {
                    new.push(operand);
                }
            });
            new.push(value);
        }
        new.extend(waiting.into_iter().filter(|value| std::mem::take(&mut is_waiting[value.at()])));
        f.blocks[block.at()].insts = new;
    }
}

fn common(cfg: &Cfg, mut a: Block, mut b: Block) -> Block {
    while a != b {
        if cfg.position[a.at()] > cfg.position[b.at()] {
            a = cfg.idom[a.at()];
        } else {
            b = cfg.idom[b.at()];
        }
    }
    a
}
