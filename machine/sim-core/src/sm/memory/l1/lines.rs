//! Lines of the L1, the loads that wait for them, and the counters.

use crate::counters::counters;
use crate::exec::{Row32, mask};
use crate::mem::map::AddressMap;
use crate::mem::sectors::{LINE_BYTES, bursts};
use crate::sm::memory::coalesce::Addressed;
use crate::sm::memory::replies::NO_LOAD;
use crate::state::Value;
use crate::time::message::{REQUEST_LANES, Request, RequestKind, Words, quad};
use serde::Serialize;

/// State of a line. Each bit of a mask is one word.
#[derive(Clone, Copy, Debug, Default, Value)]
pub(super) struct Line {
    /// Valid words. A sector of global memory is valid as a whole.
    pub valid: u32,
    /// Words to write back on eviction; only in lines of local memory.
    pub dirty: u32,
    /// Whether the cache holds the values, as for every line of global memory.
    pub global: bool,
    /// Shader cycle at which its values last changed.
    pub since: u64,
}

/// A load that waits for some words of a line, as in its message.
#[derive(Clone, Copy, Debug, Value)]
pub(in super::super) struct Waiter {
    pub tag: u16,
    bytes: u8,
    pub lanes: u32,
    offset: [u8; REQUEST_LANES],
}

/// Offsets of the words of a line.
const CONSECUTIVE: [u8; REQUEST_LANES] = {
    let (mut offsets, mut word) = ([0; REQUEST_LANES], 0);
    while word < REQUEST_LANES {
        offsets[word] = 4 * word as u8;
        word += 1;
    }
    offsets
};

impl Waiter {
    #[inline]
    pub fn of(request: &Request) -> Self {
        let Request { tag, bytes, lanes, offset, .. } = *request;
        Self { tag, bytes, lanes, offset }
    }

    /// Whether each lane loads a word.
    #[inline]
    pub fn is_of_words(&self) -> bool {
        self.bytes == 4
    }

    /// Writes the words of a load of words to a row, from the words of the line.
    #[inline]
    pub fn put_words(&self, line: &Words, row: &mut Row32) {
        let word = |offset: &u8| line[(u32::from(*offset) % LINE_BYTES / 4) as usize];
        if self.lanes == u32::MAX && self.offset.map(|offset| offset % LINE_BYTES as u8) == CONSECUTIVE {
            *row = *line;
        } else if let Some(run) = mask::run(self.lanes) {
            row[run].iter_mut().zip(&self.offset).for_each(|(to, offset)| *to = word(offset));
        } else {
            mask::lanes(self.lanes).zip(&self.offset).for_each(|(lane, offset)| row[lane] = word(offset));
        }
    }

    /// Returns the values of the load, from the words of the line, as [`write_back`] takes them.
    ///
    /// [`write_back`]: crate::exec::ldst::write_back
    #[inline]
    pub fn values(&self, line: &Words) -> [u32; 2 * REQUEST_LANES] {
        let mut words = [0; _];
        let offsets = &self.offset[..self.lanes.count_ones() as usize];
        let at = |offset: u8| (u32::from(offset) % LINE_BYTES) as usize;
        match self.bytes {
            4 => words.iter_mut().zip(offsets).for_each(|(word, offset)| *word = line[at(*offset) / 4]),
            1 | 2 => {
                let mask = if self.bytes == 1 { 0xff } else { 0xffff };
                for (word, offset) in words.iter_mut().zip(offsets) {
                    *word = line[at(*offset) / 4] >> (at(*offset) % 4 * 8) & mask;
                }
            }
            8 => {
                for (pair, offset) in words.chunks_exact_mut(2).zip(offsets) {
                    pair.copy_from_slice(&line[at(*offset) / 4..][..2]);
                }
            }
            _ => {
                for (quad, offset) in words.chunks_exact_mut(4).zip(offsets) {
                    quad.copy_from_slice(&line[at(*offset) / 4..][..4]);
                }
            }
        }
        words
    }
}

