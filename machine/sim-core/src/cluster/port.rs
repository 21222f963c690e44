//! The crossbar port of a cluster: the next message, the cycle at which it may leave, and its
//! arrival.
//!
//! Invariant `link-depth`: A link holds as many messages as its depth and no more, and links are
//! served in turn.

use super::lines::Lines;
use super::link::Cost;
use super::sms::Sms;
use super::textures::Textures;
use super::{Cluster, DRAIN, Drain};
use crate::counters::ClusterCounters;
use crate::sm::memory::coalesce::Addressed;
use crate::state::Value;
use crate::time::NEVER;
use crate::time::message::{Request, RequestKind};

/// Next message of a sender at the port.
#[derive(Clone, Copy, Debug, Value)]
pub(super) struct Head {
    /// Shader cycle from which the message may leave; [`NEVER`] without a message.
    ready: u64,
    link: u16,
    answered: bool,
}

impl Head {
    pub(super) const NOTHING: Self = Self { ready: NEVER, link: 0, answered: false };
}

/// Returns the next message of a sender at the port and the shader cycle from which it may leave.
/// The senders are the SMs, followed by the shared cache and the texture units.
#[inline]
fn next_message<'a>(
    sms: &'a Sms,
    lines: Option<&'a Lines>,
    textures: Option<&'a Textures>,
    sender: usize,
) -> Option<(u64, &'a Addressed)> {
    match sms.get(sender) {
        Some(sm) => sm.memory().outgoing(),
        None => next_shared(lines.filter(|_| sender == sms.count()), textures),
    }
}

/// Same as [`next_message`], for the shared cache, if `lines` is given, or the texture units.
#[cold]
fn next_shared<'a>(lines: Option<&'a Lines>, textures: Option<&'a Textures>) -> Option<(u64, &'a Addressed)> {
    lines.map_or_else(|| textures?.head(), Lines::head)
}

impl Cluster {
    /// Returns the busy cycles of the units that its SMs share.
    pub fn busy(&self) -> ClusterCounters {
        let textures = self.textures.as_ref().map_or(0, |textures| textures.busy);
        ClusterCounters { textures, buffer: self.buffer.full, ..self.busy }
    }

    /// Returns the next drain fence to send, once no message waits to leave an SM.
    fn drain_fence(&self) -> Option<(u16, Request)> {
        let Drain::Going { sent, .. } = self.drain else { return None };
        let empty = self.sms.iter().all(|sm| sm.memory().sent_all());
        debug_assert!(
            self.lines.as_ref().is_none_or(Lines::is_idle),
            "blocks have ended, and somebody waits for a line"
        );
        (empty && sent < self.links.len()).then(|| (sent as u16, Request::fence(DRAIN, 0)))
    }

    /// Updates the head of `sender`. Must be called after every possible change of its next
    /// message.
    #[inline]
    pub(super) fn update_head(&mut self, sender: usize) {
        self.heads[sender] =
            match next_message(&self.sms, self.lines.as_ref(), self.textures.as_deref(), sender) {
                Some((ready, (link, request))) => {
                    Head { ready, link: *link, answered: request.kind.answered() }
                }
                None => Head::NOTHING,
            };
    }

    /// Sends one message if one may leave. The senders, SMs and shared caches, are served in
    /// rotation; each sends its oldest message first.
    pub(super) fn send(&mut self, now: u64) {
        if self.port_free > now {
            return;
        }
        let (senders, mut sender) = (self.heads.len(), self.turn);
        for _ in 0..senders {
            let Head { ready, link, answered } = self.heads[sender];
            let next = if sender + 1 == senders { 0 } else { sender + 1 };
            if ready <= now && self.may_send(link, answered, now) {
                self.turn = next;
                self.send_head(sender, now);
                return;
            }
            sender = next;
        }
        if let Some((link, fence)) = self.drain_fence().filter(|(link, _)| self.may_send(*link, true, now)) {
            let arrival = self.dispatch(link, Cost::of(&fence), now);
            self.outbox.to(link.into()).push(arrival, &fence, None);
            if let Drain::Going { sent, .. } = &mut self.drain {
                *sent += 1;
            }
        }
    }

    /// Sends the next message of `sender`.
    fn send_head(&mut self, sender: usize, now: u64) {
        let next = next_message(&self.sms, self.lines.as_ref(), self.textures.as_deref(), sender);
        let Some((_, &(link, ref request))) = next else { return };
        let cost = Cost::of(request);
        let writer = self.sms.get(sender).filter(|_| request.kind.writes());
        let words = writer.and_then(|sm| sm.memory().outgoing_words());
        // A request is large and is copied only once; its arrival is filled in below.
        self.outbox.to(link.into()).push(0, request, words);
        let arrival = self.dispatch(link, cost, now);
        if let Some(sent) = self.outbox.to_partition[link as usize].requests.last_mut() {
            sent.0 = arrival;
        }
        let first = sender == self.sms.count();
        match (self.sms.get_mut(sender), &mut self.lines) {
            (Some(sm), _) => sm.sent(now),
            (None, Some(lines)) if first => lines.left(),
            (None, _) => self.textures.iter_mut().for_each(|textures| textures.left()),
        }
        self.update_head(sender);
    }

    /// Whether the link has a credit and, for a message with a reply, the reply buffer has a free
    /// entry.
    fn may_send(&mut self, link: u16, answered: bool, now: u64) -> bool {
        (!answered || self.buffer.has_room()) && self.links[link as usize].has_credit(now)
    }

    /// Returns the earliest cycle at which the next message could leave, from the credits and
    /// replies known now.
    pub(super) fn next_send(&self) -> u64 {
        let mut first = match self.drain_fence() {
            Some((link, _)) if self.buffer.has_room() => self.links[link as usize].credit_at(),
            _ => NEVER,
        };
        for head in &self.heads {
            if head.ready != NEVER && (self.buffer.has_room() || !head.answered) {
                first = first.min(self.links[head.link as usize].credit_at().max(head.ready));
            }
        }
        first.max(self.port_free)
    }

    /// Sends a message of this cost. Returns its arrival.
    fn dispatch(&mut self, link: u16, cost: Cost, now: u64) -> u64 {
        let mut cycles = self.config.port_request_cycles;
        if cost.bytes > 0 {
            cycles += cost.bytes.div_ceil(self.config.port_bytes_per_cycle);
        }
        let mut late = 0;
        if cost.kind == RequestKind::Store {
            late = self.context.hooks.delay_of(self.index, self.stores_sent);
            self.stores_sent += 1;
        }
        if let (Some(tlb), Some(address)) = (&mut self.tlb, cost.address) {
            late += tlb.late(address);
        }
        if cost.kind.answered() {
            self.buffer.reserve(now);
        }
        let cycles = u64::from(cycles.max(1));
        self.port_free = now + cycles;
        self.busy.port += cycles;
        self.last_message = now;
        let wire = &mut self.links[link as usize];
        wire.credits -= 1;
        // The last byte arrives one crossbar latency after it has left.
        let earliest = self.port_free - 1 + self.latency;
        wire.last_arrival = wire.last_arrival.max(earliest + late);
        self.busy.translation += wire.last_arrival - earliest;
        wire.last_arrival
    }
}
