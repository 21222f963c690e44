//! A screen before the race checker: finds out whether a launch can have hazards.
//!
//! For each word it has one entry of a fixed size: for reads, for writes and for reductions, the
//! latest interval between barriers with such an access, and the thread. This is enough to find out
//! whether an access has no order with *some* earlier access, but not which ones. Accesses that the
//! screen lets pass have no hazards. The reverse is not true: it knows only the barriers of the
//! whole block, and it counts pairs that the race checker exempts, as a store that lockstep orders
//! behind a later one.
//!
//! The same entries show whether a barrier is needed: whether an access conflicts with an access of
//! another thread of the block before the latest barrier.

mod entry;
mod pages;
#[cfg(test)]
mod tests;

use super::Kind;
use crate::exec::stride::Strides;
use crate::exec::{self, Parts};
use entry::{Now, READ, REDUCTION, WRITE};
use pages::Pages;

/// An access of a warp to shared and global memory.
#[derive(Clone, Copy, Debug)]
pub struct WarpAccess<'a> {
    /// Number of the block in its grid.
    pub block: u32,
    /// Number of the warp in its block.
    pub warp: u32,
    /// Number of barriers of the whole block that were complete.
    pub barriers: u32,
    /// Kind of the access.
    pub kind: Kind,
    /// Addresses and size.
    pub access: &'a exec::Access,
    /// Distances between the addresses, if they are known.
    pub strides: Strides,
    /// Its lanes by state space.
    pub parts: Parts,
}

/// Screens the accesses of one launch, in the order of the functional machine.
#[derive(Debug, Default)]
pub struct Screen {
    shared: Pages,
    global: Pages,
    /// Block and barriers of the latest access.
    at: (u32, u32),
    /// Number of the running block among those with accesses, from 1, and number of the running
    /// interval between its barriers, from 1.
    block: u32,
    interval: u32,
    unordered: bool,
    between_blocks: bool,
}

impl Screen {
    /// Whether an access was not ordered with an earlier one.
    pub fn unordered(&self) -> bool {
        self.unordered
    }

    /// Whether blocks communicate: an access conflicted with an access of another block.
    pub fn between_blocks(&self) -> bool {
        self.between_blocks
    }

    /// Follows an access. Returns whether it conflicts with an access of another thread of the
    /// block before the latest barrier of the whole block; `false` unless `settle`.
    pub fn access(&mut self, by: &WarpAccess, settle: bool) -> bool {
        let at = (by.block, by.barriers);
        if self.block == 0 || at.0 != self.at.0 {
            self.block += 1;
            (self.at, self.interval) = (at, 1);
        } else if at != self.at {
            (self.at, self.interval) = (at, self.interval + 1);
        }
        let Parts { global, shared, .. } = by.parts;
        let mut ordered = false;
        for (lanes, is_global) in [(global, true), (shared, false)] {
            if lanes == 0 {
                continue;
            }
            let pages = if is_global { &mut self.global } else { &mut self.shared };
            let operation = if let Kind::Reduction(operation) = by.kind { operation } else { 0 };
            let Self { block, interval, .. } = *self;
            let now = Now { block, interval, global: is_global, operation, settle };
            let met = match by.kind {
                Kind::Read => pages.access::<READ>(&now, by, lanes),
                Kind::Write | Kind::Atomic => pages.access::<WRITE>(&now, by, lanes),
                Kind::Reduction(_) => pages.access::<REDUCTION>(&now, by, lanes),
            };
            self.unordered |= met.unordered;
            self.between_blocks |= met.between_blocks;
            ordered |= met.ordered;
        }
        ordered
    }
}
