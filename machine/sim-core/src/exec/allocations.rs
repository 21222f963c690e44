//! The allocated ranges of device memory. Accesses outside of them are faults.

/// Start of mapped host memory of a launch without it. No request for global memory has this
/// address or a higher one.
pub const NOT_MAPPED: u32 = u32::MAX;

/// Size of a page of global memory in bytes, a power of two: the large page of these chips
/// ([2-ENV g80-vram]).
pub const PAGE_BYTES: u32 = 1 << 16;

/// A range of device memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Allocation {
    /// First byte.
    pub start: u32,
    /// Size in bytes, at least 1.
    pub bytes: u32,
    /// Name shown in messages.
    pub name: Option<String>,
}

impl Allocation {
    /// One past the last byte.
    pub fn end(&self) -> u64 {
        u64::from(self.start) + u64::from(self.bytes)
    }

    /// Bytes between `address` and the range; 0 inside.
    fn distance(&self, address: u64) -> u64 {
        u64::from(self.start).saturating_sub(address).max(address.saturating_sub(self.end() - 1))
    }
}

/// The allocated ranges, ascending and disjoint. A launch has its own copy, which does not change
/// while the launch runs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AllocationTable {
    ranges: Vec<Allocation>,
    /// Removed ranges that no later one overlaps, the latest last.
    freed: Vec<Allocation>,
}

/// Maximum number of removed ranges that are known.
const MOST_FREED: usize = 4096;

impl AllocationTable {
    /// An empty table.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a range. Returns false and changes nothing if the range is empty, overlaps another
    /// range or does not end within 4 GiB.
    pub fn insert(&mut self, range: Allocation) -> bool {
        let at = self.ranges.partition_point(|r| r.start < range.start);
        let before = at.checked_sub(1).map_or(0, |i| self.ranges[i].end());
        let after = self.ranges.get(at).map_or(1 << 32, |r| u64::from(r.start));
        let fits = range.bytes > 0 && before <= u64::from(range.start) && range.end() <= after;
        if fits {
            self.freed
                .retain(|old| old.end() <= u64::from(range.start) || range.end() <= u64::from(old.start));
            self.ranges.insert(at, range);
        }
        fits
    }

    /// Removes and returns the range that starts at `start`.
    pub fn remove(&mut self, start: u32) -> Option<Allocation> {
        let at = self.ranges.binary_search_by_key(&start, |r| r.start).ok()?;
        let range = self.ranges.remove(at);
        if self.freed.len() >= MOST_FREED {
            self.freed.remove(0);
        }
        self.freed.push(range.clone());
        Some(range)
    }

    /// The removed range that contains the byte at `address`, if no later range overlaps it.
    pub fn find_freed(&self, address: u64) -> Option<&Allocation> {
        self.freed.iter().find(|range| u64::from(range.start) <= address && address < range.end())
    }

    /// Whether one range contains all `bytes` bytes from `address` on.
    pub fn covers(&self, address: u32, bytes: u32) -> bool {
        self.find(address).is_some_and(|r| u64::from(address) + u64::from(bytes) <= r.end())
    }

    /// The range that contains the byte at `address`.
    pub fn find(&self, address: u32) -> Option<&Allocation> {
        let at = self.ranges.partition_point(|r| r.start <= address).checked_sub(1)?;
        Some(&self.ranges[at]).filter(|r| u64::from(address) < r.end())
    }

    /// Whether the page of `address` contains a byte of a range. Mapped memory, from `mapped_from`
    /// on, and device memory have no common page.
    pub fn shares_page(&self, address: u32, mapped_from: u32) -> bool {
        let first = address & !(PAGE_BYTES - 1);
        let last = first | (PAGE_BYTES - 1);
        let (first, last) = if address < mapped_from {
            (first, last.min(mapped_from - 1))
        } else {
            (first.max(mapped_from), last)
        };
        let at = self.ranges.partition_point(|range| range.start <= last);
        at.checked_sub(1).is_some_and(|at| self.ranges[at].end() > u64::from(first))
    }

