//! The block dispatcher: a component that sends blocks to SMs in grid order, breadth first.
//!
//! It knows of the SMs only what messages say: a retired block frees its place when they arrive.
//!
//! Several kernels may run at the same time. A cluster then holds blocks of one kernel at a time,
//! its **owner**: blocks of a kernel are sent when all blocks of the kernels before it have been,
//! to clusters of its own or to free ones. A cluster that has no blocks left, of an owner that has
//! none to send, drains and is free. Each kernel has one component for each cluster (a *seat*), of
//! which one at a time has blocks: caches and counters of an SM are those of one kernel.

use crate::config::{ClusterConfig, DispatchConfig};
use crate::hooks::{Hooks, Mutant};
use crate::time::NEVER;
use crate::time::message::{FromCluster, ToCluster};
use std::collections::VecDeque;

/// One SM as the dispatcher knows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Place {
    cluster: usize,
    sm: u8,
    /// Blocks of the cluster's owner that still fit.
    free: u32,
}

/// One kernel as the dispatcher knows it.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Work {
    blocks: u64,
    /// Blocks that fit on an SM at once.
    per_sm: u32,
    next_block: u64,
    retired: u64,
    /// All blocks have retired, and every cluster has been told to drain.
    draining: bool,
    /// The clusters that have been told to drain.
    told: Vec<bool>,
    drained: usize,
    /// Hot cycle at which it had ended.
    finished: Option<u64>,
}

impl Work {
    fn all_sent(&self) -> bool {
        self.next_block == self.blocks
    }
}

/// The dispatcher.
#[derive(Clone, Debug)]
pub struct Dispatcher {
    config: DispatchConfig,
    latency: u64,
    hooks: Hooks,
    /// The kernels, the first one's blocks before the next one's.
    work: Vec<Work>,
    /// For each cluster the kernel whose blocks it holds.
    owner: Vec<Option<usize>>,
    /// SMs in the order of first choice: the first one of each cluster, then the second, …
    places: Vec<Place>,
    /// Where the search for a free place begins.
    turn: usize,
    /// Hot cycle from which the next block may leave.
    next_at: u64,
    inbox: Vec<VecDeque<(u64, FromCluster)>>,
    /// Hot cycle at which the last kernel had ended.
    pub finished: Option<u64>,
    /// Hot cycle at which it last sent a block or took in a message.
    pub last_change: u64,
    /// Mail to be collected, by seat: cluster c of kernel k has seat k · clusters + c.
    pub outbox: Vec<Vec<(u64, ToCluster)>>,
}

impl Dispatcher {
    /// For grids of so many blocks, of each of which so many fit on an SM at once: (blocks, fit).
    pub fn new(
        config: DispatchConfig,
        clusters: usize,
        cluster: ClusterConfig,
        latency: u32,
        grids: &[(u64, u32)],
        hooks: Hooks,
    ) -> Self {
        let work = |(blocks, per_sm): &(u64, u32)| Work {
            blocks: *blocks,
            per_sm: per_sm + u32::from(hooks.is(Mutant::DispatcherOvercommits)),
            next_block: 0,
            retired: 0,
            draining: false,
            told: vec![false; clusters],
            drained: 0,
            finished: None,
        };
        let work: Vec<Work> = grids.iter().map(work).collect();
        // One kernel alone has all clusters from the beginning.
        let alone = work.len() == 1;
        let free = if alone { work[0].per_sm } else { 0 };
        let place = |sm, cluster| Place { cluster, sm, free };
        let seats = work.len() * clusters;
        Self {
            config,
            latency: u64::from(latency),
            hooks,
            owner: vec![alone.then_some(0); clusters],
            work,
            places: (0..cluster.sms as u8).flat_map(|sm| (0..clusters).map(move |c| place(sm, c))).collect(),
            turn: 0,
            next_at: u64::from(config.launch_cycles),
            inbox: vec![VecDeque::new(); seats],
            finished: None,
            last_change: 0,
            outbox: vec![Vec::new(); seats],
        }
    }

    /// Of the first kernel only the first blocks are to run, so many.
    pub fn only_first(&mut self, blocks: u64) {
        let work = &mut self.work[0];
        work.blocks = work.blocks.min(blocks);
    }

    /// Mail from a seat.
    pub fn accept(&mut self, seat: usize, arrival: u64, message: FromCluster) {
        self.inbox[seat].push_back((arrival, message));
    }

    /// Number of kernels.
    pub fn kernels(&self) -> usize {
        self.work.len()
    }

    /// Blocks of a kernel that have retired, and all of its blocks.
    pub fn progress(&self, kernel: usize) -> (u64, u64) {
        let Work { retired, blocks, .. } = self.work[kernel];
        (retired, blocks)
    }

