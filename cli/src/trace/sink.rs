//! The output of a trace: standard output or a file, written in large parts while the launch runs.

use crate::exit::Failure;
use crate::output::{OutputFile, visible};
use std::io::{self, ErrorKind, Write};

/// Number of bytes that are buffered before a write.
const PIECE: usize = 1 << 16;

/// The output and its buffer.
pub struct Sink {
    buffer: String,
    /// Bytes that have left the buffer.
    written: u64,
    /// Number of bytes from which the trace is full.
    limit: u64,
    /// `None`: standard output.
    file: Option<OutputFile>,
    /// Result after which nothing more can be written: the reader has closed the output, or a write
    /// failed.
    shut: Option<Result<(), Failure>>,
}

impl Sink {
    /// Writes to the file, or to standard output. The trace is full after `limit` bytes.
    pub fn new(file: Option<OutputFile>, limit: u64) -> Self {
        Self { buffer: String::new(), written: 0, limit, file, shut: None }
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

    /// Writes the buffer and closes the file, which now appears under its name. A closed reader is
    /// not a failure.
    pub fn finish(&mut self) -> Result<(), Failure> {
        self.write();
        match self.shut.take() {
            Some(result) => result,
            None => self.file.take().map_or(Ok(()), OutputFile::finish),
        }
    }

    fn write(&mut self) {
        self.written += self.buffer.len() as u64;
        if self.shut.is_none() {
            let text = visible(&self.buffer);
            let written = if let Some(file) = &mut self.file {
                file.append(text.as_bytes())
            } else {
                let mut stdout = io::stdout().lock();
                stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush())
            };
            self.shut = match written {
                Ok(()) => None,
                Err(error) if error.kind() == ErrorKind::BrokenPipe => Some(Ok(())),
                Err(error) => Some(Err(Failure::input(format!("error: cannot write the trace: {error}")))),
            };
        }
        self.buffer.clear();
    }
}
