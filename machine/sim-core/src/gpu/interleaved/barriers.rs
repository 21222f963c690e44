//! Barriers on the interleaved machine: arrivals, exits and releases of warps.

use super::machine::Interleaved;
use super::touch::{Place, Touch};
use super::warp::Activity;
use crate::exec::barrier::{Arrival, deliver};
use crate::exec::trap::{Fault, FaultKind, Trap};
use crate::sm::barrier::{OtherCount, Release};
use crate::sm::scheduler::bits;
use std::sync::Arc;

impl Interleaved {
    /// Number of the first warp of a block.
    fn first_warp(&self, block: usize) -> usize {
        block * self.kernel.warps_per_block() as usize
    }

    /// Returns the mask of the warps of a block that have not exited.
    pub(super) fn live(&self, block: usize) -> u64 {
        let warps = &self.warps[self.first_warp(block)..][..self.kernel.warps_per_block() as usize];
        let live = (0..).zip(warps).filter(|(_, state)| state.activity != Activity::Exited);
        live.fold(0, |mask, (warp, _)| mask | 1 << warp)
    }

    /// Warp `w` arrives at the barrier whose instruction is at `pc`. Returns what it touches: the
    /// order of arrivals is visible if the barrier has a thread count. Released warps are added to
    /// `free`.
    pub(super) fn arrive(
        &mut self,
        w: usize,
        pc: u32,
        (arrival, lanes): (Arrival, u32),
        free: &mut Vec<usize>,
    ) -> Vec<Touch> {
        let id = self.warps[w].warp.id;
        let block = id.block as usize;
        let (live, all) = (self.live(block), self.kernel.warps_per_block());
        let came = self.blocks[block].barriers.arrive(&arrival, id.index, live, all);
        let state = Arc::make_mut(&mut self.warps[w]);
        state.changed();
        if arrival.waits {
            state.activity = Activity::Waiting { pc, lanes };
        }
        match came {
            Ok(release) => self.release(block, release, free),
            Err(OtherCount(first)) => {
                let threads = 32 * if arrival.warps == 0 { all } else { arrival.warps };
                let kind = FaultKind::OtherBarrierCount { barrier: arrival.id, threads, first };
                let now = state.instructions;
                let trap = Trap::at(pc, &self.kernel, &state.warp, Fault { kind, lanes }, None, now);
                self.trapped(w, trap);
            }
        }
        let place = Place::Barrier(id.block as u32);
        let counted = arrival.warps != 0 || !arrival.waits;
        let touch = Touch { place, first: arrival.id, last: arrival.id, writes: true, synchronizes: true };
        if counted { vec![touch] } else { Vec::new() }
    }

    /// Warp `w` has exited: barriers no longer wait for it.
    pub(super) fn exited(&mut self, w: usize, free: &mut Vec<usize>) {
        let block = self.warps[w].warp.id.block as usize;
        Arc::make_mut(&mut self.warps[w]).activity = Activity::Exited;
        let live = self.live(block);
        let mut barriers = std::mem::take(&mut self.blocks[block].barriers);
        for release in barriers.exit(live) {
            self.release(block, release, free);
        }
        self.blocks[block].barriers = barriers;
    }

    /// Releases warps. Their next steps follow everything that the released and the exited warps
    /// have done before.
    fn release(&mut self, block: usize, release: Release, free: &mut Vec<usize>) {
        if release.warps == 0 {
            return;
        }
        let (first, count) = (self.first_warp(block), self.kernel.warps_per_block() as usize);
        let ends =
            |w: &usize| release.warps >> (w - first) & 1 == 1 || self.warps[*w].activity == Activity::Exited;
        let before = (first..first + count).filter(ends).flat_map(|w| self.warps[w].horizon.iter().copied());
        let mut horizon: Vec<u32> = before.collect();
        horizon.sort_unstable();
        horizon.dedup();
        for warp in bits(release.warps) {
            let w = first + warp as usize;
            let state = Arc::make_mut(&mut self.warps[w]);
            if let Activity::Waiting { pc, lanes } = state.activity {
                let inst = &self.kernel.program.code[pc as usize];
                deliver(&mut state.warp, inst, lanes, release.found);
                state.activity = Activity::Running;
                state.horizon.clone_from(&horizon);
                free.push(w);
            }
        }
    }
}
