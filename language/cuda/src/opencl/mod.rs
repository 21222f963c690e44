//! OpenCL C 1.0 and 1.1 as a mode of the front end: its names, and its built-in functions as rows.
//!
//! A program in OpenCL C is analyzed like device code of CUDA C. Its names are in a scope that does
//! not see the headers of the compiler: the functions that it can call are the rows of [`rows`],
//! which name functions of these headers.

pub mod pragmas;
pub mod rows;
pub mod samplers;
pub mod tokens;

use crate::options::{Language, Options};
use crate::target::Target;
use std::fmt::Write as _;

/// The macros that depend on the target and the options.
pub fn macros(target: Target, options: &Options) -> String {
    let version = match options.language {
        Language::OpenClC(version) => version,
        Language::CudaC | Language::C => return String::new(),
    };
    let mut text = format!("#define __OPENCL_VERSION__ {version}\n#define __OPENCL_C_VERSION__ {version}\n");
    for extension in pragmas::extensions(target) {
        let _ = writeln!(text, "#define {extension} 1");
    }
    if options.use_fast_math {
        text.push_str("#define __FAST_RELAXED_MATH__ 1\n");
    }
    text
}
