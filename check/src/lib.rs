//! Tests of GPU schedulers and of kernels: properties of random cases, fairness, and mutants.
//!
//! - [`generate`] makes random kernels, chips and launches that shrink well.
//! - [`run`] runs one of them on either machine; [`watch`] records its events.
//! - [`properties`] hold for every case, under any scheduling policy.
//! - [`rules`] has the rules of `docs/extending/rules.md`, and [`draw`] searches for a case that
//!   violates one.
//! - [`fairness`] explores all states of a policy on a bounded machine: can a warp starve?
//! - [`mutate`] makes mutants of programs, which grade the checks of a program.
//!
//! It must not know files, commands or reports as text: a counterexample is data that a program
//! writes.

pub mod draw;
pub mod fairness;
pub mod generate;
pub mod mutate;
pub mod properties;
pub mod rules;
pub mod run;
pub mod watch;

pub use proptest;
