//! Runs the SMs of a cluster, each alone for as long as the others and the shared resources do not
//! affect it.

use super::Cluster;
use crate::sm::Sm;
use crate::time::NEVER;

impl Cluster {
    /// Runs shader cycles `start..end`, in which no message arrives. Returns the number of ticks.
    ///
    /// SMs interact only through messages. Each SM therefore runs alone until it has output or
    /// until an event of the cluster is due. Output of an SM that is ahead of the others is
    /// processed when the cluster reaches its cycle.
    pub fn run(&mut self, start: u64, end: u64) -> u64 {
        self.refresh();
        let (mut now, mut ticks, mut sm_ticks) = (start, 0, 0);
        loop {
            let due = self.due.clamp(now, end);
            // A request that an SM makes because of a message between two issue cycles is processed
            // in the next issue cycle.
            let issue = self.period.cycle_from(now) * self.period;
            let mut next = due;
            for sm in &mut self.sms {
                sm_ticks += sm.run(now, due, &self.context);
                next = next.min(sm.output_at().max(issue)).min(sm.acts_at());
                if self.cached {
                    next = next.min(sm.next_of_l1().max(now));
                }
            }
            if next >= end {
                return ticks + sm_ticks / self.sms.count() as u64;
            }
            self.tick(next);
            ticks += 1;
            now = next + 1;
            // Replies and messages to send, until the next tick of an SM or another event.
            while !self.eager {
                let at = self.due.max(now);
                if at >= end || at >= self.rare || at >= self.next_sm() {
                    break;
                }
                if self.cached && self.look_up(now, at) {
                    // They may have woken a warp, or a message may have passed.
                    continue;
                }
                if self.next_reply.max(self.reply_free) <= at {
                    self.take_reply(at);
                    self.tick_sms(at);
                }
                self.finish(at);
                ticks += 1;
                now = at + 1;
            }
        }
    }

    /// Returns the shader cycle of the next event of an SM other than a look-up in its L1; 0 if an
    /// SM has output.
    #[inline]
    fn next_sm(&self) -> u64 {
        let next = |sm: &Sm| {
            if sm.output_at() != NEVER || sm.acts_at() != NEVER {
                0
            } else if self.cached {
                sm.wake().min(sm.memory().next_hit())
            } else {
                sm.wake()
            }
        };
        self.sms.iter().fold(NEVER, |first, sm| first.min(next(sm)))
    }

    /// Looks up messages in the L1s before shader cycle `end`, which concern no other part of the
    /// SM before. Returns whether there was one. Look-ups in cycle `end` follow in
    /// [`Self::finish`].
    #[inline]
    fn look_up(&mut self, from: u64, end: u64) -> bool {
        let mut any = false;
        for sm in &mut self.sms {
            any |= sm.look_up_before(from, end, &self.context);
        }
        any
    }

    /// Whether an event of the L1 of an SM is due at shader cycle `now`.
    #[inline]
    fn l1_is_due(&self, now: u64) -> bool {
        self.cached && self.sms.iter().any(|sm| sm.next_of_l1().min(sm.acts_at()) <= now)
    }

    /// Processes all events of shader cycle `now`. A call without an event due changes nothing.
    pub fn tick(&mut self, now: u64) {
        let due = self.due <= now || self.stale || self.eager || self.l1_is_due(now);
        if due {
            self.take_messages(now);
        }
        self.tick_sms(now);
        if due || self.sms.iter().any(|sm| sm.output_at() <= now) {
            self.finish(now);
        }
    }

    /// Ticks the SMs that are due at shader cycle `now`, perhaps because of a reply.
    #[inline]
    fn tick_sms(&mut self, now: u64) {
        if self.period.begins(now) {
            for sm in self.sms.iter_mut().filter(|sm| sm.wake() <= now || self.eager) {
                sm.tick(now, &self.context);
            }
        }
    }
}
