//! The `.version` and `.target` of a module, and the requirements of instructions, special
//! registers and directives on them.

use super::ast::Ast;
use crate::diag::Diagnostic;
use crate::span::Span;
use crate::types::{Capability, Version};

/// The first PTX version.
const FIRST_VERSION: Version = Version::new(1, 0);

/// The latest PTX version that the simulator supports completely.
pub const LAST_VERSION: Version = Version::new(2, 3);

/// The latest target whose instructions the simulator supports completely.
pub const LAST_TARGET: u32 = 21;

/// Requirements on a module's header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Needs {
    /// Minimum `sm_` target.
    pub sm: u32,
    /// The PTX version that introduced the feature.
    pub since: Version,
    /// The PTX version that removed the feature.
    pub removed: Option<Version>,
}

impl Needs {
    /// Returns the requirements of a feature that `version` introduced for all targets.
    pub const fn version(version: Version) -> Self {
        Self { sm: 10, since: version, removed: None }
    }
}

/// Directives, and words of declarations, that do not exist in every PTX version, with their
/// requirements.
pub const DIRECTIVES: [(&str, Needs); 17] = [
    ("maxnreg", Needs::version(Version::new(1, 3))),
    ("maxntid", Needs::version(Version::new(1, 3))),
    ("maxnctapersm", Needs { removed: Some(Version::new(2, 1)), ..Needs::version(Version::new(1, 3)) }),
    ("minnctapersm", Needs::version(Version::new(2, 0))),
    ("pragma", Needs::version(Version::new(2, 0))),
    ("section", Needs::version(Version::new(2, 0))),
    ("reqntid", Needs::version(Version::new(2, 1))),
    ("callprototype", Needs { sm: 20, ..Needs::version(Version::new(2, 1)) }),
    ("calltargets", Needs { sm: 20, ..Needs::version(Version::new(2, 1)) }),
    ("branchtargets", Needs { sm: 20, ..Needs::version(Version::new(2, 1)) }),
    ("ptr", Needs::version(Version::new(2, 2))),
    ("address_size", Needs::version(Version::new(2, 3))),
    ("tex", Needs { removed: Some(Version::new(1, 5)), ..Needs::version(Version::new(1, 0)) }),
    ("texref", Needs::version(Version::new(1, 5))),
    ("surfref", Needs::version(Version::new(1, 5))),
    ("samplerref", Needs::version(Version::new(1, 5))),
    ("weak", Needs::version(Version::new(3, 1))),
];

/// Reason why a header does not allow a feature.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unmet {
    /// The target is too old.
    Target,
    /// The version is too old.
    Version,
    /// This version removed the feature, and the module's version is not older.
    Removed(Version),
}

/// The header of a module. Missing or invalid parts are reported elsewhere and cause no rejection
/// here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header {
    /// `.version`
    version: Option<Version>,
    /// The minimum version of the target. A module with a lower version has an invalid header,
    /// which is reported only once.
    floor: Version,
    /// The number of `.target sm_…`.
    target: Option<u32>,
    /// Whether the module is lowered from a newer target to that of a chip.
    lowered: bool,
    /// Whether the target has the option `texmode_independent`.
    independent: bool,
}

impl Header {
    /// Returns a header that allows everything.
    pub const fn any() -> Self {
        Self { version: None, floor: FIRST_VERSION, target: None, lowered: false, independent: true }
    }

    /// Returns the header with `.version version` and `.target sm_target`.
    pub const fn new(version: Version, target: u32) -> Self {
        Self { version: Some(version), target: Some(target), independent: false, ..Self::any() }
    }

    /// Returns the header of a module.
    pub fn of(tree: &Ast) -> Self {
        let number = |n: u32| u8::try_from(n).unwrap_or(u8::MAX);
        let target = tree.target.first().and_then(|name| Capability::from_target(name.name));
        Self {
            version: tree.version.map(|(major, minor, _)| Version::new(number(major), number(minor))),
            floor: FIRST_VERSION,
            target: target.map(|c| u32::from(c.major) * 10 + u32::from(c.minor)),
            lowered: tree.lowered,
            independent: tree.target.iter().any(|option| option.name == "texmode_independent"),
        }
    }

    /// Returns this header with the minimum version `floor` of its target.
    #[must_use]
    pub fn at_least(self, floor: Version) -> Self {
        Self { floor, ..self }
    }

