//! The output of a trace, written in large parts while the launch runs.

use crate::exit::Failure;
use crate::text::visible;
use std::io::{self, ErrorKind};

/// Number of bytes that are buffered before a write.
const PIECE: usize = 1 << 16;

/// Where a trace goes: a file or a stream.
pub trait Output: Send {
    /// Writes the next part.
    ///
    /// # Errors
    ///
    /// If it cannot be written; [`ErrorKind::BrokenPipe`] if the reader has closed the output.
    fn append(&mut self, bytes: &[u8]) -> io::Result<()>;

    /// Completes the output after its last part.
    ///
    /// # Errors
    ///
    /// If the output cannot be completed.
    fn finish(self: Box<Self>) -> Result<(), Failure>;
}

/// The output and its buffer.
pub struct Sink {
    buffer: String,
    /// Bytes that have left the buffer.
    written: u64,
    /// Number of bytes from which the trace is full.
    limit: u64,
    /// `None` at the end.
    output: Option<Box<dyn Output>>,
    /// Result after which nothing more can be written: the reader has closed the output, or a write
    /// failed.
    shut: Option<Result<(), Failure>>,
}

impl Sink {
    /// Writes to `output`. The trace is full after `limit` bytes.
    pub fn new(output: Box<dyn Output>, limit: u64) -> Self {
        Self { buffer: String::new(), written: 0, limit, output: Some(output), shut: None }
    }

    /// Returns the buffer, to which text is appended.
    pub fn buffer(&mut self) -> &mut String {
        &mut self.buffer
    }

    /// Whether nothing more can be written.
    pub fn is_shut(&self) -> bool {
        self.shut.is_some()
    }

    /// Whether the trace has reached its limit. More can be written, to complete the last lines.
    pub fn is_full(&self) -> bool {
        self.written + self.buffer.len() as u64 >= self.limit
    }

    /// Writes the buffer if it is large enough.
    pub fn flush_if_full(&mut self) {
        if self.buffer.len() >= PIECE {
            self.write();
        }
    }

    /// Writes the buffer and completes the output. A closed reader is not a failure.
    ///
    /// # Errors
    ///
    /// If the output could not be written or completed.
    pub fn finish(&mut self) -> Result<(), Failure> {
        self.write();
        match self.shut.take() {
            Some(result) => result,
            None => self.output.take().map_or(Ok(()), Output::finish),
        }
    }

    fn write(&mut self) {
        self.written += self.buffer.len() as u64;
        if self.shut.is_none() {
            let text = visible(&self.buffer);
            let written = self.output.as_mut().map_or(Ok(()), |output| output.append(text.as_bytes()));
            self.shut = match written {
                Ok(()) => None,
                Err(error) if error.kind() == ErrorKind::BrokenPipe => Some(Ok(())),
                Err(error) => Some(Err(Failure::input(format!("error: cannot write the trace: {error}")))),
            };
        }
        self.buffer.clear();
    }
}
