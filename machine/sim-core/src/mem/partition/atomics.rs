//! The atomic unit: atomics on one word are serialized, atomics on different words overlap. With an
//! L2, the unit works on valid sectors. Without one, a request enters the pipeline to the DRAM when
//! its last lane is done.

use crate::mem::sectors::LINE_BYTES;
use crate::state::{CloneFrom, Part, Value};
use crate::time::message::Request;
use std::collections::VecDeque;

/// Most requests in the unit at the same time.
const PLACES: usize = 16;

/// The words that a request changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Value)]
pub(super) struct Words {
    /// Number of their 256-byte block in the partition.
    place: u32,
    /// Words of the block's 64 words, as bits.
    bits: u64,
    /// Largest number of lanes that change the same word.
    crowd: u32,
}

impl Words {
    /// Returns the words of an atomic or reduction whose chunk begins at local address `local`.
    pub(super) fn of(request: &Request, local: u32) -> Self {
        let offsets = &request.offset[..request.lanes.count_ones() as usize];
        let own = if request.bytes == 8 { 0b11 } else { 0b1 };
        let first = local % (2 * LINE_BYTES);
        let bit = |offset: &u8| (first + u32::from(*offset)) / 4 % 64;
        let bits = offsets.iter().fold(0, |bits, offset| bits | own << bit(offset));
        let same = |offset: &u8| offsets.iter().map(|other| u32::from(other == offset)).sum();
        let crowd = offsets.iter().map(same).max().unwrap_or(1);
        Self { place: local / (2 * LINE_BYTES), bits, crowd }
    }
}

/// A request in the unit.
#[derive(Clone, Copy, Debug, Value)]
struct Busy {
    /// First shader cycle after it is done.
    until: u64,
    words: Words,
}

/// The atomic unit.
#[derive(CloneFrom, Debug, Part)]
pub(super) struct Atomics {
    /// Shader cycles per operation on a word.
    #[state(fixed)]
    cycles: u64,
    busy: VecDeque<Busy>,
    /// Shader cycles in which operations on one word kept the first request waiting.
    pub(super) serial: u64,
    /// End of the last of these cycles.
    counted: u64,
}

impl Atomics {
    /// Creates an idle unit.
    pub(super) fn new(cycles: u32) -> Self {
        Self { cycles: cycles.into(), busy: VecDeque::with_capacity(PLACES), serial: 0, counted: 0 }
    }

    /// Returns the first shader cycle, `now` or later, at which the unit can begin with `words`.
    pub(super) fn free_at(&mut self, now: u64, words: Words) -> u64 {
        self.busy.retain(|busy| busy.until > now);
        let meets = |busy: &&Busy| busy.words.place == words.place && busy.words.bits & words.bits != 0;
        let free = self.busy.iter().filter(meets).map(|busy| busy.until).max().unwrap_or(now);
        if free > now {
            // The operation for which the request waits began before the request arrived.
            self.count(now.min(free.saturating_sub(self.cycles)), free);
        }
        if self.busy.len() < PLACES {
            return free;
        }
        free.max(self.busy.iter().map(|busy| busy.until).min().unwrap_or(now))
    }

    /// Begins with `words` at `now`, which [`Self::free_at`] returned. Returns the shader cycles
    /// until the last operation on a word begins.
    pub(super) fn begin(&mut self, now: u64, words: Words) -> u64 {
        self.busy.retain(|busy| busy.until > now);
        debug_assert!(self.busy.len() < PLACES, "the caller has asked `free_at`");
        let last = self.cycles * u64::from(words.crowd - 1);
        self.count(now, now + last);
        self.busy.push_back(Busy { until: now + last + self.cycles, words });
        last
    }

    /// Counts the cycles `from..to` as serialized, except those already counted.
    fn count(&mut self, from: u64, to: u64) {
        self.serial += to.saturating_sub(from.max(self.counted));
        self.counted = self.counted.max(to);
    }
}
