//! The functions that micro-ops compute: pure functions of one lane, bit for bit the same on every
//! host.
//!
//! Invariant `arithmetic-of-silicon`: Arithmetic gives the bits that silicon gives. Every recorded
//! instruction form runs as a launched kernel on both machines, with whole and with partial warps,
//! and every recorded program runs on every chip that can run it.
//! `tests/support/unsupported_forms.txt` and `tests/support/unsupported_programs.txt` list the
//! exceptions.

pub mod approx;
pub mod atomic;
pub mod bits;
pub mod cube;
pub mod cvt;
pub mod divide;
pub mod double;
pub mod fidelity;
pub mod float;
pub mod int;
pub mod shuffle;
pub mod video;
