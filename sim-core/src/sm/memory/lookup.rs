//! The output path of an SM: messages leave the load/store queue, pass the L1 if there is one, and
//! leave through the crossbar port.

use super::Memory;
use super::coalesce::Addressed;
use super::l1::{L1, Seen};
use super::lsu::QueuedAccess;
use crate::time::NEVER;
use crate::time::message::{Reply, Request, RequestKind, Words};

impl Memory {
    /// Returns the next message for the cluster's port and the shader cycle from which it may
    /// leave.
    #[inline]
    pub fn outgoing(&self) -> Option<(u64, &Addressed)> {
        match &self.l1 {
            None => self.lsu.head(),
            Some(l1) => l1.leaving().map(|message| (0, message)).or_else(|| self.lsu.passed()),
        }
    }

    /// Returns the data of the message that [`Self::outgoing`] returns, if it writes.
    #[inline]
    pub fn outgoing_words(&self) -> Option<&Words> {
        // The L1 writes back lines of local memory, which have no data.
        if self.l1.as_ref().is_some_and(|l1| l1.leaving().is_some()) { None } else { self.lsu.words() }
    }

    /// Records that the message returned by [`Self::outgoing`] has left. Returns whether it was a
    /// message of the load/store queue; then [`Self::release`] removes it.
    #[inline]
    pub(in crate::sm) fn sent(&mut self) -> bool {
        let line = self.l1.as_mut().filter(|l1| l1.leaving().is_some());
        line.map(|l1| l1.left()).is_none()
    }

    /// Removes the first message of the load/store queue at shader cycle `now`. If it was the last
    /// message of its instruction, returns the slot and the launch number of the warp.
    pub(in crate::sm) fn release(&mut self, now: u64) -> Option<(u32, u64)> {
        self.lsu.release(now)
    }

    /// Whether no message waits to leave.
    pub fn sent_all(&self) -> bool {
        self.lsu.is_empty() && self.l1.as_ref().is_none_or(|l1| l1.leaving().is_none())
    }

    /// Requests in the load/store queue, with the data of those that write.
    pub fn queued_requests(&self) -> impl Iterator<Item = (&Request, Option<&Words>)> {
        self.lsu.requests()
    }

    /// The load/store queue.
    pub fn queue_entries(&self) -> impl Iterator<Item = QueuedAccess<'_>> {
        self.lsu.entries()
    }

    /// Returns the number of transactions of the instruction at `pc` that the warp in slot `warp`
    /// has issued at shader cycle `now`.
    pub(in crate::sm) fn transactions_of(&self, warp: u32, pc: u32, now: u64) -> u32 {
        let of_fence = |request: &Request| request.kind == RequestKind::Fence;
        let newest = self.lsu.newest().filter(|entry| (entry.warp, entry.pc) == (warp, pc));
        let newest = newest.filter(|entry| entry.ready == now + u64::from(self.lsu.latency()));
        let messages = newest.iter().flat_map(|entry| entry.left).map(|(_, request)| request);
        messages.filter(|request| !of_fence(request)).map(|request| u32::from(request.transactions)).sum()
    }

    /// Number of entries of the load/store queue.
    pub fn queue_capacity(&self) -> u32 {
        self.lsu.capacity()
    }

    /// The L1, if there is one.
    pub fn l1(&self) -> Option<&L1> {
        self.l1.as_deref()
    }

    /// Looks up in the L1 the messages at the head of the load/store queue that are ready by `now`.
    /// Returns `true` if a message stays in the L1: the caller must [release](Self::release) it,
    /// and the messages after it have not been looked up.
    pub(in crate::sm) fn look_up(&mut self, now: u64) -> bool {
        while let Some(l1) = self.l1.as_mut().filter(|l1| !l1.stalled())
            && self.lsu.unseen().is_some_and(|ready| ready <= now)
            && let Some((request, cached, passed)) = self.lsu.seen()
        {
            match l1.see(now, request, cached) {
                Seen::Passes => *passed = true,
                Seen::Stays => return true,
                Seen::Waits => return false,
            }
        }
        false
    }

    /// Returns the next reply to a load that has hit in the L1, if it is due by shader cycle `now`.
    pub(in crate::sm) fn take_hit(&mut self, now: u64) -> Option<Reply> {
        Some(self.l1.as_mut()?.pop_completed(now)?.reply)
    }

    /// Processes a line that arrives for the L1. Returns the replies to the loads that waited for
    /// it; pass them back to [`Self::reuse`].
    pub(in crate::sm) fn fill(&mut self, now: u64, reply: &Reply) -> Vec<Reply> {
        let mut released = std::mem::take(&mut self.filled);
        if let Some(l1) = &mut self.l1 {
            l1.fill(now, reply, &mut released);
        }
        released
    }

    /// Keeps the buffer of [`Self::fill`], to avoid an allocation for the next line.
    pub(in crate::sm) fn reuse(&mut self, mut released: Vec<Reply>) {
        released.clear();
        self.filled = released;
    }

    /// The earliest known shader cycle at which the L1 may look up a message or a load that has hit
    /// is due.
    pub fn l1_wake(&self) -> u64 {
        let Some(l1) = &self.l1 else { return NEVER };
        let next = if l1.stalled() { None } else { self.lsu.unseen() };
        l1.next_completed().unwrap_or(NEVER).min(next.unwrap_or(NEVER))
    }
}
