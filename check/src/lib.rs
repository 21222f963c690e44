//! Property tests of GPU schedulers.
//!
//! - [`generate`] makes random kernels, chips and launches that shrink well.
//! - [`run`] runs one of them on either machine; [`watch`] records its events.
//! - [`properties`] hold for every case, under any scheduling policy.
//! - [`rule`] states rules over the events of a run and tests them, and [`draw`] searches for a case
//!   that violates one.
//!
//! It must not know files, commands or reports as text: a counterexample is data that a program
//! writes.

pub mod draw;
pub mod generate;
pub mod properties;
pub mod rule;
pub mod run;
pub mod watch;

pub use proptest;
