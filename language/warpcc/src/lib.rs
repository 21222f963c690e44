//! The compiler driver `warpcc`: compiles CUDA C programs with clang, for a simulated GPU.
//!
//! ```text
//! arguments ─parse─► Request ─► for each file: device side ─► PTX ─► host side ─► object ─link─► program
//! ```
//!
//! The options are nvcc's, so that a Makefile works with `NVCC=warpcc`. The headers are part of the
//! program. clang is not: the driver finds it.
//!
//! It must not know the simulator: a program is linked with the library of `cudart`.

pub mod args;
pub mod blanks;
pub mod clang;
pub mod command;
pub mod compile;
pub mod driver;
pub mod error;
pub mod headers;
pub mod input;
pub mod library;
pub mod link;
pub mod maxnreg;
mod options;
pub mod resources;
pub mod toolkit;
pub mod usage;

use std::process::ExitCode;

/// Runs the program with the arguments of the process. Returns 0, 1 if a file cannot be compiled or
/// linked, 2 if the arguments are wrong or a part of the installation is missing.
pub fn main() -> ExitCode {
    match driver::run(std::env::args().skip(1).collect()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            if let Some(text) = failure.message() {
                eprintln!("warpcc: error: {text}");
            }
            ExitCode::from(failure.code())
        }
    }
}
