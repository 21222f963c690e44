//! Random programs of functions that call each other, in all lanes or in some, by name or through
//! pointers, and that return from anywhere; and what one thread of them computes, by another way
//! than the simulator's.
//!
//! Every function takes two words and some fuel, and gives a word. A call spends fuel, and a
//! function without fuel returns at once, so that recursion ends.

mod print;
mod run;
mod tree;

pub use print::print;
pub use run::run;
pub use tree::{Program, programs};

/// Variables of a function; the first two are what it is passed.
pub const VARIABLES: u8 = 5;

/// Fuel of a call by the kernel.
pub const FUEL: u32 = 3;
