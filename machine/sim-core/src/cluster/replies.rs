//! The reply port of a cluster: accepts one reply at a time, from the links in rotation.

use super::lines::Wanted;
use super::{Cluster, DRAIN, Drain};
use crate::state::Part;
use crate::time::NEVER;
use crate::time::message::{FromCluster, RequestKind};

/// The buffer for replies. A request reserves an entry when it leaves.
#[derive(Clone, Debug, Part)]
pub(super) struct Buffer {
    /// Free entries.
    free: u32,
    /// Shader cycle from which there is no free entry, if there is none.
    full_since: u64,
    /// Shader cycles without a free entry.
    pub(super) full: u64,
}

impl Buffer {
    /// An empty buffer with `room` entries.
    pub(super) fn new(room: u32) -> Self {
        Self { free: room, full_since: 0, full: 0 }
    }

    /// Whether there is a free entry.
    #[inline]
    pub(super) fn has_room(&self) -> bool {
        self.free > 0
    }

    /// Reserves an entry at shader cycle `now`; there must be one.
    #[inline]
    pub(super) fn reserve(&mut self, now: u64) {
        self.free -= 1;
        if self.free == 0 {
            self.full_since = now;
        }
    }

    /// Frees the entry of a reply that is accepted at shader cycle `now`.
    #[inline]
    fn release(&mut self, now: u64) {
        if self.free == 0 {
            self.full += now - self.full_since;
        }
        self.free += 1;
    }
}

impl Cluster {
    /// Accepts the reply of the next link in rotation, if one has arrived. The port is free.
    pub(super) fn take_reply(&mut self, now: u64) {
        let Some(link) = self.next_link(now) else { return };
        let replies = &mut self.links[link].replies;
        // A reply is large, so it is read in place.
        let Some((_, reply)) = replies.front() else { return };
        let (kind, sm, tag) = (reply.kind, reply.sm, reply.tag);
        self.last_message = now;
        let cycles = self.reply_rate.div_ceil(reply.wire_bytes.into()).max(1);
        self.reply_free = now + cycles;
        self.busy.replies += cycles;
        if !self.buffer.has_room() {
            self.send_at = 0;
        }
        self.buffer.release(now);
        match (kind, sm) {
            (_, DRAIN) => {}
            (RequestKind::Fill { .. }, sm) => {
                self.sms[sm as usize].fill_reply(now, reply, &self.context);
            }
            (RequestKind::Line, _) => {
                let (sms, context) = (&mut self.sms, &self.context);
                if let Some(lines) = &mut self.lines {
                    lines.came(tag, |Wanted { sm, code, address }| {
                        sms[sm as usize].line_came(now, code, address, context);
                    });
                }
            }
            (RequestKind::Texture, _) => {
                self.textures.iter_mut().for_each(|textures| textures.came(now, tag));
            }
            (RequestKind::Fence, sm) => self.sms[sm as usize].fence_reply(now, reply),
            (_, sm) => self.sms[sm as usize].load_reply(now, reply, &self.context),
        }
        replies.remove_front();
        self.arrivals[link] = self.links[link].next_reply();
        self.reply_turn = if link + 1 == self.links.len() { 0 } else { link + 1 };
        self.next_reply = self.earliest_reply();
        if sm == DRAIN {
            self.drain_answered(now);
        }
    }

    /// Returns the arrival of the next reply; [`NEVER`] if there is none. If several arrive before
    /// the port is free, returns the arrival of any of them.
    #[inline]
    fn earliest_reply(&self) -> u64 {
        let mut first = NEVER;
        for arrival in &self.arrivals {
            first = first.min(*arrival);
            if first <= self.reply_free {
                break;
            }
        }
        first
    }

    /// Returns the next link in rotation with a reply that has arrived.
    #[inline]
    fn next_link(&self, now: u64) -> Option<usize> {
        let (links, mut link) = (self.arrivals.len(), self.reply_turn);
        for _ in 0..links {
            if self.arrivals[link] <= now {
                return Some(link);
            }
            link = if link + 1 == links { 0 } else { link + 1 };
        }
        None
    }

    fn drain_answered(&mut self, now: u64) {
        let Drain::Going { sent, answered } = self.drain else {
            unreachable!("a drain fence is answered after the drain has begun")
        };
        let answered = answered + 1;
        self.drain = Drain::Going { sent, answered };
        if answered == self.links.len() {
            self.drain = Drain::Done;
            self.notify_dispatcher(now, FromCluster::Drained);
        }
    }
}
