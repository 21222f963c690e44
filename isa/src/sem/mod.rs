//! The functions that micro-ops compute: pure functions of one lane, bit for bit the same on every
//! host.

pub mod approx;
pub mod atomic;
pub mod bits;
pub mod cvt;
pub mod divide;
pub mod double;
pub mod fidelity;
pub mod float;
pub mod int;
