//! The block dispatcher: a component that sends blocks to SMs in grid order, breadth first.
//!
//! It knows the SMs only from messages: the resources of a retired block are free when its message
//! arrives.
//!
//! Several kernels may run at the same time, and a kernel may arrive while others run. A cluster
//! holds blocks of one kernel at a time,
//! its **owner**. Blocks of a kernel are sent when all blocks of earlier kernels have been sent, to
//! clusters that it owns or to free ones. A cluster without blocks drains and becomes free when its
//! owner has no more blocks to send. For each kernel, each cluster has a separate component (a
//! *seat*), and only one seat of a cluster holds blocks at a time: caches and counters of an SM
//! belong to one kernel.

use crate::config::{ClusterConfig, DispatchConfig};
use crate::hooks::{Hooks, Mutant};
use crate::state::{CloneFrom, Part, Value};
use crate::time::NEVER;
use crate::time::message::{FromCluster, ToCluster};
use std::collections::VecDeque;

/// State of one SM in the dispatcher.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Value)]
struct SmState {
    cluster: usize,
    sm: u8,
    /// Number of further blocks of the cluster's owner that may be sent.
    free: u32,
    /// Number of blocks that were sent and have not retired.
    held: u32,
}

/// State of one kernel in the dispatcher.
#[derive(CloneFrom, Debug, PartialEq, Eq, Value)]
struct Work {
    blocks: u64,
    /// Blocks that an SM accepts at first.
    per_sm: u32,
    /// Shader cycle at which it arrived.
    arrived: u64,
    /// Shader cycle from which its first block may be sent.
    from: u64,
    next_block: u64,
    retired: u64,
    /// Whether all blocks have retired and every cluster has been sent a drain.
    draining: bool,
    /// Clusters that have been sent a drain.
    told: Vec<bool>,
    drained: usize,
    /// Shader cycle at which the kernel ended.
    finished: Option<u64>,
}

impl Work {
    fn new((blocks, per_sm): (u64, u32), (arrived, from): (u64, u64), clusters: usize, hooks: Hooks) -> Self {
        Self {
            blocks,
            per_sm: per_sm + u32::from(hooks.is(Mutant::DispatcherOvercommits)),
            arrived,
            from,
            next_block: 0,
            retired: 0,
            draining: false,
            told: vec![false; clusters],
            drained: 0,
            finished: None,
        }
    }

    fn all_sent(&self) -> bool {
        self.next_block == self.blocks
    }
}

/// The block dispatcher.
#[derive(CloneFrom, Debug, Part)]
pub struct Dispatcher {
    #[state(fixed)]
    config: DispatchConfig,
    #[state(fixed)]
    latency: u64,
    #[state(fixed)]
    hooks: Hooks,
    /// The kernels; the blocks of an earlier kernel are sent first.
    work: Vec<Work>,
    /// For each cluster, the kernel whose blocks it holds.
    owner: Vec<Option<usize>>,
    /// SMs in dispatch order: the first SM of each cluster, then the second, …
    places: Vec<SmState>,
    /// Index at which the search for a free place begins.
    turn: usize,
    /// Shader cycle from which the next block may be sent.
    next_at: u64,
    inbox: Vec<VecDeque<(u64, FromCluster)>>,
    /// Shader cycle at which the last kernel ended.
    pub finished: Option<u64>,
    /// Whether the machine pauses when a kernel has ended.
    #[state(fixed)]
    pub pauses: bool,
    /// Shader cycle of the first end of a kernel since the last pause for it.
    pub ended: Option<u64>,
    /// Shader cycle at which it last sent a block or processed a message.
    pub last_change: u64,
    /// Messages to be collected, by seat: cluster c of kernel k has seat k · clusters + c.
    pub outbox: Vec<Vec<(u64, ToCluster)>>,
}

impl Dispatcher {
    /// Creates a dispatcher for grids given as (number of blocks, blocks that an SM accepts at
    /// first).
    pub fn new(
        config: DispatchConfig,
        clusters: usize,
        cluster: ClusterConfig,
        latency: u32,
        grids: &[(u64, u32)],
        hooks: Hooks,
    ) -> Self {
        let from = (0, u64::from(config.launch_cycles));
        let work: Vec<Work> = grids.iter().map(|grid| Work::new(*grid, from, clusters, hooks)).collect();
        let place = |sm, cluster| SmState { cluster, sm, free: 0, held: 0 };
        let seats = work.len() * clusters;
        Self {
            config,
            latency: u64::from(latency),
            hooks,
            owner: vec![None; clusters],
            work,
            places: (0..cluster.sms as u8).flat_map(|sm| (0..clusters).map(move |c| place(sm, c))).collect(),
            turn: 0,
            next_at: 0,
            inbox: vec![VecDeque::new(); seats],
            finished: None,
            pauses: false,
            ended: None,
            last_change: 0,
            outbox: vec![Vec::new(); seats],
        }
    }

