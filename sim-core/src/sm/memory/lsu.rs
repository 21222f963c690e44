//! The load/store unit's queue: global accesses leave it as messages, strictly in issue order over
//! all warps.
//!
//! An entry is one warp instruction with the messages made of it at issue. The first may leave
//! `latency` hot cycles after issue, and each keeps the unit for `transaction_cycles` per
//! transaction. That the queue is first in, first out is what orders accesses of a thread to one
//! address, and accesses of a block across a barrier.

use super::coalesce::Addressed;
use crate::config::LsuConfig;
use crate::hooks::{Hooks, Mutant};
use crate::time::message::Request;
use std::collections::VecDeque;

/// One warp instruction in the queue.
#[derive(Clone, Debug, PartialEq)]
struct Entry {
    warp: u32,
    /// Launch number of the warp that issued it: the slot may hold another one when it leaves.
    age: u64,
    /// Hot cycle from which its first message may be worked on.
    ready: u64,
    messages: Vec<Addressed>,
    next: usize,
    /// Its loads of global memory go through the L1, if there is one.
    cached: bool,
    /// The L1 has let its next message pass.
    passed: bool,
}

/// The queue.
#[derive(Clone, Debug)]
pub struct Lsu {
    config: LsuConfig,
    hooks: Hooks,
    queue: VecDeque<Entry>,
    /// Emptied entries, kept so that nothing allocates after warm-up.
    spare: Vec<Vec<Addressed>>,
    /// When the unit has finished with the last message that left.
    free: u64,
}

impl Lsu {
    /// An empty queue.
    pub fn new(config: LsuConfig, hooks: Hooks) -> Self {
        let spare = (0..config.queue).map(|_| Vec::with_capacity(32)).collect();
        Self { config, hooks, queue: VecDeque::with_capacity(config.queue as usize), spare, free: 0 }
    }

    /// No room for another instruction.
    pub fn is_full(&self) -> bool {
        self.queue.len() >= self.config.queue as usize
    }

    /// Nothing in it.
    pub fn is_empty(&self) -> bool {
        self.queue.is_empty()
    }

    /// The requests that have not left.
    pub fn requests(&self) -> impl Iterator<Item = &Request> {
        self.queue.iter().flat_map(|entry| &entry.messages[entry.next..]).map(|(_, request)| request)
    }

    /// An empty list to make messages in, for [`Self::push`].
    pub fn messages(&mut self) -> Vec<Addressed> {
        self.spare.pop().unwrap_or_default()
    }

    /// Queues the messages of an instruction that the warp of launch number `age` in slot `warp`
    /// issued at `now`; `cached`: its loads of global memory go through the L1, if there is one.
    pub fn push(&mut self, now: u64, warp: u32, age: u64, messages: Vec<Addressed>, cached: bool) {
        debug_assert!(!self.is_full(), "issue checks for room");
        debug_assert!(!messages.is_empty(), "an instruction without messages does not queue");
        let ready = now + u64::from(self.config.latency);
        self.queue.push_back(Entry { warp, age, ready, messages, next: 0, cached, passed: false });
    }

    /// Which entry is served: the oldest (unless a mutant is told to get that wrong).
    fn served(&self) -> usize {
        usize::from(self.hooks.is(Mutant::LsuOvertakes) && self.queue.len() > 1)
    }

    /// The next message to leave and the hot cycle from which it may.
    pub fn head(&self) -> Option<(u64, &Addressed)> {
        let entry = self.queue.get(self.served())?;
        let message = &entry.messages[entry.next];
        let work = u64::from(message.1.transactions) * u64::from(self.config.transaction_cycles);
        Some((entry.ready.max(self.free) + work, message))
    }

    /// The next message, once the L1 has let it pass, and the hot cycle from which it may leave.
    pub fn passed(&self) -> Option<(u64, &Addressed)> {
        self.queue.get(self.served()).filter(|entry| entry.passed)?;
        self.head()
    }

    /// The hot cycle from which the L1 may look at the next message; `None` if it has, or if there
    /// is none.
    pub fn unseen(&self) -> Option<u64> {
        self.queue.get(self.served()).filter(|entry| !entry.passed)?;
        self.head().map(|head| head.0)
    }

    /// The next message, for the L1, and whether a load of it is cached; and what is to be set when
    /// it may pass.
    pub fn seen(&mut self) -> Option<(&mut Request, bool, &mut bool)> {
        let served = self.served();
        let Entry { messages, next, cached, passed, .. } = self.queue.get_mut(served)?;
        Some((&mut messages[*next].1, *cached, passed))
    }

    /// The head message leaves at hot cycle `now`. If that was its instruction's last one, returns
    /// the warp's slot and launch number.
    pub fn release(&mut self, now: u64) -> Option<(u32, u64)> {
        let served = self.served();
        let entry = &mut self.queue[served];
        self.free = now;
        entry.next += 1;
        entry.passed = false;
        if entry.next < entry.messages.len() {
            return None;
        }
        let mut done = self.queue.remove(served).expect("the served entry exists");
        done.messages.clear();
        self.spare.push(done.messages);
        Some((done.warp, done.age))
    }
}
