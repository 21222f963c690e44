//! Why a program stops.

use crate::memory::Fault;

/// Why a program stops.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Stop {
    /// `exit`, or the end of `main`.
    Exit(i32),
    /// `abort`, or a failed `assert`, after its message.
    Abort,
    /// A wrong access to memory.
    Fault(Fault),
    /// Another mistake of the program.
    Mistake(String),
    /// The limit of executed instructions.
    Budget,
    /// The debugger has ended the program.
    Killed,
}

impl From<Fault> for Stop {
    fn from(fault: Fault) -> Self {
        Self::Fault(fault)
    }
}
