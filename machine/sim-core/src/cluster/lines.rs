//! The level of constant and instruction caches that the SMs of a cluster share, if the chip has
//! one, and the requests to the partitions for lines that the cluster does not hold.
//!
//! A line that hits in this level is in the SM `hit_cycles` after the SM's miss. A missing line is
//! requested once from the partition that owns it; later requests for it merge. A request is ready
//! for the cluster's port `miss_cycles` after the access, and the port serves it in rotation with
//! the SMs. The level can deliver lines to any number of SMs in the same cycle.

use super::Cluster;
use crate::cache::{Miss, Mshr, Place, Tags};
use crate::config::{ClusterConfig, ConstLevelConfig, SmConfig};
use crate::counters::LevelCounters;
use crate::mem::map::AddressMap;
use crate::sm::memory::coalesce::Addressed;
use crate::state::{CloneFrom, Part, Value};
use crate::time::NEVER;
use crate::time::message::Request;
use std::collections::VecDeque;

/// A line that a cache of an SM has missed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Value)]
pub(super) struct Wanted {
    /// SM within the cluster.
    pub sm: u8,
    /// Whether the instruction cache, and not the constant cache, has missed it.
    pub code: bool,
    /// Address of its first byte.
    pub address: u32,
}

/// The shared cache level and its requests.
#[derive(CloneFrom, Debug, Part)]
pub(super) struct Lines {
    #[state(fixed)]
    config: Option<ConstLevelConfig>,
    #[state(part)]
    level: Option<Tags>,
    #[state(fixed)]
    map: AddressMap,
    #[state(fixed)]
    burst_bytes: u32,
    /// Bytes of a requested line: of constants, and of code.
    #[state(fixed)]
    line_bytes: [u32; 2],
    /// Hits in this level, in the order in which the lines arrive in the SMs.
    hits: VecDeque<(u64, Wanted)>,
    /// Lines requested from partitions, by the address of their first byte. Line numbers would be
    /// ambiguous: the level and the SMs' caches of code and of constants number the same address
    /// differently. The index of an entry is the tag of its request.
    #[state(part)]
    mshr: Mshr<Wanted>,
    /// Requests that have not left, with the shader cycle from which they may leave.
    leaving: VecDeque<(u64, Addressed)>,
    pub(super) counters: LevelCounters,
}

impl Lines {
    /// Creates the level of cluster `cluster`, or `None` if SMs of `sm` have neither constant nor
    /// instruction caches.
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
        // An SM without one of the caches never requests its lines.
        let bytes = |inner: Option<_>| config.const_cache.map(|level| level.shape).or(inner);
        Some(Self {
            config: config.const_cache,
            level: config.const_cache.map(|level| Tags::new(level.shape, Place::ClusterConstants(cluster))),
            map,
            burst_bytes,
            line_bytes: inner.map(|inner| bytes(inner).map_or(1, |shape| shape.line_bytes)),
            hits: VecDeque::new(),
            mshr: Mshr::unlimited(),
            leaving: VecDeque::new(),
            counters: LevelCounters::default(),
        })
    }

    /// Processes the miss of a line in an SM at shader cycle `now`.
    pub(super) fn ask(&mut self, now: u64, wanted: Wanted) {
        let bytes = self.line_bytes[usize::from(wanted.code)];
        let address = wanted.address & !(bytes - 1);
        let mut ready = now;
        if let (Some(config), Some(tags)) = (self.config, &mut self.level) {
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

    /// The line of request `tag` has arrived: passes the merged requests to `give`.
    pub(super) fn came(&mut self, tag: u16, give: impl FnMut(Wanted)) {
        let (address, _) = self.mshr.fill(tag, give);
        if let (Some(config), Some(tags)) = (self.config, &mut self.level) {
            tags.install(address / u64::from(config.shape.line_bytes));
        }
    }

    /// Removes the next hit in this level whose line is in its SM by shader cycle `now`.
    pub(super) fn hit(&mut self, now: u64) -> Option<Wanted> {
        Some(self.hits.pop_front_if(|(at, _)| *at <= now)?.1)
    }

    /// Returns the shader cycle in which the next hit of this level is in its SM.
    pub(super) fn next_hit(&self) -> u64 {
        self.hits.front().map_or(NEVER, |(at, _)| *at)
    }

    /// Returns the next request to leave and the shader cycle from which it may leave.
    pub(super) fn head(&self) -> Option<(u64, &Addressed)> {
        self.leaving.front().map(|(ready, message)| (*ready, message))
    }

    /// Removes the request that has left.
    pub(super) fn left(&mut self) {
        self.leaving.pop_front();
    }

    /// Whether no line is outstanding and no hit is on its way to an SM.
    pub(super) fn is_idle(&self) -> bool {
        self.hits.is_empty() && self.mshr.is_empty()
    }
}

impl Cluster {
    /// Returns the counters of the cluster's level of constant and instruction cache.
    pub fn line_counters(&self) -> LevelCounters {
        self.lines.as_ref().map(|lines| lines.counters).unwrap_or_default()
    }
}
