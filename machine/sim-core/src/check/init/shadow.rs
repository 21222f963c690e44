//! Which bytes of shared and local memory are defined, and the undefined values that were stored.

use super::origin::Undefined;
use std::collections::BTreeMap;

/// Shared memory of the running block: one bit for each byte.
#[derive(Debug, Default)]
pub struct SharedShadow {
    defined: Vec<u64>,
    /// Number of bytes that are not defined.
    left: u32,
    bytes: u32,
    /// The undefined value that each word was written with; valid for bytes that are not defined.
    pub stored: BTreeMap<u32, Undefined>,
}

/// The lowest `count` bits.
pub const fn low_bits(count: u32) -> u64 {
    if count >= 64 { u64::MAX } else { (1 << count) - 1 }
}

impl SharedShadow {
    /// Shared memory of `bytes` bytes.
    pub fn new(bytes: u32) -> Self {
        let defined = vec![0; bytes.div_ceil(64) as usize + 1];
        Self { defined, left: bytes, bytes, stored: BTreeMap::new() }
    }

    /// Begins a block: no byte is defined.
    pub fn clear(&mut self) {
        self.defined.fill(0);
        self.left = self.bytes;
        self.stored.clear();
    }

    /// Whether all bytes are defined.
    pub const fn is_full(&self) -> bool {
        self.left == 0
    }

    /// Returns the defined bytes of an aligned access of at most 16 bytes; bit = byte.
    pub fn mask(&self, address: u32) -> u16 {
        self.defined.get(address as usize / 64).map_or(0, |word| (word >> (address % 64)) as u16)
    }

    /// Whether all of `bytes` bytes from `address` on are defined.
    pub fn covers(&self, address: u32, bytes: u32) -> bool {
        pieces(address, bytes).all(|(word, bits)| self.defined.get(word).is_some_and(|w| w & bits == bits))
    }

    /// Sets whether `bytes` bytes from `address` on are defined.
    pub fn set(&mut self, address: u32, bytes: u32, defined: bool) {
        for (word, bits) in pieces(address, bytes) {
            if let Some(word) = self.defined.get_mut(word) {
                let before = word.count_ones();
                *word = if defined { *word | bits } else { *word & !bits };
                self.left = self.left.wrapping_add(before).wrapping_sub(word.count_ones());
            }
        }
    }
}

/// Iterates over the 64-bit words that contain the bits of a range: index and bits.
fn pieces(address: u32, bytes: u32) -> impl Iterator<Item = (usize, u64)> {
    let end = u64::from(address) + u64::from(bytes);
    let mut at = u64::from(address);
    std::iter::from_fn(move || {
        let count = (64 - at % 64).min(end - at) as u32;
        let piece = (at as usize / 64, low_bits(count) << (at % 64));
        at += u64::from(count);
        (count > 0).then_some(piece)
    })
}

/// Words of one page of local memory.
const PAGE_WORDS: usize = 32;

/// For each byte of a word, the lanes in which it is defined.
type Word = [u32; 4];

/// Local memory of the lanes of a warp.
#[derive(Debug, Default)]
pub struct LocalShadow {
    pages: Vec<Option<Box<[Word; PAGE_WORDS]>>>,
    /// The undefined value that a word of a lane was written with; valid for bytes that are not
    /// defined.
    pub stored: BTreeMap<(u32, u32), Undefined>,
}

impl LocalShadow {
    /// Begins a block: no byte is defined.
    pub fn clear(&mut self) {
        for page in self.pages.iter_mut().flatten() {
            **page = [[0; 4]; PAGE_WORDS];
        }
        self.stored.clear();
    }

    fn word(&self, address: u32) -> Word {
        let (page, word) = (address as usize / 4 / PAGE_WORDS, address as usize / 4 % PAGE_WORDS);
        self.pages.get(page).and_then(Option::as_deref).map_or([0; 4], |page| page[word])
    }

    /// Returns the lanes of `lanes` in which not all of the bytes of an aligned register of 1, 2, 4
    /// or 8 bytes are defined.
    pub fn missing(&self, address: u32, bytes: u32, lanes: u32) -> u32 {
        let mut defined = lanes;
        for at in (address..address + bytes).step_by(4) {
            let word = self.word(at);
            let first = at as usize % 4;
            let count = (bytes as usize).min(4 - first);
            defined &= word[first..first + count].iter().fold(u32::MAX, |all, byte| all & byte);
        }
        lanes & !defined
    }

    /// Returns the defined bytes from `address` on, at most 16, of one lane; bit = byte.
    pub fn mask(&self, address: u32, lane: u32) -> u16 {
        (0..16).fold(0, |mask, byte| {
            let at = address + byte;
            let bit = self.word(at)[at as usize % 4] >> lane & 1;
            mask | (bit as u16) << byte
        })
    }

    /// Sets in `lanes` whether `bytes` bytes from `address` on are defined.
    pub fn set(&mut self, address: u32, bytes: u32, lanes: u32, defined: bool) {
        for at in address..address + bytes {
            let (page, word) = (at as usize / 4 / PAGE_WORDS, at as usize / 4 % PAGE_WORDS);
            if self.pages.len() <= page {
                self.pages.resize_with(page + 1, || None);
            }
            let page = self.pages[page].get_or_insert_with(|| Box::new([[0; 4]; PAGE_WORDS]));
            let byte = &mut page[word][at as usize % 4];
            *byte = if defined { *byte | lanes } else { *byte & !lanes };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shared_bytes_are_set_and_counted() {
        let mut shadow = SharedShadow::new(200);
        shadow.set(60, 8, true);
        assert_eq!((shadow.mask(60) & 15, shadow.mask(64) & 0xff), (15, 15));
        assert!(shadow.covers(60, 8) && !shadow.covers(60, 9) && !shadow.is_full());
        shadow.set(0, 200, true);
        assert!(shadow.is_full());
        shadow.set(100, 4, false);
        assert!(!shadow.is_full() && !shadow.covers(96, 8));
        shadow.clear();
        assert_eq!(shadow.mask(0), 0);
    }

    #[test]
    fn local_bytes_belong_to_lanes() {
        let mut shadow = LocalShadow::default();
        shadow.set(128, 4, 0b11, true);
        shadow.set(132, 2, 0b01, true);
        assert_eq!(shadow.missing(128, 4, 0b111), 0b100);
        assert_eq!(shadow.missing(128, 8, 0b111), 0b111);
        assert_eq!((shadow.missing(132, 2, 1), shadow.missing(134, 2, 1)), (0, 1));
        assert_eq!((shadow.mask(128, 0), shadow.mask(128, 1)), (0x3f, 0xf));
        shadow.set(129, 1, 1, false);
        assert_eq!(shadow.mask(128, 0), 0x3d);
    }
}
