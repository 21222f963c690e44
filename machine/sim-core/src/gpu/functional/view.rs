//! Device memory as blocks access it that run ahead of earlier blocks, on another host thread.
//!
//! Such blocks read the memory of an earlier time, write into their own copies of pages, and note
//! the addresses that they read. Their run is valid if no block before them has written any of
//! these bytes meanwhile. Then their writes are copied into the memory.
//!
//! Usually the lowest and the highest address of each instruction suffice, which cost little:
//! arrays that are read are not written, or blocks read and write parts of their own. If blocks
//! interleave their parts, all words are noted.

use super::cells::Cells;
use crate::exec::Row32;
use crate::exec::mask::lanes;
use crate::gpu::stuck::round::Bytes;
use crate::mem::image::{PAGE_BYTES, Page, PartitionImage};

/// Bytes for each bit of a [`WordSet`].
const WORD: usize = 4;

/// Bits of all words of a page.
type WordSet = [u64; PAGE_BYTES / WORD / 64];

/// Bits of all bytes of a page.
type ByteSet = [u64; PAGE_BYTES / 64];

/// The copy of a page.
struct Copied {
    bytes: Page,
    written: ByteSet,
}

/// The memory of blocks that run ahead.
pub struct View<'m> {
    /// The memory before these and some earlier blocks, by address.
    base: &'m PartitionImage,
    copies: Vec<Option<Box<Copied>>>,
    /// The lowest and the highest address of the copied pages.
    copied: (u32, u32),
    /// Number of pages that can be copied.
    room: usize,
    /// Takes the writes to further pages; such a run is not valid.
    overflow: Option<Box<Copied>>,
    /// Instruction that accesses the memory.
    pc: usize,
    /// The lowest and the highest address that each instruction has read.
    spans: Vec<(u32, u32)>,
    /// The words that were read, by page; `None` if they are not noted.
    words: Option<Vec<WordSet>>,
}

/// Sets bits `first` to `last`.
#[inline]
fn mark(set: &mut [u64], first: usize, last: usize) {
    if first / 64 == last / 64 {
        set[first / 64] |= u64::MAX >> (63 - (last - first)) << (first % 64);
    } else {
        (first..=last).for_each(|bit| set[bit / 64] |= 1 << (bit % 64));
    }
}

/// The number of the page that contains `address`, and the place in it.
#[inline]
const fn place(address: u32) -> (usize, usize) {
    (address as usize / PAGE_BYTES, address as usize % PAGE_BYTES)
}

impl<'m> View<'m> {
    /// Creates the memory of blocks that have accessed nothing, of a program of `length` micro-ops.
    /// `room`: number of pages that they may copy; `words`: whether all words that are read are
    /// noted.
    pub fn new(base: &'m PartitionImage, length: usize, room: usize, words: bool) -> Self {
        Self {
            base,
            copies: Vec::new(),
            copied: (u32::MAX, 0),
            room,
            overflow: None,
            pc: 0,
            spans: vec![(u32::MAX, 0); length],
            words: words.then(Vec::new),
        }
    }

    /// Whether the blocks have written too many pages.
    pub fn is_full(&self) -> bool {
        self.overflow.is_some()
    }

    /// Returns the accesses, without the memory.
    pub fn accesses(self) -> Accesses {
        let mut spans: Vec<_> = self.spans.into_iter().filter(|(low, high)| low <= high).collect();
        spans.sort_unstable();
        spans.dedup_by(|next, span| {
            let joins = next.0 <= span.1;
            span.1 = if joins { span.1.max(next.1) } else { span.1 };
            joins
        });
        Accesses { copies: self.copies, spans, words: self.words }
    }

    /// Notes that the addresses from `low` to `high` are read, of which `bytes` bytes from each of
    /// `each`.
    #[inline]
    fn note(&mut self, (low, high): (u32, u32), bytes: usize, each: impl Iterator<Item = u32>) {
        let span = &mut self.spans[self.pc];
        *span = (span.0.min(low), span.1.max(high));
        if let Some(words) = &mut self.words {
            each.for_each(|address| note_words(words, address, bytes));
        }
    }

    /// Whether no address from `low` to `high` is in a copied page.
    #[inline]
    fn is_unwritten(&self, (low, high): (u32, u32)) -> bool {
        high < self.copied.0 || self.copied.1 < low
    }

