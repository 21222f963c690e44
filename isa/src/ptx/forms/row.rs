//! One row of the table of forms, and the words in which it is written there.

use super::Opcode;
use crate::sem::fidelity::Bound;
use crate::types::Version;

/// One row.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row {
    /// What the row's instructions are resolved to.
    pub opcode: Opcode,
    /// The form in the manual's notation.
    pub text: &'static str,
    /// The least `sm_` target that has it.
    pub sm: u32,
    /// The PTX version that brought it, where the target, `.ftz` and the like do not say so: see
    /// `legal`.
    pub since: Version,
    /// The PTX version that no longer has it.
    pub gone: Option<Version>,
    /// False: legal PTX that this simulator does not execute yet.
    pub executed: bool,
    /// How far its results may lie from the silicon's; `None`: they are the same bits.
    pub bound: Option<Bound>,
    /// What it does, where that is not what all forms of its opcode do ([`Opcode::meaning`]).
    pub meaning: Option<&'static str>,
}

impl Row {
    /// Needs at least this `sm_` target.
    pub(super) const fn sm(self, sm: u32) -> Self {
        Self { sm, ..self }
    }

    /// Came with this PTX version.
    pub(super) const fn since(self, major: u8, minor: u8) -> Self {
        Self { since: Version::new(major, minor), ..self }
    }

    /// Was given up in this PTX version.
    pub(super) const fn gone(self, major: u8, minor: u8) -> Self {
        Self { gone: Some(Version::new(major, minor)), ..self }
    }

    /// Legal PTX, but not executed yet.
    pub(super) const fn later(self) -> Self {
        Self { executed: false, ..self }
    }

    /// An approximation: its results are within `bound` of the silicon's.
    pub(super) const fn within(self, bound: Bound) -> Self {
        Self { bound: Some(bound), ..self }
    }

    /// Does something else than the other forms of its opcode.
    pub(super) const fn means(self, meaning: &'static str) -> Self {
        Self { meaning: Some(meaning), ..self }
    }
}

/// A form that every target and version has.
pub(super) const fn row(opcode: Opcode, text: &'static str) -> Row {
    let since = Version::new(1, 0);
    Row { opcode, text, sm: 10, since, gone: None, executed: true, bound: None, meaning: None }
}
