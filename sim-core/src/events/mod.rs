//! Events: the activity of the warps of observed SMs, cycle by cycle, as plain data, and the
//! recorder that an SM fills.
//!
//! Each observed SM has a [`recorder`]; the other SMs have none. An SM records into a separate
//! buffer because a component owns its state. At the end of each window the main loop delivers the
//! buffers, ordered by cycle and SM.
//!
//! Invariant `observation-is-deterministic`: The events do not depend on host threads, windows or
//! skipping; a part of a trace is that part of the whole; events are delivered window by window.

pub mod event;
pub mod recorder;

pub use event::{Event, Issued, Origin, What, Why, WrittenRow};

use std::ops::{ControlFlow, Range};

/// The part of a launch to observe.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Watch {
    /// SMs, by their numbers in the chip.
    pub sms: Range<u32>,
    /// Warp slots of each SM.
    pub warps: Range<u32>,
    /// Shader cycles: the issue cycles that begin in this range are observed.
    pub cycles: Range<u64>,
    /// Whether to stop the launch at the end of `cycles`. Concurrent kernels stop when all of them
    /// have this set, at the last of the ends.
    pub then_stop: bool,
    /// Whether to report the registers that each instruction writes ([`What::Written`]).
    pub values: bool,
}

/// Events of concurrent launches that the observer has not received: for each launch its number and
/// its events. The events of one SM are in order.
pub(crate) type Undelivered = Vec<(u32, Vec<Event>)>;

/// Receives the number of a launch and its next events; `Break`: the receiver wants no further
/// events.
pub(crate) type Sink<'a> = dyn FnMut(u32, &[Event]) -> ControlFlow<()> + 'a;

/// Passes the events to the sink, and empties the lists.
pub(crate) fn deliver(undelivered: &mut Undelivered, sink: &mut Sink<'_>) -> ControlFlow<()> {
    let place = |event: &Event| (event.cycle, event.sm);
    for (_, events) in undelivered.iter_mut() {
        events.sort_by_key(place);
    }
    let mut rest: Vec<&[Event]> = undelivered.iter().map(|(_, events)| &events[..]).collect();
    let mut result = ControlFlow::Continue(());
    while result.is_continue() {
        let first = |i: usize| rest[i].first().map(|event| (place(event), i));
        let Some((_, next)) = (0..rest.len()).filter_map(first).min() else { break };
        // Events of this launch before the first event of another launch.
        let other = (0..rest.len()).filter(|i| *i != next).filter_map(first).min();
        let before = |event: &Event| other.is_none_or(|other| (place(event), next) < other);
        let (now, later) = rest[next].split_at(rest[next].partition_point(before));
        rest[next] = later;
        result = sink(undelivered[next].0, now);
    }
    for (_, events) in undelivered {
        events.clear();
    }
    result
}
