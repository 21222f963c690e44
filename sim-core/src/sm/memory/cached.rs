//! The way out of an SM: messages leave the load/store queue past the L1, if there is one, through
//! the crossbar port.

use super::Memory;
use super::coalesce::Addressed;
use super::l1::{L1, Seen};
use crate::time::NEVER;
use crate::time::message::{Reply, Request};

impl Memory {
    /// The next message for the cluster's port, and the shader cycle from which it may leave.
    #[inline]
    pub fn outgoing(&self) -> Option<(u64, &Addressed)> {
        match &self.l1 {
            None => self.lsu.head(),
            Some(l1) => l1.leaving().map(|message| (0, message)).or_else(|| self.lsu.passed()),
        }
    }

    /// The message that [`Self::outgoing`] gave leaves. Returns whether it was one of the
    /// load/store queue, which [`Self::release`] removes.
    #[inline]
    pub(in crate::sm) fn sent(&mut self) -> bool {
        let line = self.l1.as_mut().filter(|l1| l1.leaving().is_some());
        line.map(|l1| l1.left()).is_none()
    }

    /// The first message of the load/store queue leaves it at shader cycle `now`. If that was the
    /// last message of its instruction, returns the slot and the launch number of the warp.
    pub(in crate::sm) fn release(&mut self, now: u64) -> Option<(u32, u64)> {
        self.lsu.release(now)
    }

    /// Nothing waits to leave.
    pub fn sent_all(&self) -> bool {
        self.lsu.is_empty() && self.l1.as_ref().is_none_or(|l1| l1.leaving().is_none())
    }

    /// Requests in the load/store queue.
    pub fn queued_requests(&self) -> impl Iterator<Item = &Request> {
        self.lsu.requests()
    }

    /// The L1, if there is one.
    pub fn l1(&self) -> Option<&L1> {
        self.l1.as_deref()
    }

    /// The L1 looks at messages at the head of the load/store queue, as far as they are ready by
    /// `now`. Returns `true` if one stays in the L1: it has to be [released](Self::release), and
    /// the L1 has not looked at the messages after it.
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

    /// The next reply to a load that has hit the L1, if it is due by shader cycle `now`.
    pub(in crate::sm) fn take_hit(&mut self, now: u64) -> Option<Reply> {
        Some(self.l1.as_mut()?.pop_home(now)?.reply)
    }

    /// A line for the L1 arrives. Returns the replies to the loads that waited for it, to be given
    /// back to [`Self::reuse`].
    pub(in crate::sm) fn fill(&mut self, now: u64, reply: &Reply) -> Vec<Reply> {
        let mut released = std::mem::take(&mut self.filled);
        if let Some(l1) = &mut self.l1 {
            l1.fill(now, reply, &mut released);
        }
        released
    }

    /// Keeps the buffer of [`Self::fill`], so that the next line allocates nothing.
    pub(in crate::sm) fn reuse(&mut self, mut released: Vec<Reply>) {
        released.clear();
        self.filled = released;
    }

    /// The earliest shader cycle at which the L1 may look at a message or a load that has hit is
    /// due, as far as that is known.
    pub fn l1_wake(&self) -> u64 {
        let Some(l1) = &self.l1 else { return NEVER };
        let next = if l1.stalled() { None } else { self.lsu.unseen() };
        l1.next_home().unwrap_or(NEVER).min(next.unwrap_or(NEVER))
    }
}
