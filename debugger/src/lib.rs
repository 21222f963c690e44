//! The debugger: steps through the warps of a launch, forward and back, with commands in the words
//! of cuda-gdb.
//!
//! `front` has the commands and executes them on a session; `console` reads them line by line,
//! `screen` shows a session on the whole screen of a terminal, and `dap` serves an editor;
//! `host_code` steps through the host code of a CUDA C program, whose output is printed once by
//! `again`. `mode` is the screen mode of the
//! terminal, and `host` what the debugger needs from the program that it is a part of.
//!
//! It must not know the command line or how a program is found and compiled: the program passes a
//! launch to it.

mod again;
pub mod console;
pub mod dap;
mod front;
pub mod host;
mod host_code;
pub mod mode;
pub mod screen;

pub use again::Again;
pub use front::show::lines;
