//! The architectural state of one warp.

use super::local::LocalMemory;
use super::simt::SimtStack;
use super::{Row32, Row64};
use crate::state::{CloneFrom, Value};
use isa::types::Dim3;
use isa::uop::RowCounts;
use std::ops::{Index, IndexMut};

/// Identity of a warp.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Value)]
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

/// The rows of a register file, or of the constants of a program. They begin at cache lines of the
/// host's processor, so that no wide vector is in two of them.
#[derive(CloneFrom, Debug, PartialEq, Value)]
pub struct Rows<T>(Vec<Aligned<T>>);

#[derive(Clone, Copy, Debug, PartialEq, Value)]
#[repr(align(64))]
struct Aligned<T>(T);

impl<T: Copy> FromIterator<T> for Rows<T> {
    fn from_iter<I: IntoIterator<Item = T>>(rows: I) -> Self {
        Self(rows.into_iter().map(Aligned).collect())
    }
}

impl<T: Copy> Rows<T> {
    /// Creates `count` rows.
    pub fn new(row: T, count: usize) -> Self {
        Self(vec![Aligned(row); count])
    }

    /// Returns the number of rows.
    #[inline]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns row `row`, if there is one.
    #[inline]
    pub fn get(&self, row: usize) -> Option<&T> {
        self.0.get(row).map(|row| &row.0)
    }

    /// Returns all rows.
    pub fn iter(&self) -> impl Iterator<Item = &T> {
        self.0.iter().map(|row| &row.0)
    }

    /// Appends a row.
    pub fn push(&mut self, row: T) {
        self.0.push(Aligned(row));
    }

    /// Sets all rows.
    fn fill(&mut self, row: T) {
        self.0.fill(Aligned(row));
    }
}

impl<T> Index<usize> for Rows<T> {
    type Output = T;
    #[inline]
    fn index(&self, row: usize) -> &T {
        &self.0[row].0
    }
}

impl<T> IndexMut<usize> for Rows<T> {
    #[inline]
    fn index_mut(&mut self, row: usize) -> &mut T {
        &mut self.0[row].0
    }
}

/// Registers and control state of one warp. Plain data that can be compared, printed and saved.
#[derive(CloneFrom, Debug, PartialEq, Value)]
pub struct Warp {
    /// Identity of the warp.
    pub id: WarpId,
    /// Reconvergence stack.
    pub simt: SimtStack,
    /// Lanes that have a thread (no padding) and have not exited.
    pub live: u32,
    /// 32-bit rows.
    pub w: Rows<Row32>,
    /// 64-bit rows.
    pub d: Rows<Row64>,
    /// Predicate rows; bit `l` is lane `l`.
    pub p: Vec<u32>,
    /// Local memory of its threads.
    pub local: LocalMemory,
}

impl Default for Warp {
    /// An empty slot without rows.
    fn default() -> Self {
        Self {
            id: WarpId { block: 0, ctaid: Dim3::new(0, 0, 0), index: 0, sm: 0, slot: 0 },
            simt: SimtStack::default(),
            live: 0,
            w: Rows(Vec::new()),
            d: Rows(Vec::new()),
            p: Vec::new(),
            local: LocalMemory::default(),
        }
    }
}

impl Warp {
    /// An empty warp slot with capacity for a program's rows and calls. Allocates all memory of the
    /// slot except pages of local memory.
    pub fn empty(rows: RowCounts, most_calls: u32) -> Self {
        let mut warp = Self::default();
        warp.allocate(rows, most_calls);
        warp
    }

    /// Allocates the memory of the slot, as [`Self::empty`] does, unless the slot has it.
    pub fn allocate(&mut self, rows: RowCounts, most_calls: u32) {
        if !self.simt.is_allocated() {
            self.simt = SimtStack::empty(most_calls);
            self.w = Rows::new([0; 32], rows.w as usize);
            self.d = Rows::new([0; 32], rows.d as usize);
            self.p = vec![0; rows.p as usize];
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
