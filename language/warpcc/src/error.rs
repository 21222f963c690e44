//! Reasons for which a run of the driver ends early.

use std::io;
use std::path::Path;

/// Why the driver stops.
#[derive(Debug)]
pub enum Failure {
    /// Wrong arguments.
    Usage(String),
    /// A part of the installation is missing: clang or the library.
    Missing(String),
    /// A file cannot be read, written or compiled.
    Build(String),
    /// A command reported its errors itself.
    Reported,
}

impl Failure {
    /// Returns the exit code of the program.
    pub fn code(&self) -> u8 {
        match self {
            Self::Build(_) | Self::Reported => 1,
            Self::Usage(_) | Self::Missing(_) => 2,
        }
    }

    /// Returns the message; `None` if it was printed.
    pub fn message(&self) -> Option<&str> {
        match self {
            Self::Usage(text) | Self::Missing(text) | Self::Build(text) => Some(text),
            Self::Reported => None,
        }
    }

    /// Creates the failure of an access to a file.
    pub fn file(verb: &str, path: &Path, error: &io::Error) -> Self {
        Self::Build(format!("cannot {verb} {}: {error}", path.display()))
    }
}
