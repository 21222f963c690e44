//! The streams of a program that runs several times: each byte is printed once, and the input is
//! the same.

use report::program::streams::Streams;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// Whether the program is about to end, or to run again from its start.
type IsLeaving = Arc<dyn Fn() -> bool + Send + Sync>;

/// The streams of all runs.
#[derive(Clone)]
pub struct Again {
    streams: Arc<Mutex<Box<dyn Streams + Send>>>,
    /// Bytes of standard output and standard error that were printed.
    printed: Arc<[AtomicU64; 2]>,
    /// Bytes of this run.
    now: [u64; 2],
    /// The parts of standard input that were read.
    input: Arc<Mutex<Vec<Vec<u8>>>>,
    /// Parts that this run has read.
    parts: usize,
    is_leaving: IsLeaving,
}

impl Again {
    /// Streams that print to `streams`.
    pub fn new(streams: Box<dyn Streams + Send>, is_leaving: IsLeaving) -> Self {
        let streams = Arc::new(Mutex::new(streams));
        Self { streams, printed: Arc::default(), now: [0; 2], input: Arc::default(), parts: 0, is_leaving }
    }

    /// The streams of the next run.
    #[must_use]
    pub fn start(&self) -> Self {
        Self { now: [0; 2], parts: 0, ..self.clone() }
    }

    /// The bytes that were not printed yet.
    fn new_bytes<'b>(&mut self, stream: usize, bytes: &'b [u8]) -> &'b [u8] {
        let printed = self.printed[stream].load(Ordering::Relaxed);
        let known = printed.saturating_sub(self.now[stream]).min(bytes.len() as u64);
        self.now[stream] += bytes.len() as u64;
        self.printed[stream].fetch_max(self.now[stream], Ordering::Relaxed);
        &bytes[known as usize..]
    }
}

impl Streams for Again {
    fn print(&mut self, bytes: &[u8]) {
        let new = self.new_bytes(0, bytes);
        self.streams.lock().unwrap_or_else(PoisonError::into_inner).print(new);
    }

    fn complain(&mut self, bytes: &[u8]) {
        // What is said of a launch that the debugger has killed is not of interest.
        if !(self.is_leaving)() {
            let new = self.new_bytes(1, bytes);
            self.streams.lock().unwrap_or_else(PoisonError::into_inner).complain(new);
        }
    }

    fn input(&mut self) -> Option<Vec<u8>> {
        let mut known = self.input.lock().unwrap_or_else(PoisonError::into_inner);
        if known.len() == self.parts {
            known.push(self.streams.lock().unwrap_or_else(PoisonError::into_inner).input()?);
        }
        self.parts += 1;
        Some(known[self.parts - 1].clone())
    }

    fn is_terminal(&self) -> bool {
        self.streams.lock().unwrap_or_else(PoisonError::into_inner).is_terminal()
    }
}
