//! Speed.

pub mod coulomb;
