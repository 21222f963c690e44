//! Standard input of programs that run several times: the first run reads it, the others get it
//! again.

use report::program::streams::Streams;
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
pub struct Captured(Vec<u8>);

impl Captured {
    /// Streams with this input.
    pub fn new(input: &Input) -> Self {
        Self(input.lock().unwrap_or_else(PoisonError::into_inner).clone())
    }
}

impl Streams for Captured {
    fn print(&mut self, _: &[u8]) {}

    fn complain(&mut self, _: &[u8]) {}

    fn input(&mut self) -> Option<Vec<u8>> {
        Some(std::mem::take(&mut self.0))
    }
}
