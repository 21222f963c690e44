//! Where a trace goes: standard output or a file, in large pieces while the launch runs.

use crate::exit::Failure;
use crate::output::{OutputFile, visible};
use std::io::{self, ErrorKind, Write};

/// Bytes that are collected before they are written.
const PIECE: usize = 1 << 16;

/// A place that text is written to.
pub struct Sink {
    buffer: String,
    /// `None`: standard output.
    file: Option<OutputFile>,
    /// Nothing more can be written: the reader has gone, or there was this failure.
    shut: Option<Result<(), Failure>>,
}

impl Sink {
    /// The file, or standard output.
    pub fn new(file: Option<OutputFile>) -> Self {
        Self { buffer: String::new(), file, shut: None }
    }

    /// Text to be written is added here.
    pub fn buffer(&mut self) -> &mut String {
        &mut self.buffer
    }

    /// Nothing more can be written.
    pub fn is_shut(&self) -> bool {
        self.shut.is_some()
    }

    /// Writes what has been added if it is enough.
    pub fn pass_on(&mut self) {
        if self.buffer.len() >= PIECE {
            self.write();
        }
    }

    /// Writes all that has been added and closes the file, which appears under its name now. A
    /// reader that has gone away is no failure.
    pub fn finish(&mut self) -> Result<(), Failure> {
        self.write();
        match self.shut.take() {
            Some(result) => result,
            None => self.file.take().map_or(Ok(()), OutputFile::finish),
        }
    }

    fn write(&mut self) {
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
