//! Device memory as the host sees it: which ranges are allocated, and the allocator that hands them out.

use std::fmt::Write;

/// First address ever handed out, in bytes: what lies below stays unused, so that a null pointer with a small
/// offset never points into an allocation.
pub const FIRST_ADDRESS: u32 = 0x1000;

/// Allocations begin at multiples of this many bytes, as `cudaMalloc`'s do.
pub const ALIGNMENT: u32 = 256;

/// At least this many unallocated bytes lie between two allocations, so that running past an end is noticed.
pub const GAP: u32 = 256;

/// A range of device memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Allocation {
    /// First byte.
    pub start: u32,
    /// Size in bytes, at least 1.
    pub bytes: u32,
    /// What it is called in messages.
    pub name: Option<String>,
}

impl Allocation {
    /// One past the last byte.
    pub fn end(&self) -> u64 {
        u64::from(self.start) + u64::from(self.bytes)
    }

    /// Bytes between `address` and the range; 0 inside.
    fn distance(&self, address: u64) -> u64 {
        u64::from(self.start).saturating_sub(address).max((address + 1).saturating_sub(self.end()))
    }
}

/// The allocated ranges, ascending and disjoint. A launch takes a copy, which stays as it is while it runs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AllocationTable {
    ranges: Vec<Allocation>,
}

impl AllocationTable {
    /// A table of no ranges.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a range; false, and no change, if it is empty, overlaps another or does not end within 4 GiB.
    pub fn insert(&mut self, range: Allocation) -> bool {
        let at = self.ranges.partition_point(|r| r.start < range.start);
        let before = at.checked_sub(1).map_or(0, |i| self.ranges[i].end());
        let after = self.ranges.get(at).map_or(1 << 32, |r| u64::from(r.start));
        let fits = range.bytes > 0 && before <= u64::from(range.start) && range.end() <= after;
        if fits {
            self.ranges.insert(at, range);
        }
        fits
    }

    /// Takes out the range that begins at `start`.
    pub fn remove(&mut self, start: u32) -> Option<Allocation> {
        let at = self.ranges.binary_search_by_key(&start, |r| r.start).ok()?;
        Some(self.ranges.remove(at))
    }

    /// Whether one range holds all of the `bytes` bytes from `address` on.
    pub fn covers(&self, address: u32, bytes: u32) -> bool {
        self.find(address).is_some_and(|r| u64::from(address) + u64::from(bytes) <= r.end())
    }

    /// The range that holds the byte at `address`.
    pub fn find(&self, address: u32) -> Option<&Allocation> {
        let at = self.ranges.partition_point(|r| r.start <= address).checked_sub(1)?;
        Some(&self.ranges[at]).filter(|r| u64::from(address) < r.end())
    }

    /// The range with a byte closest to `address`, the lower one of two; `None` if there are no ranges.
    pub fn nearest(&self, address: u64) -> Option<&Allocation> {
        self.ranges.iter().min_by_key(|r| r.distance(address))
    }

    /// The ranges, ascending.
    pub fn ranges(&self) -> &[Allocation] {
        &self.ranges
    }

    /// For a message: where an access of `bytes` bytes at `address`, which no range covers, lies.
    pub fn hint(&self, address: u64, bytes: u32) -> String {
        let Some(range) = self.nearest(address) else {
            return "no device memory is allocated".to_owned();
        };
        let name = range.name.as_ref().map_or_else(String::new, |name| format!(" `{name}`,"));
        let (start, end) = (u64::from(range.start), range.end());
        let mut hint =
            format!("the nearest allocation is{name} {start:#x} .. {end:#x} ({} bytes); ", range.bytes);
        let lowest = self.ranges.first().is_some_and(|r| address < u64::from(r.start));
        // Writing to a string cannot fail.
        let _ = if address >= end {
            write!(hint, "{} bytes past its end", address - end)
        } else if address >= start {
            let inside = end - address;
            write!(hint, "the access begins inside and ends {} bytes past its end", u64::from(bytes) - inside)
        } else {
            write!(hint, "{} bytes before its start", start - address)
        };
        if address == 0 {
            hint.push_str("; the pointer is null");
        } else if lowest {
            hint.push_str("; below every allocation: is it an offset to a null pointer, or never set?");
        }
        hint
    }
}