    /// Replaces the grid of the only kernel of an idle dispatcher.
    pub fn set_grid(&mut self, (blocks, per_sm): (u64, u32)) {
        let from = (0, u64::from(self.config.launch_cycles));
        self.work.clear();
        self.work.push(Work::new((blocks, per_sm), from, self.owner.len(), self.hooks));
    }

    /// Adds a kernel, with a grid as in [`Self::new`], that arrives at shader cycle `at`. All
    /// cycles before `now` are complete, and not all kernels have ended.
    pub fn join(&mut self, grid: (u64, u32), at: u64, now: u64) {
        let clusters = self.owner.len();
        let from = (at + u64::from(self.config.launch_cycles)).max(now);
        self.work.push(Work::new(grid, (at, from), clusters, self.hooks));
        let seats = self.work.len() * clusters;
        self.inbox.resize(seats, VecDeque::new());
        self.outbox.resize(seats, Vec::new());
    }

    /// Limits the first kernel to its first `blocks` blocks. At most as many have been sent.
    pub fn only_first(&mut self, blocks: u64) {
        self.work[0].blocks = blocks;
    }

    /// Returns the number of blocks of the first kernel that have been sent.
    pub fn sent(&self) -> u64 {
        self.work[0].next_block
    }

    /// Counts the first `blocks` blocks of the first kernel as sent and retired.
    pub fn skip_first(&mut self, blocks: u64) {
        let work = &mut self.work[0];
        work.next_block = blocks.min(work.blocks);
        work.retired = work.next_block;
    }

    /// Queues a message from a seat.
    pub fn accept(&mut self, seat: usize, arrival: u64, message: FromCluster) {
        self.inbox[seat].push_back((arrival, message));
    }

    /// Returns the number of kernels.
    pub fn kernels(&self) -> usize {
        self.work.len()
    }

    /// Returns the number of retired blocks of a kernel, and its total number of blocks.
    pub fn progress(&self, kernel: usize) -> (u64, u64) {
        let Work { retired, blocks, .. } = self.work[kernel];
        (retired, blocks)
    }

    /// Returns the shader cycle at which a kernel arrived: 0 unless it has joined the others.
    pub fn arrival_of(&self, kernel: usize) -> u64 {
        self.work[kernel].arrived
    }

    /// Returns the shader cycle at which a kernel ended.
    pub fn finished_of(&self, kernel: usize) -> Option<u64> {
        self.work[kernel].finished
    }

    /// Whether the dispatcher sends no block before one of the `resident` blocks retires. Then
    /// `resident` counts all blocks sent and not retired, no cluster drains, and no message is
    /// under way.
    pub fn waits_for(&self, resident: u64) -> bool {
        let under_way: u64 = self.work.iter().map(|work| work.next_block - work.retired).sum();
        let drains = |work: &Work| work.told.iter().filter(|told| **told).count() != work.drained;
        under_way == resident
            && !self.work.iter().any(drains)
            && self.next_place().is_none()
            && self.inbox.iter().all(VecDeque::is_empty)
    }

    /// Returns the first block of a kernel that has not been sent and the number of such blocks, if
    /// there are any and the next block to be sent fits on no SM.
    pub fn waiting_for_space(&self, kernel: usize) -> Option<(u64, u64)> {
        let work = &self.work[kernel];
        (!work.all_sent() && self.next_place().is_none())
            .then(|| (work.next_block, work.blocks - work.next_block))
    }

    /// Processes all events of shader cycle `now`. A call without an event due changes nothing.
    pub fn tick(&mut self, now: u64) {
        for seat in 0..self.inbox.len() {
            while let Some((_, message)) = self.inbox[seat].pop_front_if(|(at, _)| *at <= now) {
                self.told(seat, message);
                self.last_change = now;
            }
        }
        self.send_block(now);
        if self.work.len() > 1 {
            self.let_go(now);
        }
        for kernel in 0..self.work.len() {
            self.end(kernel, now);
        }
        if self.finished.is_none() && self.work.iter().all(|w| w.finished.is_some()) {
            self.finished = self.work.iter().filter_map(|w| w.finished).max();
        }
    }

