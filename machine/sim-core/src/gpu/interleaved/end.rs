//! The end of a schedule: no action is left.

use super::machine::Interleaved;
use super::touch::Touch;
use super::warp::Activity;
use crate::exec::trap::Trap;
use isa::types::Dim3;

/// How a schedule ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// All warps have exited.
    Finished,
    /// An instruction could not be executed; the other warps have continued as far as they can.
    Trapped(Box<Trap>),
    /// The warps wait for each other, or for something that can never occur.
    Hung(Vec<Waiting>),
    /// A warp that waits in a loop could continue. Another schedule, in which it waits later, has
    /// the result of this one.
    Redundant,
}

/// A warp that can never continue.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Waiting {
    /// Number of the warp in the launch.
    pub number: u32,
    /// Index of its block.
    pub block: Dim3,
    /// Number of the warp in the block.
    pub warp: u32,
    /// Instruction at which it waits.
    pub pc: u32,
    /// Line of that instruction.
    pub line: u32,
    /// Reason.
    pub why: Why,
}

/// Reason for which a warp never continues.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Why {
    /// It waits at the barrier of this number.
    Barrier(u32),
    /// It repeats a loop that reads this memory.
    Spins(Vec<Touch>),
    /// It repeats a loop that accesses no shared or global memory.
    Endless,
}

impl Interleaved {
    /// Returns how the schedule has ended; `None` while there are actions.
    pub fn end(&self) -> Option<End> {
        if self.actions().next().is_some() {
            return None;
        }
        let any = |activity| self.warps.iter().any(|state| state.activity == activity);
        if let Some(trap) = &self.trap {
            return Some(End::Trapped(Box::new((**trap).clone())));
        }
        let spinning = || self.warps.iter().filter(|state| state.activity == Activity::Spinning);
        if spinning().any(|state| state.stale) {
            return Some(End::Redundant);
        }
        let waiting: Vec<Waiting> = (0..self.warps.len()).filter_map(|w| self.waiting(w)).collect();
        debug_assert!(!any(Activity::Running), "a warp without an action waits");
        Some(if waiting.is_empty() { End::Finished } else { End::Hung(waiting) })
    }

    fn waiting(&self, w: usize) -> Option<Waiting> {
        let state = &self.warps[w];
        let id = state.warp.id;
        let (pc, why) = match state.activity {
            Activity::Waiting { pc, .. } => {
                let barrier = self.blocks[id.block as usize].barriers.of(id.index);
                (pc, Why::Barrier(barrier.map_or(0, |(number, _)| number)))
            }
            Activity::Spinning => (state.warp.simt.pc(), Why::Spins(state.watch.clone())),
            Activity::Endless => (state.warp.simt.pc(), Why::Endless),
            Activity::Running | Activity::Trapped | Activity::Exited => return None,
        };
        let number = w as u32;
        Some(Waiting { number, block: id.ctaid, warp: id.index, pc, line: self.line(pc), why })
    }
}
