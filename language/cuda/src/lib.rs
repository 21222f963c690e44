//! CUDA C and OpenCL C to PTX, without any toolkit. It must not know the machine, or how PTX is
//! executed.
//!
//! The pipeline: [`lex`] and [`preprocess`] make tokens, [`syntax`] makes a tree, [`sema`] makes
//! the typed program [`hir`], and the back end lowers it to PTX.

pub mod arena;
pub mod backend;
pub mod budget;
pub mod compile;
pub mod diagnostics;
mod gnu;
pub mod headers;
pub mod hir;
pub mod lex;
mod link;
pub mod lower;
pub mod names;
pub mod opencl;
pub mod options;
pub mod passes;
pub mod preprocess;
pub mod ptx;
pub mod sema;
pub mod source;
pub mod space;
pub mod ssa;
pub mod syntax;
pub mod target;

pub use compile::{Compiled, CompiledProgram, Unit, compile, compile_program, host_variables, listing};
