//! Memory that kernels access, as the host sees it: the allocated ranges of device memory and of
//! mapped host memory, and the allocator.
//!
//! Device memory is allocated from the lowest address on, mapped memory from the highest address
//! downward. No device memory is above mapped memory, so one comparison tells the kinds apart.

use crate::exec::allocations::NOT_MAPPED;
pub use crate::exec::allocations::{Allocation, AllocationTable};
use std::collections::BTreeSet;
use std::fmt;
use std::ops::Range;

/// First address of an allocation, in bytes. Lower addresses stay unused, so that a null pointer
/// with a small offset never points into an allocation.
pub const FIRST_ADDRESS: u32 = 0x1000;

/// Alignment of allocations in bytes, as with `cudaMalloc`.
pub const ALIGNMENT: u32 = 256;

/// Minimum number of unallocated bytes between two allocations, so that an access beyond an end is
/// detected.
pub const GAP: u32 = 256;

/// Alignment of mapped host memory in bytes: a page of the host.
pub const MAPPED_ALIGNMENT: u32 = 4096;

/// An address in device memory, or of mapped host memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct DevicePtr(u32);

/// Bytes of device memory that are contiguous.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row {
    /// First byte.
    pub ptr: DevicePtr,
    /// Number of bytes.
    pub bytes: u64,
}

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
    /// The device's addresses have no space for the host memory.
    #[error(
        "cannot map {asked} bytes of host memory: at most {largest} contiguous bytes of the device's addresses are free above device memory"
    )]
    NoAddresses {
        /// Bytes requested.
        asked: u64,
        /// Largest allocation that would have succeeded.
        largest: u64,
    },
    /// The chip cannot map host memory.
    #[error("chip `{0}` cannot map host memory (`pcie.mapped` is false): copy it to device memory")]
    CannotMap(String),
    /// A copy of mapped host memory, which the host accesses itself.
    #[error("{0} is mapped host memory, which needs no copy: the host reads and writes it directly")]
    Mapped(DevicePtr),
    /// An access of the host to device memory.
    #[error("{0} is not mapped host memory: the host accesses device memory with copies")]
    NotMapped(DevicePtr),
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

