//! OpenCL 1.0 and 1.1 on a simulated GPU: a vendor library for the ICD loader, and its functions
//! for `embedded`.
//!
//! `objects` has the state in safe Rust: handles and pointers of the host program are numbers.
//! `calls` defines the functions of the API over it. `abi` exports them as C functions and has all
//! `unsafe` code. Memory, launches and the record of the program are those of the CUDA library.
//!
//! It must not know the kernels of the project or the command line.

#[cfg(not(target_arch = "wasm32"))]
pub mod abi;
pub mod calls;
pub mod device;
pub mod objects;
pub mod status;
