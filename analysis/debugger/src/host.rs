//! Interface to the program that contains the debugger.

use report::exit::{Code, Failure};
use sim_core::stats::report::Verdict;
use std::ops::ControlFlow;

/// Signals and standard streams of the program.
pub trait Host: Sync {
    /// Whether a signal has asked the program to end.
    fn is_asked_to_end(&self) -> bool;

    /// Ends the program as the signal of Ctrl-C does: a terminal in another mode sends no signal.
    fn interrupt(&self);

    /// Returns the answer of a poll: `Break` after a signal. The program then leaves the debugger
    /// time to end in an orderly way.
    fn flow(&self) -> ControlFlow<()>;

    /// Returns the exit code of a verdict; of an interrupted launch it is that of the signal.
    fn code_of(&self, verdict: &Verdict) -> Code;

    /// Whether standard output is a terminal that supports colors.
    fn has_colors(&self) -> bool;

    /// Prints text to standard output. Control characters are escaped.
    ///
    /// # Errors
    /// The text cannot be written.
    fn print(&self, text: &str) -> Result<(), Failure>;

    /// Prints a line to standard error.
    fn complain(&self, text: &str);
}

/// The host, as every part of the debugger holds it.
pub type AnyHost = &'static dyn Host;
