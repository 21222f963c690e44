//! Checkers: search for mistakes in the memory accesses, the barriers and the values of a kernel
//! while it runs on the functional machine, in the words of NVIDIA's compute-sanitizer.
//!
//! | checker | searches for |
//! |---|---|
//! | [`Check::Memory`] | accesses outside of the variable or allocation that the address was computed from |
//! | [`Check::Race`] | accesses without an order, see [`race`] |
//! | [`Check::Init`] | undefined values that influence a branch, an address or a result: nothing wrote them, or they are results of divisions by zero |
//! | [`Check::Sync`] | barriers that some threads do not reach, wrong thread counts, barriers without purpose |
//!
//! [`Checkers`] receives every executed instruction of one launch and passes it to the selected
//! checkers, each a [`Checker`]. Each one keeps compact records while the kernel runs. The
//! findings, with texts, are made at the end. A checker reports a kind of mistake once for each
//! source line, and races once for each cause, with the first example and the number of times.
//!
//! A fault ends a checked launch as it ends any launch. The checker whose subject it is reports it
//! as a finding.
//!
//! Invariant `mistakes-are-found`: The checkers find every mistake of the kernels in
//! `tests/data/checkers` at its line and of its kind, and nothing else. They find nothing in the
//! corrected kernels and in the built-in kernels.

mod advice;
mod checker;
mod checkers;
mod finding;
pub mod init;
mod kind;
mod memory;
mod place;
pub mod race;
mod sync;
mod uniform;
mod written;

pub use advice::{Advice, AdviceKind};
pub use checker::{Checker, Met};
pub use checkers::{Checkers, Checkup, Launched};
pub use finding::{Bytes, Finding, Findings, Object, Pair, Race, Thread};
pub use kind::{Check, Checks, HazardKind, Kind, MissingOrder, Severity};
pub use place::{object_at, object_of};
pub use written::Written;
