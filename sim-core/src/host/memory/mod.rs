//! Device memory as the host sees it: which ranges are allocated, and the allocator that hands them
//! out.

pub use crate::exec::allocations::{Allocation, AllocationTable};
use std::collections::BTreeSet;
use std::fmt;

/// First address ever handed out, in bytes: what lies below stays unused, so that a null pointer
/// with a small offset never points into an allocation.
pub const FIRST_ADDRESS: u32 = 0x1000;

/// Allocations begin at multiples of this many bytes, as `cudaMalloc`'s do.
pub const ALIGNMENT: u32 = 256;

/// At least this many unallocated bytes lie between two allocations, so that running past an end is
/// noticed.
pub const GAP: u32 = 256;

/// An address in device memory, as host programs hold it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct DevicePtr(u32);

impl DevicePtr {
    /// The pointer to byte `address`.
    pub const fn new(address: u32) -> Self {
        Self(address)
    }

    /// The address.
    pub const fn address(self) -> u32 {
        self.0
    }

    /// The pointer `bytes` bytes further on, modulo 4 GiB.
    #[must_use]
    pub const fn offset(self, bytes: u32) -> Self {
        Self(self.0.wrapping_add(bytes))
    }
}

impl fmt::Display for DevicePtr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:#x}", self.0)
    }
}

/// Why device memory was not handed out, taken back or copied.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MemoryError {
    /// An allocation of nothing.
    #[error("an allocation of 0 bytes is invalid; the minimum is 1 byte")]
    Empty,
    /// No gap is large enough.
    #[error(
        "cannot allocate {asked} bytes of device memory: {free} of {total} bytes are free, at most {largest} of them contiguous"
    )]
    OutOfMemory {
        /// Bytes asked for.
        asked: u64,
        /// Bytes free, reserved gaps not counted.
        free: u64,
        /// Largest allocation that would have succeeded.
        largest: u64,
        /// Bytes of device memory.
        total: u64,
    },
    /// Freed already.
    #[error("the device memory at {address} is already free")]
    DoubleFree {
        /// What was to be freed.
        address: DevicePtr,
    },
    /// Never an allocation's start.
    #[error("{address} is not the start of an allocation: {hint}")]
    UnknownPointer {
        /// What was to be freed.
        address: DevicePtr,
        /// Where it lies.
        hint: String,
    },
    /// A copy that is not all inside one allocation.
    #[error("a copy of {bytes} bytes at {address} is out of bounds: {hint}")]
    CopyRange {
        /// First byte.
        address: DevicePtr,
        /// Size of the copy.
        bytes: u64,
        /// Where it lies.
        hint: String,
    },
}

/// Hands out device memory: first fit, so that the same calls always give the same addresses.
#[derive(Clone, Debug)]
pub struct Allocator {
    total: u64,
    table: AllocationTable,
    /// So many of the lowest allocations have no room before them: where the search for room
    /// begins.
    packed: usize,
    /// Starts of what was freed and not handed out again, ascending: tells a double free from a
    /// wild pointer.
    freed: BTreeSet<u32>,
}

impl Allocator {
    /// An allocator of the addresses [`FIRST_ADDRESS`]` .. memory_bytes`; at most 4 GiB are used.
    pub fn new(memory_bytes: u64) -> Self {
        Self {
            total: memory_bytes.min(1 << 32),
            table: AllocationTable::new(),
            packed: 0,
            freed: BTreeSet::new(),
        }
    }

    /// What is allocated now.
    pub fn table(&self) -> &AllocationTable {
        &self.table
    }

    /// Allocates `bytes` bytes at the lowest address where they fit. The contents are whatever was
    /// there.
    pub fn allocate(&mut self, bytes: u64, name: Option<&str>) -> Result<DevicePtr, MemoryError> {
        if bytes == 0 {
            return Err(MemoryError::Empty);
        }
        let packed = self.holes(self.packed).take_while(|(_, room)| *room == 0).count();
        self.packed = (self.packed + packed).min(self.table.ranges().len());
        let Some((start, _)) = self.holes(self.packed).find(|(_, room)| *room >= bytes) else {
            return Err(MemoryError::OutOfMemory {
                asked: bytes,
                free: self.free_bytes(),
                largest: self.holes(0).map(|(_, room)| room).max().unwrap_or(0),
                total: self.total,
            });
        };
        let start = start as u32;
        let range = Allocation { start, bytes: bytes as u32, name: name.map(str::to_owned) };
        let inserted = self.table.insert(range);
        debug_assert!(inserted, "a hole is free");
        self.freed.remove(&start);
        Ok(DevicePtr(start))
    }

    /// Takes back the allocation that begins at `address`.
    pub fn free(&mut self, address: DevicePtr) -> Result<(), MemoryError> {
        let at = address.address();
        if self.table.remove(at).is_some() {
            self.packed = self.packed.min(self.table.ranges().partition_point(|r| r.start < at));
            self.freed.insert(at);
            return Ok(());
        }
        Err(if self.freed.contains(&at) {
            MemoryError::DoubleFree { address }
        } else {
            let hint = match self.table.find(at) {
                Some(range) => {
                    format!("it is {} bytes after the start of one", at - range.start)
                }
                None => self.table.hint(u64::from(at), 1),
            };
            MemoryError::UnknownPointer { address, hint }
        })
    }

    /// Whether a copy of `bytes` bytes from or to `address` on stays inside one allocation; one of
    /// 0 bytes always does.
    pub fn check_copy(&self, address: DevicePtr, bytes: u64) -> Result<(), MemoryError> {
        let at = address.address();
        let inside = |bytes| self.table.covers(at, bytes);
        if bytes == 0 || u32::try_from(bytes).is_ok_and(inside) {
            return Ok(());
        }
        let hint = self.table.hint(u64::from(at), bytes);
        Err(MemoryError::CopyRange { address, bytes, hint })
    }

    /// Bytes that could still be handed out, in all pieces together.
    pub fn free_bytes(&self) -> u64 {
        self.holes(0).map(|(_, room)| room).sum()
    }

    /// The unallocated pieces from the one before the allocation `first` on, ascending: aligned
    /// start and bytes, the gaps on both sides taken off.
    fn holes(&self, first: usize) -> impl Iterator<Item = (u64, u64)> {
        let ranges = self.table.ranges();
        (first..=ranges.len()).map(|at| {
            let start = at.checked_sub(1).map_or(u64::from(FIRST_ADDRESS), |before| {
                ranges[before].end().next_multiple_of(u64::from(ALIGNMENT)) + u64::from(GAP)
            });
            let end = ranges.get(at).map_or(self.total, |range| u64::from(range.start) - u64::from(GAP));
            (start, end.saturating_sub(start))
        })
    }
}

#[cfg(test)]
mod tests;
