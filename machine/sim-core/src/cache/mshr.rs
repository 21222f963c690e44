//! Miss status holding registers (MSHRs): the lines that a cache has requested, and the requests
//! that wait for each.
//!
//! A miss allocates an entry for its line. A further miss on the same line (a *hit on miss*) is
//! *merged* into that entry and sends no request. When the line arrives, the *fill* releases the
//! merged requests in the order of their misses and frees the entry. All caches that wait for lines
//! use this type: the instruction cache and the constant caches, the L1 and the L2.
//!
//! The TLB has no MSHR: a look-up installs the page immediately and returns the latency of the
//! miss, so that no miss is outstanding.

use crate::state::{CloneFrom, Part, Value};

/// End of a list.
const NONE: u32 = u32::MAX;
/// Line number of a free entry.
const FREE: u64 = u64::MAX;
/// Number of entry lists: entries whose lines have the same remainder are in one list.
const LISTS: usize = 128;

/// Returns the list of the entry of line `line`.
const fn list_of(line: u64) -> usize {
    line as usize % LISTS
}

/// Outcome of a miss.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Miss {
    /// The miss has this new entry: the line must be requested.
    New(u16),
    /// The miss waits for a line that has been requested.
    Merged,
    /// There is no free entry, or the line's entry accepts no further request.
    Full,
}

/// An outstanding miss.
#[derive(Clone, Copy, Debug, Value)]
struct Entry {
    /// Number of the line, or [`FREE`].
    line: u64,
    /// Whether the entry accepts no further requests.
    closed: bool,
    /// Number of merged requests.
    merged: u32,
    /// Indices in the pool of the first and the last merged request.
    first: u32,
    last: u32,
    /// The next entry in its list, or the next free one.
    next: u32,
}

/// A merged request, and the index of the next one.
#[derive(Clone, Copy, Debug, Value)]
struct Merged<W> {
    request: W,
    next: u32,
}

/// The MSHRs of a cache whose waiting requests have type `W`.
#[derive(CloneFrom, Debug, Part)]
pub struct Mshr<W> {
    entries: Vec<Entry>,
    /// First entry of each list.
    lists: [u32; LISTS],
    /// First free entry.
    free: u32,
    /// Most entries in use at the same time.
    #[state(fixed)]
    most_entries: usize,
    /// Most merged requests of one entry.
    #[state(fixed)]
    most_merged: u32,
    outstanding: usize,
    /// Merged requests of all entries.
    pool: Vec<Merged<W>>,
    /// First free index of the pool.
    unused: u32,
}

impl<W: Copy> Mshr<W> {
    /// Creates `entries` MSHRs, each for `merged` requests.
    pub fn new(entries: u32, merged: u32) -> Self {
        Self {
            entries: Vec::new(),
            lists: [NONE; LISTS],
            free: NONE,
            most_entries: entries.min(u16::MAX.into()) as usize,
            most_merged: merged,
            outstanding: 0,
            pool: Vec::new(),
            unused: NONE,
        }
    }

    /// Creates MSHRs without a limit on entries or merged requests.
    pub fn unlimited() -> Self {
        Self::new(u32::MAX, u32::MAX)
    }

    /// Returns the number of outstanding misses, which is the number of entries in use.
    pub fn outstanding(&self) -> usize {
        self.outstanding
    }

    /// Whether no miss is outstanding.
    pub fn is_empty(&self) -> bool {
        self.outstanding == 0
    }

    /// Whether every entry is in use.
    #[inline]
    pub fn is_full(&self) -> bool {
        self.outstanding == self.most_entries
    }

    /// Returns the entry of line `line` that accepts requests, if the line has been requested.
    #[inline]
    pub fn find(&self, line: u64) -> Option<u16> {
        self.find_where(line, |_| true)
    }

    /// Same as [`Self::find`], for a line that may have several entries: the first one that
    /// `wanted` selects.
    #[inline]
    pub fn find_where(&self, line: u64, mut wanted: impl FnMut(u16) -> bool) -> Option<u16> {
        let mut number = self.lists[list_of(line)];
        while number != NONE {
            let entry = &self.entries[number as usize];
            if entry.line == line && !entry.closed && wanted(number as u16) {
                return Some(number as u16);
            }
            number = entry.next;
        }
        None
    }

    /// Returns each entry with the request that allocated it.
    pub fn leaders(&self) -> impl Iterator<Item = (u16, W)> {
        let used =
            self.entries.iter().enumerate().filter(|(_, entry)| entry.line != FREE && entry.merged > 0);
        used.map(|(number, entry)| (number as u16, self.pool[entry.first as usize].request))
    }

