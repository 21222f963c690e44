//! One row of the table of forms, and the functions that the table uses to write it.

use super::Opcode;
use crate::sem::fidelity::Bound;
use crate::types::Version;

/// One row.
#[derive(Clone, Copy, Debug)]
pub(super) struct FormRow {
    /// Opcode that the row's instructions are resolved to.
    pub opcode: Opcode,
    /// The form in the manual's notation.
    pub text: &'static str,
    /// Minimum `sm_` target.
    pub sm: u32,
    /// The PTX version that introduced the form, if it does not follow from the target, `.ftz` and
    /// similar modifiers; see `legal`.
    pub since: Version,
    /// The PTX version that removed the form.
    pub removed: Option<Version>,
    /// Whether the simulator executes the form; false for valid PTX that it does not support.
    pub executed: bool,
    /// Maximum difference between its results and those of the hardware; `None` if they agree bit
    /// for bit.
    pub bound: Option<Bound>,
    /// Description, if it differs from that of the opcode ([`Opcode::meaning`]).
    pub meaning: Option<&'static str>,
}

impl FormRow {
    /// Requires at least this `sm_` target.
    pub(super) const fn sm(self, sm: u32) -> Self {
        Self { sm, ..self }
    }

    /// Introduced in this PTX version.
    pub(super) const fn since(self, major: u8, minor: u8) -> Self {
        Self { since: Version::new(major, minor), ..self }
    }

    /// Removed in this PTX version.
    pub(super) const fn removed(self, major: u8, minor: u8) -> Self {
        Self { removed: Some(Version::new(major, minor)), ..self }
    }

    /// Valid PTX that the simulator does not execute.
    pub(super) const fn unsupported(self) -> Self {
        Self { executed: false, ..self }
    }

    /// An approximation: its results are within `bound` of the hardware's.
    pub(super) const fn within(self, bound: Bound) -> Self {
        Self { bound: Some(bound), ..self }
    }

    /// Has another description than the other forms of its opcode.
    pub(super) const fn means(self, meaning: &'static str) -> Self {
        Self { meaning: Some(meaning), ..self }
    }
}

/// Creates a form that exists in every target and version.
pub(super) const fn row(opcode: Opcode, text: &'static str) -> FormRow {
    let since = Version::new(1, 0);
    FormRow { opcode, text, sm: 10, since, removed: None, executed: true, bound: None, meaning: None }
}
