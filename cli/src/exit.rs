//! The exit code of a run that a signal stopped; `report::exit` has all codes.

use crate::watch::interrupt;
pub use report::exit::{Code, Failure, help};
use sim_core::stats::report::Verdict;

/// Returns the code of a verdict. The code of an interrupted launch names the signal.
pub fn code_of(verdict: &Verdict) -> Code {
    match Code::of(verdict) {
        Code::Interrupted => interrupt::code(),
        code => code,
    }
}
