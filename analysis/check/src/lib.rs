//! Tests of GPU schedulers and of kernels: random cases, rules, fairness, schedules, mutants.
//!
//! - [`generate`] makes random kernels, chips and launches that shrink well.
//! - [`run`] runs one of them on either machine; [`watch`] records its events.
//! - [`properties`] hold for every case, under any scheduling policy.
//! - [`example`] makes a counterexample small and writes it as a folder that replays it.
//! - [`rule`] states rules over the events of a run and tests them, and [`draw`] searches for a
//!   case that violates one.
//! - [`relation`] has rules that compare runs: of two policies, of a launch and a changed one.
//! - [`hold`] and [`search()`] test random cases and give a small counterexample.
//! - [`adversary`] searches for the order of warps that maximizes a score.
//! - [`fairness`] explores all states of a policy on a bounded machine: can a warp starve?
//! - [`explore`] runs a small launch under all schedules of its warps and requests.
//! - [`mutate`] makes mutants of programs, which grade the checks of a program.
//!
//! It must not know commands or reports as text.

#[cfg(feature = "generate")]
pub mod adversary;
#[cfg(feature = "generate")]
pub mod draw;
#[cfg(feature = "generate")]
pub mod example;
pub mod explore;
#[cfg(feature = "generate")]
pub mod fairness;
#[cfg(feature = "generate")]
pub mod generate;
pub mod mutate;
#[cfg(feature = "generate")]
pub mod properties;
#[cfg(feature = "generate")]
pub mod relation;
#[cfg(feature = "generate")]
pub mod rule;
#[cfg(feature = "generate")]
pub mod run;
#[cfg(feature = "generate")]
mod search;
#[cfg(feature = "generate")]
pub mod watch;

#[cfg(feature = "generate")]
pub use proptest;
#[cfg(feature = "generate")]
pub use search::{Counterexample, hold, search};
