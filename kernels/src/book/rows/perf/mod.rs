//! Speed.

pub mod coulomb;
pub mod cutoff;
