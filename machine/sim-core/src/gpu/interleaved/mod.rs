//! The interleaved machine: a launch without time whose next action a caller chooses.
//!
//! All blocks of the launch are resident. An *action* is a step of a warp, or the delivery of a
//! request to its memory partition. A step executes one instruction that other warps can observe,
//! an access to shared or global memory or a barrier with a thread count, and then all
//! instructions up to the next such instruction. Arithmetic, full barriers and fences are no
//! actions: their order between warps decides no value. A copy of the machine shares everything
//! that has not changed, so a search can keep a copy before each action.
//!
//! The rules of docs/MEMORY-MODEL.md hold: requests of an SM to one place are delivered in their
//! order ([`Order`] selects the places), all others in any order; an instruction that uses a
//! loaded value waits for it; and `membar.gl` waits for all requests of its warp. Each block has an
//! SM for itself. An L1 is not modeled.
//!
//! A warp that returns to the same state in a loop, and has changed nothing meanwhile, *spins*: it
//! has no further step until another warp writes a word that the loop reads.
//!
//! Invariant `interleaved-litmus`: The outcomes of a litmus test under all schedules of the
//! interleaved machine are the allowed and the relaxed outcomes of its file.

mod barriers;
mod block;
mod end;
mod execute;
mod loops;
mod machine;
pub mod played;
mod request;
mod spin;
mod touch;
mod warp;

pub use end::{End, Waiting, Why};
pub use machine::{Action, Done, Interleaved, LaneValue};
pub use request::Order;
pub use touch::{Place, Touch};

#[cfg(test)]
mod tests;
