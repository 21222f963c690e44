//! Results of real silicon: kernels made by compilers, random programs and single instructions,
//! with the bytes that a GPU computed for them, run here on the simulated machines.
//!
//! `test_support::record` reads their files. [`case`] reads the cases, [`run`] launches one of
//! them, [`compare`] compares its outputs with the recorded bytes, and [`unsupported`] lists the
//! cases that the simulator does not support. [`vector`] does the same for single instructions.

pub mod case;
pub mod compare;
pub mod forms;
pub mod kernel;
pub mod run;
pub mod unsupported;
pub mod vector;
pub mod vote;