    /// When a kernel had ended.
    pub fn finished_of(&self, kernel: usize) -> Option<u64> {
        self.work[kernel].finished
    }

    /// Whether the dispatcher sends no block before one of the `resident` blocks retires: these are
    /// all blocks sent and not retired, no cluster drains, and no message is under way.
    pub fn waits_for(&self, resident: u64) -> bool {
        let under_way: u64 = self.work.iter().map(|work| work.next_block - work.retired).sum();
        let drains = |work: &Work| work.told.iter().filter(|told| **told).count() != work.drained;
        under_way == resident
            && !self.work.iter().any(drains)
            && self.next_place().is_none()
            && self.inbox.iter().all(VecDeque::is_empty)
    }

    /// The first block of a kernel that has not been sent and the number of such blocks, if there
    /// are any and no SM has room for the block that is the next to be sent.
    pub fn waiting_for_room(&self, kernel: usize) -> Option<(u64, u64)> {
        let work = &self.work[kernel];
        (!work.all_sent() && self.next_place().is_none())
            .then(|| (work.next_block, work.blocks - work.next_block))
    }

    /// Everything that happens at hot cycle `now`. Calling it when nothing is due changes nothing.
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

    /// Takes in a message.
    fn told(&mut self, seat: usize, message: FromCluster) {
        let clusters = self.owner.len();
        let (kernel, cluster) = (seat / clusters, seat % clusters);
        let work = &mut self.work[kernel];
        match message {
            FromCluster::BlockDone { sm } => {
                self.places[sm as usize * clusters + cluster].free += 1;
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

    /// The first place from `turn` on for a block of `kernel`: in its own or a free cluster.
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

    /// The kernel whose block is the next to be sent, and the place that the block gets.
    fn next_place(&self) -> Option<(usize, usize)> {
        let kernel = self.work.iter().position(|w| !w.all_sent())?;
        Some((kernel, self.free_place(kernel)?))
    }

    fn send_block(&mut self, now: u64) {
        if self.next_at > now {
            return;
        }
        let Some((kernel, at)) = self.next_place() else { return };
        let (cluster, clusters) = (self.places[at].cluster, self.owner.len());
        let work = &mut self.work[kernel];
        if self.owner[cluster].is_none() {
            self.owner[cluster] = Some(kernel);
            let all = self.places.iter_mut().filter(|place| place.cluster == cluster);
            all.for_each(|place| place.free = work.per_sm);
        }
        let place = &mut self.places[at];
        place.free -= 1;
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

    /// Drains clusters whose owners have no use for them any more, while other kernels have.
    fn let_go(&mut self, now: u64) {
        if self.work.iter().all(Work::all_sent) {
            return;
        }
        for cluster in 0..self.owner.len() {
            let Some(kernel) = self.owner[cluster] else { continue };
            let work = &self.work[kernel];
            let mut places = self.places.iter().filter(|place| place.cluster == cluster);
            if work.all_sent() && places.all(|place| place.free == work.per_sm) {
                self.drain(kernel, cluster, now);
            }
        }
    }

    /// Tells a cluster to drain, once.
    fn drain(&mut self, kernel: usize, cluster: usize, now: u64) {
        let told = &mut self.work[kernel].told[cluster];
        if !std::mem::replace(told, true) {
            let seat = kernel * self.owner.len() + cluster;
            self.outbox[seat].push((now + self.latency, ToCluster::Drain));
        }
    }

    /// When all blocks of the kernel have retired, all clusters drain; then the kernel has ended.
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
        }
    }

    /// The next hot cycle after `now` at which [`Self::tick`] may act, unless a message arrives.
    pub fn next_wake(&self, now: u64) -> u64 {
        let mail = self.inbox.iter().filter_map(|q| q.front()).map(|(at, _)| *at).min().unwrap_or(NEVER);
        mail.min(if self.next_place().is_some() { self.next_at } else { NEVER }).max(now + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CLUSTER: ClusterConfig = ClusterConfig {
        sms: 2,
        port_request_cycles: 1,
        port_bytes_per_cycle: 8,
        reply_bytes_per_cycle: 32,
        reply_room: 8,
        const_cache: None,
        tlb: None,
    };
    const CONFIG: DispatchConfig =
        DispatchConfig { launch_cycles: 10, block_cycles: 4, concurrent_kernels: 16 };

    fn dispatcher(blocks: u64, per_sm: u32) -> Dispatcher {
        Dispatcher::new(CONFIG, 2, CLUSTER, 100, &[(blocks, per_sm)], Hooks::default())
    }

    fn tick_from(d: &mut Dispatcher, mut now: u64) {
        while now != NEVER {
            d.tick(now);
            now = d.next_wake(now);
        }
    }

    fn sent(d: &Dispatcher) -> Vec<(usize, u64, ToCluster)> {
        let all = d.outbox.iter().enumerate();
        let mut all: Vec<_> =
            all.flat_map(|(c, mail)| mail.iter().map(move |(at, m)| (c, *at, *m))).collect();
        all.sort_by_key(|(_, at, _)| *at);
        all
    }

    /// Tests: `block-dispatch`.
    #[test]
    fn blocks_go_breadth_first_over_clusters_at_their_pace() {
        let mut d = dispatcher(5, 1);
        d.tick(9);
        assert_eq!(sent(&d), [], "refused a cycle before the launch latency has passed");
        tick_from(&mut d, 10);
        let block = |sm, block| ToCluster::Block { sm, block };
        let expected =
            [(0, 110, block(0, 0)), (1, 114, block(0, 1)), (0, 118, block(1, 2)), (1, 122, block(1, 3))];
        assert_eq!(sent(&d), expected, "four places, four blocks; the fifth waits");
        d.accept(1, 500, FromCluster::BlockDone { sm: 0 });
        assert_eq!(d.next_wake(22), 500);
        d.tick(500);
        assert_eq!(sent(&d).last(), Some(&(1, 600, block(0, 4))));
    }

    /// Tests: `drained-at-the-end`.
    #[test]
    fn the_kernel_ends_when_every_cluster_has_drained() {
        let mut d = dispatcher(1, 1);
        d.tick(10);
        d.accept(0, 300, FromCluster::BlockDone { sm: 0 });
        d.tick(300);
        assert_eq!(sent(&d).iter().filter(|(_, at, m)| (*at, *m) == (400, ToCluster::Drain)).count(), 2);
        d.accept(0, 700, FromCluster::Drained);
        d.accept(1, 900, FromCluster::Drained);
        d.tick(700);
        assert_eq!(d.finished, None);
        d.tick(900);
        assert_eq!(d.finished, Some(900));
    }

    /// Two clusters of two SMs; kernel 0 has one block, kernel 1 five, of which one fits on an SM.
    ///
    /// Tests: `concurrent-kernels`.
    #[test]
    fn a_second_kernel_takes_what_the_first_leaves_and_what_it_lets_go() {
        let mut d = Dispatcher::new(CONFIG, 2, CLUSTER, 100, &[(1, 4), (5, 1)], Hooks::default());
        tick_from(&mut d, 10);
        let block = |sm, block| ToCluster::Block { sm, block };
        // Seats 0 and 1 are kernel 0's, 2 and 3 kernel 1's.
        let mut expected = vec![(0, 110, block(0, 0)), (3, 114, block(0, 0)), (3, 118, block(1, 1))];
        assert_eq!(sent(&d), expected, "kernel 0 has the first cluster and a quarter of one SM");
        d.accept(0, 300, FromCluster::BlockDone { sm: 0 });
        d.tick(300);
        // Kernel 0 has ended but for its drain, and every cluster is told to.
        expected.extend([(0, 400, ToCluster::Drain), (1, 400, ToCluster::Drain)]);
        assert_eq!(sent(&d), expected);
        assert_eq!(d.next_wake(300), NEVER, "the cluster is not free before it has drained");
        assert!(!d.waits_for(2), "a cluster drains");
        assert_eq!((d.waiting_for_room(0), d.waiting_for_room(1)), (None, Some((2, 3))));
        d.accept(0, 600, FromCluster::Drained);
        d.accept(1, 600, FromCluster::Drained);
        tick_from(&mut d, 600);
        assert_eq!((d.finished_of(0), d.finished), (Some(600), None));
        expected.extend([(2, 700, block(0, 2)), (2, 704, block(1, 3))]);
        assert_eq!(sent(&d), expected, "one more block waits for a place");
        assert!(d.waits_for(4) && !d.waits_for(3));
        for (seat, sm, at) in [(2, 0, 900), (2, 1, 900), (3, 0, 800), (3, 1, 900)] {
            d.accept(seat, at, FromCluster::BlockDone { sm });
        }
        d.tick(800);
        expected.push((3, 900, block(0, 4)));
        assert_eq!(sent(&d), expected);
        d.accept(3, 1000, FromCluster::BlockDone { sm: 0 });
        d.tick(900);
        d.tick(1000);
        expected.extend([(2, 1100, ToCluster::Drain), (3, 1100, ToCluster::Drain)]);
        assert_eq!(sent(&d), expected);
        for seat in [2, 3] {
            d.accept(seat, 1300, FromCluster::Drained);
        }
        d.tick(1300);
        assert_eq!((d.finished_of(1), d.finished), (Some(1300), Some(1300)));
    }
}
