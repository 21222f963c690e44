//! Observation of a running launch: the activity of the warps of chosen SMs, cycle by cycle, as
//! plain data.
//!
//! A host program gives its [`Gpu`](crate::host::Gpu) an [`Observer`]. At the beginning of a timed
//! launch the observer returns the part to [`Watch`]. Each observed SM has a recorder; the other
//! SMs have none, and their only overhead is one test per possible event. An SM records into a
//! separate buffer because a component owns its state. At the end of each window the main loop
//! delivers the buffers, ordered by cycle and SM. The stream of events is therefore the same for
//! any number of host threads, any window, and with or without skipped idle cycles, and memory
//! holds only the events of one window.
//!
//! Observation changes nothing: no state of the machine depends on a recorder. On the functional
//! machine, for an observer that asks for it, time is the number of executed warp instructions, all
//! blocks run on SM 0 one after the other, and warp k of a block is in warp slot k.
//!
//! Invariant `observation-adds-up`: The events that an observer receives add up to the breakdowns,
//! cycle by cycle and state by state, and observing changes nothing.

use crate::config::Chip;
pub use crate::events::{
    DramCommand, Event, Issued, MemoryEvent, MemoryWhat, Origin, Usage, Watch, What, Why, WrittenRow, event,
};
pub use crate::exec::simt::Entry;
use crate::stats::Report;
use isa::types::Dim3;
use isa::uop::Program;
use std::ops::ControlFlow;
use std::sync::Arc;

/// A launch that is about to begin.
#[derive(Clone, Copy, Debug)]
pub struct Launched<'a> {
    /// Number of the launch on this GPU, from 1.
    pub number: u32,
    /// The launched program.
    pub program: &'a Arc<Program>,
    /// Number of blocks.
    pub grid: Dim3,
    /// Number of threads per block.
    pub block: Dim3,
    /// Chip of the launch.
    pub chip: &'a Chip,
}

/// Receives the events of launches.
pub trait Observer: Send {
    /// Called when a launch begins. Returns the part to observe; `None`: nothing, and no other
    /// method is called for this launch. Concurrent kernels begin one after the other, before the
    /// first event.
    fn begin(&mut self, launch: &Launched<'_>) -> Option<Watch>;

    /// Whether launches on the functional machine are observed, too, unless checkers run.
    fn is_functional(&self) -> bool {
        false
    }

    /// Receives the next events of launch number `launch`, ordered by cycle, then SM, then time of
    /// recording; never empty. Calls for concurrent kernels are ordered by cycle, SM and launch.
    /// `Break` stops the launch at a cycle that depends on how the host runs it; use it when the
    /// events are no longer needed.
    fn events(&mut self, launch: u32, events: &[Event]) -> ControlFlow<()>;

    /// Receives the next events of the memory system, if [`Watch::memory`] is set: ordered by
    /// cycle, then L1, L2 and DRAM, then number of SM or partition; never empty. Cycles are those
    /// of the first one of concurrent kernels. They come in pieces of any size, and between calls
    /// of [`events`](Self::events) in no order. `Break` stops the launch.
    fn memory(&mut self, _events: &[MemoryEvent]) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    /// Called with the report when a launch has ended. The state after the last event holds until
    /// the last cycle of the report. Concurrent kernels end in the order in which they began, after
    /// the last event.
    fn end(&mut self, report: &Report);
}
