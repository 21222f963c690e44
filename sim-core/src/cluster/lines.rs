//! What the constant and instruction caches of a cluster's SMs share: a level of their own, if the chip has one, and the
//! way to the partitions, which own what no cluster holds.
//!
//! A line that the level holds is in the SM `hit_cycles` after the access that missed there. Another one is asked of the
//! partition that owns it, once, whoever waits for it; such requests are ready for the cluster's port `miss_cycles` after
//! the access and take turns at it with the SMs. The level gives lines to any number of SMs at once.

use crate::cache::Tags;
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

/// A line that a partition has been asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Fetched {
    /// First byte.
    address: u32,
    /// Empty: nobody has asked, and the place is free.
    wanted: Vec<Wanted>,
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
    /// By tag of the request.
    fetched: Vec<Fetched>,
    /// Requests that have not left, with the hot cycle from which they may.
    leaving: VecDeque<(u64, Addressed)>,
    pub(super) counters: LevelCounters,
}

impl Lines {
    /// For SMs of `sm`, if these have constant or instruction caches.
    pub(super) fn new(
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
            level: config.const_cache.map(|level| (level, Tags::new(level.shape))),
            map,
            burst_bytes,
            line_bytes: inner.map(|inner| bytes(inner).map_or(1, |shape| shape.line_bytes)),
            hits: VecDeque::new(),
            fetched: Vec::new(),
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
        let same = |fetched: &&mut Fetched| fetched.address == address && !fetched.wanted.is_empty();
        if let Some(fetched) = self.fetched.iter_mut().find(same) {
            fetched.wanted.push(wanted);
            return;
        }
        let free = self.fetched.iter().position(|fetched| fetched.wanted.is_empty());
        let tag = free.unwrap_or_else(|| {
            self.fetched.push(Fetched::default());
            self.fetched.len() - 1
        });
        self.fetched[tag].address = address;
        self.fetched[tag].wanted.push(wanted);
        let request = Request::line(tag as u16, address, bytes.div_ceil(self.burst_bytes) as u8);
        self.leaving.push_back((ready, (self.map.locate(address).0 as u16, request)));
    }

    /// The line of the request `tag` has come: hands those who wanted it to `give`.
    pub(super) fn came(&mut self, tag: u16, mut give: impl FnMut(Wanted)) {
        let fetched = &mut self.fetched[tag as usize];
        if let Some((config, tags)) = &mut self.level {
            tags.install((fetched.address / config.shape.line_bytes).into());
        }
        fetched.wanted.drain(..).for_each(&mut give);
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
        self.hits.is_empty() && self.fetched.iter().all(|fetched| fetched.wanted.is_empty())
    }
}
