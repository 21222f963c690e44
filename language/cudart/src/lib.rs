//! The CUDA runtime API and driver API with the C ABI of CUDA 2 to 8, on simulated GPUs.
//!
//! `runtime` is both APIs in safe Rust: pointers are numbers, and host memory is accessed through
//! [`runtime::host::Process`]. `abi` has the exported C functions and all `unsafe` code.
//! `settings` reads the environment variables. The record of what a host program did is
//! `report::program`.
//!
//! It must not know the kernels of the project or the command line.

pub mod abi;
pub mod runtime;
pub mod settings;
