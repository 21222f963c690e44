//! Simplifies the control flow: constant branches, jumps to jumps, blocks with one predecessor, and
//! block parameters that are copies of one value.

use crate::ssa::{Block, BlockData, Cfg, Function, Jump, Loc, Op, Replacements, Terminator, Value};

/// Runs the pass until nothing changes.
pub fn run(function: &mut Function) {
    // Each step removes a branch, a block or a parameter.
    let mut changed = true;
    while changed {
        changed = branches(function);
        changed |= copies(function);
        changed |= thread(function);
        changed |= merge(function);
    }
    let cfg = Cfg::new(function);
    for block in function.block_ids().filter(|block| !cfg.is_reachable(*block)) {
        function.blocks[block.at()] = BlockData::default();
    }
}

/// Branches with a constant condition, or with two equal jumps, become jumps.
fn branches(function: &mut Function) -> bool {
    let mut changed = false;
    for block in function.block_ids() {
        let Terminator::Branch(cond, a, b) = &function.blocks[block.at()].term else { continue };
        let target = match function.constant(*cond) {
            Some(0) => b.clone(),
            Some(_) => a.clone(),
            None if a == b => a.clone(),
            // The condition is undefined: any way is right.
            None if *function.op(*cond) == Op::Undef => b.clone(),
            None => {
                if let Op::Unary(crate::ssa::Unary::Not, inner) = function.op(*cond) {
                    let term = Terminator::Branch(*inner, b.clone(), a.clone());
                    function.blocks[block.at()].term = term;
                    changed = true;
                }
                continue;
            }
        };
        function.blocks[block.at()].term = Terminator::Jump(target);
        changed = true;
    }
    changed
}

/// Replaces parameters that have one value on all edges.
fn copies(function: &mut Function) -> bool {
    let mut any = false;
    loop {
        let cfg = Cfg::new(function);
        let mut map = Replacements::default();
        for &block in &cfg.order {
            if block == Function::ENTRY {
                continue;
            }
            let count = function.blocks[block.at()].params.len();
            let mut keep = vec![true; count];
            for (index, keep) in keep.iter_mut().enumerate() {
                let param = function.blocks[block.at()].params[index];
                let value = match single(function, &cfg, block, index, param, &mut map) {
                    Some(Only::Value(value)) => value,
                    Some(Only::Constant(op)) => {
                        let value = function.add_value(function.ty(param), op, Loc::default());
                        function.blocks[block.at()].insts.insert(0, value);
                        value
                    }
                    None => continue,
                };
                map.set(param, value);
                *keep = false;
            }
            if keep.iter().all(|keep| *keep) {
                continue;
            }
            remove_params(function, &cfg, block, &keep);
        }
        if map.is_empty() {
            return any;
        }
        function.replace(&mut map);
        any = true;
    }
}

/// The only value of a parameter besides itself: a value, or a constant that several values have.
enum Only {
    Value(Value),
    Constant(Op),
}

fn single(
    function: &Function,
    cfg: &Cfg,
    block: Block,
    index: usize,
    param: Value,
    map: &mut Replacements,
) -> Option<Only> {
    let mut only: Option<Value> = None;
    let mut several = false;
    let mut undefined = false;
    for &pred in &cfg.preds[block.at()] {
        for jump in function.blocks[pred.at()].term.jumps().filter(|jump| jump.to == block) {
            let arg = map.find(jump.args[index]);
            if arg == param || only == Some(arg) {
                continue;
            }
            if *function.op(arg) == Op::Undef {
                undefined = true;
                continue;
            }
            match only {
                None => only = Some(arg),
                Some(first) if function.constant(arg).is_some() && function.op(arg) == function.op(first) => {
                    several = true;
                }
                Some(_) => return None,
            }
        }
    }
    match only {
        None => undefined.then_some(Only::Constant(Op::Undef)),
        // An undefined value may have any value, but another value may not dominate the block.
        Some(first) if function.constant(first).is_some() && (several || undefined) => {
            Some(Only::Constant(function.op(first).clone()))
        }
        Some(first) => (!undefined).then_some(Only::Value(first)),
    }
}

fn remove_params(function: &mut Function, cfg: &Cfg, block: Block, keep: &[bool]) {
    let filter = |list: &mut Vec<Value>| {
        let mut index = 0;
        list.retain(|_| {
            index += 1;
            keep[index - 1]
        });
    };
    filter(&mut function.blocks[block.at()].params);
    let mut preds = cfg.preds[block.at()].clone();
    preds.sort_unstable();
    preds.dedup();
    for pred in preds {
        for jump in function.blocks[pred.at()].term.jumps_mut().filter(|jump| jump.to == block) {
            filter(&mut jump.args);
        }
    }
}

