//! Standard input of programs that run several times: the first run reads it, the others get it
//! again.

use report::program::streams::Streams;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// Standard input that a program has read.
pub type Input = Arc<Mutex<Vec<u8>>>;

/// Streams whose input is kept.
pub struct Remembered {
    streams: Box<dyn Streams>,
    input: Input,
}

impl Remembered {
    /// Streams that add what is read to `input`.
    pub fn new(streams: Box<dyn Streams>, input: &Input) -> Self {
        Self { streams, input: Arc::clone(input) }
    }
}

impl Streams for Remembered {
    fn print(&mut self, bytes: &[u8]) {
        self.streams.print(bytes);
    }

    fn complain(&mut self, bytes: &[u8]) {
        self.streams.complain(bytes);
    }

    fn input(&mut self) -> Option<Vec<u8>> {
        let bytes = self.streams.input()?;
        self.input.lock().unwrap_or_else(PoisonError::into_inner).extend(&bytes);
        Some(bytes)
    }

    fn is_terminal(&self) -> bool {
        self.streams.is_terminal()
    }
}

/// The input of an earlier run; what the program prints is left out.
pub struct Captured {
    left: Vec<u8>,
    was_read: bool,
    misses: Misses,
}

/// Whether a program has read its standard input, and there is none.
#[derive(Clone, Debug, Default)]
pub struct Misses(Arc<AtomicBool>);

impl Misses {
    /// Note for the user about a program that has failed; empty if it has not missed its input.
    pub fn note(&self) -> &'static str {
        if self.0.load(Ordering::Relaxed) {
            "; it reads its standard input, which is empty in this command"
        } else {
            ""
        }
    }
}

impl Captured {
    /// Streams with this input. `misses` is told whether it is missed.
    pub fn new(input: &Input, misses: Misses) -> Self {
        Self { left: input.lock().unwrap_or_else(PoisonError::into_inner).clone(), was_read: false, misses }
    }
}

impl Streams for Captured {
    fn print(&mut self, _: &[u8]) {}

    fn complain(&mut self, _: &[u8]) {}

    fn input(&mut self) -> Option<Vec<u8>> {
        // The first read takes all.
        self.misses.0.fetch_or(self.left.is_empty() && !self.was_read, Ordering::Relaxed);
        self.was_read = true;
        Some(std::mem::take(&mut self.left))
    }
}
