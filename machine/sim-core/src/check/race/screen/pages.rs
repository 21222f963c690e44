//! The entries of a memory, in pages.

use super::WarpAccess;
use super::entry::{EMPTY, Entry, Met, Now, SEVERAL};
use crate::exec;

/// Bytes of a page.
const PAGE_BYTES: u32 = 2048;

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

/// Maximum number of entries of a memory: one gigabyte.
const MAX_ENTRIES: usize = 1 << 25;

/// The entries of a memory.
#[derive(Debug)]
pub struct Pages {
    pages: Vec<Option<Page>>,
    /// Number of entries that can be added.
    left: usize,
}

impl Default for Pages {
    fn default() -> Self {
        Self::with_capacity(MAX_ENTRIES)
    }
}

impl Pages {
    /// No pages; at most `entries` entries are added.
    pub fn with_capacity(entries: usize) -> Self {
        Self { pages: Vec::new(), left: entries }
    }

    /// Returns the page of an access; `None` if it has none because of the maximum.
    #[inline]
    fn page(&mut self, address: u32, bytes: u32) -> Option<&mut Page> {
        let number = (address / PAGE_BYTES) as usize;
        let fits = |page: &Page| bytes >= 4 || page.shift == 0;
        if !self.pages.get(number).is_some_and(|page| page.as_ref().is_some_and(fits)) {
            self.make(number, bytes)?;
        }
        self.pages[number].as_mut()
    }

    /// Makes or divides a page.
    #[cold]
    fn make(&mut self, number: usize, bytes: u32) -> Option<()> {
        if self.pages.len() <= number {
            self.pages.resize_with(number + 1, || None);
        }
        let page = &mut self.pages[number];
        let shift = if bytes < 4 { 0 } else { 2 };
        let has = page.as_ref().map_or(0, |page| page.entries.len());
        self.left = self.left.checked_sub((PAGE_BYTES >> shift) as usize - has)?;
        match page {
            Some(page) => page.divide(),
            None => *page = Some(Page::new(shift)),
        }
        Some(())
    }

    /// Adds the accesses of some lanes to the same bytes.
    #[inline]
    pub fn touch<const CLASS: usize>(&mut self, now: &Now, at: (u32, u32), thread: u16, met: &mut Met) {
        if let Some(page) = self.page(at.0, at.1) {
            for entry in page.entries(at.0, at.1) {
                entry.touch::<CLASS>(now, thread, met);
            }
        } else {
            // Nothing is known of these bytes.
            *met = Met { unordered: true, between_blocks: now.global, ordered: now.settle };
        }
    }

    /// Adds the accesses of the lanes `lanes`, by half-warps.
    pub fn access<const CLASS: usize>(&mut self, now: &Now, by: &WarpAccess, lanes: u32) -> Met {
        let mut met = Met::default();
        let WarpAccess { access: &exec::Access { ref addr, bytes, .. }, strides, .. } = *by;
        for (half, stride) in (0u32..).zip(strides.0) {
            let part = lanes >> (16 * half) & 0xffff;
            let first = (32 * by.warp + 16 * half) as u16;
            let address = addr[16 * half as usize];
            let inside = address % PAGE_BYTES + 16 * bytes <= PAGE_BYTES;
            if stride == Some(0) && part == 0xffff {
                self.touch::<CLASS>(now, (address, bytes), SEVERAL, &mut met);
                continue;
            }
            if stride == Some(4) && part == 0xffff && bytes == 4 && inside {
                let words = self.page(address, 4).filter(|page| page.shift == 2);
                if let Some(page) = words {
                    for (thread, entry) in (first..).zip(page.entries(address, 64)) {
                        entry.touch::<CLASS>(now, thread, &mut met);
                    }
                    continue;
                }
            }
            self.lanes::<CLASS>(now, by, part << (16 * half), &mut met);
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
            self.touch::<CLASS>(now, (address, *bytes), thread, met);
        }
    }
}
