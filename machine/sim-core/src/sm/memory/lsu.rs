//! The queue of the load/store unit: global accesses leave it as messages, strictly in issue order
//! over all warps.
//!
//! An entry is one warp instruction with the messages created at issue. The first message may leave
//! `latency` shader cycles after issue, and each message occupies the unit for `transaction_cycles`
//! per transaction. The first-in, first-out order guarantees the order of a thread's accesses to
//! one address, and of a block's accesses across a barrier.

use super::coalesce::{Addressed, Messages};
use crate::config::LsuConfig;
use crate::hooks::{Hooks, Mutant};
use crate::state::{CloneFrom, Part, Value};
use crate::time::NEVER;
use crate::time::message::{Request, Words};
use std::collections::VecDeque;

/// One warp instruction in the queue.
#[derive(Clone, Debug, PartialEq, Value)]
struct Entry {
    warp: u32,
    /// Index of the instruction.
    pc: u32,
    /// Launch number of the warp that issued it. Another warp may have the slot when the entry
    /// leaves.
    age: u64,
    /// Shader cycle from which its first message can be processed.
    ready: u64,
    messages: Messages,
    /// Index of the next message, and of the next data.
    next: usize,
    next_words: usize,
    /// Whether its loads of global memory go through the L1, if there is one.
    cached: bool,
    /// Whether the L1 has let its next message pass.
    passed: bool,
}

impl Entry {
    fn view(&self) -> QueuedAccess<'_> {
        let Self { warp, pc, ready, next, messages, .. } = self;
        QueuedAccess { warp: *warp, pc: *pc, ready: *ready, sent: *next, left: &messages.list[*next..] }
    }
}

/// A warp instruction in the queue.
#[derive(Clone, Copy, Debug)]
pub struct QueuedAccess<'q> {
    /// Slot of the warp that issued it.
    pub warp: u32,
    /// Index of the instruction.
    pub pc: u32,
    /// Shader cycle from which its first message can be processed.
    pub ready: u64,
    /// Number of messages that have left.
    pub sent: usize,
    /// Messages that have not left.
    pub left: &'q [Addressed],
}

/// A message that the L1 has not let pass.
#[derive(Debug)]
pub struct Unseen<'q> {
    /// The message.
    pub request: &'q mut Request,
    /// Whether its load of global memory is cached.
    pub cached: bool,
    /// Slot of the warp that issued it.
    pub warp: u32,
    /// Index of the instruction.
    pub pc: u32,
    /// Launch number of the warp.
    pub age: u64,
}

/// The queue.
#[derive(CloneFrom, Debug, Part)]
pub struct Lsu {
    #[state(fixed)]
    config: LsuConfig,
    #[state(fixed)]
    hooks: Hooks,
    queue: VecDeque<Entry>,
    /// Buffers of completed entries, kept to avoid allocations.
    spare: Vec<Messages>,
    /// Shader cycle at which the unit finished the last message.
    free: u64,
    /// Whether the queue has no free entry.
    full: bool,
    /// Shader cycle from which the L1 may look up the next message; [`NEVER`] if it has let the
    /// message pass or there is none.
    unseen: u64,
}

impl Lsu {
    /// An empty queue.
    pub fn new(config: LsuConfig, hooks: Hooks) -> Self {
        let spare = (0..config.queue).map(|_| Messages { list: Vec::new(), words: Vec::new() }).collect();
        Self {
            config,
            hooks,
            queue: VecDeque::with_capacity(config.queue as usize),
            spare,
            free: 0,
            full: config.queue == 0,
            unseen: NEVER,
        }
    }

    /// Whether the queue has no free entry.
    #[inline]
    pub fn is_full(&self) -> bool {
        self.full
    }

    /// Whether the queue is empty.
    pub fn is_empty(&self) -> bool {
        self.queue.is_empty()
    }

    /// Requests that have not left, with the data of those that write.
    pub fn requests(&self) -> impl Iterator<Item = (&Request, Option<&Words>)> {
        self.queue.iter().flat_map(|entry| {
            let mut words = entry.messages.words[entry.next_words..].iter();
            let left = entry.messages.list[entry.next..].iter();
            left.map(move |(_, r)| (r, if r.kind.writes() { words.next() } else { None }))
        })
    }