    /// Returns the page of `address`.
    #[inline]
    fn page(&self, address: u32) -> Option<&Page> {
        match self.copies.get(place(address).0) {
            Some(Some(copy)) => Some(&copy.bytes),
            _ => self.base.page(address),
        }
    }

    /// Returns the copy of the page of `address`.
    #[inline]
    fn copy(&mut self, address: u32) -> &mut Copied {
        let (number, base) = (place(address).0, self.base);
        if number >= self.copies.len() {
            self.copies.resize_with(number + 1, || None);
        }
        let copy = &mut self.copies[number];
        let to = if copy.is_some() || self.room > 0 { copy } else { &mut self.overflow };
        to.get_or_insert_with(|| {
            self.room = self.room.saturating_sub(1);
            let first = address - place(address).1 as u32;
            let last = first + (PAGE_BYTES as u32 - 1);
            self.copied = (self.copied.0.min(first), self.copied.1.max(last));
            let bytes = base.page(address).copied().unwrap_or([0; PAGE_BYTES]);
            Box::new(Copied { bytes, written: [0; PAGE_BYTES / 64] })
        })
    }
}

/// Adds the words of `bytes` bytes from `address` to `words`.
fn note_words(words: &mut Vec<WordSet>, address: u32, bytes: usize) {
    for (start, _, bytes) in pieces(address, bytes) {
        let (number, at) = place(start);
        if number >= words.len() {
            words.resize(number + 1, [0; PAGE_BYTES / WORD / 64]);
        }
        mark(&mut words[number], at / WORD, (at + bytes - 1) / WORD);
    }
}

/// The parts of `bytes` bytes from `address` that are in one page each: the first address, the
/// place in the range, the length.
#[inline]
fn pieces(address: u32, bytes: usize) -> impl Iterator<Item = (u32, usize, usize)> {
    let first = (PAGE_BYTES - place(address).1).min(bytes);
    let second = (address.wrapping_add(first as u32), first, bytes - first);
    std::iter::once((address, 0, first)).chain((first < bytes).then_some(second))
}

impl Bytes for View<'_> {
    fn load(&self, address: u32, bytes: u32) -> u64 {
        let (at, bytes) = (place(address).1, bytes as usize);
        let mut value = [0; 8];
        if let Some(page) = self.page(address) {
            value[..bytes].copy_from_slice(&page[at..at + bytes]);
        }
        u64::from_le_bytes(value)
    }
}

impl Cells for View<'_> {
    #[inline]
    fn at(&mut self, pc: u32) {
        self.pc = pc as usize;
    }

    #[inline]
    fn line<const N: usize>(&mut self, address: u32) -> [u8; N] {
        let span = (address, address.saturating_add(N as u32 - 1));
        self.note(span, N, std::iter::once(address));
        if place(address).1 + N <= PAGE_BYTES && self.is_unwritten(span) {
            return self.base.load(address);
        }
        let mut line = [0; N];
        for (start, done, bytes) in pieces(address, N) {
            if let Some(page) = self.page(start) {
                line[done..done + bytes].copy_from_slice(&page[place(start).1..][..bytes]);
            }
        }
        line
    }

    #[inline]
    fn set_line<const N: usize>(&mut self, address: u32, line: [u8; N]) {
        for (start, done, bytes) in pieces(address, N) {
            let (at, copy) = (place(start).1, self.copy(start));
            copy.bytes[at..at + bytes].copy_from_slice(&line[done..done + bytes]);
            mark(&mut copy.written, at, at + bytes - 1);
        }
    }

    #[inline]
    fn load_lanes<const N: usize>(&mut self, addr: &Row32, mask: u32, mut each: impl FnMut(usize, [u8; N])) {
        let span = self.note_lanes(addr, mask, N);
        if self.is_unwritten(span) {
            return lanes(mask).for_each(|lane| each(lane, self.base.load(addr[lane])));
        }
        for lane in lanes(mask) {
            let cell = self.page(addr[lane]).and_then(|page| page[place(addr[lane]).1..].first_chunk());
            each(lane, cell.copied().unwrap_or([0; N]));
        }
    }

    #[inline]
    fn change_lanes<const N: usize, const READS: bool>(
        &mut self,
        addr: &Row32,
        mask: u32,
        mut each: impl FnMut(usize, &mut [u8; N]),
    ) {
        if READS {
            self.note_lanes(addr, mask, N);
        }
        for lane in lanes(mask) {
            let (at, copy) = (place(addr[lane]).1, self.copy(addr[lane]));
            each(lane, copy.bytes[at..].first_chunk_mut().expect("an aligned access is within one page"));
            mark(&mut copy.written, at, at + N - 1);
        }
    }
}

