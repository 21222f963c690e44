//! The states of the warps of an SM in the last issue cycles.
//!
//! The timeline is computed from the events and is part of the state of a launch, so it is the same
//! at a cycle that is reached forward or back. It is bounded: changes older than [`SPAN`] issue
//! cycles are dropped.

use super::session::Session;
use crate::counters::WarpState;
use crate::scheduler::bits;
use std::collections::VecDeque;

/// Issue cycles of the timeline.
pub const SPAN: u64 = 128;

/// State of a warp in one issue cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cell {
    /// State of the warp in this issue cycle.
    pub state: WarpState,
    /// Instruction that the cycle is charged to.
    pub pc: u32,
    /// Whether an instruction issues in this issue cycle. In the state [`WarpState::Issuing`]
    /// without it, the instruction occupies a further issue slot.
    pub issues: bool,
    /// Shader cycle from which the warp is in this state.
    pub since: u64,
}

/// States of the warps of an SM by issue cycle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Timeline {
    /// Shader cycles of an issue cycle.
    pub period: u64,
    /// First shader cycle of the first issue cycle.
    pub from: u64,
    /// Number of issue cycles.
    pub cycles: usize,
    /// Warp slots that had a warp in one of the issue cycles, by slot.
    pub rows: Vec<SlotTimeline>,
}

/// States of the warps in a warp slot, by issue cycle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SlotTimeline {
    /// Warp slot.
    pub slot: u32,
    /// For each issue cycle the state; `None` if no warp was resident.
    pub cells: Vec<Option<Cell>>,
}

/// A change of the state of a warp slot.
#[derive(Clone, Copy, Debug)]
struct Change {
    cycle: u64,
    /// Instruction that the cycle is charged to.
    pc: u32,
    slot: u8,
    /// The new state; `None`: no warp is resident.
    state: Option<WarpState>,
    /// Whether an instruction issues in this cycle.
    issues: bool,
}

/// Changes in one SM.
#[derive(Clone, Debug, Default)]
pub struct Recent {
    /// For each warp slot the state before the first of `changes`.
    before: Vec<Option<Change>>,
    changes: VecDeque<Change>,
}

impl Recent {
    /// An SM with `slots` empty warp slots.
    pub fn new(slots: usize) -> Self {
        Self { before: vec![None; slots], changes: VecDeque::new() }
    }

    /// Records the state of the warp in slot `slot` from shader cycle `cycle` on. An issue cycle
    /// has `period` shader cycles.
    pub fn state(&mut self, cycle: u64, period: u64, slot: u32, (state, pc, issues): (WarpState, u32, bool)) {
        self.push(period, Change { cycle, pc, slot: slot as u8, state: Some(state), issues });
    }

    /// Records that no warp is resident in the slots `slots` from shader cycle `cycle` on.
    pub fn leave(&mut self, cycle: u64, period: u64, slots: u64) {
        for slot in bits(slots) {
            self.push(period, Change { cycle, pc: 0, slot: slot as u8, state: None, issues: false });
        }
    }

    fn push(&mut self, period: u64, change: Change) {
        while let Some(first) = self.changes.front().copied()
            && first.cycle + SPAN * period <= change.cycle
        {
            self.before[first.slot as usize] = Some(first);
            self.changes.pop_front();
        }
        self.changes.push_back(change);
    }

    /// Returns the states in the `cycles` issue cycles that start before shader cycle `end`.
    fn timeline(&self, end: u64, period: u64, cycles: u64) -> Timeline {
        let end = end.div_ceil(period);
        let first = end.saturating_sub(cycles.min(SPAN));
        let count = (end - first) as usize;
        let row = |slot: usize| {
            let mut change = self.before[slot];
            let mut changes =
                self.changes.iter().filter(|change| change.slot as usize == slot).copied().peekable();
            let mut cell = |cycle: u64| {
                let start = cycle * period;
                while let Some(next) = changes.next_if(|next| next.cycle <= start) {
                    change = Some(next);
                }
                let Change { cycle: since, pc, state, issues, .. } = change?;
                Some(Cell { state: state?, pc, issues: issues && since == start, since })
            };
            (first..end).map(&mut cell).collect::<Vec<_>>()
        };
        let rows = (0..self.before.len()).map(|slot| SlotTimeline { slot: slot as u32, cells: row(slot) });
        let rows = rows.filter(|row| row.cells.iter().any(Option::is_some)).collect();
        Timeline { period, from: first * period, cycles: count, rows }
    }
}

impl Session<'_> {
    /// Returns the states of the warps of SM `sm` in the last `cycles` issue cycles, at most
    /// [`SPAN`]. Returns `None` if the SM does not exist.
    pub fn timeline(&self, sm: u32, cycles: u64) -> Option<Timeline> {
        let recent = self.state.statuses.recent(sm)?;
        Some(recent.timeline(self.cycle(), self.issue_period(), cycles))
    }
}