    /// Returns `.version` if there is a valid one.
    pub fn version(&self) -> Option<Version> {
        self.version
    }

    /// Returns the number in `.target sm_…` if there is a valid one.
    pub fn target(&self) -> Option<u32> {
        self.target
    }

    /// Whether the module is lowered from a newer target to that of a chip.
    pub fn is_lowered(&self) -> bool {
        self.lowered
    }

    /// Whether textures and samplers are separate (`texmode_independent`).
    pub fn is_independent(&self) -> bool {
        self.independent
    }

    /// Returns the requirement of `needs` that this header does not meet; `None` if it meets all.
    pub fn unmet(&self, needs: &Needs) -> Option<Unmet> {
        if self.target.is_some_and(|target| target < needs.sm) {
            return Some(Unmet::Target);
        }
        let version = self.version?;
        if version.max(self.floor) < needs.since {
            return Some(Unmet::Version);
        }
        needs.removed.filter(|removed| version >= *removed).map(Unmet::Removed)
    }

    /// Returns the error for `name`, an instruction, register or directive as written, if this
    /// header does not allow it.
    pub fn rejection(&self, name: &str, needs: &Needs, span: Span) -> Option<Diagnostic> {
        let lack = self.unmet(needs)?;
        let (version, since) = (self.version.unwrap_or(LAST_VERSION), needs.since);
        Some(match lack {
            Unmet::Target if self.lowered => {
                let (target, sm) = (self.target.unwrap_or(LAST_TARGET), needs.sm);
                let message = format!("`{name}` requires sm_{sm} and has no equivalent on sm_{target}");
                let label = format!("not available in sm_{target}");
                let advice = if sm > LAST_TARGET {
                    "use a chip of compute capability 2.0 or above whose `features` enable it".to_owned()
                } else {
                    format!("use a chip of compute capability {}.{} or above", sm / 10, sm % 10)
                };
                Diagnostic::error("E0401", span, message).label(label).help(advice)
            }
            Unmet::Target => {
                let (target, sm) = (self.target.unwrap_or(LAST_TARGET), needs.sm);
                let message = format!("`{name}` requires sm_{sm}, but this module targets sm_{target}");
                let advice = if version < since {
                    format!("write `.version {since}` and `.target sm_{sm}`, or above")
                } else {
                    format!("write `.target sm_{sm}` or above")
                };
                Diagnostic::error("E0401", span, message)
                    .label(format!("not available in sm_{target}"))
                    .help(advice)
            }
            Unmet::Version => {
                let message =
                    format!("`{name}` requires PTX {since}, but this module has .version {version}");
                let label = format!("not available in PTX {version}");
                let advice = format!("write `.version {since}` or above");
                Diagnostic::error("E0404", span, message).label(label).help(advice)
            }
            Unmet::Removed(removed) => {
                let message =
                    format!("`{name}` was removed in PTX {removed}, but this module has .version {version}");
                Diagnostic::error("E0405", span, message).label(format!("not available in PTX {version}"))
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_target_is_checked_before_the_version() {
        let needs = Needs { sm: 20, since: Version::new(2, 1), removed: None };
        let lack =
            |version: (u8, u8), target| Header::new(Version::new(version.0, version.1), target).unmet(&needs);
        assert_eq!(lack((1, 4), 13), Some(Unmet::Target));
        assert_eq!(lack((2, 0), 20), Some(Unmet::Version));
        assert_eq!(lack((2, 1), 20), None);
        assert_eq!(lack((6, 0), 30), None);
    }

    #[test]
    fn a_removed_feature_is_rejected_from_that_version_on() {
        let removed = Version::new(1, 4);
        let needs = Needs { sm: 10, since: Version::new(1, 0), removed: Some(removed) };
        assert_eq!(Header::new(Version::new(1, 3), 10).unmet(&needs), None);
        assert_eq!(Header::new(Version::new(1, 4), 10).unmet(&needs), Some(Unmet::Removed(removed)));
        assert_eq!(Header::new(Version::new(2, 3), 20).unmet(&needs), Some(Unmet::Removed(removed)));
    }

    #[test]
    fn an_invalid_header_rejects_nothing() {
        let needs = Needs { sm: 20, since: Version::new(2, 0), removed: Some(Version::new(2, 1)) };
        assert_eq!(Header::any().unmet(&needs), None);
        assert_eq!(Header::any().rejection("x", &needs, Span::default()).map(|d| d.code), None);
    }
}
