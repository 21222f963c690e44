//! Memory.

pub mod coulomb;
