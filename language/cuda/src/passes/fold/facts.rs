//! What branches on the way to an instruction say about values.

use super::Folder;
use crate::ssa::{Cmp, Op, Terminator, Value};

/// Branches that are looked at.
const DEPTH: usize = 8;

impl Folder<'_> {
    /// Whether an unsigned integer is at least `least` wherever the current block is executed.
    pub(super) fn at_least(&self, value: Value, least: u64) -> bool {
        let mut block = self.block;
        for _ in 0..DEPTH {
            let up = self.cfg.idom[block.at()];
            if up == block {
                return false;
            }
            if let Terminator::Branch(cond, yes, no) = &self.f.blocks[up.at()].term
                && let Op::Cmp(cmp, a, b) = *self.f.op(*cond)
                && a == value
                && let Some(limit) = self.f.constant(b)
                && self.cfg.preds[block.at()].len() == 1
                && yes.to != no.to
            {
                let cmp = if yes.to == block { cmp } else { cmp.negated() };
                // An integer that is not negative is the same as an unsigned one.
                let positive = limit < 1 << 31 && super::non_negative(self.f, value);
                let bound = match cmp {
                    Cmp::GeU | Cmp::Eq => limit,
                    Cmp::GtU => limit.saturating_add(1),
                    Cmp::GeS if positive => limit,
                    Cmp::GtS if positive => limit + 1,
                    Cmp::Ne if limit == 0 => 1,
                    _ => 0,
                };
                if bound >= least {
                    return true;
                }
            }
            block = up;
        }
        false
    }
}