    /// Processes a message.
    fn told(&mut self, seat: usize, message: FromCluster) {
        let clusters = self.owner.len();
        let (kernel, cluster) = (seat / clusters, seat % clusters);
        let work = &mut self.work[kernel];
        match message {
            FromCluster::BlockDone { sm, places } => {
                let place = &mut self.places[sm as usize * clusters + cluster];
                place.free += places;
                // A mutant reports the end of a block twice.
                place.held = place.held.saturating_sub(1);
                work.retired += 1;
            }
            FromCluster::Drained => {
                work.drained += 1;
                if self.owner[cluster] == Some(kernel) {
                    self.owner[cluster] = None;
                }
            }
        }
    }

    /// Returns the first place from `turn` for a block of `kernel`, in a cluster that it owns or a
    /// free one.
    fn free_place(&self, kernel: usize) -> Option<usize> {
        let count = self.places.len();
        (0..count).map(|i| (self.turn + i) % count).find(|at| {
            let place = &self.places[*at];
            match self.owner[place.cluster] {
                Some(owner) => owner == kernel && place.free > 0,
                None => !self.work[kernel].told[place.cluster],
            }
        })
    }

    /// Returns the kernel whose block is sent next, and the place for the block.
    fn next_place(&self) -> Option<(usize, usize)> {
        let kernel = self.work.iter().position(|w| !w.all_sent())?;
        Some((kernel, self.free_place(kernel)?))
    }

    fn send_block(&mut self, now: u64) {
        if self.next_at > now {
            return;
        }
        let Some((kernel, at)) = self.next_place() else { return };
        if self.work[kernel].from > now {
            return;
        }
        let (cluster, clusters) = (self.places[at].cluster, self.owner.len());
        let work = &mut self.work[kernel];
        if self.owner[cluster].is_none() {
            self.owner[cluster] = Some(kernel);
            let all = self.places.iter_mut().filter(|place| place.cluster == cluster);
            all.for_each(|place| place.free = work.per_sm);
        }
        let place = &mut self.places[at];
        place.free -= 1;
        place.held += 1;
        let mut block = work.next_block;
        if self.hooks.is(Mutant::BlocksOutOfOrder) && block | 1 < work.blocks {
            block ^= 1;
        }
        let order = ToCluster::Block { sm: place.sm, block };
        self.outbox[kernel * clusters + cluster].push((now + self.latency, order));
        self.turn = (at + 1) % self.places.len();
        work.next_block += 1;
        self.last_change = now;
        self.next_at = now + u64::from(self.config.block_cycles.max(1));
    }

    /// Drains clusters whose owners have no more blocks to send, while other kernels have.
    fn let_go(&mut self, now: u64) {
        if self.work.iter().all(Work::all_sent) {
            return;
        }
        for cluster in 0..self.owner.len() {
            let Some(kernel) = self.owner[cluster] else { continue };
            let work = &self.work[kernel];
            let mut places = self.places.iter().filter(|place| place.cluster == cluster);
            if work.all_sent() && places.all(|place| place.held == 0) {
                self.drain(kernel, cluster, now);
            }
        }
    }

    /// Sends a drain to a cluster, once.
    fn drain(&mut self, kernel: usize, cluster: usize, now: u64) {
        let told = &mut self.work[kernel].told[cluster];
        if !std::mem::replace(told, true) {
            let seat = kernel * self.owner.len() + cluster;
            self.outbox[seat].push((now + self.latency, ToCluster::Drain));
        }
    }

    /// Drains all clusters when all blocks of the kernel have retired; then the kernel has ended.
    fn end(&mut self, kernel: usize, now: u64) {
        let clusters = self.owner.len();
        let work = &mut self.work[kernel];
        if work.retired == work.blocks && !work.draining {
            work.draining = true;
            if self.hooks.is(Mutant::NoDrain) {
                work.finished = Some(now);
            }
            (0..clusters).for_each(|cluster| self.drain(kernel, cluster, now));
        }
        let work = &mut self.work[kernel];
        if work.drained == clusters && work.finished.is_none() {
            work.finished = Some(now);
            if self.pauses {
                self.ended.get_or_insert(now);
            }
        }
    }

    /// Returns the next shader cycle after `now` at which [`Self::tick`] may act, unless a message
    /// arrives.
    pub fn next_wake(&self, now: u64) -> u64 {
        let messages = self.inbox.iter().filter_map(|q| q.front()).map(|(at, _)| *at).min().unwrap_or(NEVER);
        let send = self.next_place().map_or(NEVER, |(kernel, _)| self.next_at.max(self.work[kernel].from));
        messages.min(send).max(now + 1)
    }
}

#[cfg(test)]
mod tests;
