//! The meaning of the arithmetic: pure functions of one lane, bit for bit the same on every host.

pub mod atomic;
pub mod cvt;
pub mod float;
pub mod int;
