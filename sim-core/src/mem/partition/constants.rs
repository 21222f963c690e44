//! A partition's part of the chip's constant cache: which lines it holds, and who waits for one that the DRAM reads.

use crate::cache::Tags;
use crate::config::ConstLevelConfig;
use crate::counters::LevelCounters;

/// What a request for a line finds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Found {
    /// The line is here.
    Hit,
    /// The DRAM reads it already, for another cluster.
    Coming,
    /// The DRAM must read it.
    Missing,
}

/// A reply that waits for a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Waiting {
    line: u32,
    /// The name of the reply that the DRAM reads for: the first one's.
    leader: u32,
    /// Its own name.
    name: u32,
    /// Its bursts.
    bursts: u8,
}

/// The cache.
#[derive(Clone, Debug)]
pub(super) struct Constants {
    pub(super) config: ConstLevelConfig,
    tags: Tags,
    /// Bursts of a line.
    pub(super) bursts: u8,
    waiting: Vec<Waiting>,
    pub(super) counters: LevelCounters,
}

impl Constants {
    /// An empty cache, in front of a DRAM with bursts of `burst_bytes`.
    pub(super) fn new(config: ConstLevelConfig, burst_bytes: u32) -> Self {
        Self {
            config,
            tags: Tags::new(config.shape),
            bursts: config.shape.line_bytes.div_ceil(burst_bytes) as u8,
            waiting: Vec::new(),
            counters: LevelCounters::default(),
        }
    }

    /// First byte of the line that holds the byte at `local`.
    pub(super) fn line_start(&self, local: u32) -> u32 {
        local & !(self.config.shape.line_bytes - 1)
    }

    /// Looks up the line that holds the byte at `local`; a reply that must wait for it is `name`, of `bursts` bursts.
    pub(super) fn look_up(&mut self, local: u32, name: u32, bursts: u8) -> Found {
        let line = local / self.config.shape.line_bytes;
        if self.tags.hit(line.into()).is_some() {
            self.counters.hits += 1;
            return Found::Hit;
        }
        self.counters.misses += 1;
        let coming = self.waiting.iter().find(|waiting| waiting.line == line).map(|first| first.leader);
        self.waiting.push(Waiting { line, leader: coming.unwrap_or(name), name, bursts });
        if coming.is_some() { Found::Coming } else { Found::Missing }
    }

    /// The DRAM has read for the reply `leader`: hands all that waited for the line to `give`, names and bursts. Whether
    /// there was such a line.
    pub(super) fn came(&mut self, leader: u32, mut give: impl FnMut(u32, u8)) -> bool {
        let Some(first) = self.waiting.iter().find(|waiting| waiting.leader == leader) else { return false };
        self.tags.install(first.line.into());
        self.waiting.retain(|waiting| {
            let comes = waiting.leader == leader;
            if comes {
                give(waiting.name, waiting.bursts);
            }
            !comes
        });
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cache::CacheShape;

    #[test]
    fn a_line_is_read_once_for_all_who_wait() {
        let shape = CacheShape { bytes: 512, line_bytes: 256, ways: 2 };
        let mut c = Constants::new(ConstLevelConfig { shape, hit_cycles: 7, miss_cycles: 0 }, 32);
        assert_eq!(c.look_up(256, 3, 8), Found::Missing);
        assert_eq!(c.look_up(300, 5, 2), Found::Coming);
        assert_eq!(c.look_up(0, 4, 8), Found::Missing);
        let mut given = Vec::new();
        assert!(c.came(3, |name, bursts| given.push((name, bursts))));
        assert_eq!(given, [(3, 8), (5, 2)]);
        assert!(!c.came(5, |_, _| ()), "nobody else waits under that name");
        assert_eq!(c.look_up(511, 3, 8), Found::Hit);
        assert_eq!((c.counters.hits, c.counters.misses, c.waiting.len()), (1, 3, 1));
    }
}
