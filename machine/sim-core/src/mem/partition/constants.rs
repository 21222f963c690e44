//! A partition's part of the chip's constant or texture cache: its lines, and the replies that wait
//! for a line from the DRAM.

use super::Partition;
use crate::cache::{Miss, Mshr, Place, Tags};
use crate::config::{ConstLevelConfig, DramConfig};
use crate::counters::LevelCounters;
use crate::state::{CloneFrom, Part, Value};

/// Result of looking up a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Found {
    /// The line is in the cache.
    Hit,
    /// The line is already outstanding, for another request.
    Merged,
    /// The line must be read from the DRAM.
    Miss,
}

/// A reply that waits for a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Value)]
struct Waiting {
    /// Its index. The DRAM read has the index of the first reply that waits for the line.
    name: u32,
    bursts: u8,
}

/// The constant or texture cache of a partition.
#[derive(CloneFrom, Debug, Part)]
pub(super) struct Constants {
    #[state(fixed)]
    pub(super) config: ConstLevelConfig,
    #[state(part)]
    tags: Tags,
    /// DRAM bursts per line.
    #[state(fixed)]
    pub(super) bursts: u8,
    #[state(part)]
    mshr: Mshr<Waiting>,
    pub(super) counters: LevelCounters,
}

impl Constants {
    /// Creates the empty cache at `place`, if the partition has one.
    pub(super) fn of(config: Option<ConstLevelConfig>, dram: &DramConfig, place: Place) -> Option<Self> {
        config.map(|config| Self::new(config, dram.burst_bytes, place))
    }

    /// Creates the empty cache at `place`, a partition whose DRAM has bursts of `burst_bytes`.
    fn new(config: ConstLevelConfig, burst_bytes: u32, place: Place) -> Self {
        Self {
            config,
            tags: Tags::new(config.shape, place),
            bursts: config.shape.line_bytes.div_ceil(burst_bytes) as u8,
            mshr: Mshr::unlimited(),
            counters: LevelCounters::default(),
        }
    }

    /// Returns the address of the first byte of the line that contains `local`.
    pub(super) fn line_start(&self, local: u32) -> u32 {
        local & !(self.config.shape.line_bytes - 1)
    }

    /// Looks up the line that contains the byte at `local`. On a miss, reply `name` of `bursts`
    /// bursts waits for it.
    pub(super) fn look_up(&mut self, local: u32, name: u32, bursts: u8) -> Found {
        let line = local / self.config.shape.line_bytes;
        if self.tags.hit(line.into()).is_some() {
            self.counters.hits += 1;
            return Found::Hit;
        }
        self.counters.misses += 1;
        match self.mshr.miss(line.into(), Waiting { name, bursts }) {
            Miss::New(_) => Found::Miss,
            Miss::Merged | Miss::Full => Found::Merged,
        }
    }

    /// Completes the DRAM read of reply `leader`: passes index and bursts of each reply that waited
    /// for the line to `give`. Returns whether the read was for a line.
    pub(super) fn came(&mut self, leader: u32, mut give: impl FnMut(u32, u8)) -> bool {
        if self.mshr.is_empty() {
            return false;
        }
        let entry = self.mshr.leaders().find(|(_, first)| first.name == leader);
        let Some((entry, _)) = entry else { return false };
        let (line, _) = self.mshr.fill(entry, |waiting| give(waiting.name, waiting.bursts));
        self.tags.install(line);
        true
    }
}

impl Partition {
    /// Returns the number of texture lines requested, and the look-ups in the texture cache.
    pub fn texture_counters(&self) -> (u64, LevelCounters) {
        (self.texture_lines, self.textures.as_ref().map(|cache| cache.counters).unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cache::{CacheShape, Replacement, SetIndex};

    /// Tests: `constant-cache-times`.
    #[test]
    fn one_read_serves_all_replies_that_wait_for_a_line() {
        let shape = CacheShape {
            bytes: 512,
            line_bytes: 256,
            ways: 2,
            replacement: Replacement::Lru,
            index: SetIndex::Modulo,
        };
        let config = ConstLevelConfig { shape, hit_cycles: 7, miss_cycles: 0 };
        let mut c = Constants::new(config, 32, Place::PartitionConstants(0));
        assert_eq!(c.look_up(256, 3, 8), Found::Miss);
        assert_eq!(c.look_up(300, 5, 2), Found::Merged);
        assert_eq!(c.look_up(0, 4, 8), Found::Miss);
        let mut given = Vec::new();
        assert!(c.came(3, |name, bursts| given.push((name, bursts))));
        assert_eq!(given, [(3, 8), (5, 2)]);
        assert!(!c.came(5, |_, _| ()), "no line is read for this reply");
        assert_eq!(c.look_up(511, 3, 8), Found::Hit);
        assert_eq!((c.counters.hits, c.counters.misses, c.mshr.outstanding()), (1, 3, 1));
    }
}
