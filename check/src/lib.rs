//! Tests of GPU schedulers and of kernels: properties of random cases, fairness, and mutants.
//!
//! - [`generate`] makes random kernels, chips and launches that shrink well.
//! - [`run`] runs one of them on either machine; [`watch`] records its events.
//! - [`properties`] hold for every case, under any scheduling policy.
//! - [`example`] makes a counterexample small and writes it as a folder that replays it.
//! - [`rule`] states rules over the events of a run and tests them, and [`draw`] searches for a
//!   case that violates one.
//! - [`relation`] has rules that compare runs: of two policies, of a launch and a changed one.
//! - [`hold`] and [`search()`] test random cases and give a small counterexample.
//! - [`fairness`] explores all states of a policy on a bounded machine: can a warp starve?
//! - [`mutate`] makes mutants of programs, which grade the checks of a program.
//!
//! It must not know commands or reports as text.

pub mod draw;
pub mod example;
pub mod fairness;
pub mod generate;
pub mod mutate;
pub mod properties;
pub mod relation;
pub mod rule;
pub mod run;
mod search;
pub mod watch;

pub use proptest;
pub use search::{Counterexample, hold, search};
