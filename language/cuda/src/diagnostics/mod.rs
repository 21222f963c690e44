//! Errors and warnings with places in the source.

mod render;

use crate::budget::{Budget, Resource};
use crate::source::{Sources, Span};

/// How serious a message is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Severity {
    /// The program cannot be compiled.
    Error,
    /// The program is compiled but probably does not mean what the author intended.
    Warning,
}

/// Code of errors about the compute capability of the target.
pub const CAPABILITY: &str = "capability";

/// A message with the places that it is about.
#[derive(Clone, PartialEq, Debug)]
pub struct Diagnostic {
    /// How serious it is.
    pub severity: Severity,
    /// Short stable name of the message, such as `undeclared-name`.
    pub code: &'static str,
    /// What is wrong.
    pub message: String,
    /// The main place; [`Span::NONE`] for messages about the whole program.
    pub span: Span,
    /// Text at the main place; may be empty.
    pub label: String,
    /// Other places with their texts.
    pub labels: Vec<(Span, String)>,
    /// Facts that explain the message.
    pub notes: Vec<String>,
    /// What to do.
    pub helps: Vec<String>,
}

impl Diagnostic {
    /// An error at `span`.
    pub fn error(code: &'static str, span: Span, message: impl Into<String>) -> Self {
        Self {
            severity: Severity::Error,
            code,
            message: message.into(),
            span,
            label: String::new(),
            labels: Vec::new(),
            notes: Vec::new(),
            helps: Vec::new(),
        }
    }

    /// A warning at `span`.
    pub fn warning(code: &'static str, span: Span, message: impl Into<String>) -> Self {
        Self { severity: Severity::Warning, ..Self::error(code, span, message) }
    }

    /// An error about a construct that the compiler does not take but clang does.
    pub fn unsupported(span: Span, construct: impl std::fmt::Display) -> Self {
        Self::error("unsupported", span, format!("{construct} is not supported"))
            .help("`warpcc -ptx` takes it")
    }

    /// An error for a construct of host code that only clang takes.
    pub fn unsupported_in_host(span: Span, construct: impl std::fmt::Display) -> Self {
        Self::error("unsupported", span, format!("{construct} is not supported"))
            .help("`--compiler clang` takes it")
    }

    /// Sets the text at the main place.
    #[must_use]
    pub fn label(mut self, text: impl Into<String>) -> Self {
        self.label = text.into();
        self
    }

    /// Adds another place.
    #[must_use]
    pub fn at(mut self, span: Span, text: impl Into<String>) -> Self {
        if span != Span::NONE {
            self.labels.push((span, text.into()));
        }
        self
    }

    /// Adds a fact.
    #[must_use]
    pub fn note(mut self, text: impl Into<String>) -> Self {
        self.notes.push(text.into());
        self
    }

    /// Adds advice.
    #[must_use]
    pub fn help(mut self, text: impl Into<String>) -> Self {
        self.helps.push(text.into());
        self
    }

    /// Adds advice if there is some.
    #[must_use]
    pub fn help_if(mut self, text: Option<String>) -> Self {
        self.helps.extend(text);
        self
    }

    /// Returns the message drawn on its source lines, without color.
    pub fn render(&self, sources: &Sources) -> String {
        render::render(self, sources)
    }
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
        let same = |other: &Diagnostic| other.span == diagnostic.span && other.message == diagnostic.message;
        let (count, limit) = match diagnostic.severity {
            Severity::Error => (&mut self.errors, MAX_ERRORS),
            Severity::Warning => (&mut self.warnings, MAX_WARNINGS),
        };
        if *count > limit || self.list.iter().any(same) {
            return;
        }
        *count += 1;
        if *count <= limit {
            self.list.push(diagnostic);
        } else if diagnostic.severity == Severity::Error {
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
        self.stopped.as_mut().map(|error| &mut error.span)
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
        self.errors = self.list.iter().filter(|d| d.severity == Severity::Error).count();
        self.warnings = self.list.len() - self.errors;
        removed
    }
}

/// Returns the candidate whose text is near to `name`, if one is near enough to be meant.
pub fn did_you_mean<'c>(name: &str, candidates: impl IntoIterator<Item = &'c str>) -> Option<&'c str> {
    let length = name.chars().count();
    let limit = match length {
        0..=1 => return None,
        2..=4 => 1,
        5..=8 => 2,
        _ => 3,
    };
    let distance = |candidate: &str| {
        let same_but_case = candidate.eq_ignore_ascii_case(name);
        if same_but_case { 0 } else { strsim::damerau_levenshtein(name, candidate) }
    };
    let near = candidates
        .into_iter()
        .filter(|candidate| *candidate != name && candidate.chars().count().abs_diff(length) <= limit)
        .map(|candidate| (distance(candidate), candidate));
    near.filter(|(distance, _)| *distance <= limit).min().map(|(_, candidate)| candidate)
}
