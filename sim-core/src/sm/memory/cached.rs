//! An SM's side of its L1: what leaves through the crossbar port, and what comes back without it.

use super::coalesce::Addressed;
use super::l1::{L1, Seen};
use crate::sm::Sm;
use crate::sm::setup::Setup;
use crate::time::NEVER;
use crate::time::message::Reply;

impl Sm {
    /// The next message for the cluster's port, and the shader cycle from which it may leave.
    #[inline]
    pub fn outgoing(&self) -> Option<(u64, &Addressed)> {
        match &self.memory.l1 {
            None => self.memory.lsu.head(),
            Some(l1) => l1.leaving().map(|message| (0, message)).or_else(|| self.memory.lsu.passed()),
        }
    }

    /// The message that [`Self::outgoing`] gave has left at shader cycle `now`.
    #[inline]
    pub fn sent(&mut self, now: u64) {
        match &mut self.memory.l1 {
            Some(l1) if l1.leaving().is_some() => l1.left(),
            _ => self.message_left(now),
        }
    }

    /// Nothing waits to leave.
    pub fn sent_all(&self) -> bool {
        self.memory.lsu.is_empty() && self.memory.l1.as_ref().is_none_or(|l1| l1.leaving().is_none())
    }

    /// Its L1, if it has one.
    pub fn l1(&self) -> Option<&L1> {
        self.memory.l1.as_deref()
    }

    /// The L1 looks at messages at the head of the load/store queue, as far as they are ready by `now`.
    pub fn look_up(&mut self, now: u64) {
        while let Some(l1) = self.memory.l1.as_mut().filter(|l1| !l1.stalled()) {
            if self.memory.lsu.unseen().is_none_or(|ready| ready > now) {
                return;
            }
            let Some((request, cached, passed)) = self.memory.lsu.seen() else { return };
            match l1.see(now, request, cached) {
                Seen::Passes => *passed = true,
                Seen::Stays => self.message_left(now),
                Seen::Waits => return,
            }
        }
    }

    /// Loads that have hit the L1 come home.
    pub fn take_hits(&mut self, now: u64, setup: &Setup) {
        while let Some(home) = self.memory.l1.as_mut().and_then(|l1| l1.pop_home(now)) {
            self.load_reply(now, &home.reply, setup);
        }
    }

    /// A line for the L1 has come.
    pub fn fill_reply(&mut self, now: u64, reply: &Reply, setup: &Setup) {
        let mut waiting = std::mem::take(&mut self.memory.filled);
        if let Some(l1) = &mut self.memory.l1 {
            l1.fill(now, reply, &mut waiting);
        }
        for reply in waiting.drain(..) {
            self.load_reply(now, &reply, setup);
        }
        self.memory.filled = waiting;
    }

    /// The earliest shader cycle at which [`Self::look_up`] or [`Self::take_hits`] may do something, as far as that is
    /// known.
    pub fn l1_wake(&self) -> u64 {
        let Some(l1) = &self.memory.l1 else { return NEVER };
        let next = if l1.stalled() { None } else { self.memory.lsu.unseen() };
        l1.next_home().unwrap_or(NEVER).min(next.unwrap_or(NEVER))
    }
}
