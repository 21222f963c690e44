//! The block dispatcher: an island that hands blocks to SMs in grid order, breadth first over the clusters.
//!
//! It knows of the SMs only what mail tells it: a block that has moved out frees its place a wire's length later.

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
    /// Blocks that still fit.
    free: u32,
}

/// The dispatcher.
#[derive(Clone, Debug)]
pub struct Dispatcher {
    config: DispatchConfig,
    latency: u64,
    hooks: Hooks,
    /// SMs in the order of first choice: the first of every cluster, then the second of every cluster, …
    places: Vec<Place>,
    /// Where the search for a free place begins.
    turn: usize,
    blocks: u64,
    next_block: u64,
    /// Hot cycle from which the next block may leave.
    next_at: u64,
    retired: u64,
    draining: bool,
    drained: usize,
    inbox: Vec<VecDeque<(u64, FromCluster)>>,
    /// Hot cycle at which the kernel had ended.
    pub finished: Option<u64>,
    /// Mail to be collected, by cluster.
    pub outbox: Vec<Vec<(u64, ToCluster)>>,
}

impl Dispatcher {
    /// For a grid of `blocks` blocks, of which `per_sm` fit on an SM at once.
    pub fn new(
        config: DispatchConfig,
        clusters: usize,
        cluster: ClusterConfig,
        latency: u32,
        blocks: u64,
        per_sm: u32,
        hooks: Hooks,
    ) -> Self {
        let free = per_sm + u32::from(hooks.is(Mutant::DispatcherOvercommits));
        let place = |sm, cluster| Place { cluster, sm, free };
        Self {
            config,
            latency: u64::from(latency),
            hooks,
            places: (0..cluster.sms as u8).flat_map(|sm| (0..clusters).map(move |c| place(sm, c))).collect(),
            turn: 0,
            blocks,
            next_block: 0,
            next_at: u64::from(config.launch_cycles),
            retired: 0,
            draining: false,
            drained: 0,
            inbox: vec![VecDeque::new(); clusters],
            finished: None,
            outbox: vec![Vec::new(); clusters],
        }
    }

    /// Mail from a cluster.
    pub fn accept(&mut self, cluster: usize, arrival: u64, message: FromCluster) {
        self.inbox[cluster].push_back((arrival, message));
    }

    /// Blocks that have retired, of all.
    pub fn progress(&self) -> (u64, u64) {
        (self.retired, self.blocks)
    }

    /// All blocks that it has sent and that have not retired are the `resident` ones, no word of another is under way,
    /// and it sends none before it hears of one.
    pub fn waits_for(&self, resident: u64) -> bool {
        let full = self.next_block == self.blocks || self.places.iter().all(|place| place.free == 0);
        full && self.retired + resident == self.next_block && self.inbox.iter().all(VecDeque::is_empty)
    }

    /// Everything that happens at hot cycle `now`. Calling it when nothing is due changes nothing.
    pub fn tick(&mut self, now: u64) {
        for cluster in 0..self.inbox.len() {
            while let Some((_, message)) = self.inbox[cluster].pop_front_if(|(at, _)| *at <= now) {
                match message {
                    FromCluster::BlockDone { sm } => {
                        let place = sm as usize * self.inbox.len() + cluster;
                        self.places[place].free += 1;
                        self.retired += 1;
                    }
                    FromCluster::Drained => self.drained += 1,
                }
            }
        }
        self.send_block(now);
        if self.retired == self.blocks && !self.draining {
            self.draining = true;
            for mail in &mut self.outbox {
                mail.push((now + self.latency, ToCluster::Drain));
            }
            if self.hooks.is(Mutant::NoDrain) {
                self.finished = Some(now);
            }
        }
        if self.drained == self.inbox.len() && self.finished.is_none() {
            self.finished = Some(now);
        }
    }

    fn send_block(&mut self, now: u64) {
        if self.next_block == self.blocks || self.next_at > now {
            return;
        }
        let count = self.places.len();
        let Some(at) = (0..count).map(|i| (self.turn + i) % count).find(|p| self.places[*p].free > 0) else {
            return;
        };
        let place = &mut self.places[at];
        place.free -= 1;
        let mut block = self.next_block;
        if self.hooks.is(Mutant::BlocksOutOfOrder) && block | 1 < self.blocks {
            block ^= 1;
        }
        let order = ToCluster::Block { sm: place.sm, block };
        self.outbox[place.cluster].push((now + self.latency, order));
        self.turn = (at + 1) % count;
        self.next_block += 1;
        self.next_at = now + u64::from(self.config.block_cycles.max(1));
    }

    /// The earliest hot cycle after `now` at which [`Self::tick`] may do something, unless mail comes.
    pub fn next_wake(&self, now: u64) -> u64 {
        let mail = self.inbox.iter().filter_map(|q| q.front()).map(|(at, _)| *at).min().unwrap_or(NEVER);
        let waiting = self.next_block < self.blocks && self.places.iter().any(|p| p.free > 0);
        mail.min(if waiting { self.next_at } else { NEVER }).max(now + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dispatcher(blocks: u64, per_sm: u32) -> Dispatcher {
        let cluster = ClusterConfig {
            sms: 2,
            port_request_cycles: 1,
            port_bytes_per_cycle: 8,
            reply_bytes_per_cycle: 32,
            reply_room: 8,
            const_cache: None,
            tlb: None,
        };
        let config = DispatchConfig { launch_cycles: 10, block_cycles: 4 };
        Dispatcher::new(config, 2, cluster, 100, blocks, per_sm, Hooks::default())
    }

    fn sent(d: &Dispatcher) -> Vec<(usize, u64, ToCluster)> {
        let all = d.outbox.iter().enumerate();
        let mut all: Vec<_> =
            all.flat_map(|(c, mail)| mail.iter().map(move |(at, m)| (c, *at, *m))).collect();
        all.sort_by_key(|(_, at, _)| *at);
        all
    }

    #[test]
    fn blocks_go_breadth_first_over_clusters_at_their_pace() {
        let mut d = dispatcher(5, 1);
        d.tick(9);
        assert_eq!(sent(&d), [], "refused a cycle before the launch latency has passed");
        let mut now = 10;
        while now != NEVER {
            d.tick(now);
            now = d.next_wake(now);
        }
        let block = |sm, block| ToCluster::Block { sm, block };
        let expected =
            [(0, 110, block(0, 0)), (1, 114, block(0, 1)), (0, 118, block(1, 2)), (1, 122, block(1, 3))];
        assert_eq!(sent(&d), expected, "four places, four blocks; the fifth waits");
        d.accept(1, 500, FromCluster::BlockDone { sm: 0 });
        assert_eq!(d.next_wake(22), 500);
        d.tick(500);
        assert_eq!(sent(&d).last(), Some(&(1, 600, block(0, 4))));
    }

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
}