/// Stores the `words` of `request`, a store, to its line. If several lanes write the same byte, the
/// highest lane wins.
pub(super) fn store(line: &mut Words, request: &Request, words: &Words) {
    let offsets = &request.offset[..request.lanes.count_ones() as usize];
    for (k, offset) in offsets.iter().enumerate() {
        let at = (u32::from(*offset) % LINE_BYTES) as usize;
        let (to, count) = (&mut line[at / 4..], usize::from(request.bytes / 4));
        match request.bytes {
            1 | 2 => {
                let shift = at % 4 * 8;
                let mask = if request.bytes == 1 { 0xff } else { 0xffff } << shift;
                to[0] = to[0] & !mask | words[k] << shift & mask;
            }
            16 => to[..4].copy_from_slice(&words[quad(request.quads, k)..][..4]),
            _ => to[..count].copy_from_slice(&words[count * k..][..count]),
        }
    }
}

/// Bit mask of the words of its line that a request touches; for accesses of 8 or 16 bytes, the
/// first word of each lane.
pub(super) fn needed_words(request: &Request) -> u32 {
    let offsets = &request.offset[..request.lanes.count_ones() as usize];
    offsets.iter().fold(0, |words, offset| words | 1 << (u32::from(*offset) % LINE_BYTES / 4))
}

/// Request that writes back the words `dirty` of line number `line` of local memory.
pub(super) fn local_store(line: u64, dirty: u32, sm: u8, map: AddressMap, burst_bytes: u32) -> Addressed {
    of_words((RequestKind::LocalStore, NO_LOAD), line, dirty, sm, map, burst_bytes)
}

/// Request for line number `line` of global memory, which has the MSHR `entry`.
pub(super) fn whole_line(line: u64, entry: u16, sm: u8, map: AddressMap, burst_bytes: u32) -> Addressed {
    of_words((RequestKind::Fill { local: false }, entry), line, u32::MAX, sm, map, burst_bytes)
}

/// Request of a kind and with a tag for the words `lanes` of line number `line`.
fn of_words(
    (kind, tag): (RequestKind, u16),
    line: u64,
    lanes: u32,
    sm: u8,
    map: AddressMap,
    burst_bytes: u32,
) -> Addressed {
    let address = line as u32 * LINE_BYTES;
    let chunk = address & !(map.chunk_bytes().min(256) - 1);
    let mut request = Request {
        kind,
        sm,
        tag,
        bytes: 4,
        transactions: 1,
        transfers: 1,
        bursts: 1,
        sectors: 0,
        lanes,
        chunk,
        offset: [0; REQUEST_LANES],
        quads: 0,
    };
    for (k, word) in mask::lanes(lanes).enumerate() {
        request.offset[k] = (address - chunk) as u8 + 4 * word as u8;
        request.sectors |= 1 << (word / 8);
    }
    request.bursts = bursts(request.sectors.into(), burst_bytes) as u8;
    (map.locate(chunk).0 as u16, request)
}

counters! {
    /// Counters of one L1; each line of a request counts once, as in `nvprof`.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Value)]
    pub struct L1Counters {
        /// Lines of global loads that hit (`l1_global_load_hit`).
        pub global_load_hit: u64,
        /// Lines of global loads that missed, with or without an outstanding fill
        /// (`l1_global_load_miss`).
        pub global_load_miss: u64,
        /// Lines of global loads that bypassed the L1 (`uncached_global_load_transaction`).
        pub uncached_global_loads: u64,
        /// Lines of local loads whose words were valid (`l1_local_load_hit`).
        pub local_load_hit: u64,
        /// Lines of local loads that missed (`l1_local_load_miss`).
        pub local_load_miss: u64,
        /// Local stores whose line was present (`l1_local_store_hit`).
        pub local_store_hit: u64,
        /// Local stores whose line was not present (`l1_local_store_miss`).
        pub local_store_miss: u64,
        /// Words of 32 bits that local stores made dirty.
        pub local_words_dirtied: u64,
        /// Words that were dirty when their line was evicted.
        pub local_words_written_back: u64,
    }
}

impl L1Counters {
    pub(super) fn load(&mut self, local: bool, hit: bool) {
        *match (local, hit) {
            (false, true) => &mut self.global_load_hit,
            (false, false) => &mut self.global_load_miss,
            (true, true) => &mut self.local_load_hit,
            (true, false) => &mut self.local_load_miss,
        } += 1;
    }

    pub(super) fn local_store(&mut self, hit: bool) {
        *(if hit { &mut self.local_store_hit } else { &mut self.local_store_miss }) += 1;
    }
}
