//! Random kernels, chips and launches that shrink well.
//!
//! A kernel is a tree of statements ([`tree`], [`ops`], drawn by [`draw`]) printed as PTX
//! ([`mod@print`], [`frame`]) for a target that its chip supports: an operation is a number, and
//! the target determines its meaning. Its launch is *ordered* by construction: threads communicate
//! only through cells whose accesses are ordered by a completed block barrier or by the instruction
//! order of their warp, and through tallies that no thread reads before the end. A chip is a list
//! of `--set` arguments for a built-in one ([`chip`]), so the config check has validated it.

pub mod case;
pub mod chip;
pub mod draw;
pub mod frame;
mod functions;
pub mod ops;
pub mod print;
pub mod tree;

pub use case::Case;
