//! The receiving ends of the crossbar's links: one FIFO per cluster, served in rotation.

use crate::state::{CloneFrom, Part, Value};
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
    const NOTHING: Self = Self { arrival: NEVER, fence: false };

    fn of(queue: &Queue<(u64, Request)>) -> Self {
        queue.front().map_or(Self::NOTHING, |(arrival, request)| Self {
            arrival: *arrival,
            fence: request.kind == RequestKind::Fence,
        })
    }
}

/// All links of a partition.
#[derive(CloneFrom, Debug, Part)]
pub(super) struct Links {
    #[state(fixed)]
    depth: usize,
    queues: Vec<Queue<(u64, Request)>>,
    /// For each link, the data of those requests that write.
    words: Vec<Queue<Words>>,
    heads: Vec<Head>,
    /// A bit for each link that is not empty.
    occupied: Vec<u64>,
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
            heads: vec![Head::NOTHING; count],
            occupied: vec![0; count.div_ceil(64)],
            last: count.saturating_sub(1),
            waiting: 0,
        }
    }

    /// Adds empty links, so that there are `count`.
    pub(super) fn add(&mut self, count: usize) {
        self.queues.resize(count, Queue::default());
        self.words.resize(count, Queue::default());
        self.heads.resize(count, Head::NOTHING);
        self.occupied.resize(count.div_ceil(64), 0);
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
            self.occupied[link / 64] |= u64::from(!queue.is_empty()) << (link % 64);
        }
        empty
    }

    /// Returns the next link in rotation whose first request `wanted` selects.
    #[inline]
    fn find(&self, wanted: impl FnMut(Head) -> bool) -> Option<usize> {
        let [occupied] = self.occupied[..] else { return self.find_of_many(wanted) };
        self.find_in(0, occupied, self.last + 1, wanted)
    }

    /// Same as [`Self::find`], with more than 64 links.
    #[cold]
    fn find_of_many(&self, mut wanted: impl FnMut(Head) -> bool) -> Option<usize> {
        let (words, first) = (self.occupied.len(), self.last / 64);
        let later = !0 << (self.last % 64) << 1;
        // The word of the last link is the first one, with the links behind it, and also the last
        // one, with the others.
        (0..=words).find_map(|turn| {
            let word = (first + turn) % words;
            let of_turn = if turn == 0 {
                later
            } else if turn == words {
                !later
            } else {
                !0
            };
            self.find_in(word, self.occupied[word] & of_turn, 0, &mut wanted)
        })
    }

    /// Returns the first link whose first request `wanted` selects, among the `links` of word
    /// `word`, in rotation from bit `from` on.
    #[inline]
    fn find_in(
        &self,
        word: usize,
        links: u64,
        from: usize,
        mut wanted: impl FnMut(Head) -> bool,
    ) -> Option<usize> {
        let mut left = links.rotate_right(from as u32);
        while left != 0 {
            let link = 64 * word + (from + left.trailing_zeros() as usize) % 64;
            left &= left - 1;
            if wanted(self.heads[link]) {
                return Some(link);
            }
        }
        None
    }

    /// Returns the next link in rotation whose first request has arrived by `now`. Without `room`,
    /// only fences are considered.
    #[inline]
    pub(super) fn pick(&self, now: u64, room: bool) -> Option<usize> {
        self.find(|head| head.arrival <= now && (room || head.fence))
    }

    /// Returns the earliest arrival of an acceptable first request; [`NEVER`] if there is none. If
    /// several have arrived by `soon`, returns the arrival of any of them.
    #[inline]
    pub(super) fn earliest(&self, room: bool, soon: u64) -> u64 {
        let mut first = NEVER;
        // The next links in rotation are the most likely to have arrived.
        self.find(|head| {
            if room || head.fence {
                first = first.min(head.arrival);
            }
            first <= soon
        });
        first
    }

    /// Returns the earliest arrival of a first request that is a fence, and of any first request.
    pub(super) fn first_arrivals(&self) -> (u64, u64) {
        let (mut fence, mut any) = (NEVER, NEVER);
        self.find(|head| {
            any = any.min(head.arrival);
            if head.fence {
                fence = fence.min(head.arrival);
            }
            false
        });
        (fence, any)
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
        self.occupied[link / 64] &= !(u64::from(queue.is_empty()) << (link % 64));
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

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;
    use std::collections::VecDeque;

    /// Compares the choice with a walk over all links, for fewer and for more links than a word has
    /// bits.
    #[test]
    fn the_next_link_in_rotation_is_chosen() {
        let mut rng = ChaCha8Rng::seed_from_u64(3);
        for count in [1, 2, 15, 63, 64, 65, 128, 150] {
            let mut links = Links::new(count, 4);
            let mut queues = vec![VecDeque::new(); count];
            let mut last = count - 1;
            for now in 0..2_000 {
                let link = rng.random_range(0..count);
                if queues[link].len() < 4 && rng.random_ratio(1, 2) {
                    let (arrival, fence) = (now + rng.random_range(0..3_u64), rng.random_ratio(1, 4));
                    let arrival = queues[link].back().map_or(arrival, |(last, _)| arrival.max(*last));
                    queues[link].push_back((arrival, fence));
                    let kind = if fence { RequestKind::Fence } else { RequestKind::Load };
                    let request = Request { kind, ..Request::fence(0, 0) };
                    let mut messages = ToPartition { requests: vec![(arrival, request)], words: Vec::new() };
                    links.extend(link, &mut messages);
                }
                let room = rng.random_ratio(2, 3);
                let acceptable = |link: &usize| queues[*link].front().is_some_and(|head| room || head.1);
                let due = |link: &usize| acceptable(link) && queues[*link][0].0 <= now;
                let chosen = (1..=count).map(|turn| (last + turn) % count).find(due);
                assert_eq!(links.pick(now, room), chosen, "{count} links, cycle {now}");
                let first = (0..count).filter(acceptable).map(|link| queues[link][0].0).min();
                assert_eq!(links.earliest(room, 0), first.unwrap_or(NEVER));
                if let Some(link) = chosen {
                    links.remove(link);
                    queues[link].pop_front();
                    last = link;
                }
            }
        }
    }
}
