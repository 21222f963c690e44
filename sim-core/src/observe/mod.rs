//! Watching a launch while it runs: what the warps of chosen SMs do, cycle by cycle, as plain data.
//!
//! A host program gives its [`Gpu`](crate::host::Gpu) an [`Observer`]. At the beginning of a timed launch the
//! observer says what it wants to [`Watch`]; the SMs that are watched get a [`recorder`], the others have none and
//! pay one test where they might have told something. An SM records into its own buffer, since an island owns its
//! state; the main loop hands the buffers on at the end of each window, ordered by cycle and SM. So the stream is the
//! same for any number of host threads, any window, and idle cycles skipped or ticked, and memory holds no more of it
//! than a window makes.
//!
//! Observing changes nothing: no state of the machine depends on what a recorder holds. The functional machine has
//! no time, and is not observed.

pub mod event;
pub mod recorder;

pub use event::{Event, Issued, Origin, What, Why};

use crate::config::Chip;
use crate::stats::Report;
use isa::types::Dim3;
use isa::uop::Program;
use std::ops::{ControlFlow, Range};
use std::sync::Arc;

/// What to watch of a launch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Watch {
    /// SMs, by number in the chip.
    pub sms: Range<u32>,
    /// Warp slots of each.
    pub warps: Range<u32>,
    /// Hot cycles: the issue cycles that begin in this range.
    pub cycles: Range<u64>,
    /// Stop the launch at the end of `cycles`: nothing else of it is of interest. Concurrent kernels stop when this is
    /// said of all of them, at the last of the ends.
    pub then_stop: bool,
}

/// A timed launch that is about to begin.
#[derive(Clone, Copy, Debug)]
pub struct Launched<'a> {
    /// Its number on this GPU, from 1.
    pub number: u32,
    /// What is launched.
    pub program: &'a Arc<Program>,
    /// Blocks.
    pub grid: Dim3,
    /// Threads of a block.
    pub block: Dim3,
    /// On what.
    pub chip: &'a Chip,
}

/// Events of concurrent launches that the observer has not been told: for each launch its number, and its events, those
/// of an SM in order.
pub(crate) type Untold = Vec<(u32, Vec<Event>)>;

/// Tells the observer these events, and empties the lists.
pub(crate) fn tell(untold: &mut Untold, observer: &mut dyn Observer) -> ControlFlow<()> {
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
        told = observer.events(untold[next].0, now);
    }
    for (_, events) in untold {
        events.clear();
    }
    told
}

/// Who watches.
pub trait Observer: Send {
    /// A launch begins. Says what to watch of it; `None`: nothing, and no other method is called for it. Concurrent
    /// kernels begin one after the other, before the first event.
    fn begin(&mut self, launch: &Launched<'_>) -> Option<Watch>;

    /// What has happened next in launch number `launch`, ordered by cycle, then SM, then as the SM told it; never empty.
    /// Calls for concurrent kernels follow each other in the order of cycle, SM and launch. On `Break` the launch is
    /// stopped at a cycle that depends on how the host runs it: for an observer that nobody listens to any more.
    fn events(&mut self, launch: u32, events: &[Event]) -> ControlFlow<()>;

    /// The launch has ended, as the report says: what holds after the last event held until the last of its cycles.
    /// Concurrent kernels are reported in the order in which they began, after the last event.
    fn end(&mut self, report: &Report);
}
