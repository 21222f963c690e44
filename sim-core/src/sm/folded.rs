//! An instruction that other micro-ops are folded into: its operands are executed before the main one, its test behind.

use super::effects::Extra;
use super::sm::{Setup, Sm};
use crate::exec::{Outcome, Step, step};
use crate::mem::bank;

impl Sm {
    /// Executes the next instruction of `warp`, of several micro-ops. What its operands take beside what its class takes
    /// is added to `extra`. A trap is that of the micro-op that made it.
    #[inline(never)]
    pub(super) fn step_folded(
        &mut self,
        warp: u32,
        pc: u32,
        now: u64,
        extra: &mut Extra,
        setup: &Setup,
    ) -> Outcome {
        let decoded = &setup.code[pc as usize];
        let block = self.control[warp as usize].block as usize;
        for _ in 0..decoded.operands {
            match self.step_one(warp, block, now, setup)? {
                Step::Shared => {
                    let cost = self.shared_replays((1, 0), setup);
                    extra.replay += cost.replay;
                    extra.passing = extra.passing.max(cost.passing);
                    extra.late += cost.late;
                }
                Step::Const => {
                    extra.late += self.constant_load(warp, pc, bank::CONSTANTS, extra, setup);
                }
                _ => {}
            }
        }
        let done = self.step_one(warp, block, now, setup)?;
        if decoded.tested {
            // It compares registers, in the lanes of the main micro-op: neither has a guard.
            self.step_one(warp, block, now, setup)?;
        }
        Ok(done)
    }

    fn step_one(&mut self, warp: u32, block: usize, now: u64, setup: &Setup) -> Outcome {
        let shared = &mut self.blocks[block].shared;
        step(&setup.kernel, &mut self.warps[warp as usize], shared, now, &mut self.access)
    }
}