    /// Returns the instructions in the queue, the oldest first.
    pub fn entries(&self) -> impl Iterator<Item = QueuedAccess<'_>> {
        self.queue.iter().map(Entry::view)
    }

    /// Returns the instruction that was queued last.
    pub fn newest(&self) -> Option<QueuedAccess<'_>> {
        self.queue.back().map(Entry::view)
    }

    /// Returns the shader cycles from the issue of an instruction until its first message can be
    /// processed.
    pub fn latency(&self) -> u32 {
        self.config.latency
    }

    /// Returns the number of entries.
    pub fn capacity(&self) -> u32 {
        self.config.queue
    }

    /// Returns an empty buffer for the messages passed to [`Self::push`].
    pub fn messages(&mut self) -> Messages {
        self.spare.pop().unwrap_or_default()
    }

    /// Queues the messages of the instruction at `pc`, which the warp in slot `warp`, with launch
    /// number `age`, issued at `now`. `cached`: its loads of global memory go through the L1, if
    /// there is one.
    pub fn push(&mut self, now: u64, (warp, pc): (u32, u32), age: u64, messages: Messages, cached: bool) {
        debug_assert!(!self.is_full(), "issue checks for a free entry");
        debug_assert!(!messages.list.is_empty(), "an instruction without messages does not queue");
        let ready = now + u64::from(self.config.latency);
        let entry = Entry { warp, pc, age, ready, messages, next: 0, next_words: 0, cached, passed: false };
        self.queue.push_back(entry);
        self.full = self.queue.len() >= self.config.queue as usize;
        self.plan();
    }

    /// Computes when the L1 may look up the next message.
    #[inline]
    fn plan(&mut self) {
        let next = self.queue.get(self.served()).filter(|entry| !entry.passed);
        self.unseen = next.map_or(NEVER, |entry| self.head_of(entry).0);
    }

    /// The next message of `entry` to leave, and the shader cycle from which it may leave.
    #[inline]
    fn head_of<'q>(&self, entry: &'q Entry) -> (u64, &'q Addressed) {
        let message = &entry.messages.list[entry.next];
        let work = u64::from(message.1.transactions) * u64::from(self.config.transaction_cycles);
        (entry.ready.max(self.free) + work, message)
    }

    /// Index of the entry that is served: the oldest, except under a mutant that breaks the order.
    fn served(&self) -> usize {
        usize::from(self.hooks.is(Mutant::LsuOvertakes) && self.queue.len() > 1)
    }

    /// The next message to leave, and the shader cycle from which it may leave.
    #[inline]
    pub fn head(&self) -> Option<(u64, &Addressed)> {
        Some(self.head_of(self.queue.get(self.served())?))
    }

    /// The data of the next message, if it writes.
    #[inline]
    pub fn words(&self) -> Option<&Words> {
        let entry = self.queue.get(self.served())?;
        let writes = entry.messages.list[entry.next].1.kind.writes();
        if writes { entry.messages.words.get(entry.next_words) } else { None }
    }

    /// The next message, if the L1 has let it pass, and the shader cycle from which it may leave.
    #[inline]
    pub fn passed(&self) -> Option<(u64, &Addressed)> {
        let entry = self.queue.get(self.served()).filter(|entry| entry.passed)?;
        Some(self.head_of(entry))
    }

    /// Shader cycle from which the L1 may look up the next message; [`NEVER`] if it has already
    /// done so or there is no message.
    #[inline]
    pub fn unseen(&self) -> u64 {
        self.unseen
    }

    /// The L1 lets the next message pass.
    #[inline]
    pub fn pass(&mut self) {
        let served = self.served();
        self.queue[served].passed = true;
        self.unseen = NEVER;
    }

    /// The next message for the L1.
    pub fn seen(&mut self) -> Option<Unseen<'_>> {
        let served = self.served();
        let Entry { messages, next, cached, warp, pc, age, .. } = self.queue.get_mut(served)?;
        let request = &mut messages.list[*next].1;
        Some(Unseen { request, cached: *cached, warp: *warp, pc: *pc, age: *age })
    }

    /// The next message for the L1 with its data, if it has some.
    pub fn seen_words(&self) -> Option<(&Request, &Words)> {
        let Entry { messages, next, next_words, .. } = self.queue.get(self.served())?;
        Some((&messages.list[*next].1, messages.words.get(*next_words)?))
    }

    /// Whether the next message is the last one of its instruction.
    #[inline]
    pub fn is_last(&self) -> bool {
        self.queue.get(self.served()).is_some_and(|entry| entry.next + 1 == entry.messages.list.len())
    }

    /// Removes the head message at shader cycle `now`. If it was the last message of its
    /// instruction, returns the warp's slot and launch number.
    pub fn release(&mut self, now: u64) -> Option<(u32, u64)> {
        let served = self.served();
        let entry = &mut self.queue[served];
        self.free = now;
        entry.next_words += usize::from(entry.messages.list[entry.next].1.kind.writes());
        entry.next += 1;
        entry.passed = false;
        if entry.next < entry.messages.list.len() {
            self.plan();
            return None;
        }
        let done = if served == 0 { self.queue.pop_front() } else { self.queue.remove(served) };
        self.full = self.queue.len() >= self.config.queue as usize;
        self.plan();
        let mut done = done.expect("the served entry exists");
        done.messages.list.clear();
        done.messages.words.clear();
        self.spare.push(done.messages);
        Some((done.warp, done.age))
    }
}