/// Why device memory was not handed out or taken back.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MemoryError {
    /// An allocation of nothing.
    #[error("an allocation of 0 bytes was asked for; the least is 1 byte")]
    Empty,
    /// No gap is large enough.
    #[error(
        "{asked} bytes of device memory were asked for, but of {total} bytes {free} are free, at most {largest} in one piece"
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
    #[error("the device memory at {address:#x} has been freed already")]
    DoubleFree {
        /// What was to be freed.
        address: u32,
    },
    /// Never an allocation's start.
    #[error("{address:#x} is not the start of an allocation: {hint}")]
    UnknownPointer {
        /// What was to be freed.
        address: u32,
        /// Where it lies.
        hint: String,
    },
}

/// Hands out device memory: first fit, so that the same calls always give the same addresses.
#[derive(Clone, Debug)]
pub struct Allocator {
    total: u64,
    table: AllocationTable,
    /// Starts of what was freed and not handed out again, ascending: tells a double free from a wild pointer.
    freed: Vec<u32>,
}

impl Allocator {
    /// An allocator of the addresses [`FIRST_ADDRESS`]` .. memory_bytes`; at most 4 GiB are used.
    pub fn new(memory_bytes: u64) -> Self {
        Self { total: memory_bytes.min(1 << 32), table: AllocationTable::new(), freed: Vec::new() }
    }

    /// What is allocated now.
    pub fn table(&self) -> &AllocationTable {
        &self.table
    }

    /// Allocates `bytes` bytes at the lowest address where they fit. The contents are whatever was there.
    pub fn allocate(&mut self, bytes: u64, name: Option<&str>) -> Result<u32, MemoryError> {
        if bytes == 0 {
            return Err(MemoryError::Empty);
        }
        let Some((start, _)) = self.holes().find(|(_, room)| *room >= bytes) else {
            return Err(MemoryError::OutOfMemory {
                asked: bytes,
                free: self.free_bytes(),
                largest: self.holes().map(|(_, room)| room).max().unwrap_or(0),
                total: self.total,
            });
        };
        let start = start as u32;
        let range = Allocation { start, bytes: bytes as u32, name: name.map(str::to_owned) };
        let inserted = self.table.insert(range);
        debug_assert!(inserted, "a hole is free");
        if let Ok(at) = self.freed.binary_search(&start) {
            self.freed.remove(at);
        }
        Ok(start)
    }

    /// Takes back the allocation that begins at `address`.
    pub fn free(&mut self, address: u32) -> Result<(), MemoryError> {
        if self.table.remove(address).is_some() {
            if let Err(at) = self.freed.binary_search(&address) {
                self.freed.insert(at, address);
            }
            return Ok(());
        }
        Err(if self.freed.binary_search(&address).is_ok() {
            MemoryError::DoubleFree { address }
        } else {
            let hint = match self.table.find(address) {
                Some(range) => {
                    format!("it lies {} bytes behind the start of one", address - range.start)
                }
                None => self.table.hint(u64::from(address), 1),
            };
            MemoryError::UnknownPointer { address, hint }
        })
    }

    /// Bytes that could still be handed out, in all pieces together.
    pub fn free_bytes(&self) -> u64 {
        self.holes().map(|(_, room)| room).sum()
    }

