//! Events: what the warps of watched SMs do, cycle by cycle, as plain data, and the recorder that
//! an SM fills.
//!
//! The SMs that are watched get a [`recorder`], the others have none. An SM records into its own
//! buffer, since an island owns its state; the main loop passes the buffers on at the end of each
//! window, ordered by cycle and SM.
//!
//! Invariant `observation-is-deterministic`: The events do not depend on host threads, windows or
//! skipping; a part of a trace is that part of the whole; events are delivered window by window.

pub mod event;
pub mod recorder;

pub use event::{Event, Issued, Origin, What, Why};

use std::ops::{ControlFlow, Range};

/// What to watch of a launch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Watch {
    /// SMs, by number in the chip.
    pub sms: Range<u32>,
    /// Warp slots of each.
    pub warps: Range<u32>,
    /// Hot cycles: the issue cycles that begin in this range.
    pub cycles: Range<u64>,
    /// Stop the launch at the end of `cycles`: nothing else of it is of interest. Concurrent
    /// kernels stop when this is said of all of them, at the last of the ends.
    pub then_stop: bool,
}

/// Events of concurrent launches that the observer has not been told: for each launch its number,
/// and its events, those of an SM in order.
pub(crate) type Untold = Vec<(u32, Vec<Event>)>;

/// Takes the number of a launch and its next events; `Break`: no further ones are wanted.
pub(crate) type Sink<'a> = dyn FnMut(u32, &[Event]) -> ControlFlow<()> + 'a;

/// Passes these events to the sink, and empties the lists.
pub(crate) fn tell(untold: &mut Untold, sink: &mut Sink<'_>) -> ControlFlow<()> {
    let place = |event: &Event| (event.cycle, event.sm);
    for (_, events) in untold.iter_mut() {
        events.sort_by_key(place);
    }
    let mut rest: Vec<&[Event]> = untold.iter().map(|(_, events)| &events[..]).collect();
    let mut told = ControlFlow::Continue(());
    while told.is_continue() {
        let first = |i: usize| rest[i].first().map(|event| (place(event), i));
        let Some((_, next)) = (0..rest.len()).filter_map(first).min() else { break };
        // The events of this launch before the first one of another launch.
        let other = (0..rest.len()).filter(|i| *i != next).filter_map(first).min();
        let before = |event: &Event| other.is_none_or(|other| (place(event), next) < other);
        let (now, later) = rest[next].split_at(rest[next].partition_point(before));
        rest[next] = later;
        told = sink(untold[next].0, now);
    }
    for (_, events) in untold {
        events.clear();
    }
    told
}