    /// The range closest to `address`; the lower one if two are equally close. `None` if there are
    /// no ranges.
    pub fn nearest(&self, address: u64) -> Option<&Allocation> {
        self.ranges.iter().min_by_key(|r| r.distance(address))
    }

    /// The ranges, ascending.
    pub fn ranges(&self) -> &[Allocation] {
        &self.ranges
    }

    /// Text for a message: location of an access of `bytes` bytes at `address` that no range
    /// covers.
    pub fn hint(&self, address: u64, bytes: u64) -> String {
        let Some(range) = self.nearest(address) else {
            let null = if address == 0 { "; the pointer is null" } else { "" };
            return format!("no device memory is allocated{null}");
        };
        let name = range.name.as_ref().map_or_else(String::new, |name| format!(" `{name}`,"));
        let mut hint =
            format!("the nearest allocation is{name} {}; {}", shown(range), relation(range, address, bytes));
        let lowest = self.ranges.first().is_some_and(|r| address < u64::from(r.start));
        if address == 0 {
            hint.push_str("; the pointer is null");
        } else if lowest {
            hint.push_str("; the address is below every allocation: check for an offset from a null pointer or an unset register");
        }
        hint
    }

    /// The same for an address that is computed from a pointer into a range: `pointer` is the name
    /// of the pointer.
    pub fn hint_of(&self, pointer: &str, range: &Allocation, address: u64, bytes: u64) -> String {
        let name = range.name.as_ref().map_or_else(String::new, |name| format!(" `{name}`,"));
        format!(
            "{pointer} points to the allocation{name} {}; {}",
            shown(range),
            relation(range, address, bytes)
        )
    }

    /// The same for an address that is computed from a pointer into a removed range.
    pub fn hint_freed(&self, range: &Allocation, address: u64) -> String {
        let name = range.name.as_ref().map_or_else(String::new, |name| format!(" `{name}`,"));
        let inside = u64::from(range.start) <= address && address < range.end();
        let what = if inside { "it is in" } else { "the pointer is into" };
        format!("{what} the allocation{name} {}, which the host has freed", shown(range))
    }
}

/// Text for a message: first and last address of a range, and its size.
fn shown(range: &Allocation) -> String {
    format!("{:#x} .. {:#x} ({} bytes)", range.start, range.end(), range.bytes)
}

/// Text for a message: location of an access of `bytes` bytes at `address`, relative to a range
/// that does not cover it.
fn relation(range: &Allocation, address: u64, bytes: u64) -> String {
    let (start, end) = (u64::from(range.start), range.end());
    if address == end {
        "directly behind its end".to_owned()
    } else if address > end {
        format!("{} bytes past its end", address - end)
    } else if address >= start {
        format!("the access begins inside and ends {} bytes past its end", bytes - (end - address))
    } else {
        format!("{} bytes before its start", start - address)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_is_shared_up_to_its_ends_and_not_with_mapped_memory() {
        let mut table = AllocationTable::new();
        let mut insert = |start, bytes| assert!(table.insert(Allocation { start, bytes, name: None }));
        insert(0x1000, 16);
        insert(0x3_fff0, 16);
        insert(0x5_ffff, 2);
        insert(0xffff_1000, 16);
        let shares = |address| table.shares_page(address, 0xffff_1000);
        assert_eq!([0, 0xffff, 0x1_0000, 0x2_ffff].map(shares), [true, true, false, false]);
        assert_eq!([0x3_0000, 0x3_ffff, 0x4_0000].map(shares), [true, true, false]);
        assert_eq!([0x5_0000, 0x6_0000, 0x6_ffff, 0x7_0000].map(shares), [true, true, true, false]);
        assert_eq!([0xffff_0fff, 0xffff_1010, u32::MAX].map(shares), [false, true, true]);
        assert!(!AllocationTable::new().shares_page(0, NOT_MAPPED));
    }
}
