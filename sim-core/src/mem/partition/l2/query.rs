//! What the L2 needs to know of a request: its line, its sectors, and what it does with them.

use super::super::atomics::Words;
use crate::mem::sectors::{ALL_SECTORS, LINE_BYTES, SECTOR_BYTES};
use crate::time::message::{Request, RequestKind};

/// What a request does with its sectors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Use {
    /// Reads them.
    Read,
    /// Writes these bytes, by sector.
    Write([u32; 4]),
    /// Changes these words of the line.
    Change(Words),
}

/// A request on its way to the cache.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) struct Query {
    /// First hot cycle in which it may be looked up.
    pub at: u64,
    /// Number of its line in the partition.
    pub line: u64,
    /// Its reply's name, or that of nobody.
    pub name: u32,
    /// Its sectors, as bits.
    pub sectors: u8,
    pub(super) usage: Use,
}

impl Query {
    /// `request` for `sectors`, taken at hot cycle `at`, whose chunk begins at local address
    /// `local`.
    pub(in super::super) fn of(request: &Request, local: u32, sectors: u8, name: u32, at: u64) -> Self {
        let first = local + u32::from(request.offset[0]);
        debug_assert!(sectors != 0, "the cache is for requests of lines");
        let usage = match request.kind {
            RequestKind::Store | RequestKind::LocalStore => Use::Write(bytes(request)),
            RequestKind::Atomic(_) | RequestKind::Reduction(_) => Use::Change(Words::of(request, local)),
            _ => Use::Read,
        };
        let line = u64::from(first / LINE_BYTES);
        Self { at, line, name, sectors, usage }
    }
}

/// The sectors of its line that a request whose chunk begins at local address `local` moves; of
/// constants those of all its bursts, of `burst_bytes`, that lie in the line.
pub(in super::super) fn sectors(request: &Request, local: u32, burst_bytes: u32) -> u8 {
    if request.kind != RequestKind::Line {
        return request.sectors;
    }
    let first = local % LINE_BYTES / SECTOR_BYTES;
    let count = (u32::from(request.bursts) * burst_bytes / SECTOR_BYTES).max(1);
    ALL_SECTORS & (((1u32 << count.min(4)) - 1) << first) as u8
}

/// The bytes of its line that the lanes of `request` touch, by sector.
fn bytes(request: &Request) -> [u32; 4] {
    let mut touched = 0_u128;
    let each = (1_u128 << request.bytes) - 1;
    for offset in &request.offset[..request.lanes.count_ones() as usize] {
        touched |= each << (u32::from(*offset) % LINE_BYTES);
    }
    std::array::from_fn(|sector| (touched >> (32 * sector)) as u32)
}
