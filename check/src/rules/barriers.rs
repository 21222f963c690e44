//! The rule about barriers, checked with the issued instructions, independently of the simulator's
//! own counting.

use super::trace::{bits, issues};
use super::{RuleResult, Trace};
use isa::uop::Op;
use sim_core::observe::{Event, What};
use sim_core::stats::WarpState;
use std::collections::BTreeMap;

/// A warp that has executed `bar.sync`.
#[derive(Clone, Copy, Debug)]
struct Wait {
    /// Issue cycle after the slots of the `bar.sync`.
    own_end: u64,
    /// Issue cycle in which it must leave, once the last warp has arrived.
    leave: Option<u64>,
}

/// A resident block.
#[derive(Clone, Debug)]
struct Block {
    warps: u64,
    live: u64,
    arrived: BTreeMap<u32, u64>,
}

/// The blocks of one SM and their waiting warps.
struct SmState<'a> {
    trace: &'a Trace,
    blocks: BTreeMap<u64, Block>,
    waits: BTreeMap<u32, Wait>,
    released: u64,
}

impl SmState<'_> {
    /// At shader cycle `now`, completes each barrier of `block` that all its live warps have
    /// reached.
    fn release(&mut self, block: u64, now: u64) {
        let (period, cycles) = (self.trace.period(), u64::from(self.trace.chip.sm.barrier_cycles));
        let Some(block) = self.blocks.get_mut(&block) else { return };
        for arrived in block.arrived.values_mut().filter(|arrived| **arrived != 0) {
            if *arrived & block.live == block.live {
                for warp in bits(std::mem::take(arrived)) {
                    if let Some(wait) = self.waits.get_mut(&warp) {
                        let first = (now + cycles).div_ceil(period).max(now / period + 1);
                        wait.leave = Some(first.max(wait.own_end));
                        self.released += 1;
                    }
                }
            }
        }
    }

    /// Returns the block of the warp in slot `warp`.
    fn block_of(&mut self, warp: u32) -> Option<(u64, &mut Block)> {
        let mut blocks = self.blocks.iter_mut();
        blocks.find(|(_, block)| block.warps >> warp & 1 == 1).map(|(number, block)| (*number, block))
    }

    /// Handles a warp that has left its barrier, and checks that it had to leave in this issue
    /// cycle.
    fn left(&mut self, warp: u32, cycle: u64) -> Result<(), String> {
        let Some(wait) = self.waits.remove(&warp) else { return Ok(()) };
        if wait.leave == Some(cycle) {
            return Ok(());
        }
        let expected = wait.leave.map_or("the last warp had not arrived".to_owned(), |leave| {
            format!("it had to leave in issue cycle {leave}")
        });
        Err(format!(
            "RULE barrier release: the warp in slot {warp} left its barrier in issue cycle {cycle}; {expected}"
        ))
    }

    fn event(&mut self, event: &Event) -> Result<(), String> {
        let cycle = event.cycle / self.trace.period();
        match &event.what {
            What::BlockStarted { block, warps, .. } => {
                self.blocks.insert(*block, Block { warps: *warps, live: *warps, arrived: BTreeMap::new() });
            }
            What::BlockRetired { block, .. } => {
                self.blocks.remove(block);
            }
            What::Stack { warp, entries } if entries.is_empty() => {
                if let Some((number, block)) = self.block_of(*warp) {
                    block.live &= !(1 << warp);
                    self.release(number, event.cycle);
                }
            }
            What::State { warp, state, .. } => {
                if let Some(issued) = issues(event) {
                    self.left(*warp, cycle)?;
                    let inst = self.trace.inst(issued.origin.pc);
                    if inst.op == Op::BarSync && issued.guarded != 0 {
                        let own_end = cycle + issued.slots();
                        self.waits.insert(*warp, Wait { own_end, leave: None });
                        if let Some((number, block)) = self.block_of(*warp) {
                            *block.arrived.entry(inst.imm).or_default() |= 1 << warp;
                            self.release(number, event.cycle);
                        }
                    }
                } else if *state == WarpState::Barrier {
                    let leave = self.waits.get(warp).and_then(|wait| wait.leave);
                    if let Some(leave) = leave.filter(|leave| *leave <= cycle) {
                        return Err(format!(
                            "RULE barrier release: the warp in slot {warp} is at its barrier in issue cycle \
                             {cycle}; it had to leave in issue cycle {leave}"
                        ));
                    }
                } else if *state != WarpState::Issuing {
                    self.left(*warp, cycle)?;
                }
            }
            What::Stack { .. } | What::LoadCompleted { .. } | What::Written { .. } => {}
        }
        Ok(())
    }
}

/// No warp leaves a barrier before the last live warp of its block has arrived, and all leave in
/// the first issue cycle that begins at least `barrier_cycles` after that arrival.
pub fn release_is_exact(trace: &Trace) -> RuleResult {
    let mut released = 0;
    for sm in 0..trace.sms() {
        let mut stage = SmState { trace, blocks: BTreeMap::new(), waits: BTreeMap::new(), released: 0 };
        for event in trace.of_sm(sm) {
            stage.event(event).map_err(|e| format!("{e} (SM {sm})"))?;
        }
        if let Some((warp, wait)) = stage.waits.first_key_value() {
            return Err(format!(
                "RULE barrier release: the warp in slot {warp} of SM {sm} never left: {wait:?}"
            ));
        }
        released += stage.released;
    }
    Ok(released)
}
