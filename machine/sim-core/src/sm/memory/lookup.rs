//! The output path of an SM: messages leave the load/store queue, pass the L1 if there is one, and
//! leave through the crossbar port.

use super::Memory;
use super::coalesce::Addressed;
use super::l1::{L1, Seen, Waiter};
use super::lsu::{QueuedAccess, Unseen};
use crate::components::l1::L1Access;
use crate::hooks::Mutant;
use crate::sm::context::SmContext;
use crate::sm::warps::WarpTable;
use crate::time::NEVER;
use crate::time::message::{Request, RequestKind, Words};

/// A message that the L1 has looked up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::sm) struct LookedUp {
    /// Shader cycle of the look-up.
    pub at: u64,
    /// Whether it stays in the L1 and is the last message of its instruction: the caller removes
    /// it.
    pub leaves: bool,
    /// Whether the SM has a message for the port now.
    pub acts: bool,
}

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

    /// Looks up in the L1 the messages at the head of the load/store queue that are ready before
    /// shader cycle `end`, each in its cycle, but not before cycle `from`. Returns after the first
    /// message with a consequence outside of the memory side. A load that hits writes its values
    /// immediately: no instruction reads the registers before its last reply.
    pub(in crate::sm) fn look_up(
        &mut self,
        from: u64,
        end: u64,
        warps: &mut WarpTable,
        context: &SmContext,
    ) -> Option<LookedUp> {
        let l1 = self.l1.as_mut()?;
        loop {
            if l1.stalled() {
                return None;
            }
            let at = self.lsu.unseen().max(from);
            if at >= end {
                return None;
            }
            let Unseen { request, cached, warp, pc, age } = self.lsu.seen()?;
            let line = l1.watched_line(request, cached);
            let seen = l1.see(at, request, cached);
            if let Some(address) = line {
                let (cycle, hit) = (self.period.cycle(at), matches!(seen, Seen::Hit { .. }));
                let access = L1Access { cycle, warp, age, pc, address, hit };
                told(l1, &mut self.accesses, seen, (at, access), request.sm);
            }
            match seen {
                Seen::Passes => {
                    let updates = l1.updates(request);
                    self.lsu.pass();
                    if updates && let Some((request, words)) = self.lsu.seen_words() {
                        l1.update(at, request, words);
                    }
                    return Some(LookedUp { at, leaves: false, acts: true });
                }
                Seen::Waits => return None,
                Seen::Stays => {}
                Seen::Hit { slot, at } => {
                    if request.kind == RequestKind::Load {
                        self.loads.write_from(&Waiter::of(request), l1.words(slot), warps);
                    }
                    if !context.hooks.is(Mutant::LoseReplies) {
                        self.loads.hit(request.tag, at);
                    }
                }
            }
            let acts = l1.leaving().is_some();
            if self.lsu.is_last() {
                return Some(LookedUp { at, leaves: true, acts });
            }
            self.lsu.release(at);
            if acts {
                return Some(LookedUp { at, leaves: false, acts });
            }
        }
    }

    /// From now on `accesses` has the accesses to the L1.
    pub fn watch_l1(&mut self) {
        if let Some(l1) = &mut self.l1 {
            l1.watch();
        }
    }

    /// Shader cycle at which the L1 may look up the next message; [`NEVER`] if it waits, or without
    /// a message.
    #[inline]
    pub fn next_look_up(&self) -> u64 {
        match &self.l1 {
            Some(l1) if !l1.stalled() => self.lsu.unseen(),
            _ => NEVER,
        }
    }

    /// Shader cycle at which a hit in the L1 completes the next load; [`NEVER`] if there is none.
    #[inline]
    pub fn next_hit(&self) -> u64 {
        self.loads.next_completion()
    }
}

/// Tells the prefetcher of an access to the L1, and keeps it for others, unless it waits.
#[cold]
fn told(l1: &mut L1, accesses: &mut Vec<(u64, L1Access)>, seen: Seen, access: (u64, L1Access), sm: u8) {
    if seen != Seen::Waits {
        l1.prefetch(&access.1, sm);
        accesses.push(access);
    }
}
