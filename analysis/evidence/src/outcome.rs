//! The outcome of a row of evidence, a claim or a published measurement.

use crate::finding::Shown;
use kernels::RunError;

/// Outcome of a row.
#[derive(Clone, Debug, PartialEq)]
pub enum State {
    /// Its program ran to its end.
    Shown(Shown),
    /// Its program failed, with this message.
    Error(String),
    /// It was not run, or was stopped: the word for it in documents, and the reason, if any.
    NotRun(&'static str, &'static str),
}

impl State {
    /// A row that was not run, or was stopped.
    pub const NOT_RUN: Self = Self::NotRun("not run", "");

    /// The outcome of a program.
    pub fn of(result: Result<Shown, RunError>) -> Self {
        match result {
            Ok(shown) => Self::Shown(shown),
            Err(why) => Self::Error(why.to_string()),
        }
    }

    /// Returns the findings, if the program ran to its end.
    pub fn shown(&self) -> Option<&Shown> {
        match self {
            Self::Shown(shown) => Some(shown),
            Self::Error(_) | Self::NotRun(..) => None,
        }
    }
}
