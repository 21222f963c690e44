//! The compiled half of the Python package `warpsim`: texts and bytes in, texts and bytes out.
//!
//! `chip` reads chips, `module` compiles kernels, `device` has device memory and launches kernels,
//! `run` is the report of launches, `program` runs whole programs with their host code,
//! `experiment` runs experiment files, and `interrupt` runs all of them without the lock of the
//! interpreter, so that Ctrl-C ends them. Values of Python, such as arrays, are the business of the
//! package `warpsim` in Python.
//!
//! It must not know numpy, pandas or a notebook.

mod chip;
mod device;
mod errors;
mod experiment;
mod interrupt;
mod module;
mod program;
mod run;

use pyo3::prelude::*;

/// Simulator of the first CUDA GPUs: the compiled half.
#[pymodule]
mod _native {
    #[pymodule_export]
    use super::chip::{Chip, chip_names};
    #[pymodule_export]
    use super::device::Device;
    #[pymodule_export]
    use super::errors::{ChipError, CompileError, Error, InternalError, LaunchError};
    #[pymodule_export]
    use super::experiment::{Experiment, experiment};
    #[pymodule_export]
    use super::module::{Kernel, Module, Parameter, is_ptx};
    #[pymodule_export]
    use super::program::{ProgramRun, run_program};
    #[pymodule_export]
    use super::run::{Run, metric_table};
    use super::{Bound, PyModule, PyResult, version};
    use pyo3::types::PyModuleMethods as _;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("DEFAULT_CHIP", sim_core::config::builtin::DEFAULT_CHIP)?;
        module.add("__version__", version())
    }
}

/// Version of the package.
fn version() -> &'static str {
    env!("CARGO_PKG_VERSION")
}