/// Allocates device memory and mapped host memory, first fit: the same calls always return the same
/// addresses.
#[derive(Clone, Debug)]
pub struct Allocator {
    total: u64,
    /// Number of addresses. Mapped memory has the last of them.
    addresses: u64,
    /// Start of the lowest mapped allocation; [`NOT_MAPPED`] if there is none.
    mapped_from: u32,
    /// Start of the lowest mapped allocation that was ever made; [`Self::addresses`] without one.
    mapped_ever: u64,
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
        let total = memory_bytes.min(1 << 32);
        Self {
            total,
            addresses: total,
            mapped_from: NOT_MAPPED,
            mapped_ever: total,
            table: AllocationTable::new(),
            packed: 0,
            freed: BTreeSet::new(),
            highest: 0,
        }
    }

    /// Sets the number of addresses, if mapped memory can have addresses beyond device memory.
    #[must_use]
    pub fn with_addresses(self, addresses: u64) -> Self {
        Self { addresses, mapped_ever: addresses, ..self }
    }

    /// Returns the first address of mapped memory, a multiple of [`MAPPED_ALIGNMENT`];
    /// `u32::MAX` if none is allocated.
    pub fn mapped_from(&self) -> u32 {
        self.mapped_from
    }

    /// Returns the addresses that mapped memory had at some time.
    pub fn mapped_ever(&self) -> Range<u64> {
        self.mapped_ever..self.addresses
    }

    /// Returns the end of the highest allocation of device memory; 0 if there is none.
    pub fn device_end(&self) -> u64 {
        self.table.ranges()[..self.device_ranges()].last().map_or(0, Allocation::end)
    }

    /// Returns the number of allocations of device memory, which are the lowest.
    fn device_ranges(&self) -> usize {
        self.table.ranges().partition_point(|range| range.start < self.mapped_from)
    }

    /// Returns the end of the highest allocation of device memory that was ever made; 0 without
    /// one.
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

    /// Allocates `bytes` bytes of mapped memory at the highest address where they fit, above all
    /// device memory. The contents do not change.
    pub fn allocate_mapped(&mut self, bytes: u64, name: Option<&str>) -> Result<DevicePtr, MemoryError> {
        if bytes == 0 {
            return Err(MemoryError::Empty);
        }
        let (gap, page) = (u64::from(GAP), u64::from(MAPPED_ALIGNMENT));
        // The free ranges, highest first: start and end.
        let mapped = &self.table.ranges()[self.device_ranges()..];
        let ends = mapped.iter().rev().map(|range| u64::from(range.start));
        let starts = mapped.iter().rev().map(Allocation::end);
        let lowest = self.device_end().max(u64::from(FIRST_ADDRESS) - gap);
        let free = std::iter::once(self.addresses).chain(ends).zip(starts.chain([lowest]));
        let pages = free.map(|(end, start)| {
            let start = (start + gap).next_multiple_of(page);
            (start, end.saturating_sub(gap).max(start))
        });
        let start_of = |(start, end): (u64, u64)| {
            let at = end.checked_sub(bytes)? / page * page;
            (at >= start).then_some(at)
        };
        let Some(start) = pages.clone().find_map(start_of) else {
            let largest = pages.map(|(start, end)| end - start).max().unwrap_or(0);
            return Err(MemoryError::NoAddresses { asked: bytes, largest });
        };
        let range = Allocation { start: start as u32, bytes: bytes as u32, name: name.map(str::to_owned) };
        let inserted = self.table.insert(range);
        debug_assert!(inserted, "the range is free");
        self.mapped_from = self.mapped_from.min(start as u32);
        self.mapped_ever = self.mapped_ever.min(start);
        self.freed.remove(&(start as u32));
        Ok(DevicePtr(start as u32))
    }

    /// Frees the allocation that begins at `address`.
    pub fn free(&mut self, address: DevicePtr) -> Result<(), MemoryError> {
        let at = address.address();
        if self.table.remove(at).is_some() {
            self.packed = self.packed.min(self.table.ranges().partition_point(|r| r.start < at));
            self.freed.insert(at);
            if at == self.mapped_from {
                // The next mapped allocation is now the lowest.
                let next = self.table.ranges().iter().find(|range| range.start > at);
                self.mapped_from = next.map_or(NOT_MAPPED, |range| range.start);
            }
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

    /// Same as [`Self::check_copy`], for a copy over the link: `address` is not mapped memory.
    pub fn check_device(&self, address: DevicePtr, bytes: u64) -> Result<(), MemoryError> {
        if address.address() >= self.mapped_from {
            return Err(MemoryError::Mapped(address));
        }
        self.check_copy(address, bytes)
    }

    /// Same as [`Self::check_copy`], for an access of the host: `address` is mapped memory.
    pub fn check_mapped(&self, address: DevicePtr, bytes: u64) -> Result<(), MemoryError> {
        if address.address() < self.mapped_from {
            return Err(MemoryError::NotMapped(address));
        }
        self.check_copy(address, bytes)
    }

    /// Returns the number of bytes of device memory that can still be allocated, in all free ranges
    /// together.
    pub fn free_bytes(&self) -> u64 {
        self.holes(0).map(|(_, bytes)| bytes).sum()
    }

    /// Returns the unallocated ranges of device memory, ascending, from the one before allocation
    /// `first` on: aligned start and size in bytes, without the gaps on both sides.
    fn holes(&self, first: usize) -> impl Iterator<Item = (u64, u64)> {
        let ranges = self.table.ranges();
        let last = match self.mapped_from {
            NOT_MAPPED => self.total,
            mapped => self.total.min(u64::from(mapped - GAP)),
        };
        (first..=ranges.len()).map(move |at| {
            let start = at.checked_sub(1).map_or(u64::from(FIRST_ADDRESS), |before| {
                ranges[before].end().next_multiple_of(u64::from(ALIGNMENT)) + u64::from(GAP)
            });
            let end = ranges.get(at).map_or(last, |range| u64::from(range.start - GAP).min(last));
            (start, end.saturating_sub(start))
        })
    }
}

#[cfg(test)]
mod tests;
