//! The cluster's ends of its links, and the cost of a message at the port.

use crate::state::{CloneFrom, Value};
use crate::time::NEVER;
use crate::time::message::{Reply, Request, RequestKind};
use crate::time::queue::Queue;

/// The sending end of the link to one partition, and the receiving end of the link back.
#[derive(CloneFrom, Debug, Value)]
pub(super) struct Link {
    /// Number of messages that may still be sent.
    pub(super) credits: u32,
    /// Arrival cycles of the returning credits.
    pub(super) returning: Queue<u64>,
    /// Replies that have not passed the reply port, with their arrivals.
    pub(super) replies: Queue<(u64, Reply)>,
    /// Arrival of the latest message: no message may arrive earlier.
    pub(super) last_arrival: u64,
}

impl Link {
    /// Creates an idle link that may hold `credits` messages.
    pub(super) fn new(credits: u32) -> Self {
        Self { credits, returning: Queue::default(), replies: Queue::default(), last_arrival: 0 }
    }

    /// Adds the credits that have arrived by `now`. Returns whether a message can be sent.
    #[inline]
    pub(super) fn has_credit(&mut self, now: u64) -> bool {
        while self.returning.front().is_some_and(|at| *at <= now) {
            self.returning.remove_front();
            self.credits += 1;
        }
        self.credits > 0
    }

    /// Returns the shader cycle from which a message can be sent, from the credits known now.
    #[inline]
    pub(super) fn credit_at(&self) -> u64 {
        if self.credits > 0 { 0 } else { self.returning.front().copied().unwrap_or(NEVER) }
    }

    /// Returns the arrival of the next reply; [`NEVER`] if there is none.
    #[inline]
    pub(super) fn next_reply(&self) -> u64 {
        self.replies.front().map_or(NEVER, |(arrival, _)| *arrival)
    }
}

/// Cost of a message at its sender.
#[derive(Clone, Copy)]
pub(super) struct Cost {
    pub(super) kind: RequestKind,
    /// Bytes of data in the message.
    pub(super) bytes: u32,
    /// Address that must be translated, if any.
    pub(super) address: Option<u32>,
}

impl Cost {
    #[inline]
    pub(super) fn of(request: &Request) -> Self {
        let bytes = match request.kind {
            RequestKind::Store => u32::from(request.bytes),
            kind => 4 * kind.words(request.bytes.into()),
        };
        let translated = !matches!(request.kind, RequestKind::Fence | RequestKind::Line);
        Self {
            kind: request.kind,
            bytes: if bytes == 0 { 0 } else { request.lanes.count_ones() * bytes },
            address: translated.then_some(request.chunk),
        }
    }
}
