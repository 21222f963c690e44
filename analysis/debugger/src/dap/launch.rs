//! A program that a client launches, as the command line prepares it.

use crate::program;
use isa::uop::Module;
use report::exit::Failure;
use report::outcome::RunResult;
use serde_json::Value;
use sim_core::config::Chip;
use sim_core::host::Gpu;
use std::path::PathBuf;

/// The sources of a program.
#[derive(Clone, Copy, Debug)]
pub enum Sources<'a> {
    /// PTX text without a file, such as a built-in kernel.
    Text {
        /// Its name.
        name: &'a str,
        /// The text.
        ptx: &'a str,
    },
    /// PTX files.
    Files(&'a [PathBuf]),
}

/// How a program runs.
pub enum Run<'a> {
    /// Its launches, which a launch file or a built-in host program makes.
    Launches(&'a mut dyn FnMut(&mut Gpu) -> Result<RunResult, Failure>),
    /// With its host code, which is debugged too.
    Program {
        /// Name of the file of `main`.
        file: &'a str,
        /// The lines of this file that have code.
        lines: Vec<u32>,
        /// Runs it.
        run: &'a mut program::Run<'a>,
    },
}

/// A compiled program.
pub struct Launched<'a> {
    /// Its kernels.
    pub module: &'a Module,
    /// Sources of the launched program.
    pub sources: Sources<'a>,
    /// Chip on which it runs.
    pub chip: Chip,
    /// Stop before the first instruction of the first launch.
    pub stop_on_entry: bool,
    /// Run without breakpoints.
    pub no_debug: bool,
    /// Runs the program.
    pub run: Run<'a>,
}

/// Prepares the program of a `launch` request from its arguments, passes warnings to the second
/// argument, and the program to the third one.
///
/// # Errors
/// The program cannot be launched; then the third argument has not been called.
pub type Launch<'a> =
    dyn FnMut(&Value, &mut dyn FnMut(&str), &mut dyn FnMut(Launched<'_>)) -> Result<(), Failure> + 'a;
