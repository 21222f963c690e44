//! Renumbers values and blocks, so that unreachable ones take no space.

use super::cfg::Cfg;
use super::func::{Block, Function, Value};

impl Function {
    /// Removes values that are in no block and blocks that the entry does not reach.
    pub fn compact(&mut self) {
        let cfg = Cfg::new(self);
        let mut order = cfg.order.clone();
        order.sort_unstable();
        let mut blocks = vec![Block(u32::MAX); self.blocks.len()];
        for (index, block) in order.iter().enumerate() {
            blocks[block.at()] = Block(index as u32);
        }
        let mut values = vec![Value(u32::MAX); self.values.len()];
        let mut kept = Vec::new();
        for block in &order {
            let data = &self.blocks[block.at()];
            for &value in data.params.iter().chain(&data.insts) {
                values[value.at()] = Value(kept.len() as u32);
                kept.push(self.values[value.at()].clone());
            }
        }
        for data in &mut kept {
            data.op.each_mut(|operand| *operand = values[operand.at()]);
        }
        self.values = kept;
        let mut old = std::mem::take(&mut self.blocks);
        for block in order {
            let mut data = std::mem::take(&mut old[block.at()]);
            data.params.iter_mut().chain(&mut data.insts).for_each(|value| *value = values[value.at()]);
            data.term.each_mut(|operand| *operand = values[operand.at()]);
            data.term.jumps_mut().for_each(|jump| jump.to = blocks[jump.to.at()]);
            self.blocks.push(data);
        }
        self.unroll.retain(|(head, _)| blocks[head.at()] != Block(u32::MAX));
        self.unroll.iter_mut().for_each(|(head, _)| *head = blocks[head.at()]);
    }
}
