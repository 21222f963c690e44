//! A request as the L2 needs it: its line, its sectors, and its access.

use super::super::atomics::Words;
use crate::events::Usage;
use crate::mem::sectors::{ALL_SECTORS, LINE_BYTES, SECTOR_BYTES};
use crate::state::Value;
use crate::time::message::{Request, RequestKind};

/// Access of a request to its sectors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Value)]
pub(super) enum Use {
    /// Reads them.
    Read,
    /// Writes these bytes, as a mask for each sector.
    Write([u32; 4]),
    /// Changes these words of the line.
    Change(Words),
}

impl Use {
    /// The access as an observer is told of it.
    pub fn told(self) -> Usage {
        match self {
            Self::Read => Usage::Read,
            Self::Write(_) => Usage::Write,
            Self::Change(_) => Usage::Atomic,
        }
    }
}

/// A request on its way to the cache.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Value)]
pub(in super::super) struct Query {
    /// First shader cycle in which it may be looked up.
    pub at: u64,
    /// Number of its line in the partition.
    pub line: u64,
    /// Index of its reply, or the index that means no reply.
    pub name: u32,
    /// Its sectors, as bits.
    pub sectors: u8,
    pub(super) usage: Use,
}

impl Query {
    /// Same as [`Self::of`], for a request that reads.
    #[inline]
    pub(in super::super) fn of_read(request: &Request, local: u32, sectors: u8, name: u32, at: u64) -> Self {
        let line = u64::from((local + u32::from(request.offset[0])) / LINE_BYTES);
        Self { at, line, name, sectors, usage: Use::Read }
    }

    /// Creates the query of `request` for `sectors`, accepted at shader cycle `at`. The request's
    /// chunk begins at local address `local`.
    pub(in super::super) fn of(request: &Request, local: u32, sectors: u8, name: u32, at: u64) -> Self {
        debug_assert!(sectors != 0, "a request has at least one sector");
        let usage = match request.kind {
            RequestKind::Store | RequestKind::LocalStore => Use::Write(bytes(request)),
            RequestKind::Atomic(_) | RequestKind::Reduction(_) => Use::Change(Words::of(request, local)),
            _ => Use::Read,
        };
        Self { usage, ..Self::of_read(request, local, sectors, name, at) }
    }
}

/// Returns the sectors of its line that `request` accesses; its chunk begins at local address
/// `local`. For a line of constants, code or a texture, these are the sectors of all its bursts of
/// `burst_bytes` within the line.
pub(in super::super) fn sectors(request: &Request, local: u32, burst_bytes: u32) -> u8 {
    if !matches!(request.kind, RequestKind::Line | RequestKind::Texture) {
        return request.sectors;
    }
    let first = local % LINE_BYTES / SECTOR_BYTES;
    let count = (u32::from(request.bursts) * burst_bytes / SECTOR_BYTES).max(1);
    ALL_SECTORS & (((1u32 << count.min(4)) - 1) << first) as u8
}

/// Returns the bytes of its line that the lanes of `request` access, as a mask for each sector.
fn bytes(request: &Request) -> [u32; 4] {
    let mut touched = 0_u128;
    let each = (1_u128 << request.bytes) - 1;
    for offset in &request.offset[..request.lanes.count_ones() as usize] {
        touched |= each << (u32::from(*offset) % LINE_BYTES);
    }
    std::array::from_fn(|sector| (touched >> (32 * sector)) as u32)
}