    /// The unallocated pieces, ascending: aligned start and bytes, the gaps on both sides taken off.
    fn holes(&self) -> impl Iterator<Item = (u64, u64)> {
        let unit = u64::from(ALIGNMENT);
        let starts = std::iter::once(u64::from(FIRST_ADDRESS))
            .chain(self.table.ranges().iter().map(move |r| r.end().next_multiple_of(unit) + u64::from(GAP)));
        let ends = self
            .table
            .ranges()
            .iter()
            .map(|r| u64::from(r.start) - u64::from(GAP))
            .chain(std::iter::once(self.total));
        starts.zip(ends).map(|(start, end)| (start, end.saturating_sub(start)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(ranges: &[(u32, u32)]) -> AllocationTable {
        let mut table = AllocationTable::new();
        for (start, bytes) in ranges {
            assert!(table.insert(Allocation { start: *start, bytes: *bytes, name: None }));
        }
        table
    }

    #[test]
    fn ranges_stay_sorted_and_disjoint() {
        let mut t = table(&[(0x3000, 0x100), (0x1000, 10), (0x2000, 0x1000)]);
        assert_eq!(t.ranges().iter().map(|r| r.start).collect::<Vec<_>>(), [0x1000, 0x2000, 0x3000]);
        for (start, bytes) in [(0x1009, 1), (0xfff, 2), (0x2fff, 1), (0x500, 0), (0xffff_ffff, 2)] {
            assert!(!t.insert(Allocation { start, bytes, name: None }), "{start:#x}");
        }
        assert!(t.insert(Allocation { start: 0xffff_ffff, bytes: 1, name: None }));
        assert_eq!(t.remove(0x2000).map(|r| r.bytes), Some(0x1000));
        assert_eq!(t.remove(0x2000), None);
    }

    #[test]
    fn covering_stops_exactly_at_both_ends() {
        let t = table(&[(0x1000, 10), (0x100a, 2), (0xffff_fff0, 16)]);
        assert!(t.covers(0x1000, 10) && t.covers(0x1009, 1) && t.covers(0xffff_fffc, 4));
        // Two ranges that touch are still two.
        assert!(!t.covers(0x1000, 11) && !t.covers(0x1009, 2));
        assert!(!t.covers(0xfff, 1) && !t.covers(0x100c, 1) && !t.covers(0xffff_fffd, 4));
        assert_eq!(t.find(0x100b).map(|r| r.start), Some(0x100a));
        assert_eq!(t.find(0x100c), None);
    }

    #[test]
    fn hints_name_the_nearest_range_and_the_distance() {
        let mut t = table(&[(0x1000, 4000)]);
        assert_eq!(
            t.hint(0x1fa4, 4),
            "the nearest allocation is 0x1000 .. 0x1fa0 (4000 bytes); 4 bytes past its end"
        );
        assert!(t.hint(0x1f9e, 4).ends_with("the access begins inside and ends 2 bytes past its end"));
        assert!(t.hint(0, 4).ends_with("4096 bytes before its start; the pointer is null"));
        assert!(t.hint(16, 4).contains("null pointer"));
        t.insert(Allocation { start: 0x4000, bytes: 16, name: Some("out".to_owned()) });
        assert!(t.hint(0x3ff0, 8).contains("`out`, 0x4000 .. 0x4010 (16 bytes); 16 bytes before its start"));
        assert!(t.hint(0x1_0000_0000, 4).contains("`out`"));
        assert_eq!(AllocationTable::new().hint(0, 4), "no device memory is allocated");
    }

    #[test]
    fn allocations_are_aligned_apart_and_first_fit() {
        let mut a = Allocator::new(1 << 20);
        assert_eq!(a.allocate(1, None), Ok(0x1000));
        assert_eq!(a.allocate(256, None), Ok(0x1200));
        assert_eq!(a.allocate(257, Some("c")), Ok(0x1400));
        assert_eq!(a.allocate(4, None), Ok(0x1700));
        a.free(0x1200).expect("allocated");
        assert_eq!(a.allocate(257, None), Ok(0x1900), "the hole of 256 bytes is too small");
        assert_eq!(a.allocate(256, None), Ok(0x1200), "and is filled when it is not");
        assert_eq!(a.table().find(0x1500).and_then(|r| r.name.as_deref()), Some("c"));
    }

    #[test]
    fn errors_say_what_was_asked_and_what_is_there() {
        let mut a = Allocator::new(0x3000);
        assert_eq!(a.free_bytes(), 0x2000);
        assert_eq!(a.allocate(0, None), Err(MemoryError::Empty));
        let first = a.allocate(0x1000, None).expect("fits");
        let error = a.allocate(0xf01, None).expect_err("too large");
        assert_eq!(
            error.to_string(),
            "3841 bytes of device memory were asked for, but of 12288 bytes 3840 are free, at most 3840 in one piece"
        );
        a.allocate(0xf00, None).expect("exactly fits");
        assert_eq!(a.free_bytes(), 0);
        a.free(first).expect("allocated");
        assert_eq!(a.free(first), Err(MemoryError::DoubleFree { address: first }));
        let error = a.free(0x2104).expect_err("inside").to_string();
        assert_eq!(
            error,
            "0x2104 is not the start of an allocation: it lies 4 bytes behind the start of one"
        );
        assert!(matches!(a.free(4), Err(MemoryError::UnknownPointer { .. })));
        assert_eq!(a.allocate(0x1000, None), Ok(first));
        a.free(first).expect("allocated again");
        assert!(Allocator::new(0).allocate(1, None).is_err());
        let mut whole = Allocator::new(1 << 40);
        assert_eq!(whole.allocate((1 << 32) - 0x1000, None), Ok(0x1000));
        assert!(whole.allocate(1, None).is_err());
    }
}
