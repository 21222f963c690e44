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

use super::Kind;
use crate::exec::stride::Strides;
use crate::exec::{self, Parts};

/// Bytes of a page.
const PAGE_BYTES: u32 = 2048;

/// No thread.
const NONE: u16 = u16::MAX;
/// Several threads.
const SEVERAL: u16 = u16::MAX - 1;

/// Accesses of one class to the bytes of an entry: threads in the latest interval with such an
/// access, and in all earlier ones of the block.
#[derive(Clone, Copy, Debug)]
struct Threads {
    /// 0: none.
    interval: u32,
    latest: u16,
    earlier: u16,
}

/// Whether a thread other than `thread` is among `known`.
#[inline]
fn others(known: u16, thread: u16) -> bool {
    known != NONE && (known != thread || thread == SEVERAL)
}

impl Threads {
    const EMPTY: Self = Self { interval: 0, latest: NONE, earlier: NONE };

    /// Whether another thread made such an access in `interval`.
    #[inline]
    fn others_in(self, interval: u32, thread: u16) -> bool {
        self.interval == interval && others(self.latest, thread)
    }

    /// Whether another thread made such an access before `interval`.
    fn others_before(self, interval: u32, thread: u16) -> bool {
        others(self.earlier, thread) || self.interval < interval && others(self.latest, thread)
    }

    #[inline]
    fn add(&mut self, interval: u32, thread: u16) {
        if self.interval == interval {
            if self.latest != thread {
                self.latest = SEVERAL;
            }
            return;
        }
        self.earlier = match (self.earlier, self.latest) {
            (known, NONE) => known,
            (NONE, latest) => latest,
            (known, latest) if known == latest => known,
            _ => SEVERAL,
        };
        (self.interval, self.latest) = (interval, thread);
    }
}

/// Classes of accesses, which conflict with each other. Reductions by one operation do not conflict
/// with each other.
const READ: usize = 0;
const WRITE: usize = 1;
const REDUCTION: usize = 2;

/// The accesses to some bytes.
#[derive(Clone, Copy, Debug)]
struct Entry {
    /// Number of the latest block with an access; 0: none.
    block: u32,
    /// Classes of the accesses of earlier blocks; bit = class.
    before: u8,
    /// Operation of the latest reduction.
    operation: u8,
    by: [Threads; 3],
}

const EMPTY: Entry = Entry { block: 0, before: 0, operation: 0, by: [Threads::EMPTY; 3] };

/// What an access is compared at.
#[derive(Clone, Copy, Debug)]
struct Now {
    block: u32,
    interval: u32,
    /// Whether accesses of different blocks meet.
    global: bool,
    /// Operation of a reduction.
    operation: u8,
    /// Whether it matters which accesses a barrier orders.
    settle: bool,
}

/// What was found out about an access.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Met {
    /// It conflicts with an access that is not ordered.
    unordered: bool,
    /// It conflicts with an earlier access of the block that a barrier orders.
    ordered: bool,
}

impl Entry {
    /// Adds an access of class `CLASS`.
    #[inline]
    fn touch<const CLASS: usize>(&mut self, now: &Now, thread: u16, met: &mut Met) {
        if self.block != now.block {
            let present = |class: usize| u8::from(self.by[class].interval != 0) << class;
            let before = self.before | present(READ) | present(WRITE) | present(REDUCTION);
            let before = if now.global { before } else { 0 };
            *self = Self { block: now.block, before, ..EMPTY };
        }
        let mixed = CLASS == REDUCTION && self.operation != now.operation;
        let conflicts = |class: usize| match CLASS {
            READ => class != READ,
            WRITE => true,
            _ => class != REDUCTION || mixed,
        };
        for class in [READ, WRITE, REDUCTION] {
            let with = self.by[class];
            if conflicts(class) {
                met.unordered |= self.before >> class & 1 == 1 || with.others_in(now.interval, thread);
                met.ordered |= now.settle && with.others_before(now.interval, thread);
            }
        }
        // Several lanes of one instruction write the bytes.
        met.unordered |= CLASS == WRITE && thread == SEVERAL;
        if CLASS == REDUCTION {
            self.operation = now.operation;
        }
        self.by[CLASS].add(now.interval, thread);
    }
}

