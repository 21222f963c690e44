//! Random kernels, chips and launches that shrink well.
//!
//! A kernel is a tree of statements ([`tree`], [`ops`]) printed as PTX for `sm_10` ([`mod@print`], [`frame`]). Its
//! launch is *ordered* by construction: threads talk to others only through cells that a completed block barrier, or
//! the instruction order of their own warp, orders. A chip is a list of `--set` arguments over the built-in `g80`
//! ([`chip`]), so that the config check has seen it.

pub mod case;
pub mod chip;
pub mod frame;
pub mod ops;
pub mod print;
pub mod tree;

pub use case::Case;
