//! States of the warps of one SM over time, for the picture of the timeline.

use crate::mangled::plain;
use isa::terms::Terms;
use serde::Serialize;
use sim_core::stats::WarpState;

/// A recorded timeline.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct Timeline {
    /// Name of the kernel.
    pub kernel: String,
    /// Number of the SM.
    pub sm: u32,
    /// Shader cycles of an issue cycle.
    pub period: u64,
    /// Shader cycle after the last recorded change.
    pub end: u64,
    /// Whether later cycles were not recorded.
    pub cut: bool,
    /// Labels of the states, by number.
    pub labels: Vec<&'static str>,
    /// Colors of the states, as CSS has them, by number.
    pub colors: Vec<String>,
    /// Linear number of the first block with a warp in each slot, if it started while it was
    /// recorded.
    #[serde(skip)]
    pub blocks: Vec<Option<u64>>,
    /// Changes by warp slot: shader cycle, state or -1 without a warp, source line.
    pub rows: Vec<Vec<(u64, i8, u32)>>,
    /// The words of the kernel.
    #[serde(skip)]
    pub terms: &'static Terms,
}

impl Timeline {
    /// A timeline of SM `sm` without changes, of a chip with `slots` warp slots.
    pub fn new(kernel: &str, sm: u32, period: u64, slots: u32) -> Self {
        Self {
            kernel: plain(kernel).to_owned(),
            sm,
            period,
            end: 0,
            cut: false,
            labels: WarpState::ALL.iter().map(|state| state.label()).collect(),
            colors: WarpState::ALL.iter().map(|state| format!("#{:06x}", state.row().color)).collect(),
            blocks: vec![None; slots as usize],
            rows: vec![Vec::new(); slots as usize],
            terms: &Terms::CUDA,
        }
    }

    /// Adds a change of the warp in slot `slot`; returns whether it changes anything. Every issue
    /// is a change, even if the warp issues in consecutive cycles.
    pub(super) fn add(&mut self, cycle: u64, slot: u32, state: i8, line: u32) -> bool {
        let Some(row) = self.rows.get_mut(slot as usize) else { return false };
        let same = row.last().is_some_and(|last| (last.1, last.2) == (state, line));
        let is_new = !same || state == 0;
        if is_new {
            row.push((cycle, state, line));
        }
        is_new
    }
}
