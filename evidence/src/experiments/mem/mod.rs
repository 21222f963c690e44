//! Claims on memory.

pub mod constants;
pub mod coulomb;
pub mod generic;
pub mod kspace;
pub mod local_memory;
pub mod pending_loads;
pub mod split;
mod streams;
pub mod transfers;
pub mod transpose;
