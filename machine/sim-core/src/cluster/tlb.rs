//! Address translation of a cluster. It changes only the time: a message to a page that misses
//! reaches its partition later. Later messages on the same link are delayed too, so that their
//! order is kept.

use super::Cluster;
use crate::cache::{Place, Tags};
use crate::config::{TlbConfig, TlbLevelConfig};
use crate::counters::LevelCounters;
use crate::state::{CloneFrom, Part};

/// One level of the TLB.
#[derive(CloneFrom, Debug, Part)]
struct Level {
    #[state(part)]
    tags: Tags,
    #[state(fixed)]
    miss_cycles: u64,
    counters: LevelCounters,
}

impl Level {
    fn new(config: TlbLevelConfig, place: Place) -> Self {
        let counters = LevelCounters::default();
        Self { tags: Tags::new(config.shape(), place), miss_cycles: config.miss_cycles.into(), counters }
    }

    /// Looks up a page and installs it. Returns the penalty of a miss in shader cycles, or `None`
    /// for a hit.
    fn look_up(&mut self, page: u32) -> Option<u64> {
        if self.tags.hit(page.into()).is_some() {
            self.counters.hits += 1;
            return None;
        }
        self.counters.misses += 1;
        self.tags.install(page.into());
        Some(self.miss_cycles)
    }
}

/// The levels, from the first to the last.
#[derive(CloneFrom, Debug, Part)]
pub(super) struct Tlb {
    #[state(fixed)]
    page_shift: u32,
    #[state(part)]
    first: Level,
    #[state(part)]
    second: Option<Level>,
}

impl Tlb {
    /// Creates the empty TLB of cluster `cluster`.
    pub(super) fn new(config: TlbConfig, cluster: u32) -> Self {
        Self {
            page_shift: config.page_bytes.trailing_zeros(),
            first: Level::new(config.first, Place::FirstTlb(cluster)),
            second: config.second.map(|level| Level::new(level, Place::SecondTlb(cluster))),
        }
    }

    /// Returns the additional latency in shader cycles of a message to `address`.
    pub(super) fn late(&mut self, address: u32) -> u64 {
        let page = address >> self.page_shift;
        let Some(late) = self.first.look_up(page) else { return 0 };
        late + self.second.as_mut().and_then(|second| second.look_up(page)).unwrap_or(0)
    }

    /// Returns the counters of the levels.
    pub(super) fn counters(&self) -> [LevelCounters; 2] {
        [self.first.counters, self.second.as_ref().map(|second| second.counters).unwrap_or_default()]
    }
}

impl Cluster {
    /// Returns the counters of the cluster's TLB levels.
    pub fn tlb_counters(&self) -> [LevelCounters; 2] {
        self.tlb.as_ref().map(Tlb::counters).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cache::Replacement;

    /// Tests: `instruction-and-address-caches`.
    #[test]
    fn a_page_has_the_penalty_of_each_level_that_misses() {
        let replacement = Replacement::Lru;
        let level =
            |entries, miss_cycles| TlbLevelConfig { entries, ways: entries, miss_cycles, replacement };
        let config = TlbConfig { page_bytes: 4096, first: level(2, 50), second: Some(level(3, 200)) };
        let mut tlb = Tlb::new(config, 0);
        let late = |tlb: &mut Tlb, pages: &[u32]| -> Vec<u64> {
            pages.iter().map(|page| tlb.late(page * 4096 + 8)).collect()
        };
        assert_eq!(late(&mut tlb, &[0, 0, 1, 0]), [250, 0, 250, 0]);
        // Page 1 is the least recently used: it is evicted, and the second level still has it.
        assert_eq!(late(&mut tlb, &[2, 1, 0]), [250, 50, 50]);
        assert_eq!(late(&mut tlb, &[3, 4, 5, 0]), [250; 4]);
        assert_eq!(tlb.counters()[0], LevelCounters { hits: 2, misses: 9 });
        assert_eq!(tlb.counters()[1], LevelCounters { hits: 2, misses: 7 });
    }
}