/// The entries of a page: one for each word, or one for each byte if a part of a word was accessed.
#[derive(Clone, Debug)]
struct Page {
    /// Binary logarithm of the bytes of an entry.
    shift: u32,
    entries: Box<[Entry]>,
}

impl Page {
    fn new(shift: u32) -> Self {
        Self { shift, entries: vec![EMPTY; (PAGE_BYTES >> shift) as usize].into_boxed_slice() }
    }

    /// The entries of an access, which is inside the page.
    #[inline]
    fn entries(&mut self, address: u32, bytes: u32) -> &mut [Entry] {
        let at = address % PAGE_BYTES;
        &mut self.entries[(at >> self.shift) as usize..((at + bytes) >> self.shift) as usize]
    }

    /// Divides the entries of words.
    #[cold]
    fn divide(&mut self) {
        let entries = self.entries.iter().flat_map(|entry| [*entry; 4]).collect();
        *self = Self { shift: 0, entries };
    }
}

/// The entries of a memory.
#[derive(Debug, Default)]
struct Pages(Vec<Option<Page>>);

impl Pages {
    /// Returns the page of an access.
    #[inline]
    fn page(&mut self, address: u32, bytes: u32) -> &mut Page {
        let number = (address / PAGE_BYTES) as usize;
        if self.0.len() <= number {
            self.0.resize_with(number + 1, || None);
        }
        let page = self.0[number].get_or_insert_with(|| Page::new(if bytes < 4 { 0 } else { 2 }));
        if bytes < 4 && page.shift != 0 {
            page.divide();
        }
        page
    }

    /// Adds the accesses of the lanes `lanes`, by half-warps.
    fn access<const CLASS: usize>(&mut self, now: &Now, by: &WarpAccess, lanes: u32) -> Met {
        let mut met = Met::default();
        let WarpAccess { access: &exec::Access { ref addr, bytes, .. }, strides, .. } = *by;
        for (half, stride) in (0u32..).zip(strides.0) {
            let part = lanes >> (16 * half) & 0xffff;
            let first = (32 * by.warp + 16 * half) as u16;
            let address = addr[16 * half as usize];
            let inside = address % PAGE_BYTES + 16 * bytes <= PAGE_BYTES;
            match stride {
                Some(0) if part == 0xffff => {
                    for entry in self.page(address, bytes).entries(address, bytes) {
                        entry.touch::<CLASS>(now, SEVERAL, &mut met);
                    }
                }
                Some(4) if part == 0xffff && bytes == 4 && inside && self.page(address, 4).shift == 2 => {
                    for (thread, entry) in (first..).zip(self.page(address, 4).entries(address, 64)) {
                        entry.touch::<CLASS>(now, thread, &mut met);
                    }
                }
                Some(_) | None => {
                    self.lanes::<CLASS>(now, by, part << (16 * half), &mut met);
                }
            }
        }
        met
    }

    /// Adds the accesses of any lanes.
    fn lanes<const CLASS: usize>(&mut self, now: &Now, by: &WarpAccess, lanes: u32, met: &mut Met) {
        let exec::Access { addr, bytes, .. } = by.access;
        let mut left = lanes;
        while left != 0 {
            let lane = left.trailing_zeros();
            let address = addr[lane as usize];
            let mut thread = (32 * by.warp + lane) as u16;
            left &= left - 1;
            while left != 0 && addr[left.trailing_zeros() as usize] == address {
                thread = SEVERAL;
                left &= left - 1;
            }
            for entry in self.page(address, *bytes).entries(address, *bytes) {
                entry.touch::<CLASS>(now, thread, met);
            }
        }
    }
}

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
}

impl Screen {
    /// Whether an access was not ordered with an earlier one.
    pub fn unordered(&self) -> bool {
        self.unordered
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
            ordered |= met.ordered;
        }
        ordered
    }
}
