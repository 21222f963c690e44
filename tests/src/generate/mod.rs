//! Random kernels, chips and launches that shrink well.
//!
//! A kernel is a tree of statements ([`tree`], [`ops`], drawn by [`draw`]) printed as PTX
//! ([`mod@print`], [`frame`]) for a target that its chip allows: an operation is a number, of which
//! the target decides what it means. Its launch is *ordered* by construction: threads talk to
//! others only through cells that a completed block barrier, or the instruction order of their own
//! warp, orders, and through tallies that nobody reads before the end. A chip is a list of `--set`
//! arguments over a built-in one ([`chip`]), so that the config check has seen it.

pub mod case;
pub mod chip;
pub mod draw;
pub mod frame;
mod functions;
pub mod ops;
pub mod print;
pub mod tree;

pub use case::Case;
