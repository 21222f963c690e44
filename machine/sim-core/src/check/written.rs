//! Bytes of global memory that the host or a kernel has written since they were allocated.

use std::collections::BTreeMap;
use std::ops::Range;

/// Number of bytes per page.
const PAGE_BYTES: usize = 4096;

type Page = [u64; PAGE_BYTES / 64];

/// A set of bytes of global memory: one bit for each byte of a page with a written byte. Of a byte
/// that is not in the set, some bits may have been written: a bit-field.
#[derive(Clone, Debug, Default)]
pub struct Written {
    pages: Vec<Option<Box<Page>>>,
    /// Bits that nothing wrote, by the number of their word of 4 bytes; valid for bytes that are
    /// not in the set. Words without an entry have no written bits in such bytes.
    parts: BTreeMap<u32, u32>,
}

impl Written {
    /// Adds `bytes` bytes from `address` on.
    pub fn add(&mut self, address: u32, bytes: u64) {
        self.change(address, bytes, |word, bits| *word |= bits);
    }

    /// Adds some bits of `bytes` bytes from `address` on: all but `left`.
    pub fn add_bits(&mut self, address: u32, bytes: u32, left: u64) {
        for byte in 0..bytes {
            let (at, left) = (address.wrapping_add(byte), (left >> (8 * byte)) as u8);
            if left == 0 {
                self.add(at, 1);
                continue;
            }
            self.remove_bytes(at, 1);
            let word = self.parts.entry(at / 4).or_insert(u32::MAX);
            *word = *word & !(0xff << (8 * (at % 4))) | u32::from(left) << (8 * (at % 4));
        }
    }

    /// Returns the bits of `bytes` bytes from `address` on, at most 8, that nothing wrote.
    pub fn missing_bits(&self, address: u32, bytes: u32) -> u64 {
        let mask = self.mask(address);
        (0..bytes).filter(|byte| mask >> byte & 1 == 0).fold(0, |bits, byte| {
            let at = address.wrapping_add(byte);
            let word = self.parts.get(&(at / 4)).copied().unwrap_or(u32::MAX);
            bits | u64::from(word >> (8 * (at % 4)) & 0xff) << (8 * byte)
        })
    }

    /// Removes `bytes` bytes from `address` on: their contents are undefined.
    pub fn remove(&mut self, address: u32, bytes: u64) {
        let (start, end) = (u64::from(address), (u64::from(address) + bytes).min(1 << 32));
        let words = address / 4..=((end.max(1) - 1) / 4) as u32;
        if bytes > 0 && !self.parts.is_empty() {
            let known: Vec<u32> = self.parts.range(words).map(|(word, _)| *word).collect();
            for word in known {
                let own = (0..4).filter(|byte| (start..end).contains(&(4 * u64::from(word) + byte)));
                let bits = own.fold(0, |bits, byte| bits | 0xff << (8 * byte));
                let part = self.parts.entry(word).or_insert(u32::MAX);
                *part |= bits;
                if *part == u32::MAX {
                    self.parts.remove(&word);
                }
            }
        }
        self.remove_bytes(address, bytes);
    }

    fn remove_bytes(&mut self, address: u32, bytes: u64) {
        self.change(address, bytes, |word, bits| *word &= !bits);
    }

    /// Returns the written bytes among 16 bytes from `address` on: bit i is byte `address` + i.
    pub fn mask(&self, address: u32) -> u16 {
        let word = |at: u64| {
            let (page, word) = (at as usize / PAGE_BYTES, at as usize % PAGE_BYTES / 64);
            self.pages.get(page).and_then(Option::as_deref).map_or(0, |page| page[word])
        };
        let (at, shift) = (u64::from(address), address % 64);
        let low = word(at) >> shift;
        if shift <= 48 { low as u16 } else { (low | word(at + 16) << (64 - shift)) as u16 }
    }

    /// Whether all of `bytes` bytes from `address` on were written.
    pub fn covers(&self, address: u32, bytes: u32) -> bool {
        let (mut at, end) = (u64::from(address), u64::from(address) + u64::from(bytes));
        while at < end {
            let (page, word, bit) = (at as usize / PAGE_BYTES, at as usize % PAGE_BYTES / 64, at % 64);
            let count = (64 - bit).min(end - at);
            let bits = if count == 64 { u64::MAX } else { ((1 << count) - 1) << bit };
            let written = self.pages.get(page).and_then(Option::as_deref).map_or(0, |page| page[word]);
            if written & bits != bits {
                return false;
            }
            at += count;
        }
        true
    }

    /// Whether any of `bytes` bytes from `address` on was written, also in part.
    pub fn touches(&self, address: u32, bytes: u64) -> bool {
        let (mut at, end) = (u64::from(address), (u64::from(address) + bytes).min(1 << 32));
        while at < end {
            let count = 16.min(end - at);
            if u32::from(self.mask(at as u32)) & ((1 << count) - 1) != 0 {
                return true;
            }
            at += count;
        }
        let words = address / 4..=((end.max(1) - 1) / 4) as u32;
        bytes > 0 && self.parts.range(words).next().is_some()
    }

