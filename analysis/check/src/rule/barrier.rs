//! Barriers, counted again from the issued instructions: when each waiting warp has to leave.

use super::setup::{Setup, bits, issues};
use super::slot::{Slot, Wait};
use isa::uop::Op;
use sim_core::observe::{Event, What};
use sim_core::stats::WarpState;
use std::collections::BTreeMap;

/// A resident block: masks of warp slots.
#[derive(Clone, Debug)]
struct Block {
    warps: u64,
    live: u64,
    arrived: BTreeMap<u32, u64>,
}

/// The barriers of the blocks of an SM.
#[derive(Clone, Debug, Default)]
pub(super) struct Barriers {
    blocks: BTreeMap<u64, Block>,
}

impl Barriers {
    pub fn start(&mut self, block: u64, warps: u64) {
        self.blocks.insert(block, Block { warps, live: warps, arrived: BTreeMap::new() });
    }

    pub fn retire(&mut self, block: u64) {
        self.blocks.remove(&block);
    }

    /// The block of the warp in slot `warp`.
    fn of(&mut self, warp: u32) -> Option<&mut Block> {
        self.blocks.values_mut().find(|block| block.warps >> warp & 1 == 1)
    }

    /// Applies a `State` event of a warp: it issues, waits at its barrier or has left it.
    pub fn state(&mut self, slots: &mut [Option<Slot>], event: &Event, setup: &Setup) {
        let What::State { warp, state, .. } = &event.what else { return };
        let Some(slot) = slots[*warp as usize].as_mut() else { return };
        let Some(issued) = issues(event) else {
            if !matches!(state, WarpState::Barrier | WarpState::Issuing) {
                slot.left = slot.barrier.take();
            }
            return;
        };
        slot.left = slot.barrier.take();
        let inst = setup.inst(issued.origin.pc);
        if inst.op == Op::BarSync && issued.guarded != 0 {
            let own_end = event.cycle / setup.period() + issued.slots();
            slot.barrier = Some(Wait { own_end, due: None });
            let number = inst.imm;
            if let Some(block) = self.of(*warp) {
                *block.arrived.entry(number).or_default() |= 1 << warp;
                block.release(slots, event.cycle, setup);
            }
        }
    }

    /// All lanes of a warp have exited at shader cycle `now`.
    pub fn exit(&mut self, slots: &mut [Option<Slot>], warp: u32, now: u64, setup: &Setup) {
        if let Some(block) = self.of(warp) {
            block.live &= !(1 << warp);
            block.release(slots, now, setup);
        }
    }
}

impl Block {
    /// At shader cycle `now`, completes each barrier that all live warps have reached.
    fn release(&mut self, slots: &mut [Option<Slot>], now: u64, setup: &Setup) {
        let (period, cycles) = (setup.period(), u64::from(setup.chip.sm.barrier_cycles));
        for arrived in self.arrived.values_mut().filter(|arrived| **arrived != 0) {
            if *arrived & self.live == self.live {
                for warp in bits(std::mem::take(arrived)) {
                    let slot = slots[warp as usize].as_mut();
                    if let Some(wait) = slot.and_then(|slot| slot.barrier.as_mut()) {
                        let first = (now + cycles).div_ceil(period).max(now / period + 1);
                        wait.due = Some(first.max(wait.own_end));
                    }
                }
            }
        }
    }
}
