//! Effects of launches: the bytes of global memory that each launch of a program has written, so
//! that another run of the program gets them instead of its launches.
//!
//! Only launches on the functional machine are recorded or replaced, and none is recorded while
//! checkers are on. A launch that is not recorded makes the record partial.

use crate::check::Written;
use crate::exec::allocations::AllocationTable;
use crate::gpu::functional::Ending;
use crate::mem::image::Memory;
use std::collections::BTreeSet;
use std::ops::Range;

/// Most bytes that are recorded of a program.
const MOST_BYTES: u64 = 64 << 20;
/// Shortest range, in bytes, that counts as a copy of other bytes.
const LEAST_COPY: usize = 64;
/// Least number of different words in such a range.
const LEAST_WORDS: usize = 8;
/// Most ranges of a launch that are compared with other bytes.
const MOST_COMPARED: usize = 4;
/// Most bytes that are read for these comparisons in a program.
const MOST_SEARCHED: u64 = 256 << 20;

/// Treatment of the effects of launches on the functional machine.
#[derive(Clone, Debug, Default)]
pub enum Effects {
    /// Launches run, and nothing is recorded.
    #[default]
    Off,
    /// Launches run and are recorded.
    Record(Recorded),
    /// Launches do not run; see [`Replaced`].
    Replace(Replaced),
}

/// The recorded launches of a program.
#[derive(Clone, Debug, Default)]
pub struct Recorded {
    launches: Vec<Effect>,
    /// Recorded bytes.
    bytes: u64,
    /// Bytes that were read to find copies.
    searched: u64,
    /// Whether a launch is missing.
    is_partial: bool,
}

/// Launches that do not run: each writes the bytes that the recorded launch of its number has
/// written. A launch without a recorded launch, or with another kernel or other pointers, writes
/// nothing.
#[derive(Clone, Debug, Default)]
pub struct Replaced {
    recorded: Recorded,
    /// Number of launches so far.
    launches: usize,
    /// Whether a launch was not the recorded launch of its number.
    differs: bool,
}

/// The effect of a launch.
#[derive(Clone, Debug)]
struct Effect {
    launched: Identity,
    parts: Vec<Part>,
}

/// The kernel of a launch and its arguments that are pointers.
pub(super) type Identity = (String, Vec<u32>);

/// A written range.
#[derive(Clone, Debug)]
enum Part {
    /// The bytes from an address on.
    Bytes(u32, Vec<u8>),
    /// A copy of bytes that memory had before the launch.
    Copy {
        /// First written address.
        to: u32,
        /// First read address.
        from: u32,
        bytes: usize,
    },
}

impl Effects {
    /// Whether launches are recorded.
    pub(super) fn is_recording(&self) -> bool {
        matches!(self, Self::Record(_))
    }

    /// Notes that a launch is not recorded.
    pub(super) fn lose(&mut self) {
        if let Self::Record(recorded) = self {
            recorded.is_partial = true;
        }
    }
}

impl Recorded {
    /// Whether all launches are recorded: they ran on the functional machine without checkers, have
    /// finished, and have not written too many bytes.
    pub fn is_whole(&self) -> bool {
        !self.is_partial
    }

    /// Effects that replace the launches of another run.
    pub fn replace(self) -> Effects {
        Effects::Replace(Replaced { recorded: self, ..Replaced::default() })
    }

    /// Adds a launch that has written bytes of `allocations`, with memory before and after it.
    pub(super) fn add(
        &mut self,
        launched: Identity,
        ending: &Ending,
        written: &Written,
        allocations: &AllocationTable,
        [before, after]: [&Memory; 2],
    ) {
        let ranges = written.ranges();
        self.bytes += ranges.iter().map(|range| range.end - range.start).sum::<u64>();
        self.is_partial |= *ending != Ending::Finished || self.bytes > MOST_BYTES;
        if self.is_partial {
            self.launches.clear();
            return;
        }
        let (mut compared, searched) = (0, &mut self.searched);
        let part = |range: Range<u64>| {
            let to = range.start as u32;
            let mut bytes = vec![0; (range.end - range.start) as usize];
            after.read(to, &mut bytes);
            if compared < MOST_COMPARED && is_telling(&bytes) {
                compared += 1;
                if let Some(from) = place(&bytes, before, allocations, searched) {
                    return Part::Copy { to, from, bytes: bytes.len() };
                }
            }
            Part::Bytes(to, bytes)
        };
        let parts = ranges.into_iter().map(part).collect();
        self.launches.push(Effect { launched, parts });
    }
}

impl Replaced {
    /// Whether each launch was the recorded launch of its number, and none is missing.
    pub fn is_same(&self) -> bool {
        !self.differs && self.launches == self.recorded.launches.len()
    }

    /// Writes what the recorded launch of this number has written.
    pub(super) fn write(&mut self, launched: &Identity, memory: &mut Memory) {
        let effect = self.recorded.launches.get(self.launches);
        self.launches += 1;
        let Some(effect) = effect.filter(|effect| effect.launched == *launched) else {
            self.differs = true;
            return;
        };
        let bytes = |part: &Part| match part {
            Part::Bytes(to, bytes) => (*to, bytes.clone()),
            Part::Copy { to, from, bytes } => {
                let mut copied = vec![0; *bytes];
                memory.read(*from, &mut copied);
                (*to, copied)
            }
        };
        let all: Vec<(u32, Vec<u8>)> = effect.parts.iter().map(bytes).collect();
        for (to, bytes) in all {
            memory.write(to, &bytes);
        }
    }
}

/// Whether equal bytes elsewhere are no chance: a long range with different words.
fn is_telling(bytes: &[u8]) -> bool {
    let mut words = BTreeSet::new();
    let mut rest = bytes.chunks_exact(4);
    bytes.len() >= LEAST_COPY && rest.any(|word| words.insert(word) && words.len() >= LEAST_WORDS)
}

/// Returns the address of the same bytes in an allocation. Adds the bytes that it reads to
/// `searched`, and ends at the limit.
fn place(bytes: &[u8], memory: &Memory, allocations: &AllocationTable, searched: &mut u64) -> Option<u32> {
    let mut first = [0; 4];
    first.copy_from_slice(bytes.get(..4)?);
    let mut found = vec![0; bytes.len()];
    for range in allocations.ranges() {
        let Some(last) = (range.bytes as usize).checked_sub(bytes.len()) else { continue };
        for at in (0..=last as u32).step_by(4).map(|offset| range.start + offset) {
            *searched += 4;
            if *searched > MOST_SEARCHED {
                return None;
            }
            if memory.load(at) == first {
                *searched += bytes.len() as u64;
                memory.read(at, &mut found);
                if found == bytes {
                    return Some(at);
                }
            }
        }
    }
    None
}

#[cfg(test)]
mod tests;
