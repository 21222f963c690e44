//! The cluster's ends of its links, and the cost of a message at the port.

use crate::time::message::{Reply, Request, RequestKind};
use std::collections::VecDeque;

/// The sending end of the link to one partition, and the receiving end of the link back.
#[derive(Clone, Debug)]
pub(super) struct Link {
    /// Number of messages that may still be sent.
    pub(super) credits: u32,
    /// Arrival cycles of the returning credits.
    pub(super) returning: VecDeque<u64>,
    /// Replies that have not passed the reply port, with their arrivals.
    pub(super) replies: VecDeque<(u64, Reply)>,
    /// Arrival of the latest message: no message may arrive earlier.
    pub(super) last_arrival: u64,
}

impl Link {
    /// Adds the credits that have arrived by `now`. Returns whether a message can be sent.
    pub(super) fn has_credit(&mut self, now: u64) -> bool {
        while self.returning.front().is_some_and(|at| *at <= now) {
            self.returning.pop_front();
            self.credits += 1;
        }
        self.credits > 0
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
    pub(super) fn of(request: &Request) -> Self {
        let bytes = match request.kind {
            RequestKind::Store => u32::from(request.bytes),
            kind => 4 * kind.words(request.bytes.into()),
        };
        let translated = !matches!(request.kind, RequestKind::Fence | RequestKind::Line);
        Self {
            kind: request.kind,
            bytes: request.lanes.count_ones() * bytes,
            address: translated.then_some(request.chunk),
        }
    }
}
