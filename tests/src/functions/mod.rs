//! Random programs of functions that call each other, in all lanes or in some, by name or through
//! pointers, and that return from anywhere; and the result of one thread, computed independently of
//! the simulator.
//!
//! Every function takes two words and a fuel value, and returns a word. A call uses fuel, and a
//! function without fuel returns immediately, so that recursion ends.
//!
//! These programs have a separate tree because [`run`] evaluates the tree, without the PTX reader
//! that the simulator and the reference interpreter share.

mod print;
mod run;
mod tree;

pub use print::print;
pub use run::run;
pub use tree::{FunctionProgram, programs};

/// Number of variables of a function; the first two are its arguments.
pub const VARIABLES: u8 = 5;

/// Fuel of a call by the kernel.
pub const FUEL: u32 = 3;
