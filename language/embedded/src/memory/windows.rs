//! Blocks that have addresses of the device: mapped host memory, for which one pointer is valid on
//! both sides.
//!
//! Such a block has an address like any other, its *own* one, and a window of addresses below
//! [`FIRST`]. Accesses through a window take the path of a wrong access, so that others need no
//! further check. The device keeps only a small gap between its allocations: an access far behind
//! one block can hit the next.

use super::FIRST;
use std::cell::Cell;

/// An address at this distance from a window, or farther, is not meant for its block.
const NEAR: u64 = 1 << 20;

/// The addresses of a block on the device.
#[derive(Debug)]
struct Window {
    start: u64,
    end: u64,
    /// The own address of the block.
    own: u64,
}

/// All windows, also of freed blocks whose addresses no other block has.
#[derive(Debug, Default)]
pub struct Windows {
    /// In ascending order.
    list: Vec<Window>,
    /// Index of the window of the latest access.
    last: Cell<usize>,
}

impl Windows {
    /// Adds the window of a block. Windows that it covers end.
    pub fn add(&mut self, start: u64, bytes: u64, own: u64) {
        let end = start + bytes;
        self.list.retain(|other| other.end <= start || end <= other.start);
        let at = self.list.partition_point(|other| other.start < start);
        self.list.insert(at, Window { start, end, own });
    }

    /// Returns the own address of a byte; the address itself if it is in no window.
    #[inline]
    pub fn own(&self, address: u64) -> u64 {
        if address >= FIRST {
            return address;
        }
        let of = |window: &Window| window.own + (address - window.start);
        let has = |window: &&Window| (window.start..window.end).contains(&address);
        if let Some(window) = self.list.get(self.last.get()).filter(has) {
            return of(window);
        }
        let after = self.list.partition_point(|window| window.start <= address);
        let Some(window) = after.checked_sub(1).and_then(|at| self.list.get(at)).filter(has) else {
            return address;
        };
        self.last.set(after - 1);
        of(window)
    }

    /// Returns the own address of a byte in or near a window, which may be outside of its block.
    pub fn near(&self, address: u64) -> Option<u64> {
        let distance = |window: &Window| {
            let before = window.start.saturating_sub(address);
            before.max((address + 1).saturating_sub(window.end))
        };
        let nearest = self.list.iter().min_by_key(|window| distance(window))?;
        (distance(nearest) < NEAR).then(|| nearest.own.wrapping_add(address.wrapping_sub(nearest.start)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_has_the_latest_window() {
        let mut windows = Windows::default();
        windows.add(0x8000, 0x100, 5 * FIRST);
        windows.add(0x4000, 0x10, 7 * FIRST);
        assert_eq!(
            [0x8000, 0x80ff, 0x400f, 0x4000].map(|at| windows.own(at)),
            [5 * FIRST, 5 * FIRST + 0xff, 7 * FIRST + 0xf, 7 * FIRST]
        );
        for other in [0, 0x3fff, 0x4010, 0x7fff, 0x8100, 5 * FIRST + 3] {
            assert_eq!(windows.own(other), other);
        }
        assert_eq!(windows.near(0x3ff8), Some(7 * FIRST - 8));
        assert_eq!(windows.near(0x8102), Some(5 * FIRST + 0x102));
        assert_eq!(windows.near(0x8100 + NEAR), None);
        windows.add(0x80c0, 0x100, 9 * FIRST);
        assert_eq!(windows.own(0x80c1), 9 * FIRST + 1);
        assert_eq!(windows.own(0x8000), 0x8000, "its window has ended");
    }
}
