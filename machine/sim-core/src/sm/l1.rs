//! Events of the L1 of an SM, which the SM processes alone: look-ups of messages and replies of
//! hits.

use super::Sm;
use super::context::SmContext;
use super::memory::lookup::LookedUp;
use crate::components::l1::L1Access;
use crate::events::MemoryWhat;
use crate::time::NEVER;
use crate::time::message::Reply;

impl Sm {
    /// Same as [`Self::run`], for an SM with an L1.
    #[inline(never)]
    pub(super) fn run_with_l1(&mut self, from: u64, end: u64, context: &SmContext) -> u64 {
        let mut ticks = 0;
        while !self.output && self.acts_at == NEVER {
            let hit = self.memory.next_hit();
            let now = hit.min(self.memory.next_look_up()).max(from);
            if self.front.wake < now.min(end) {
                ticks += self.issue_cycles(now.min(end), context);
                continue;
            }
            if now >= end {
                break;
            }
            ticks += 1;
            self.ticked = now;
            if hit <= now {
                self.take_hits(now, context);
            }
            if self.front.wake <= now {
                self.issue_cycles(now + 1, context);
            }
            if self.output {
                self.acts_at = now;
            }
            // Between the events of the other parts the L1 looks up one message after the other.
            let alone = if self.output { now + 1 } else { self.front.wake.max(now + 1).min(end) };
            self.look_up(now, alone, context);
        }
        ticks
    }

    /// Receives a line for the L1.
    pub fn fill_reply(&mut self, now: u64, reply: &Reply, context: &SmContext) {
        self.record_until(self.period.cycle_from(now));
        self.memory.fill(now, reply, &mut self.warps, context);
        while let Some(loaded) = self.memory.next_filled() {
            self.loaded(now, loaded, context);
        }
        // The line may have replaced a dirty one, which leaves.
        self.acts_at = now;
    }

    /// Completes the loads whose last reply is that of a hit in the L1.
    #[inline]
    pub fn take_hits(&mut self, now: u64, context: &SmContext) {
        while self.memory.next_hit() <= now
            && let Some(loaded) = self.memory.take_hit(now, context)
        {
            self.record_until(self.period.cycle_from(now));
            self.loaded(now, loaded, context);
        }
    }

    /// Shader cycle in which the cluster must act because of an event in the L1: a message has
    /// passed it, or a block has ended. [`NEVER`] without such an event.
    #[inline]
    pub fn acts_at(&self) -> u64 {
        self.acts_at
    }

    /// Shader cycle of the next event of the L1; [`NEVER`] if there is none.
    #[inline]
    pub fn next_of_l1(&self) -> u64 {
        self.memory.next_hit().min(self.memory.next_look_up())
    }

    /// Looks up the messages that are ready by shader cycle `now`. Returns whether the port must
    /// look for messages of the SM again.
    #[inline]
    pub fn act(&mut self, now: u64, context: &SmContext) -> bool {
        if self.memory.next_look_up() <= now {
            self.look_up(now, now + 1, context);
        }
        let acted = self.acts_at <= now;
        if acted {
            self.acts_at = NEVER;
        }
        acted
    }

    /// Looks up the messages that are ready before shader cycle `end`, but not before `from`, while
    /// no other part of the SM has an event before `end`. Returns whether there was one.
    #[inline]
    pub fn look_up_before(&mut self, from: u64, end: u64, context: &SmContext) -> bool {
        let at = self.memory.next_look_up().max(from);
        if at >= end {
            return false;
        }
        self.ticked = at;
        self.look_up(at, end, context);
        true
    }

    /// Looks up in the L1 the messages that are ready before shader cycle `end`, but not before
    /// `from`, up to the next event of another part of the SM.
    fn look_up(&mut self, from: u64, mut end: u64, context: &SmContext) {
        loop {
            let until = end.min(self.memory.next_hit().max(from + 1));
            let looked_up = self.memory.look_up(from, until, &mut self.warps, context);
            if !self.memory.accesses.is_empty() {
                self.tell_accesses();
            }
            let Some(LookedUp { at, leaves, acts }) = looked_up else {
                return;
            };
            if leaves {
                self.message_left(at);
                end = end.min(self.front.wake.max(at + 1));
            }
            // Without a block, an SM that has sent all messages may let the cluster drain.
            if acts || self.memory.sent_all() && self.account.resident() == 0 {
                (self.acts_at, self.ticked) = (at, self.ticked.max(at));
                return;
            }
        }
    }

    /// Tells the policies of the schedulers and the observer of the accesses to the L1.
    #[cold]
    fn tell_accesses(&mut self) {
        for (at, access) in self.memory.accesses.drain(..) {
            if let Some(memory) = self.observed.as_mut().and_then(|observed| observed.memory.as_mut()) {
                let L1Access { warp, pc, address, hit, .. } = access;
                memory.record(at, |sm| MemoryWhat::L1 { sm, warp, pc, address, hit });
            }
            let number = access.warp as usize % self.front.schedulers.len();
            self.front.schedulers[number].policy.l1_access(&access);
        }
    }

    /// Removes the oldest message from the load/store queue at shader cycle `now`.
    pub(super) fn message_left(&mut self, now: u64) {
        let was_full = self.memory.queue_is_full();
        // The issue of this cycle, if any, is done: the next cycle sees the free entry.
        let from = self.period.cycle(now) + 1;
        self.record_until(from);
        let Some((warp, age)) = self.memory.release(now) else { return };
        if was_full {
            self.account.queue_has_space(from, &mut self.units);
            self.front.wake_by(from);
        }
        if self.warps.age[warp] == age && self.warps.left_queue(warp, from * self.period) {
            self.front.wake_warp(warp, from);
        }
    }
}
