//! The debugger: steps through the warps of a launch, forward and back, with commands in the words
//! of cuda-gdb.
//!
//! `front` has the commands and executes them on a session; `console` reads them line by line,
//! `screen` shows a session on the whole screen of a terminal, and `dap` serves an editor;
//! `host_code` steps through the host code of a CUDA C program, which it sees through the traits of
//! `program`; its output is printed once by `again`. `site` is the place where a program has
//! stopped; `input` edits a command line, and `completion` has the words with which it can go on.
//! `mode` is the screen mode of the terminal, and `host` what the debugger needs from the
//! program that it is a part of.
//!
//! It must not know the command line, the built-in kernels or how a program is found and compiled:
//! the program passes a launch to it.

mod again;
mod completion;
pub mod console;
pub mod dap;
mod front;
pub mod host;
mod host_code;
mod input;
pub mod mode;
pub mod program;
pub mod screen;
mod site;

pub use again::Again;
pub use front::show::lines;