    /// Returns the outstanding misses: number of the line, number of merged requests, and whether
    /// the entry accepts no further request.
    pub fn lines(&self) -> impl Iterator<Item = (u64, u32, bool)> {
        let used = self.entries.iter().filter(|entry| entry.line != FREE);
        used.map(|entry| (entry.line, entry.merged, entry.closed))
    }

    /// Processes a miss of `request` on line `line`: merges it into the entry of the line, or
    /// allocates a new entry.
    #[inline]
    pub fn miss(&mut self, line: u64, request: W) -> Miss {
        if let Some(entry) = self.find(line) {
            return if self.merge(entry, request) { Miss::Merged } else { Miss::Full };
        }
        let Some(entry) = self.allocate(line) else { return Miss::Full };
        self.merge(entry, request);
        Miss::New(entry)
    }

    /// Allocates an entry without requests for line `line`; returns `None` if all entries are in
    /// use.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "on the path of every miss")]
    pub fn allocate(&mut self, line: u64) -> Option<u16> {
        debug_assert_ne!(line, FREE, "no cache has that many lines");
        if self.is_full() {
            return None;
        }
        self.outstanding += 1;
        let list = &mut self.lists[list_of(line)];
        let new = Entry { line, closed: false, merged: 0, first: NONE, last: NONE, next: *list };
        let number = if self.free == NONE {
            self.entries.push(new);
            self.entries.len() as u32 - 1
        } else {
            let number = self.free;
            self.free = std::mem::replace(&mut self.entries[number as usize], new).next;
            number
        };
        *list = number;
        Some(number as u16)
    }

    /// Merges `request` into `entry`. Returns `false`, and changes nothing, if the entry is full.
    pub fn merge(&mut self, entry: u16, request: W) -> bool {
        let entry = &mut self.entries[entry as usize];
        if entry.merged >= self.most_merged {
            return false;
        }
        entry.merged += 1;
        let merged = Merged { request, next: NONE };
        let place = if self.unused == NONE {
            self.pool.push(merged);
            self.pool.len() as u32 - 1
        } else {
            let place = self.unused;
            self.unused = self.pool[place as usize].next;
            self.pool[place as usize] = merged;
            place
        };
        match entry.last {
            NONE => entry.first = place,
            last => self.pool[last as usize].next = place,
        }
        entry.last = place;
        true
    }

    /// Merges `request` into each entry of line `line` that `wanted` selects. Returns the number of
    /// these entries.
    pub fn merge_all(&mut self, line: u64, request: W, wanted: impl Fn(u16) -> bool) -> u32 {
        let (mut merged, mut number) = (0, self.lists[list_of(line)]);
        while number != NONE {
            let Entry { line: other, next, .. } = self.entries[number as usize];
            if other == line && wanted(number as u16) {
                merged += u32::from(self.merge(number as u16, request));
            }
            number = next;
        }
        merged
    }

    /// Closes the entries of line `line`: no request is merged into them, and the next miss
    /// requests the line again.
    pub fn close(&mut self, line: u64) {
        let mut number = self.lists[list_of(line)];
        while number != NONE {
            let entry = &mut self.entries[number as usize];
            entry.closed |= entry.line == line;
            number = entry.next;
        }
    }

    /// The line of `entry` has arrived: passes its requests to `release` in the order of their
    /// misses, and frees the entry. Returns the line's number and whether the entry was closed.
    pub fn fill(&mut self, entry: u16, mut release: impl FnMut(W)) -> (u64, bool) {
        let freed = Entry { line: FREE, closed: false, merged: 0, first: NONE, last: NONE, next: self.free };
        let Entry { line, closed, first: mut place, next, .. } =
            std::mem::replace(&mut self.entries[entry as usize], freed);
        debug_assert_ne!(line, FREE, "a fill belongs to an outstanding miss");
        self.free = entry.into();
        let first = self.lists[list_of(line)];
        if first == self.free {
            self.lists[list_of(line)] = next;
        } else {
            let mut before = first as usize;
            while self.entries[before].next != self.free {
                before = self.entries[before].next as usize;
            }
            self.entries[before].next = next;
        }
        self.outstanding -= 1;
        while place != NONE {
            let Merged { request, next } = self.pool[place as usize];
            self.pool[place as usize].next = self.unused;
            self.unused = place;
            place = next;
            release(request);
        }
        (line, closed)
    }

