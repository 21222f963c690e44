//! The receiving ends of the crossbar's links: one FIFO per cluster, served in rotation.

use crate::state::{Part, Value};
use crate::time::NEVER;
use crate::time::message::{Request, RequestKind, ToPartition, Words};
use crate::time::queue::Queue;

/// The first request of a link.
#[derive(Clone, Copy, Debug, Value)]
struct Head {
    /// Its arrival; [`NEVER`] for an empty link.
    arrival: u64,
    /// Whether it is a fence, which needs no entry in the DRAM queue.
    fence: bool,
}

impl Head {
    fn of(queue: &Queue<(u64, Request)>) -> Self {
        queue.front().map_or(Self { arrival: NEVER, fence: false }, |(arrival, request)| Self {
            arrival: *arrival,
            fence: request.kind == RequestKind::Fence,
        })
    }
}

/// All links of a partition.
#[derive(Clone, Debug, Part)]
pub(super) struct Links {
    #[state(fixed)]
    depth: usize,
    queues: Vec<Queue<(u64, Request)>>,
    /// For each link, the data of those requests that write.
    words: Vec<Queue<Words>>,
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
            queues: vec![Queue::default(); count],
            words: vec![Queue::default(); count],
            heads: vec![Head { arrival: NEVER, fence: false }; count],
            last: count.saturating_sub(1),
            waiting: 0,
        }
    }

    /// Adds empty links, so that there are `count`.
    pub(super) fn add(&mut self, count: usize) {
        self.queues.resize(count, Queue::default());
        self.words.resize(count, Queue::default());
        self.heads.resize(count, Head { arrival: NEVER, fence: false });
    }

    /// Queues requests with their arrivals, and empties `messages`. Returns whether the link was
    /// empty before.
    pub(super) fn extend(&mut self, link: usize, messages: &mut ToPartition) -> bool {
        let requests = &mut messages.requests;
        let queue = &mut self.queues[link];
        assert!(queue.len() + requests.len() <= self.depth, "link {link} holds more than its credits allow");
        let first = requests.first().map_or(NEVER, |(arrival, _)| *arrival);
        let in_order = queue.back().is_none_or(|last| last.0 <= first) && requests.is_sorted_by_key(|r| r.0);
        assert!(in_order, "arrivals on link {link} decrease");
        let empty = queue.is_empty();
        self.waiting += requests.len();
        queue.append(requests);
        if !messages.words.is_empty() {
            self.words[link].append(&mut messages.words);
        }
        if empty {
            self.heads[link] = Head::of(queue);
        }
        empty
    }

    /// Returns the next link in rotation whose first request has arrived by `now`. Without `room`,
    /// only fences are considered.
    #[inline]
    pub(super) fn pick(&self, now: u64, room: bool) -> Option<usize> {
        let mut link = self.last;
        for _ in 0..self.heads.len() {
            link = if link + 1 == self.heads.len() { 0 } else { link + 1 };
            let head = self.heads[link];
            if head.arrival <= now && (room || head.fence) {
                return Some(link);
            }
        }
        None
    }

    /// Returns the earliest arrival of an acceptable first request; [`NEVER`] if there is none. If
    /// several have arrived by `soon`, returns the arrival of any of them.
    #[inline]
    pub(super) fn earliest(&self, room: bool, soon: u64) -> u64 {
        // The next links in rotation are the most likely to have a request.
        let (before, after) = self.heads.split_at(self.last + 1);
        let mut first = NEVER;
        for head in after.iter().chain(before) {
            if room || head.fence {
                first = first.min(head.arrival);
                if first <= soon {
                    break;
                }
            }
        }
        first
    }

    /// Returns the first request of `link`, which must not be empty.
    #[inline]
    pub(super) fn head(&self, link: usize) -> &Request {
        &self.queues[link].front().expect("the arbiter chose a link with a request").1
    }

    /// Returns the data of the first request of `link`, which writes.
    #[inline]
    pub(super) fn head_words(&self, link: usize) -> &Words {
        self.words[link].front().expect("a request that writes has data")
    }

    /// Removes the first request of `link`, and makes `link` the last in the rotation.
    #[inline]
    pub(super) fn remove(&mut self, link: usize) {
        let queue = &mut self.queues[link];
        if queue.front().is_some_and(|(_, request)| request.kind.writes()) {
            self.words[link].remove_front();
        }
        queue.remove_front();
        self.heads[link] = Head::of(queue);
        self.last = link;
        self.waiting -= 1;
    }

    /// Returns the number of messages in all links.
    pub(super) fn waiting(&self) -> usize {
        self.waiting
    }

    /// Returns the requests that have not been accepted, with the data of those that write.
    pub(super) fn requests(&self) -> impl Iterator<Item = (&Request, Option<&Words>)> {
        self.queues.iter().zip(&self.words).flat_map(|(queue, words)| {
            let mut words = words.iter();
            queue.iter().map(move |(_, r)| (r, if r.kind.writes() { words.next() } else { None }))
        })
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
