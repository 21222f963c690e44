//! Copies of a launch at earlier cycles.
//!
//! A copy contains the registers and shared memory of all SMs, caches, queues and DRAM state. Pages
//! of device memory are shared until one of the copies writes them. All copies together need at
//! most about [`MAX_BYTES`]; they are dense near the latest cycle and increasingly sparse before
//! it. The copy to drop is the one whose removal leaves the smallest gap relative to its age.

use super::state::State;
use crate::config::Chip;
use isa::uop::RowCounts;

/// Largest number of bytes of all copies, apart from shared pages of device memory.
pub const MAX_BYTES: usize = 150 << 20;

/// Largest number of copies.
const MAX_COPIES: usize = 48;

/// Smallest number of copies that is kept on a machine of any size.
const MIN_COPIES: usize = 8;

/// Returns about the number of bytes of a copy of an SM that runs a program with these rows,
/// without the pages of local memory.
pub fn bytes_of_sm(chip: &Chip, rows: RowCounts) -> usize {
    // Values of 32 lanes and the writer of each row; stack, state and timeline of the warp.
    let (w, d, p) = (rows.w as usize, rows.d as usize, rows.p as usize);
    let warp = 152 * w + 280 * d + 28 * p + 3000;
    // Queues, caches, scoreboard and counters, as measured.
    let parts = 64 << 10;
    chip.sm.max_warps as usize * warp + chip.sm.shared_bytes as usize + parts
}

/// Copies in the order of their cycles. The first one is the launch before its first cycle.
pub struct History<'a> {
    copies: Vec<State<'a>>,
    most: usize,
}

impl<'a> History<'a> {
    /// Creates a history with a copy of `state`. A copy has about `bytes` bytes.
    pub fn new(state: &State<'a>, bytes: usize) -> Self {
        let most = (MAX_BYTES / bytes.max(1)).clamp(MIN_COPIES, MAX_COPIES);
        Self { copies: vec![state.clone()], most }
    }

    /// Stores a copy of `state`, unless there is already one of its cycle.
    pub fn keep(&mut self, state: &State<'a>) {
        let cycle = state.cycle();
        let at = self.copies.partition_point(|copy| copy.cycle() < cycle);
        if self.copies.get(at).is_some_and(|copy| copy.cycle() == cycle) {
            return;
        }
        self.copies.insert(at, state.clone());
        if self.copies.len() > self.most {
            let drop = self.least_useful(cycle);
            self.copies.remove(drop);
        }
    }

    /// Returns the index of the copy whose removal leaves the smallest gap relative to its distance
    /// from `now`.
    fn least_useful(&self, now: u64) -> usize {
        let cycle = |i: usize| self.copies[i].cycle();
        let worth = |i: usize| {
            let gap = cycle(i + 1) - cycle(i - 1);
            gap as f64 / (now.abs_diff(cycle(i)) + 1) as f64
        };
        let inner = 1..self.copies.len() - 1;
        inner.min_by(|a, b| worth(*a).total_cmp(&worth(*b))).expect("there are at least three copies")
    }

    /// Returns the latest copy at or before shader cycle `cycle`.
    pub fn before(&self, cycle: u64) -> &State<'a> {
        let end = self.copies.partition_point(|copy| copy.cycle() <= cycle);
        &self.copies[end.checked_sub(1).expect("there is a copy of the first cycle")]
    }
}
