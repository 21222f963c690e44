//! The host half of CUDA C programs, and host programs in C, without a toolchain: typed host
//! functions become portable code, which runs against a checked memory, the C library of this
//! crate, the runtime of `cudart` and the functions of `opencl`.
//!
//! It must not know PTX or how kernels are executed.

pub mod code;
mod compile;
mod exceptions;
mod flow;
pub mod library;
mod lines;
pub mod lower;
pub mod machine;
pub mod memory;
mod optimize;
pub mod program;
mod result;
pub mod stop;

pub use compile::{Compiled, Device, Refused, compile};
pub use lines::Lines;
pub use machine::{CallEnd, Called, Control, Move, Place, Stopped};
pub use memory::Unwritten;
pub use program::{Ended, INTERPRETED, Options, Outside, run};
pub use result::settings;
pub use warpsim_cuda::runtime::Interrupted;
