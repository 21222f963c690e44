//! View of a launch that follows a schedule, for the debugger.

use super::{Played, Sent};
use crate::counters::WarpState as Shown;
use crate::events::event::{Event, Origin, Why};
use crate::events::recorder::WarpStatus;
use crate::exec::{Kernel, Warp};
use crate::gpu::functional::stepped::at_barrier;
use crate::gpu::interleaved::End;
use crate::gpu::interleaved::warp::{Activity, WarpState};
use crate::gpu::stuck::report::StuckReport;
use crate::gpu::stuck::{At, Seen, Unfinished, World, classify};
use crate::gpu::untimed::{Block, Untimed};
use crate::mem::image::Memory;
use crate::sm::barrier::Barriers;
use crate::sm::context::SmContext;
use crate::sm::inspect::IssuedAccess;
use isa::uop::{Op, OperandKind};
use std::sync::Arc;

impl Played {
    /// Numbers of the resident blocks.
    fn resident(&self) -> impl Iterator<Item = u64> {
        let retired = if self.end == Some(End::Finished) { u64::MAX } else { self.retired };
        (0..self.recorders.len() as u64).filter(move |block| retired >> block & 1 == 0)
    }

    /// Number in the launch of the warp in a slot of a resident block.
    fn number(&self, block: u32, slot: u32) -> Option<usize> {
        let is_there = (slot as usize) < self.slots() && self.resident().any(|one| one == u64::from(block));
        is_there.then(|| block as usize * self.slots() + slot as usize)
    }

    fn state(&self, block: u32, slot: u32) -> Option<&WarpState> {
        Some(&self.machine.warps[self.number(block, slot)?])
    }

    /// Why the warps of a launch that hangs do not end.
    pub fn stuck(&self) -> StuckReport {
        let machine = &self.machine;
        let seen = |w: usize| {
            let state = &machine.warps[w];
            let id = state.warp.id;
            let block = &machine.blocks[id.block as usize];
            let at = match state.activity {
                Activity::Waiting { pc, lanes } => {
                    block.barriers.of(id.index).map_or(At::Going, |(barrier, gathering)| At::Barrier {
                        barrier,
                        counted: gathering.counted(),
                        pc,
                        lanes,
                    })
                }
                Activity::Exited => At::Exited,
                Activity::Running | Activity::Spinning | Activity::Endless | Activity::Trapped => At::Going,
            };
            Seen {
                place: None,
                warp: &state.warp,
                shared: &block.shared,
                since: self.since[w],
                at,
                coming: Vec::new(),
            }
        };
        let seen = (0..machine.warps.len()).map(seen).collect();
        let launch = Unfinished { kernel: self.kernel(), seen, queues: Vec::new(), not_started: None };
        let goes = |state: &Arc<WarpState>| matches!(state.activity, Activity::Spinning | Activity::Endless);
        let idle = !machine.warps.iter().any(goes);
        let world = World { idle, closed: true, memory: Some(self.memory()), leftover: false };
        classify(vec![launch], &world).remove(0)
    }
}

impl Untimed for Played {
    fn executed(&self) -> u64 {
        self.executed
    }

    fn has_ended(&self) -> bool {
        self.end.is_some()
    }

    fn sms(&self) -> u32 {
        self.recorders.len() as u32
    }

    fn kernel(&self) -> &Kernel {
        &self.machine.kernel
    }

    fn context(&self) -> &SmContext {
        &self.context
    }

    fn memory(&self) -> &Memory {
        &self.machine.memory
    }

    fn blocks(&self) -> Vec<Block> {
        let block = |number: u64| Block {
            sm: number as u32,
            number,
            index: self.kernel().grid.index_of(number),
            warps: self.mask(),
            live: self.live(number as usize),
            since: 0,
        };
        self.resident().map(block).collect()
    }

    fn retired(&self) -> u64 {
        (0..self.recorders.len()).filter(|block| self.is_over(*block)).count() as u64
    }

    fn block(&self, number: u64) -> Option<(&[u8], &Barriers)> {
        let is_resident = self.resident().any(|one| one == number);
        let block = is_resident.then(|| &self.machine.blocks[number as usize])?;
        Some((&block.shared, &block.barriers))
    }

    fn warp(&self, block: u32, slot: u32) -> Option<&Warp> {
        Some(&self.state(block, slot)?.warp)
    }

    fn last_access(&self, block: u32, slot: u32) -> Option<&IssuedAccess> {
        self.accesses[self.number(block, slot)?].as_deref()
    }

    fn held_at(&self, block: u32, slot: u32) -> Option<(u32, u32)> {
        match self.state(block, slot)?.activity {
            Activity::Waiting { pc, lanes } => Some((pc, lanes)),
            Activity::Running
            | Activity::Spinning
            | Activity::Endless
            | Activity::Trapped
            | Activity::Exited => None,
        }
    }

    fn coming(&self, block: u32, slot: u32) -> Vec<(OperandKind, u16, Origin)> {
        let Some(w) = self.number(block, slot) else { return Vec::new() };
        let mut all: Vec<(OperandKind, u16, Origin)> = Vec::new();
        for request in self.machine.requests_of(w) {
            let by = self.sent.iter().find(|sent| (sent.warp, sent.request) == (w as u32, request.number));
            let Some(Sent { by, .. }) = by.copied() else { continue };
            for (is_wide, row) in &request.rows {
                let kind = if *is_wide { OperandKind::D } else { OperandKind::W };
                all.push((kind, *row, by));
            }
        }
        all.sort_by_key(|(kind, row, _)| (*kind as u32, *row));
        all.dedup();
        all
    }

    fn status(&self, block: u32, slot: u32) -> Option<WarpStatus> {
        let w = self.number(block, slot)?;
        let state = &self.machine.warps[w];
        let simt = &state.warp.simt;
        let recorder = &self.recorders[block as usize];
        let last = recorder.issued(slot).map(|issued| issued.origin);
        let live = self.live(block as usize).count_ones();
        let ready = || (simt.pc(), simt.mask(), Shown::NotSelected, Why::LeftEmpty);
        let exited = |why| (last.map_or(0, |last| last.pc), 0, Shown::Exited, why);
        let (pc, lanes, state, why) = match state.activity {
            Activity::Running if self.machine.next(w).is_none() => {
                let (pc, lanes) = (simt.pc(), simt.mask());
                if self.kernel().program.code[pc as usize].op == Op::MembarGl {
                    let answers = self.machine.requests_of(w).count() as u32;
                    (pc, lanes, Shown::Membar, Why::Fence { answers, queued: 0 })
                } else {
                    let producer = self.coming(block, slot).first().map(|(_, _, by)| *by);
                    (pc, lanes, Shown::MemoryDependency, Why::Register { producer, ready: None })
                }
            }
            Activity::Running | Activity::Spinning | Activity::Endless => ready(),
            Activity::Waiting { pc, lanes } => {
                let why = at_barrier(&self.machine.blocks[block as usize].barriers, slot, last, live);
                (pc, lanes, Shown::Barrier, why)
            }
            Activity::Trapped => exited(Why::Trapped),
            Activity::Exited => {
                let own = self.machine.pending.iter().filter(|request| request.block == block);
                let loads = own.filter(|request| !request.rows.is_empty()).count() as u32;
                exited(Why::Exited { live, loads })
            }
        };
        Some(WarpStatus { pc, lanes, state, why })
    }

    fn advance(&mut self, until: u64, events: &mut Vec<Event>) {
        while self.end.is_none() && self.executed < until {
            self.step();
            self.recorders.iter_mut().for_each(|recorder| recorder.drain(u64::MAX, events));
        }
    }
}
