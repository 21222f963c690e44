//! The receiving ends of the crossbar's links: one FIFO per cluster, and whose turn it is.

use crate::time::NEVER;
use crate::time::message::{Request, RequestKind};
use std::collections::VecDeque;

/// What stands at the head of a link.
#[derive(Clone, Copy, Debug)]
struct Head {
    /// Its arrival; [`NEVER`] for an empty link.
    arrival: u64,
    /// It needs no room in the DRAM queue.
    fence: bool,
}

const EMPTY: Head = Head { arrival: NEVER, fence: false };

/// All links of a partition.
#[derive(Clone, Debug)]
pub(super) struct Links {
    depth: usize,
    queues: Vec<VecDeque<(u64, Request)>>,
    heads: Vec<Head>,
    /// The link served last.
    last: usize,
    waiting: usize,
}

impl Links {
    /// `count` empty links of `depth` messages.
    pub(super) fn new(count: usize, depth: u32) -> Self {
        Self {
            depth: depth as usize,
            queues: vec![VecDeque::new(); count],
            heads: vec![EMPTY; count],
            last: count.saturating_sub(1),
            waiting: 0,
        }
    }

    /// Queues a request that arrives at hot cycle `arrival`. Says whether it stands at the head of its link.
    pub(super) fn push(&mut self, link: usize, arrival: u64, request: Request) -> bool {
        let queue = &mut self.queues[link];
        assert!(queue.len() < self.depth, "link {link} holds more than its credits allow");
        assert!(queue.back().is_none_or(|last| last.0 <= arrival), "link {link} is no longer a FIFO");
        let first = queue.is_empty();
        if first {
            self.heads[link] = Head { arrival, fence: request.kind == RequestKind::Fence };
        }
        queue.push_back((arrival, request));
        self.waiting += 1;
        first
    }

    /// The next link in turn whose head has arrived by `now`; only fences count while there is no `room`.
    #[inline]
    pub(super) fn pick(&self, now: u64, room: bool) -> Option<usize> {
        let ready = |&link: &usize| {
            let head = self.heads[link];
            head.arrival <= now && (room || head.fence)
        };
        (self.last + 1..self.heads.len()).find(ready).or_else(|| (0..=self.last).find(ready))
    }

    /// The earliest arrival of a head that may be taken; [`NEVER`] if there is none.
    #[inline]
    pub(super) fn earliest(&self, room: bool) -> u64 {
        self.heads
            .iter()
            .map(|head| if room || head.fence { head.arrival } else { NEVER })
            .min()
            .unwrap_or(NEVER)
    }

    /// Takes the head of `link`, whose turn ends with it.
    #[inline]
    pub(super) fn pop(&mut self, link: usize) -> Request {
        let queue = &mut self.queues[link];
        let (_, request) = queue.pop_front().expect("the arbiter takes what it has seen");
        self.heads[link] = queue.front().map_or(EMPTY, |&(arrival, ref request)| Head {
            arrival,
            fence: request.kind == RequestKind::Fence,
        });
        self.last = link;
        self.waiting -= 1;
        request
    }

    /// Messages in all links.
    pub(super) fn waiting(&self) -> usize {
        self.waiting
    }

    /// The requests that have not been taken.
    pub(super) fn requests(&self) -> impl Iterator<Item = &Request> {
        self.queues.iter().flatten().map(|(_, request)| request)
    }

    /// Link, its messages, arrival and kind of the first, for each link that is not empty.
    pub(super) fn occupied(&self) -> impl Iterator<Item = (usize, usize, u64, RequestKind)> {
        self.queues
            .iter()
            .enumerate()
            .filter_map(|(link, queue)| queue.front().map(|head| (link, queue.len(), head.0, head.1.kind)))
    }
}
