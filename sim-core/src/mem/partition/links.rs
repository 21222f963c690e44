//! The receiving ends of the crossbar's links: one FIFO per cluster, served in rotation.

use crate::time::NEVER;
use crate::time::message::{Request, RequestKind};
use std::collections::VecDeque;

/// The first request of a link.
#[derive(Clone, Copy, Debug)]
struct Head {
    /// Its arrival; [`NEVER`] for an empty link.
    arrival: u64,
    /// Whether it is a fence, which needs no entry in the DRAM queue.
    fence: bool,
}

impl Head {
    fn of(queue: &VecDeque<(u64, Request)>) -> Self {
        queue.front().map_or(Self { arrival: NEVER, fence: false }, |(arrival, request)| Self {
            arrival: *arrival,
            fence: request.kind == RequestKind::Fence,
        })
    }
}

/// All links of a partition.
#[derive(Clone, Debug)]
pub(super) struct Links {
    depth: usize,
    queues: Vec<VecDeque<(u64, Request)>>,
    heads: Vec<Head>,
    /// Link served last.
    last: usize,
    waiting: usize,
}

impl Links {
    /// Creates `count` empty links of `depth` messages.
    pub(super) fn new(count: usize, depth: u32) -> Self {
        Self {
            depth: depth as usize,
            queues: vec![VecDeque::new(); count],
            heads: vec![Head { arrival: NEVER, fence: false }; count],
            last: count.saturating_sub(1),
            waiting: 0,
        }
    }

    /// Queues requests with their arrivals. Returns whether the link was empty before.
    pub(super) fn extend(&mut self, link: usize, requests: &[(u64, Request)]) -> bool {
        let queue = &mut self.queues[link];
        assert!(queue.len() + requests.len() <= self.depth, "link {link} holds more than its credits allow");
        let first = requests.first().map_or(NEVER, |(arrival, _)| *arrival);
        let in_order = queue.back().is_none_or(|last| last.0 <= first) && requests.is_sorted_by_key(|r| r.0);
        assert!(in_order, "arrivals on link {link} decrease");
        let empty = queue.is_empty();
        queue.extend(requests);
        self.waiting += requests.len();
        if empty {
            self.heads[link] = Head::of(queue);
        }
        empty
    }

    /// Returns the next link in rotation whose first request has arrived by `now`. Without `room`,
    /// only fences are considered.
    #[inline]
    pub(super) fn pick(&self, now: u64, room: bool) -> Option<usize> {
        let ready = |&link: &usize| {
            let head = self.heads[link];
            head.arrival <= now && (room || head.fence)
        };
        (self.last + 1..self.heads.len()).find(ready).or_else(|| (0..=self.last).find(ready))
    }

    /// Returns the earliest arrival of an acceptable first request; [`NEVER`] if there is none.
    #[inline]
    pub(super) fn earliest(&self, room: bool) -> u64 {
        self.heads
            .iter()
            .map(|head| if room || head.fence { head.arrival } else { NEVER })
            .min()
            .unwrap_or(NEVER)
    }

    /// Returns the first request of `link`, which must not be empty.
    #[inline]
    pub(super) fn head(&self, link: usize) -> &Request {
        &self.queues[link].front().expect("the arbiter chose a link with a request").1
    }

    /// Removes the first request of `link`, and makes `link` the last in the rotation.
    #[inline]
    pub(super) fn remove(&mut self, link: usize) {
        let queue = &mut self.queues[link];
        queue.pop_front();
        self.heads[link] = Head::of(queue);
        self.last = link;
        self.waiting -= 1;
    }

    /// Returns the number of messages in all links.
    pub(super) fn waiting(&self) -> usize {
        self.waiting
    }

    /// Returns the requests that have not been accepted.
    pub(super) fn requests(&self) -> impl Iterator<Item = &Request> {
        self.queues.iter().flatten().map(|(_, request)| request)
    }

    /// Returns, for each link that is not empty, its number, its number of messages, and the
    /// arrival and kind of the first one.
    pub(super) fn occupied(&self) -> impl Iterator<Item = (usize, usize, u64, RequestKind)> {
        self.queues
            .iter()
            .enumerate()
            .filter_map(|(link, queue)| queue.front().map(|head| (link, queue.len(), head.0, head.1.kind)))
    }
}
