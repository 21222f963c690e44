//! Translation of addresses: which pages the cluster knows. It moves only time: a message to a page
//! that is not known reaches its partition later, and whatever follows it on its link does so too,
//! so that their order stays.

use crate::cache::{Place, Tags};
use crate::config::{TlbConfig, TlbLevelConfig};
use crate::counters::LevelCounters;

/// One level.
#[derive(Clone, Debug)]
struct Level {
    tags: Tags,
    miss_cycles: u64,
    counters: LevelCounters,
}

impl Level {
    fn new(config: TlbLevelConfig, place: Place) -> Self {
        let counters = LevelCounters::default();
        Self { tags: Tags::new(config.shape(), place), miss_cycles: config.miss_cycles.into(), counters }
    }

    /// Looks up a page and keeps it. Returns the hot cycles that it takes if it was not known.
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

/// The levels, the nearest first.
#[derive(Clone, Debug)]
pub(super) struct Tlb {
    page_shift: u32,
    first: Level,
    second: Option<Level>,
}

impl Tlb {
    /// The empty TLB of cluster number `cluster`.
    pub(super) fn new(config: TlbConfig, cluster: u32) -> Self {
        Self {
            page_shift: config.page_bytes.trailing_zeros(),
            first: Level::new(config.first, Place::FirstTlb(cluster)),
            second: config.second.map(|level| Level::new(level, Place::SecondTlb(cluster))),
        }
    }

    /// Hot cycles more that a message to `address` takes.
    pub(super) fn late(&mut self, address: u32) -> u64 {
        let page = address >> self.page_shift;
        let Some(late) = self.first.look_up(page) else { return 0 };
        late + self.second.as_mut().and_then(|second| second.look_up(page)).unwrap_or(0)
    }

    /// What the levels have counted.
    pub(super) fn counters(&self) -> [LevelCounters; 2] {
        [self.first.counters, self.second.as_ref().map(|second| second.counters).unwrap_or_default()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cache::Replacement;

    /// Tests: `instruction-and-address-caches`.
    #[test]
    fn a_page_is_late_at_each_level_that_does_not_know_it() {
        let replacement = Replacement::Lru;
        let level =
            |entries, miss_cycles| TlbLevelConfig { entries, ways: entries, miss_cycles, replacement };
        let config = TlbConfig { page_bytes: 4096, first: level(2, 50), second: Some(level(3, 200)) };
        let mut tlb = Tlb::new(config, 0);
        let late = |tlb: &mut Tlb, pages: &[u32]| -> Vec<u64> {
            pages.iter().map(|page| tlb.late(page * 4096 + 8)).collect()
        };
        assert_eq!(late(&mut tlb, &[0, 0, 1, 0]), [250, 0, 250, 0]);
        // 1 was used least recently: it goes, and the second level knows it.
        assert_eq!(late(&mut tlb, &[2, 1, 0]), [250, 50, 50]);
        assert_eq!(late(&mut tlb, &[3, 4, 5, 0]), [250; 4]);
        assert_eq!(tlb.counters()[0], LevelCounters { hits: 2, misses: 9 });
        assert_eq!(tlb.counters()[1], LevelCounters { hits: 2, misses: 7 });
    }
}
