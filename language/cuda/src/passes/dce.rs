//! Removes instructions and block parameters whose values are not used.

use crate::ssa::{Block, Cfg, Function, Op, Value};

/// Runs the pass.
pub fn run(function: &mut Function) {
    let cfg = Cfg::new(function);
    let mut owner: Vec<Option<(Block, usize)>> = vec![None; function.values.len()];
    for block in function.block_ids() {
        for (index, param) in function.blocks[block.at()].params.iter().enumerate() {
            owner[param.at()] = Some((block, index));
        }
    }
    let mut live = vec![false; function.values.len()];
    let mut work: Vec<Value> = Vec::new();
    let mark = |value: Value, live: &mut Vec<bool>, work: &mut Vec<Value>| {
        if !live[value.at()] {
            live[value.at()] = true;
            work.push(value);
        }
    };
    for &block in &cfg.order {
        let data = &function.blocks[block.at()];
        let is_needed = |value: &&Value| {
            let is_kept = function.keeps_variables && function.values[value.at()].variable.is_some();
            is_kept || !function.op(**value).is_removable()
        };
        for &value in data.insts.iter().filter(is_needed) {
            mark(value, &mut live, &mut work);
        }
        match &data.term {
            crate::ssa::Terminator::Branch(value, ..) | crate::ssa::Terminator::Return(Some(value)) => {
                mark(*value, &mut live, &mut work);
            }
            _ => {}
        }
    }
    while let Some(value) = work.pop() {
        if let Some((block, index)) = owner[value.at()] {
            for &pred in &cfg.preds[block.at()] {
                for jump in function.blocks[pred.at()].term.jumps().filter(|jump| jump.to == block) {
                    mark(jump.args[index], &mut live, &mut work);
                }
            }
        } else {
            function.op(value).each(|operand| mark(operand, &mut live, &mut work));
        }
    }
    for block in function.block_ids() {
        if !cfg.is_reachable(block) {
            function.blocks[block.at()] = crate::ssa::BlockData::default();
            continue;
        }
        let mut term = std::mem::take(&mut function.blocks[block.at()].term);
        for jump in term.jumps_mut() {
            let params = &function.blocks[jump.to.at()].params;
            let mut index = 0;
            jump.args.retain(|_| {
                index += 1;
                live[params[index - 1].at()]
            });
        }
        function.blocks[block.at()].term = term;
        function.blocks[block.at()].insts.retain(|value| live[value.at()]);
    }
    for block in &mut function.blocks {
        block.params.retain(|value| live[value.at()]);
    }
    debug_assert!(
        function.blocks.iter().all(|block| block.params.iter().all(|v| *function.op(*v) == Op::Param))
    );
}
