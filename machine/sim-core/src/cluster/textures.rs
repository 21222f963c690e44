//! The texture units of a cluster and their cache, if the kernel fetches texels.
//!
//! The units serve one fetch of a warp after the other. A fetch looks up each different line of its
//! texels once. If all lines hit, its result is in the SM `hit_cycles` after the start of the
//! fetch. Otherwise the missing lines are requested from their partitions, once for all fetches
//! that wait for them, and the result is in the SM `fill_cycles` after the last line has arrived.
//! The values of the texels have been read at issue; only the time is modeled here.
//!
//! Invariant `texture-cache-times`: A fetch takes the time of the cache level that has its lines,
//! and one request is sent for each missing line.

use super::Cluster;
use crate::cache::{Miss, Mshr, Place, Tags};
use crate::config::{ClusterConfig, TextureCacheConfig};
use crate::counters::TextureCounters;
use crate::mem::map::AddressMap;
use crate::sm::context::SmContext;
use crate::sm::memory::coalesce::Addressed;
use crate::sm::memory::textures::Fetch;
use crate::state::{CloneFrom, Part, Value};
use crate::time::NEVER;
use crate::time::message::{Reply, Request, RequestKind};
use std::collections::VecDeque;

/// A fetch of an SM of the cluster.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Value)]
pub(super) struct Owner {
    /// SM within the cluster.
    pub sm: u8,
    /// Its pending load.
    pub tag: u16,
}

/// A fetch that waits for lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Value)]
struct Waiting {
    owner: Owner,
    /// Lines that have not arrived, and one more until all lines have been looked up.
    lines: u32,
}

/// The units, their cache, and the requests for lines.
#[derive(CloneFrom, Debug, Part)]
pub(super) struct Textures {
    #[state(fixed)]
    config: TextureCacheConfig,
    #[state(part)]
    tags: Tags,
    #[state(fixed)]
    line_shift: u32,
    #[state(fixed)]
    map: AddressMap,
    #[state(fixed)]
    bursts: u8,
    /// Fetches that have not been completely looked up, and the line addresses of all of them.
    queue: VecDeque<(Owner, Fetch)>,
    lines: VecDeque<u32>,
    /// The first fetch of the queue if some of its lines have been looked up: its index in
    /// `waiting`.
    begun: Option<u32>,
    /// Shader cycle from which the units are free.
    free: u64,
    /// Whether the first fetch waits for a free MSHR.
    blocked: bool,
    #[state(part)]
    mshr: Mshr<u32>,
    waiting: Vec<Waiting>,
    unused: Vec<u32>,
    /// Fetches with the shader cycle in which their results are in the SM: those whose lines hit,
    /// and the others. Each list is in the order of the cycles.
    hits: VecDeque<(u64, Owner)>,
    filled: VecDeque<(u64, Owner)>,
    /// Requests that have not left, with the shader cycle from which they may leave.
    leaving: VecDeque<(u64, Addressed)>,
    /// Busy shader cycles of the units, for all fetches looked up.
    pub(super) busy: u64,
    pub(super) counters: TextureCounters,
}

impl Textures {
    /// Creates the idle units of cluster `cluster`, if the chip has any and the kernel of `context`
    /// uses textures.
    pub(super) fn of(config: &ClusterConfig, cluster: u32, context: &SmContext) -> Option<Box<Self>> {
        let units = config.texture_cache?;
        let used = context.kernel.program.uses_textures();
        let (map, burst_bytes) = (context.coalescer.map, context.coalescer.burst_bytes);
        used.then(|| Box::new(Self::new(units, cluster, map, burst_bytes)))
    }

    fn new(config: TextureCacheConfig, cluster: u32, map: AddressMap, burst_bytes: u32) -> Self {
        Self {
            config,
            tags: Tags::new(config.shape, Place::ClusterTextures(cluster)),
            line_shift: config.shape.line_bytes.trailing_zeros(),
            map,
            bursts: config.shape.line_bytes.div_ceil(burst_bytes) as u8,
            queue: VecDeque::new(),
            lines: VecDeque::new(),
            begun: None,
            free: 0,
            blocked: false,
            mshr: Mshr::new(config.misses, u32::MAX),
            waiting: Vec::new(),
            unused: Vec::new(),
            hits: VecDeque::new(),
            filled: VecDeque::new(),
            leaving: VecDeque::new(),
            busy: 0,
            counters: TextureCounters::default(),
        }
    }

    /// Queues a fetch of SM `sm` at shader cycle `now`; `texels` are the addresses of its texels.
    pub(super) fn ask(&mut self, now: u64, sm: u8, fetch: Fetch, texels: impl Iterator<Item = u32>) {
        self.counters.fetches += 1;
        let start = self.lines.len();
        for texel in texels {
            self.counters.texels += 1;
            let line = texel >> self.line_shift;
            // Neighboring lanes mostly read the line that was found last.
            let known = self.lines.range(start..).rev().any(|known| *known == line);
            if !known {
                self.lines.push_back(line);
            }
        }
        let lines = (self.lines.len() - start) as u32;
        if self.queue.is_empty() {
            self.free = self.free.max(now);
        }
        self.queue.push_back((Owner { sm, tag: fetch.tag }, Fetch { texels: lines, ..fetch }));
    }