impl View<'_> {
    /// Notes that the lanes of `mask` read `bytes` bytes each. Returns the first and the last
    /// address.
    #[inline]
    fn note_lanes(&mut self, addr: &Row32, mask: u32, bytes: usize) -> (u32, u32) {
        // Inactive lanes have the address of an active one. Two loops are vectorized, one is not.
        let low = addr.iter().fold(u32::MAX, |low, at| low.min(*at));
        let high = addr.iter().fold(0, |high: u32, at| high.max(*at));
        let span = (low, high.saturating_add(bytes as u32 - 1));
        self.note(span, bytes, lanes(mask).map(|lane| addr[lane]));
        span
    }
}

/// The accesses of blocks that ran ahead.
pub struct Accesses {
    copies: Vec<Option<Box<Copied>>>,
    /// Disjoint ranges of addresses that were read, in ascending order: first and last address.
    spans: Vec<(u32, u32)>,
    words: Option<Vec<WordSet>>,
}

/// Bytes that blocks have written since some time, by page.
#[derive(Default)]
pub struct Written {
    pages: Vec<Option<Box<ByteSet>>>,
}

impl Accesses {
    /// Whether `written` has a byte that may have been read.
    pub fn read_any(&self, written: &Written) -> bool {
        let pages = (0..).zip(&written.pages).filter_map(|(number, set)| Some((number, set.as_deref()?)));
        let mut spans = self.spans.iter().copied().peekable();
        for (number, set) in pages {
            let start = number as u32 * PAGE_BYTES as u32;
            let end = start + (PAGE_BYTES as u32 - 1);
            while spans.next_if(|span| span.1 < start).is_some() {}
            let is_read = |byte: usize| match &self.words {
                Some(words) => words
                    .get(number)
                    .is_some_and(|words| words[byte / WORD / 64] >> (byte / WORD % 64) & 1 != 0),
                None => true,
            };
            // A span can reach into later pages.
            for (low, high) in spans.clone().take_while(|span| span.0 <= end) {
                let (first, last) = (low.max(start) - start, high.min(end) - start);
                let mut bytes = ones(set).skip_while(|byte| *byte < first as usize);
                if bytes.by_ref().take_while(|byte| *byte <= last as usize).any(is_read) {
                    return true;
                }
            }
        }
        false
    }

    /// Copies the written bytes into `memory`, and adds them to `written`.
    pub fn commit(self, memory: &mut PartitionImage, written: &mut Written) {
        for (number, copy) in self.copies.into_iter().enumerate() {
            let Some(copy) = copy else { continue };
            if number >= written.pages.len() {
                written.pages.resize_with(number + 1, || None);
            }
            let all = written.pages[number].get_or_insert_with(|| Box::new([0; PAGE_BYTES / 64]));
            let page = memory.page_mut((number * PAGE_BYTES) as u32);
            let places = page.as_chunks_mut::<64>().0.iter_mut().zip(copy.bytes.as_chunks::<64>().0);
            for (((to, from), set), all) in places.zip(copy.written).zip(all.iter_mut()) {
                *all |= set;
                if set == u64::MAX {
                    *to = *from;
                } else {
                    ones(&[set]).for_each(|byte| to[byte] = from[byte]);
                }
            }
        }
    }
}

/// The numbers of the bits that are set, ascending.
fn ones(set: &[u64]) -> impl Iterator<Item = usize> {
    set.iter().enumerate().flat_map(|(place, part)| {
        let next = |rest: &u64| Some(rest & (rest - 1)).filter(|rest| *rest != 0);
        let parts = std::iter::successors(Some(*part).filter(|part| *part != 0), next);
        parts.map(move |rest| 64 * place + rest.trailing_zeros() as usize)
    })
}
