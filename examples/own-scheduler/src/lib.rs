//! User-defined scheduling policies, written and verified outside the simulator.
//!
//! [`MemoryFirst`] is a useful policy. [`YoungestFirst`] looks harmless, but starves warps.
//! [`Observed`] records the decisions of a policy, and [`rules`] are properties of such a record.
//! In the tests of this crate proptest searches for a record that violates a rule, first with
//! generated views, then with random kernels, chips and launches in the simulator.
//! `docs/extending/scheduler.md` explains this step by step.

mod log;
mod memory_first;
pub mod rules;
mod youngest_first;

pub use log::{Decision, Log, Observed, Warp};
pub use memory_first::MemoryFirst;
pub use youngest_first::YoungestFirst;
