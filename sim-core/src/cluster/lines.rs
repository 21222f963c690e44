//! What the constant and instruction caches of a cluster's SMs share: a level of their own, if the
//! chip has one, and the way to the partitions, which own what no cluster holds.
//!
//! A line that the level holds is in the SM `hit_cycles` after the access that missed there.
//! Another one is asked of the partition that owns it, once, whoever waits for it; such requests
//! are ready for the cluster's port `miss_cycles` after the access and take turns at it with the
//! SMs. The level gives lines to any number of SMs at once.

use crate::cache::{Miss, Mshr, Place, Tags};
use crate::config::{ClusterConfig, ConstLevelConfig, SmConfig};
use crate::counters::LevelCounters;
use crate::mem::map::AddressMap;
use crate::sm::memory::coalesce::Addressed;
use crate::time::NEVER;
use crate::time::message::Request;
use std::collections::VecDeque;

/// A line of an SM's cache, and who wants it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Wanted {
    /// SM within the cluster.
    pub sm: u8,
    /// For its instruction cache, not that of constants.
    pub code: bool,
    /// First byte.
    pub address: u32,
}

/// The level and its requests.
#[derive(Clone, Debug)]
pub(super) struct Lines {
    level: Option<(ConstLevelConfig, Tags)>,
    map: AddressMap,
    burst_bytes: u32,
    /// Bytes of a line that a partition is asked for: of constants, and of code.
    line_bytes: [u32; 2],
    /// Lines that are here, by their arrival in the SM.
    hits: VecDeque<(u64, Wanted)>,
    /// The lines that partitions have been asked for, by first byte: the level's own and the SMs'
    /// lines of code and of constants have different numbers for the same address. An entry is the
    /// tag of its request.
    mshr: Mshr<Wanted>,
    /// Requests that have not left, with the hot cycle from which they may.
    leaving: VecDeque<(u64, Addressed)>,
    pub(super) counters: LevelCounters,
}

impl Lines {
    /// Of cluster number `cluster` with SMs of `sm`, if these have constant or instruction caches.
    pub(super) fn new(
        cluster: u32,
        config: &ClusterConfig,
        sm: &SmConfig,
        map: AddressMap,
        burst_bytes: u32,
    ) -> Option<Self> {
        let inner = [sm.const_cache.map(|cache| cache.shape), sm.instr_cache.map(|cache| cache.shape)];
        if inner == [None, None] {
            return None;
        }
        // One that is not there asks for nothing.
        let bytes = |inner: Option<_>| config.const_cache.map(|level| level.shape).or(inner);
        Some(Self {
            level: config
                .const_cache
                .map(|level| (level, Tags::new(level.shape, Place::ClusterConstants(cluster)))),
            map,
            burst_bytes,
            line_bytes: inner.map(|inner| bytes(inner).map_or(1, |shape| shape.line_bytes)),
            hits: VecDeque::new(),
            mshr: Mshr::unlimited(),
            leaving: VecDeque::new(),
            counters: LevelCounters::default(),
        })
    }

    /// A line was missing in an SM in hot cycle `now`.
    pub(super) fn ask(&mut self, now: u64, wanted: Wanted) {
        let bytes = self.line_bytes[usize::from(wanted.code)];
        let address = wanted.address & !(bytes - 1);
        let mut ready = now;
        if let Some((config, tags)) = &mut self.level {
            if tags.hit((address / bytes).into()).is_some() {
                self.counters.hits += 1;
                self.hits.push_back((now + u64::from(config.hit_cycles), wanted));
                return;
            }
            self.counters.misses += 1;
            ready += u64::from(config.miss_cycles);
        }
        let Miss::New(tag) = self.mshr.miss(address.into(), wanted) else { return };
        let request = Request::line(tag, address, bytes.div_ceil(self.burst_bytes) as u8);
        self.leaving.push_back((ready, (self.map.locate(address).0 as u16, request)));
    }

    /// The line of the request `tag` has come: hands those who wanted it to `give`.
    pub(super) fn came(&mut self, tag: u16, give: impl FnMut(Wanted)) {
        let (address, _) = self.mshr.fill(tag, give);
        if let Some((config, tags)) = &mut self.level {
            tags.install(address / u64::from(config.shape.line_bytes));
        }
    }

    /// The next line of this level that is in its SM by hot cycle `now`.
    pub(super) fn hit(&mut self, now: u64) -> Option<Wanted> {
        Some(self.hits.pop_front_if(|(at, _)| *at <= now)?.1)
    }

    /// The hot cycle in which the next line of this level is in its SM.
    pub(super) fn next_hit(&self) -> u64 {
        self.hits.front().map_or(NEVER, |(at, _)| *at)
    }

    /// The next request to leave and the hot cycle from which it may.
    pub(super) fn head(&self) -> Option<(u64, &Addressed)> {
        self.leaving.front().map(|(ready, message)| (*ready, message))
    }

    /// It has left.
    pub(super) fn left(&mut self) {
        self.leaving.pop_front();
    }

    /// Nobody waits for anything.
    pub(super) fn is_idle(&self) -> bool {
        self.hits.is_empty() && self.mshr.is_empty()
    }
}
