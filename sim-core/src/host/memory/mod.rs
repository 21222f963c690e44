//! Device memory as the host sees it: the allocated ranges and the allocator.

pub use crate::exec::allocations::{Allocation, AllocationTable};
use std::collections::BTreeSet;
use std::fmt;

/// First address of an allocation, in bytes. Lower addresses stay unused, so that a null pointer
/// with a small offset never points into an allocation.
pub const FIRST_ADDRESS: u32 = 0x1000;

/// Alignment of allocations in bytes, as with `cudaMalloc`.
pub const ALIGNMENT: u32 = 256;

/// Minimum number of unallocated bytes between two allocations, so that an access beyond an end is
/// detected.
pub const GAP: u32 = 256;

/// An address in device memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct DevicePtr(u32);

impl DevicePtr {
    /// Returns the pointer to byte `address`.
    pub const fn new(address: u32) -> Self {
        Self(address)
    }

    /// Returns the address.
    pub const fn address(self) -> u32 {
        self.0
    }

    /// Returns the pointer that is `bytes` bytes higher, modulo 4 GiB.
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

/// Reason for which an allocation, a free or a copy failed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MemoryError {
    /// An allocation of 0 bytes.
    #[error("an allocation of 0 bytes is invalid; the minimum is 1 byte")]
    Empty,
    /// No unallocated range is large enough.
    #[error(
        "cannot allocate {asked} bytes of device memory: {free} of {total} bytes are free, at most {largest} of them contiguous"
    )]
    OutOfMemory {
        /// Bytes requested.
        asked: u64,
        /// Bytes free, without the reserved gaps.
        free: u64,
        /// Largest allocation that would have succeeded.
        largest: u64,
        /// Bytes of device memory.
        total: u64,
    },
    /// The memory is already free.
    #[error("the device memory at {address} is already free")]
    DoubleFree {
        /// Address to free.
        address: DevicePtr,
    },
    /// The address never was the start of an allocation.
    #[error("{address} is not the start of an allocation: {hint}")]
    UnknownPointer {
        /// Address to free.
        address: DevicePtr,
        /// Position of the address.
        hint: String,
    },
    /// The copy is not inside one allocation.
    #[error("a copy of {bytes} bytes at {address} is out of bounds: {hint}")]
    CopyRange {
        /// First byte.
        address: DevicePtr,
        /// Size of the copy.
        bytes: u64,
        /// Position of the bytes.
        hint: String,
    },
}

/// Allocates device memory, first fit: the same calls always return the same addresses.
#[derive(Clone, Debug)]
pub struct Allocator {
    total: u64,
    table: AllocationTable,
    /// Number of the lowest allocations without free space before them; the search for free space
    /// begins after them.
    packed: usize,
    /// Starts of freed and not reused allocations, ascending. They distinguish a double free from
    /// an invalid pointer.
    freed: BTreeSet<u32>,
    /// End of the highest allocation that was ever made.
    highest: u64,
}

impl Allocator {
    /// An allocator of the addresses [`FIRST_ADDRESS`]` .. memory_bytes`; at most 4 GiB are used.
    pub fn new(memory_bytes: u64) -> Self {
        Self {
            total: memory_bytes.min(1 << 32),
            table: AllocationTable::new(),
            packed: 0,
            freed: BTreeSet::new(),
            highest: 0,
        }
    }

    /// Returns the end of the highest allocation that was ever made; 0 without one.
    pub fn highest(&self) -> u64 {
        self.highest
    }

    /// Returns the current allocations.
    pub fn table(&self) -> &AllocationTable {
        &self.table
    }

    /// Allocates `bytes` bytes at the lowest address where they fit. The contents do not change.
    pub fn allocate(&mut self, bytes: u64, name: Option<&str>) -> Result<DevicePtr, MemoryError> {
        if bytes == 0 {
            return Err(MemoryError::Empty);
        }
        let packed = self.holes(self.packed).take_while(|(_, bytes)| *bytes == 0).count();
        self.packed = (self.packed + packed).min(self.table.ranges().len());
        let Some((start, _)) = self.holes(self.packed).find(|(_, free)| *free >= bytes) else {
            return Err(MemoryError::OutOfMemory {
                asked: bytes,
                free: self.free_bytes(),
                largest: self.holes(0).map(|(_, bytes)| bytes).max().unwrap_or(0),
                total: self.total,
            });
        };
        let start = start as u32;
        self.highest = self.highest.max(u64::from(start) + bytes);
        let range = Allocation { start, bytes: bytes as u32, name: name.map(str::to_owned) };
        let inserted = self.table.insert(range);
        debug_assert!(inserted, "the range is free");
        self.freed.remove(&start);
        Ok(DevicePtr(start))
    }

    /// Frees the allocation that begins at `address`.
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

    /// Checks that a copy of `bytes` bytes at `address` is inside one allocation. A copy of 0 bytes
    /// always succeeds.
    pub fn check_copy(&self, address: DevicePtr, bytes: u64) -> Result<(), MemoryError> {
        let at = address.address();
        let inside = |bytes| self.table.covers(at, bytes);
        if bytes == 0 || u32::try_from(bytes).is_ok_and(inside) {
            return Ok(());
        }
        let hint = self.table.hint(u64::from(at), bytes);
        Err(MemoryError::CopyRange { address, bytes, hint })
    }

    /// Returns the number of bytes that can still be allocated, in all free ranges together.
    pub fn free_bytes(&self) -> u64 {
        self.holes(0).map(|(_, bytes)| bytes).sum()
    }

    /// Returns the unallocated ranges, ascending, from the one before allocation `first` on:
    /// aligned start and size in bytes, without the gaps on both sides.
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
