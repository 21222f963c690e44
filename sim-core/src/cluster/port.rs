//! The crossbar port of a cluster: which message leaves next, when it may, and when it arrives.

use super::lines::Lines;
use super::link::Cost;
use super::{Cluster, DRAIN, Drain};
use crate::sm::memory::coalesce::Addressed;
use crate::time::NEVER;
use crate::time::message::{Request, RequestKind};

impl Cluster {
    /// The next drain fence to send, once nothing waits to leave an SM.
    fn drain_fence(&self) -> Option<(u16, Request)> {
        let Drain::Going { sent, .. } = self.drain else { return None };
        let empty = self.sms.iter().all(|sm| sm.memory().sent_all());
        debug_assert!(
            self.lines.as_ref().is_none_or(Lines::is_idle),
            "blocks have ended, and somebody waits for a line"
        );
        (empty && sent < self.links.len()).then(|| (sent as u16, Request::fence(DRAIN, 0)))
    }

    /// What a sender at the port has next, and from when it may leave: an SM, or behind them what they share.
    fn head(&self, sender: usize) -> Option<(u64, &Addressed)> {
        match self.sms.get(sender) {
            Some(sm) => sm.memory().outgoing(),
            None => self.lines.as_ref()?.head(),
        }
    }

    /// The port sends one message if one may leave: SMs and what they share in rotation, in each the oldest.
    pub(super) fn send(&mut self, now: u64) {
        if self.port_free > now {
            return;
        }
        let senders = self.sms.len() + usize::from(self.lines.is_some());
        for sender in (self.turn..senders).chain(0..self.turn) {
            let Some((ready, (link, request))) = self.head(sender) else { continue };
            if ready > now {
                continue;
            }
            // It is long: copied once, when it leaves.
            let (link, cost) = (*link, Cost::of(request));
            if !self.may_send(link, cost.kind, now) {
                continue;
            }
            self.turn = if sender + 1 == senders { 0 } else { sender + 1 };
            let arrival = self.dispatch(link, cost, now);
            let (_, (_, request)) = self.head(sender).expect("it is still there");
            let request = *request;
            self.outbox.to_partition[link as usize].push((arrival, request));
            match self.sms.get_mut(sender) {
                Some(sm) => sm.sent(now),
                None => self.lines.iter_mut().for_each(Lines::left),
            }
            return;
        }
        if let Some((link, fence)) =
            self.drain_fence().filter(|(link, fence)| self.may_send(*link, fence.kind, now))
        {
            let arrival = self.dispatch(link, Cost::of(&fence), now);
            self.outbox.to_partition[link as usize].push((arrival, fence));
            if let Drain::Going { sent, .. } = &mut self.drain {
                *sent += 1;
            }
        }
    }

    /// Whether the link has a credit and, if there will be a reply, there is room for it.
    fn may_send(&mut self, link: u16, kind: RequestKind, now: u64) -> bool {
        (!kind.answered() || self.reply_room > 0) && self.links[link as usize].has_credit(now)
    }

    /// When the next message could leave, as far as that is known.
    pub(super) fn next_send(&self) -> u64 {
        let may = |link: u16, request: &Request| {
            if request.kind.answered() && self.reply_room == 0 {
                return NEVER;
            }
            let link = &self.links[link as usize];
            if link.credits > 0 { 0 } else { link.returning.front().copied().unwrap_or(NEVER) }
        };
        let heads = (0..=self.sms.len()).filter_map(|sender| self.head(sender));
        let drain = self.drain_fence().map_or(NEVER, |(link, fence)| may(link, &fence));
        let first = heads.map(|(ready, (link, request))| ready.max(may(*link, request))).min();
        first.unwrap_or(NEVER).min(drain).max(self.port_free)
    }

    /// A message of this cost goes on the wire: when it arrives.
    fn dispatch(&mut self, link: u16, cost: Cost, now: u64) -> u64 {
        let cycles = self.config.port_request_cycles + cost.bytes.div_ceil(self.config.port_bytes_per_cycle);
        let mut late = 0;
        if cost.kind == RequestKind::Store {
            late = self.setup.hooks.delay_of(self.index, self.stores_sent);
            self.stores_sent += 1;
        }
        if let (Some(tlb), Some(address)) = (&mut self.tlb, cost.address) {
            late += tlb.late(address);
        }
        self.reply_room -= u32::from(cost.kind.answered());
        self.port_free = now + u64::from(cycles.max(1));
        self.last_message = now;
        let wire = &mut self.links[link as usize];
        wire.credits -= 1;
        // The last of its data arrives a wire's length after it has left.
        wire.last_arrival = wire.last_arrival.max(self.port_free - 1 + self.latency + late);
        wire.last_arrival
    }
}
