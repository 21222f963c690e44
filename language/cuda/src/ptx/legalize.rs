//! Rewrites what has no instruction in PTX, just before emission.

use crate::ssa::{Binary, Block, Cfg, Function, Jump, Op, Terminator, Ty, Unary, Value};

/// Runs all rewrites.
pub(super) fn run(f: &mut Function) {
    selections(f);
    one_return(f);
}

/// Selections of predicates become logic.
fn selections(f: &mut Function) {
    for block in f.block_ids() {
        let old = std::mem::take(&mut f.blocks[block.at()].insts);
        let mut new = Vec::with_capacity(old.len());
        for value in old {
            if let (Op::Select(c, a, b), Ty::I1) = (f.op(value).clone(), f.ty(value)) {
                let loc = f.values[value.at()].loc;
                let mut add = |f: &mut Function, op: Op| {
                    let value = f.add_value(Ty::I1, op, loc);
                    new.push(value);
                    value
                };
                let not = add(f, Op::Unary(Unary::Not, c));
                let yes = add(f, Op::Binary(Binary::And, c, a));
                let no = add(f, Op::Binary(Binary::And, not, b));
                f.values[value.at()].op = Op::Binary(Binary::Or, yes, no);
            }
            new.push(value);
        }
        f.blocks[block.at()].insts = new;
    }
}

/// Blocks that only end the thread become one.
fn one_return(f: &mut Function) {
    let empty: Vec<Block> = f
        .block_ids()
        .filter(|block| {
            let data = &f.blocks[block.at()];
            data.insts.is_empty() && data.term == Terminator::Return(None) && *block != Function::ENTRY
        })
        .collect();
    let Some((&first, rest)) = empty.split_first() else { return };
    for block in f.block_ids() {
        for jump in f.blocks[block.at()].term.jumps_mut().filter(|jump| rest.contains(&jump.to)) {
            *jump = Jump::to(first);
        }
    }
    f.blocks[first.at()].params.clear();
    for block in f.block_ids() {
        for jump in f.blocks[block.at()].term.jumps_mut().filter(|jump| jump.to == first) {
            jump.args.clear();
        }
    }
}

/// The order of the blocks in the text: each loop together, the blocks that only return last.
pub(super) fn layout(f: &Function) -> Vec<Block> {
    let cfg = Cfg::new(f);
    let loops = crate::ssa::Loops::new(f, &cfg);
    let depth = |block: Block| loops.of[block.at()].map_or(0, |index| loops.loops[index].depth);
    let mut seen = vec![false; f.blocks.len()];
    let mut order = Vec::new();
    if f.blocks.is_empty() {
        return order;
    }
    seen[0] = true;
    let successors = |block: Block| {
        // In reversed postorder the last visited successor follows its block, so blocks outside of
        // the loop are visited first.
        let mut list: Vec<Block> = f.blocks[block.at()].term.jumps().map(|jump| jump.to).collect();
        list.reverse();
        list.sort_by_key(|next| depth(*next));
        list
    };
    let mut stack = vec![(Function::ENTRY, successors(Function::ENTRY), 0)];
    while let Some((block, list, next)) = stack.pop() {
        match list.get(next).copied() {
            Some(to) => {
                stack.push((block, list, next + 1));
                if !seen[to.at()] {
                    seen[to.at()] = true;
                    stack.push((to, successors(to), 0));
                }
            }
            None => order.push(block),
        }
    }
    order.reverse();
    let last = |block: &Block| {
        let data = &f.blocks[block.at()];
        data.insts.is_empty() && matches!(data.term, Terminator::Return(None)) && *block != Function::ENTRY
    };
    let (returns, mut rest): (Vec<Block>, Vec<Block>) = order.into_iter().partition(last);
    rest.extend(returns);
    rest
}

/// Number of uses of each value.
pub(super) fn uses(f: &Function) -> Vec<u32> {
    let mut uses = vec![0; f.values.len()];
    let mut count = |value: Value| uses[value.at()] += 1;
    for block in &f.blocks {
        block.insts.iter().for_each(|value| f.op(*value).each(&mut count));
        block.term.each(&mut count);
    }
    uses
}
