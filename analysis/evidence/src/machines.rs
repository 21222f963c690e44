//! The machines of an experiment: each chip of the claim, timed and functional, and their results
//! side by side.

use sim_core::host::Mode;
use std::fmt::{self, Display};

/// Chips by name.
pub const KNOWN: [&str; 4] = ["g80", "8800gt", "gt200", "fermi"];

/// Both execution modes.
pub const MODES: [Mode; 2] = [Mode::Timed, Mode::Functional];

/// A built-in chip in one execution mode: timed (cycle by cycle) or functional.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Machine {
    /// Name of the chip.
    pub chip: &'static str,
    /// Execution mode.
    pub mode: Mode,
}

impl Machine {
    /// Whether it has time.
    pub fn is_timed(self) -> bool {
        self.mode == Mode::Timed
    }
}

impl Display for Machine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mode = match self.mode {
            Mode::Timed => "timed",
            Mode::Functional => "functional",
        };
        write!(f, "{}, {mode}", self.chip)
    }
}

/// The found text once if all machines agree, otherwise the text of each machine.
pub fn in_words(found: &[(Option<Machine>, String)]) -> String {
    match found {
        [(_, first), others @ ..] if others.iter().all(|(_, other)| other == first) => first.clone(),
        _ => {
            let each = found.iter().map(|(machine, text)| match machine {
                Some(machine) => format!("{text} ({machine})"),
                None => text.clone(),
            });
            each.collect::<Vec<_>>().join("; ")
        }
    }
}