/// Jumps to a block that only jumps on go to its target.
fn thread(function: &mut Function) -> bool {
    let mut changed = false;
    let used = params_used_elsewhere(function);
    let mut heads = vec![false; function.blocks.len()];
    function.unroll.iter().for_each(|(head, _)| heads[head.at()] = true);
    for block in function.block_ids() {
        let mut term = std::mem::take(&mut function.blocks[block.at()].term);
        // Two equal targets with different arguments would hide a choice that `if_convert` finds.
        let targets: Vec<Block> = term.jumps().map(|jump| jump.to).collect();
        for jump in term.jumps_mut() {
            let via = jump.to;
            if via == block
                || heads[via.at()]
                || used[via.at()]
                || !function.blocks[via.at()].insts.is_empty()
            {
                continue;
            }
            let Terminator::Jump(next) = &function.blocks[via.at()].term else { continue };
            let onward = next.to == block && targets.len() > 1;
            if next.to == via || targets.contains(&next.to) || onward || circles(function, via) {
                continue;
            }
            let params = &function.blocks[via.at()].params;
            let mapped = |value: &Value| {
                params.iter().position(|param| param == value).map_or(*value, |index| jump.args[index])
            };
            let args = next.args.iter().map(mapped).collect();
            *jump = Jump { to: next.to, args };
            changed = true;
            break;
        }
        function.blocks[block.at()].term = term;
    }
    changed
}

/// Whether empty blocks lead from a block back to it: an endless loop, where threading would go on
/// forever.
fn circles(function: &Function, start: Block) -> bool {
    let mut at = start;
    for _ in 0..64 {
        let data = &function.blocks[at.at()];
        match &data.term {
            Terminator::Jump(jump) if data.insts.is_empty() => at = jump.to,
            _ => return false,
        }
        if at == start {
            return true;
        }
    }
    true
}

/// For each block whether a parameter of it is used outside its own terminator.
fn params_used_elsewhere(function: &Function) -> Vec<bool> {
    let mut owner = vec![u32::MAX; function.values.len()];
    for block in function.block_ids() {
        for param in &function.blocks[block.at()].params {
            owner[param.at()] = block.0;
        }
    }
    let mut used = vec![false; function.blocks.len()];
    for block in function.block_ids() {
        let data = &function.blocks[block.at()];
        let mut mark = |value: Value, home: u32| {
            let of = owner[value.at()];
            if of != u32::MAX && of != home {
                used[of as usize] = true;
            }
        };
        for &value in &data.insts {
            function.op(value).each(|operand| mark(operand, u32::MAX));
        }
        data.term.each(|operand| mark(operand, block.0));
    }
    used
}

/// The blocks of instructions while blocks are appended to others.
struct Homes {
    of: Vec<Option<Block>>,
    /// The block that each block was appended to, or the block itself.
    into: Vec<Block>,
}

impl Homes {
    fn new(function: &Function) -> Homes {
        let mut of = vec![None; function.values.len()];
        for block in function.block_ids() {
            function.blocks[block.at()].insts.iter().for_each(|value| of[value.at()] = Some(block));
        }
        Homes { of, into: function.block_ids().collect() }
    }

    fn of(&self, value: Value) -> Option<Block> {
        let mut block = self.of[value.at()]?;
        while self.into[block.at()] != block {
            block = self.into[block.at()];
        }
        Some(block)
    }
}

/// Appends a block to its only predecessor.
fn merge(function: &mut Function) -> bool {
    let cfg = Cfg::new(function);
    let mut map = Replacements::default();
    let mut changed = false;
    let mut homes = Homes::new(function);
    for &block in &cfg.order {
        while let Terminator::Jump(jump) = &function.blocks[block.at()].term {
            let next = jump.to;
            if next == block || next == Function::ENTRY || cfg.preds[next.at()].len() != 1 {
                break;
            }
            let args = jump.args.clone();
            let data = std::mem::take(&mut function.blocks[next.at()]);
            for (param, arg) in data.params.iter().zip(args) {
                let variable = function.values[param.at()].variable;
                let is_computed = !matches!(function.op(arg), Op::Const(_) | Op::Undef);
                let known = &mut function.values[arg.at()].variable;
                // Its variable has the value from here on, if it was computed here.
                if known.is_none() && is_computed && homes.of(arg) == Some(block) {
                    *known = variable;
                }
                map.set(*param, arg);
            }
            let home = &mut function.blocks[block.at()];
            home.insts.extend(data.insts);
            home.term = data.term;
            home.loc = data.loc;
            homes.into[next.at()] = block;
            changed = true;
        }
    }
    function.replace(&mut map);
    // A block with one predecessor is the head of no loop.
    function.unroll.retain(|(head, _)| homes.into[head.at()] == *head);
    changed
}
