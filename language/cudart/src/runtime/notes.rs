//! Text for the user: output of kernels for standard output, and explanations for standard error.

use std::collections::BTreeSet;

/// Collected texts, which are printed after a call.
#[derive(Debug, Default)]
pub struct Notes {
    /// Output of kernels that has not been printed.
    pub output: String,
    /// Whether the output is to be printed now, because the host program has synchronized.
    pub flush: bool,
    /// Number of the place in the host program that calls, if the caller knows it.
    pub place: u64,
    pending: Vec<Note>,
    known: BTreeSet<(String, u64)>,
}

/// An explanation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// The text.
    pub text: String,
    /// Whether it explains why a call of the host program failed.
    pub is_of_call: bool,
}

/// Maximum number of different explanations.
const MOST: usize = 1000;

impl Notes {
    /// Adds an explanation, unless it was added before.
    pub fn once(&mut self, text: String) {
        self.add(text, false);
    }

    /// Adds an explanation of a failed call, unless it was added before for the same place.
    pub fn once_for_call(&mut self, text: String) {
        self.add(text, true);
    }

    fn add(&mut self, text: String, is_of_call: bool) {
        let place = if is_of_call { self.place } else { 0 };
        if self.known.len() < MOST && self.known.insert((text.clone(), place)) {
            self.pending.push(Note { text, is_of_call });
        }
    }

    /// Takes the explanations that have not been printed.
    pub fn take(&mut self) -> Vec<Note> {
        std::mem::take(&mut self.pending)
    }

    /// Takes the output of kernels if it is to be printed.
    pub fn take_output(&mut self) -> Option<String> {
        let flush = std::mem::take(&mut self.flush) && !self.output.is_empty();
        flush.then(|| std::mem::take(&mut self.output))
    }
}
