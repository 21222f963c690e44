//! OpenCL 1.0 and 1.1 on a simulated GPU: a vendor library for the ICD loader.
//!
//! `objects` has the state in safe Rust: handles and pointers of the host program are numbers.
//! `abi` has the exported C functions and all `unsafe` code. Memory, launches and the record of the
//! program are those of the CUDA library.
//!
//! It must not know the kernels of the project or the command line.

pub mod abi;
pub mod device;
pub mod objects;
pub mod status;
