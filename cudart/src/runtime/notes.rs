//! Text for the user: output of kernels for standard output, and explanations for standard error.

use std::collections::BTreeSet;

/// Collected texts, which are printed after a call.
#[derive(Debug, Default)]
pub struct Notes {
    /// Output of kernels that has not been printed.
    pub output: String,
    /// Whether the output is to be printed now, because the host program has synchronized.
    pub flush: bool,
    pending: Vec<String>,
    known: BTreeSet<String>,
}

/// Maximum number of different explanations.
const MOST: usize = 1000;

impl Notes {
    /// Adds an explanation, unless it was added before.
    pub fn once(&mut self, text: String) {
        if self.known.len() < MOST && self.known.insert(text.clone()) {
            self.pending.push(text);
        }
    }

    /// Takes the explanations that have not been printed.
    pub fn take(&mut self) -> Vec<String> {
        std::mem::take(&mut self.pending)
    }

    /// Takes the output of kernels if it is to be printed.
    pub fn take_output(&mut self) -> Option<String> {
        let flush = std::mem::take(&mut self.flush) && !self.output.is_empty();
        flush.then(|| std::mem::take(&mut self.output))
    }
}