    /// Calls [`Self::fill`] for the only open entry of line `line`.
    pub fn fill_line(&mut self, line: u64, release: impl FnMut(W)) {
        let entry = self.find(line).expect("a line arrives only after a miss on it");
        self.fill(entry, release);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fill(mshr: &mut Mshr<u8>, entry: u16) -> (Vec<u8>, (u64, bool)) {
        let mut released = Vec::new();
        let filled = mshr.fill(entry, |request| released.push(request));
        (released, filled)
    }

    #[test]
    fn a_second_miss_on_a_line_is_merged_and_released_after_the_first() {
        let mut mshr = Mshr::unlimited();
        assert_eq!(mshr.miss(7, 30), Miss::New(0));
        assert_eq!(mshr.miss(9, 31), Miss::New(1));
        assert_eq!([mshr.miss(7, 10), mshr.miss(9, 11), mshr.miss(7, 20)], [Miss::Merged; 3]);
        assert_eq!(mshr.leaders().collect::<Vec<_>>(), [(0, 30), (1, 31)]);
        assert_eq!(fill(&mut mshr, 0), (vec![30, 10, 20], (7, false)));
        assert_eq!((mshr.find(7), mshr.find(9), mshr.outstanding()), (None, Some(1), 1));
        assert_eq!(mshr.miss(7, 40), Miss::New(0), "the next miss requests the line again");
        let mut released = Vec::new();
        mshr.fill_line(9, |request| released.push(request));
        assert_eq!(released, [31, 11]);
        assert_eq!(fill(&mut mshr, 0), (vec![40], (7, false)));
        assert!(mshr.is_empty());
    }

    #[test]
    fn entries_and_merged_requests_are_bounded() {
        let mut mshr = Mshr::new(2, 2);
        assert_eq!([mshr.miss(1, 1), mshr.miss(1, 2)], [Miss::New(0), Miss::Merged]);
        assert_eq!(mshr.miss(1, 3), Miss::Full, "two requests wait for the line");
        assert!(!mshr.is_full());
        assert_eq!(
            [mshr.miss(2, 4), mshr.miss(3, 5), mshr.miss(2, 6)],
            [Miss::New(1), Miss::Full, Miss::Merged]
        );
        assert!(mshr.is_full());
        assert_eq!(mshr.allocate(4), None);
        assert_eq!(fill(&mut mshr, 0).0, [1, 2], "refused requests do not wait");
        assert_eq!([mshr.miss(3, 5), mshr.miss(1, 7)], [Miss::New(0), Miss::Full]);
        assert_eq!(fill(&mut mshr, 1).0, [4, 6]);
        assert_eq!(fill(&mut mshr, 0).0, [5]);
    }

    #[test]
    fn a_closed_entry_keeps_its_requests_and_accepts_no_more() {
        let mut mshr = Mshr::new(3, 4);
        assert_eq!([mshr.miss(5, 1), mshr.miss(5, 2)], [Miss::New(0), Miss::Merged]);
        mshr.close(6);
        assert_eq!(mshr.find(5), Some(0), "another line was closed");
        mshr.close(5);
        assert_eq!([mshr.miss(5, 3), mshr.miss(5, 4)], [Miss::New(1), Miss::Merged]);
        assert_eq!(fill(&mut mshr, 1), (vec![3, 4], (5, false)), "fills may arrive in any order");
        assert_eq!(fill(&mut mshr, 0), (vec![1, 2], (5, true)));
        assert_eq!(mshr.miss(5, 6), Miss::New(0), "a reused entry is open");
    }

    #[test]
    fn an_entry_may_have_no_request() {
        let mut mshr: Mshr<u8> = Mshr::new(4, 4);
        assert_eq!([mshr.allocate(3), mshr.allocate(3)], [Some(0), Some(1)]);
        assert_eq!(mshr.merge_all(3, 8, |entry| entry == 1), 1);
        assert_eq!(fill(&mut mshr, 0), (vec![], (3, false)));
        assert_eq!(fill(&mut mshr, 1).0, [8]);
    }

    #[test]
    fn entries_and_pool_space_are_reused() {
        let mut mshr = Mshr::unlimited();
        for round in 0..100_u64 {
            for request in 0..6 {
                mshr.miss(round + u64::from(request % 3), request);
            }
            for entry in 0..3 {
                let mut released = Vec::new();
                mshr.fill_line(round + entry, |request| released.push(request));
                assert_eq!(released, [entry as u8, entry as u8 + 3]);
            }
        }
        assert_eq!((mshr.entries.len(), mshr.pool.len()), (3, 6));
    }
}