    /// Looks up the lines of the fetches whose turn has come by shader cycle `now`.
    pub(super) fn serve(&mut self, now: u64) {
        while !self.blocked && self.free <= now {
            let Some((owner, fetch)) = self.queue.front().copied() else { return };
            let begin = self.free;
            let index = self.begun.take().unwrap_or_else(|| self.wait(owner));
            let mut left = fetch.texels;
            while left > 0 && self.look_up(begin, index) {
                left -= 1;
            }
            if left > 0 {
                if let Some((_, fetch)) = self.queue.front_mut() {
                    fetch.texels = left;
                }
                (self.begun, self.blocked) = (Some(index), true);
                return;
            }
            self.queue.pop_front();
            let units = self.config.fetch_cycles * if fetch.eight { 2 } else { 1 };
            let cache = self.config.line_cycles * fetch.texels;
            self.free = begin + u64::from(units.max(cache));
            self.busy += u64::from(units.max(cache));
            let waiting = &mut self.waiting[index as usize];
            waiting.lines -= 1;
            if waiting.lines == 0 {
                self.unused.push(index);
                self.hits.push_back((begin + u64::from(self.config.hit_cycles), owner));
            }
        }
    }

    /// Allocates the entry of a fetch.
    fn wait(&mut self, owner: Owner) -> u32 {
        let waiting = Waiting { owner, lines: 1 };
        if let Some(index) = self.unused.pop() {
            self.waiting[index as usize] = waiting;
            return index;
        }
        self.waiting.push(waiting);
        self.waiting.len() as u32 - 1
    }

    /// Looks up the next line, for fetch `index`. Returns false if there is no free MSHR.
    fn look_up(&mut self, now: u64, index: u32) -> bool {
        let Some(line) = self.lines.front().copied() else { return true };
        if self.tags.hit(line.into()).is_some() {
            self.counters.cache_hits += 1;
        } else {
            match self.mshr.miss(line.into(), index) {
                Miss::Full => return false,
                Miss::Merged => {}
                Miss::New(tag) => {
                    let address = line << self.line_shift;
                    let request = Request::texture(tag, address, self.bursts);
                    let ready = now + u64::from(self.config.miss_cycles);
                    self.leaving.push_back((ready, (self.map.locate(address).0 as u16, request)));
                }
            }
            self.counters.cache_misses += 1;
            self.waiting[index as usize].lines += 1;
        }
        self.counters.cache_requests += 1;
        self.lines.pop_front();
        true
    }

    /// The line of request `tag` arrives at shader cycle `now`.
    pub(super) fn came(&mut self, now: u64, tag: u16) {
        let at = now + u64::from(self.config.fill_cycles);
        let (waiting, unused, filled) = (&mut self.waiting, &mut self.unused, &mut self.filled);
        let (line, _) = self.mshr.fill(tag, |index| {
            let fetch = &mut waiting[index as usize];
            fetch.lines -= 1;
            if fetch.lines == 0 {
                unused.push(index);
                filled.push_back((at, fetch.owner));
            }
        });
        self.tags.install(line);
        if self.blocked {
            self.blocked = false;
            self.free = self.free.max(now + 1);
        }
    }

    /// Removes the next fetch whose result is in its SM by shader cycle `now`.
    pub(super) fn done(&mut self, now: u64) -> Option<Owner> {
        let due = |list: &mut VecDeque<(u64, Owner)>| list.pop_front_if(|(at, _)| *at <= now);
        Some(due(&mut self.hits).or_else(|| due(&mut self.filled))?.1)
    }

    /// Returns the next shader cycle in which there is something to do, unless a line arrives.
    pub(super) fn next(&self) -> u64 {
        let first = |list: &VecDeque<(u64, Owner)>| list.front().map_or(NEVER, |(at, _)| *at);
        let serve = if self.blocked || self.queue.is_empty() { NEVER } else { self.free };
        first(&self.hits).min(first(&self.filled)).min(serve)
    }

    /// Returns the next request to leave and the shader cycle from which it may leave.
    pub(super) fn head(&self) -> Option<(u64, &Addressed)> {
        self.leaving.front().map(|(ready, message)| (*ready, message))
    }

    /// Removes the request that has left.
    pub(super) fn left(&mut self) {
        self.leaving.pop_front();
    }
}

impl Cluster {
    /// Takes the texture fetches of SM `index` of the cluster.
    pub(super) fn ask_textures(&mut self, now: u64, index: usize) {
        let sm = &mut self.sms[index];
        while let Some(textures) = &mut self.textures
            && let Some(fetch) = sm.next_fetch()
        {
            textures.ask(now, index as u8, fetch, sm.texels(fetch));
        }
    }

    /// Runs the texture units, and passes results that have arrived to the SMs.
    pub(super) fn serve_textures(&mut self, now: u64) {
        let Some(textures) = self.textures.as_mut().filter(|textures| textures.next() <= now) else {
            return;
        };
        textures.serve(now);
        while let Some(Owner { sm, tag }) = textures.done(now) {
            let reply = Reply { kind: RequestKind::Texture, sm, tag, ..Reply::EMPTY };
            self.sms[sm as usize].load_reply(now, &reply, &self.context);
        }
        self.send_at = 0;
        self.update_head(self.heads.len() - 1);
    }

    /// Returns the counters of the texture units.
    pub fn texture_counters(&self) -> TextureCounters {
        self.textures.as_ref().map(|textures| textures.counters).unwrap_or_default()
    }
}
