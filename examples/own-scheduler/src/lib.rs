//! A scheduling policy of one's own, written and verified outside the simulator.
//!
//! [`MemoryFirst`] is a policy that one might want; [`YoungestFirst`] is one that looks harmless
//! and starves warps. [`Observed`] writes down what a policy is asked and what it answers, and
//! [`rules`] are sentences about such a record. The tests of this crate let proptest look for a
//! record that breaks a rule: with hand-made views, and in the real machine on random kernels,
//! chips and launches. `docs/OWN-SCHEDULER.md` goes through it step by step.

mod memory_first;
pub mod rules;
mod watch;
mod youngest_first;

pub use memory_first::MemoryFirst;
pub use watch::{Ask, Log, Observed, Warp};
pub use youngest_first::YoungestFirst;
