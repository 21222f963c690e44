//! Property tests of GPU schedulers, and exploration of the schedules of a launch.
//!
//! - [`generate`] makes random kernels, chips and launches that shrink well.
//! - [`run`] runs one of them on either machine; [`watch`] records its events.
//! - [`properties`] hold for every case, under any scheduling policy.
//! - [`rules`] has the rules of `docs/extending/rules.md`, and [`draw`] searches for a case that
//!   violates one.
//! - [`explore`] runs a small launch under all schedules of its warps and requests.
//!
//! It must not know files, commands or reports as text: a counterexample is data that a program
//! writes.

#[cfg(feature = "generate")]
pub mod draw;
pub mod explore;
#[cfg(feature = "generate")]
pub mod generate;
#[cfg(feature = "generate")]
pub mod properties;
#[cfg(feature = "generate")]
pub mod rules;
#[cfg(feature = "generate")]
pub mod run;
#[cfg(feature = "generate")]
pub mod watch;

#[cfg(feature = "generate")]
pub use proptest;
