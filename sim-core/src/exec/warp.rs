//! The architectural state of one warp.

use super::local::LocalMemory;
use super::simt::SimtStack;
use super::{Row32, Row64};
use isa::types::Dim3;
use isa::uop::RowCounts;

/// Identity of a warp.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WarpId {
    /// Linear number of its block in the grid.
    pub block: u64,
    /// Index of its block in the grid (`%ctaid`).
    pub ctaid: Dim3,
    /// Number of the warp within the block: it has threads `32 * index ..` in linear order.
    pub index: u32,
    /// `%smid`.
    pub sm: u32,
    /// `%warpid`: the warp slot.
    pub slot: u32,
}

/// Registers and control state of one warp. Plain data that can be compared, printed and saved.
#[derive(Clone, Debug, PartialEq)]
pub struct Warp {
    /// Identity of the warp.
    pub id: WarpId,
    /// Reconvergence stack.
    pub simt: SimtStack,
    /// Lanes that have a thread (no padding) and have not exited.
    pub live: u32,
    /// 32-bit rows.
    pub w: Vec<Row32>,
    /// 64-bit rows.
    pub d: Vec<Row64>,
    /// Predicate rows; bit `l` is lane `l`.
    pub p: Vec<u32>,
    /// Local memory of its threads.
    pub local: LocalMemory,
}

impl Default for Warp {
    /// An empty slot without rows.
    fn default() -> Self {
        Self::empty(RowCounts::default(), 0)
    }
}

impl Warp {
    /// An empty warp slot with capacity for a program's rows and calls. Allocates all memory of the
    /// slot except pages of local memory.
    pub fn empty(rows: RowCounts, most_calls: u32) -> Self {
        Self {
            id: WarpId { block: 0, ctaid: Dim3::new(0, 0, 0), index: 0, sm: 0, slot: 0 },
            simt: SimtStack::empty(most_calls),
            live: 0,
            w: vec![[0; 32]; rows.w as usize],
            d: vec![[0; 32]; rows.d as usize],
            p: vec![0; rows.p as usize],
            local: LocalMemory::default(),
        }
    }

    /// Starts warp `id` of a block with `threads` threads at the kernel's first instruction. All
    /// registers and local memory are zero.
    pub fn start(&mut self, id: WarpId, threads: u32) {
        let left = threads - 32 * id.index;
        self.id = id;
        self.live = if left >= 32 { u32::MAX } else { (1 << left) - 1 };
        self.simt.start(self.live);
        self.w.fill([0; 32]);
        self.d.fill([0; 32]);
        self.p.fill(0);
        self.local.clear();
    }

    /// Whether all lanes have exited.
    pub fn done(&self) -> bool {
        self.live == 0
    }
}
