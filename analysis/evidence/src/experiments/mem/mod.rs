//! Claims on memory.

pub mod coulomb;
pub mod pending_loads;
mod streams;
pub mod transfers;
