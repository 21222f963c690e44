//! Errors and warnings with places in the source.

mod places;

pub use isa::diag::{Severity, nearest as did_you_mean};

use crate::budget::{Budget, Resource};
use crate::source::Span;

/// Code of errors about the compute capability of the target.
pub const CAPABILITY: &str = "capability";

/// An error or a warning about a source.
pub type Diagnostic = isa::diag::Diagnostic<Span>;

/// An error about a construct that the compiler rejects and clang accepts.
pub fn unsupported(span: Span, construct: impl std::fmt::Display) -> Diagnostic {
    Diagnostic::error("unsupported", span, format!("{construct} is not supported"))
        .help("`warpcc -ptx` takes it")
}

/// An error about a construct of host code that only clang accepts.
pub fn unsupported_in_host(span: Span, construct: impl std::fmt::Display) -> Diagnostic {
    Diagnostic::error("unsupported", span, format!("{construct} is not supported"))
        .help("`--compiler clang` takes it")
}

/// An error about a construct that OpenCL C does not have.
pub fn not_open_cl(span: Span, construct: impl std::fmt::Display) -> Diagnostic {
    Diagnostic::error("not-opencl", span, format!("OpenCL C does not have {construct}"))
}

/// Errors after which the compiler stops.
pub const MAX_ERRORS: usize = 50;

/// Warnings that are kept.
const MAX_WARNINGS: usize = 200;

/// The messages of a compilation.
#[derive(Clone, Debug, Default)]
pub struct Diagnostics {
    list: Vec<Diagnostic>,
    errors: usize,
    warnings: usize,
    budget: Budget,
    /// The error of an exceeded limit, which ends the compilation.
    stopped: Option<Box<Diagnostic>>,
}

impl Diagnostics {
    /// Adds a message. Drops messages that repeat another one at the same place, and messages
    /// beyond the limits.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        if self.stopped.is_some() {
            return;
        }
        let same =
            |other: &Diagnostic| other.place() == diagnostic.place() && other.message == diagnostic.message;
        let (count, limit) = if diagnostic.is_error() {
            (&mut self.errors, MAX_ERRORS)
        } else {
            (&mut self.warnings, MAX_WARNINGS)
        };
        if *count > limit || self.list.iter().any(same) {
            return;
        }
        *count += 1;
        if *count <= limit {
            self.list.push(diagnostic);
        } else if diagnostic.is_error() {
            let message = format!("more than {MAX_ERRORS} errors; the compiler stops here");
            self.list.push(Diagnostic::error("too-many-errors", Span::NONE, message));
        }
    }

    /// Uses some of the budget for the code at a place. Returns whether the limit is kept: if not,
    /// that is the last error, and the compilation ends.
    pub fn spend(&mut self, what: Resource, amount: usize, span: Span) -> bool {
        let Err(message) = self.budget.spend(what, amount) else { return true };
        self.stop(span, message);
        false
    }

    /// Adds an error about a limit, which ends the compilation.
    pub fn stop(&mut self, span: Span, message: impl Into<String>) {
        if self.stopped.is_none() {
            self.stopped = Some(Box::new(Diagnostic::error("limit", span, message)));
        }
    }

    /// The place of the limit that ended the compilation, to be moved.
    pub fn stop_place(&mut self) -> Option<&mut Span> {
        self.stopped.as_mut().and_then(|error| error.labels.first_mut()).map(|(span, _)| span)
    }

    /// Adds a message that is said once, wherever the next cause is.
    pub fn push_once(&mut self, diagnostic: Diagnostic) {
        if self.list.iter().all(|other| other.message != diagnostic.message) {
            self.push(diagnostic);
        }
    }

    /// Whether so many errors were found that the compiler should stop.
    pub fn is_full(&self) -> bool {
        self.errors > MAX_ERRORS || self.stopped.is_some()
    }

    /// Whether a limit ended the compilation.
    pub fn is_stopped(&self) -> bool {
        self.stopped.is_some()
    }

    /// Whether there is an error.
    pub fn has_errors(&self) -> bool {
        self.errors > 0 || self.stopped.is_some()
    }

    /// The messages in the order in which they were found.
    pub fn list(&self) -> &[Diagnostic] {
        &self.list
    }

    /// Takes the messages.
    pub fn into_list(mut self) -> Vec<Diagnostic> {
        self.list.extend(self.stopped.take().map(|error| *error));
        self.list
    }

    /// A mark for [`Diagnostics::truncate`].
    pub fn mark(&self) -> usize {
        self.list.len()
    }

    /// Removes and returns the messages after a mark.
    pub fn truncate(&mut self, mark: usize) -> Vec<Diagnostic> {
        let removed = self.list.split_off(mark.min(self.list.len()));
        self.errors = self.list.iter().filter(|d| d.is_error()).count();
        self.warnings = self.list.len() - self.errors;
        removed
    }
}
