//! The debugger's library: a timed launch that can be stepped forward and back, and inspected.
//!
//! A host program gives its [`Gpu`](crate::host::Gpu::debug) a [`Debugger`], a front end such as a
//! script or a terminal screen. The debugger is called with a [`Session`] before the first cycle of
//! a launch. It moves the launch by issue cycles, by instructions of a warp, or to the next or
//! previous [`Event`](crate::observe::Event) with a property. When it returns, the launch runs to
//! its end.
//!
//! **Exactness.** A session advances the same machine by the same function as a plain run, and the
//! machine is deterministic. So any sequence of forward and backward steps ends in the state, the
//! report and the memory of a plain run. A backward step restores a `history` copy of the machine
//! and runs forward again.

mod access;
mod constants;
mod detach;
mod history;
mod inspect;
mod names;
mod queue;
mod recall;
mod removed;
mod search;
mod session;
mod state;
mod status;
mod steps;
mod timeline;
mod waits;

pub use crate::exec::allocations::Allocation;
pub use access::{AccessView, BankView, Coalescing, Transaction};
pub use inspect::{Block, Pending, WarpView};
pub use names::{Names, Register};
pub use queue::{Fill, Fills, Message, MessageKind, PendingLoad, QueueView, QueuedAccess};
pub use recall::{Calls, LastValue, Part};
pub use removed::written_in_text;
pub use search::Holds;
pub use session::{Halt, Poll, Session};
pub use status::WarpStatus;
pub use timeline::{Cell, SPAN, SlotTimeline, Timeline};
pub use waits::{BarrierView, BarrierWarp, ScoreboardEntry, Wait};

/// A front end of the debugger.
pub trait Debugger: Send {
    /// Called before a launch executes its first cycle. When it returns, the launch runs to its
    /// end.
    fn debug(&mut self, session: &mut Session<'_>);
}
