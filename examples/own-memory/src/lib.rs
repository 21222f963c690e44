//! User-defined components of the memory system, written and tested outside the simulator: one
//! small example for each door of `docs/extending/memory.md`.

pub mod blocks;
pub mod coalescing;
pub mod map;
pub mod slices;
mod srrip;
pub mod stride;

pub use srrip::Srrip;