    /// Returns the longest ranges without a written bit among `bytes` bytes from `address` on,
    /// ascending.
    pub fn unwritten(&self, address: u32, bytes: u64) -> Vec<Range<u64>> {
        let mut all: Vec<Range<u64>> = Vec::new();
        let (mut at, end) = (u64::from(address), (u64::from(address) + bytes).min(1 << 32));
        while at < end {
            let (page, word, bit) = (at as usize / PAGE_BYTES, at as usize % PAGE_BYTES / 64, at % 64);
            let count = (64 - bit).min(end - at);
            let written = self.pages.get(page).and_then(Option::as_deref).map_or(0, |page| page[word]);
            let mut rest = !(written >> bit) & (u64::MAX >> (64 - count));
            while rest != 0 {
                let skip = rest.trailing_zeros();
                let length = (rest >> skip).trailing_ones();
                rest &= u64::MAX.checked_shl(skip + length).unwrap_or(0);
                let start = at + u64::from(skip);
                self.add_unwritten(&mut all, start..start + u64::from(length));
            }
            at += count;
        }
        all
    }

    /// Adds a range of bytes that are not in the set, without the bytes that have written bits.
    fn add_unwritten(&self, all: &mut Vec<Range<u64>>, range: Range<u64>) {
        let mut add = |range: Range<u64>| match all.last_mut().filter(|last| last.end == range.start) {
            Some(last) => last.end = range.end,
            None => all.push(range),
        };
        if self.parts.is_empty() {
            add(range);
            return;
        }
        let nothing = |at: &u64| {
            let word = self.parts.get(&((at / 4) as u32)).copied().unwrap_or(u32::MAX);
            word >> (8 * (at % 4)) & 0xff == 0xff
        };
        range.filter(nothing).for_each(|at| add(at..at + 1));
    }

    /// Returns the longest ranges of written bytes, ascending.
    pub fn ranges(&self) -> Vec<Range<u64>> {
        let mut all: Vec<Range<u64>> = Vec::new();
        let pages = self.pages.iter().enumerate().filter_map(|(page, bits)| Some((page, bits.as_deref()?)));
        let words = pages.flat_map(|(page, bits)| (page * PAGE_BYTES..).step_by(64).zip(bits));
        for (first, word) in words {
            let mut rest = *word;
            while rest != 0 {
                let (skip, count) = (rest.trailing_zeros(), (rest >> rest.trailing_zeros()).trailing_ones());
                let start = first as u64 + u64::from(skip);
                let end = start + u64::from(count);
                rest &= u64::MAX.checked_shl(skip + count).unwrap_or(0);
                match all.last_mut().filter(|last| last.end == start) {
                    Some(last) => last.end = end,
                    None => all.push(start..end),
                }
            }
        }
        all
    }

    fn change(&mut self, address: u32, bytes: u64, mut apply: impl FnMut(&mut u64, u64)) {
        let (mut at, end) = (u64::from(address), (u64::from(address) + bytes).min(1 << 32));
        while at < end {
            let (page, word, bit) = (at as usize / PAGE_BYTES, at as usize % PAGE_BYTES / 64, at % 64);
            let count = (64 - bit).min(end - at);
            let bits = if count == 64 { u64::MAX } else { ((1 << count) - 1) << bit };
            if self.pages.len() <= page {
                self.pages.resize_with(page + 1, || None);
            }
            let page = self.pages[page].get_or_insert_with(|| Box::new([0; PAGE_BYTES / 64]));
            apply(&mut page[word], bits);
            at += count;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_added_and_removed() {
        let mut written = Written::default();
        assert_eq!(written.mask(60), 0);
        written.add(60, 4100);
        assert!(written.covers(60, 4100) && !written.covers(60, 4101) && !written.covers(59, 2));
        assert_eq!((written.mask(52), written.mask(60), written.mask(4150)), (0xff00, 0xffff, 0x03ff));
        assert!(written.touches(0, 61) && !written.touches(0, 60) && !written.touches(4160, 90));
        let ranges = |of: &Written| of.ranges().iter().map(|at| (at.start, at.end)).collect::<Vec<_>>();
        assert_eq!(ranges(&written), [(60, 4160)]);
        written.remove(64, 2);
        assert_eq!(ranges(&written), [(60, 64), (66, 4160)]);
        assert_eq!(written.mask(60), 0xffcf);
        written.add_bits(4160, 2, 0xff07);
        assert_eq!(written.missing_bits(4158, 4), 0xff07_0000);
        assert!(written.touches(4160, 1) && !written.touches(4164, 1));
        written.add(4160, 1);
        assert_eq!(written.missing_bits(4160, 2), 0xff00);
        written.remove(4160, 2);
        assert_eq!((written.missing_bits(4160, 2), written.touches(4160, 2)), (0xffff, false));
        let left = |of: &Written, address, bytes| {
            of.unwritten(address, bytes).iter().map(|at| (at.start, at.end)).collect::<Vec<_>>()
        };
        assert_eq!(left(&written, 4158, 8), [(4160, 4166)]);
        written.add_bits(4161, 1, 0xf0);
        let parts = [(4160, 4161), (4162, 4166)];
        assert_eq!(left(&written, 4158, 8), parts, "some bits of a byte are written");
        assert_eq!(left(&written, 0, 128), [(0, 60), (64, 66)]);
        assert_eq!(left(&written, 1 << 20, 1 << 16), [(1 << 20, 17 << 16)]);
        assert_eq!(left(&written, 66, 100), []);
        written.add(u32::MAX, 16);
        assert_eq!(written.mask(u32::MAX), 1);
        assert_eq!(written.ranges().last(), Some(&(u64::from(u32::MAX)..1 << 32)));
    }
}
