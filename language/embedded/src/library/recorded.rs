//! Standard streams in memory.

use report::program::streams::Streams;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Streams in memory: what the program prints, and what it reads. Clones share the output, so that
/// the caller of a program has it at the end.
#[derive(Clone, Debug, Default)]
pub struct Recorded {
    printed: Arc<Mutex<Printed>>,
    /// Standard input, until the program takes it.
    input: Vec<u8>,
}

/// What a program has printed.
#[derive(Debug, Default)]
pub struct Printed {
    /// Standard output.
    pub out: Vec<u8>,
    /// Standard output and standard error in their order, as in a terminal.
    pub both: Vec<u8>,
}

impl Printed {
    /// Most bytes of each part; the rest is left out.
    pub const LARGEST: usize = 1 << 20;
}

/// Adds the bytes for which there is room.
fn add(to: &mut Vec<u8>, bytes: &[u8]) {
    let room = Printed::LARGEST.saturating_sub(to.len());
    to.extend(&bytes[..bytes.len().min(room)]);
}

impl Recorded {
    /// Streams with a standard input.
    pub fn new(input: &str) -> Self {
        Self { input: input.as_bytes().to_vec(), ..Self::default() }
    }

    /// Takes what was printed.
    pub fn take(&self) -> Printed {
        std::mem::take(&mut self.printed())
    }

    fn printed(&self) -> MutexGuard<'_, Printed> {
        self.printed.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Streams for Recorded {
    fn print(&mut self, bytes: &[u8]) {
        let mut printed = self.printed();
        add(&mut printed.out, bytes);
        add(&mut printed.both, bytes);
    }

    fn complain(&mut self, bytes: &[u8]) {
        add(&mut self.printed().both, bytes);
    }

    fn input(&mut self) -> Option<Vec<u8>> {
        Some(std::mem::take(&mut self.input))
    }
}
