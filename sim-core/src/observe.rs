//! Watching a launch while it runs: what the warps of chosen SMs do, cycle by cycle, as plain data.
//!
//! A host program gives its [`Gpu`](crate::host::Gpu) an [`Observer`]. At the beginning of a timed
//! launch the observer says what it wants to [`Watch`]; the SMs that are watched get a recorder,
//! the others have none and pay one test where they might have told something. An SM records into
//! its own buffer, since an island owns its state; the main loop hands the buffers on at the end of
//! each window, ordered by cycle and SM. So the stream is the same for any number of host threads,
//! any window, and idle cycles skipped or ticked, and memory holds no more of it than a window
//! makes.
//!
//! Observing changes nothing: no state of the machine depends on what a recorder holds. The
//! functional machine has no time, and is not observed.
//!
//! Invariant `observation-adds-up`: The events that an observer receives add up to the breakdowns,
//! cycle by cycle and state by state, and observing changes nothing.

use crate::config::Chip;
pub use crate::events::{Event, Issued, Origin, Watch, What, Why, event};
pub use crate::exec::simt::Entry;
use crate::stats::Report;
use isa::types::Dim3;
use isa::uop::Program;
use std::ops::ControlFlow;
use std::sync::Arc;

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

/// Who watches.
pub trait Observer: Send {
    /// A launch begins. Says what to watch of it; `None`: nothing, and no other method is called
    /// for it. Concurrent kernels begin one after the other, before the first event.
    fn begin(&mut self, launch: &Launched<'_>) -> Option<Watch>;

    /// What has happened next in launch number `launch`, ordered by cycle, then SM, then as the SM
    /// told it; never empty. Calls for concurrent kernels follow each other in the order of cycle,
    /// SM and launch. On `Break` the launch is stopped at a cycle that depends on how the host runs
    /// it: for an observer that nobody listens to any more.
    fn events(&mut self, launch: u32, events: &[Event]) -> ControlFlow<()>;

    /// The launch has ended, as the report says: what holds after the last event held until the
    /// last of its cycles. Concurrent kernels are reported in the order in which they began, after
    /// the last event.
    fn end(&mut self, report: &Report);
}
