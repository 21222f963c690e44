//! What a module's header makes legal: its `.version` and `.target` against what an instruction, a
//! special register or a directive needs.

use super::ast::Ast;
use crate::diag::Diagnostic;
use crate::span::Span;
use crate::types::{Capability, Version};

/// The first version.
const FIRST_VERSION: Version = Version::new(1, 0);

/// The last version whose language this simulator knows whole.
pub const LAST_VERSION: Version = Version::new(2, 3);

/// The last target whose instructions this simulator knows whole.
pub const LAST_TARGET: u32 = 21;

/// What something needs of a header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Needs {
    /// The least `sm_` target.
    pub sm: u32,
    /// The version that brought it.
    pub since: Version,
    /// The version that gave it up.
    pub gone: Option<Version>,
}

impl Needs {
    /// Something that `version` brought to every target that had that version.
    pub const fn version(version: Version) -> Self {
        Self { sm: 10, since: version, gone: None }
    }
}

/// Directives, and words of declarations, that not every version has: each with what it needs.
pub const DIRECTIVES: [(&str, Needs); 13] = [
    ("maxnreg", Needs::version(Version::new(1, 3))),
    ("maxntid", Needs::version(Version::new(1, 3))),
    ("maxnctapersm", Needs::version(Version::new(1, 3))),
    ("minnctapersm", Needs::version(Version::new(2, 0))),
    ("pragma", Needs::version(Version::new(2, 0))),
    ("section", Needs::version(Version::new(2, 0))),
    ("reqntid", Needs::version(Version::new(2, 1))),
    ("callprototype", Needs { sm: 20, ..Needs::version(Version::new(2, 1)) }),
    ("calltargets", Needs { sm: 20, ..Needs::version(Version::new(2, 1)) }),
    ("branchtargets", Needs { sm: 20, ..Needs::version(Version::new(2, 1)) }),
    ("ptr", Needs::version(Version::new(2, 2))),
    ("address_size", Needs::version(Version::new(2, 3))),
    ("weak", Needs::version(Version::new(3, 1))),
];

/// Why a header does not have something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lack {
    /// The target is too old.
    Target,
    /// The version is too old.
    Version,
    /// The version no longer has it, which this version gave up.
    Gone(Version),
}

/// The header of a module. What it lacks or has wrong is complained about elsewhere and refuses
/// nothing here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header {
    /// `.version`
    version: Option<Version>,
    /// The least version that has the target: a module below it has a wrong header, which is
    /// complained about once.
    floor: Version,
    /// The number of `.target sm_…`.
    target: Option<u32>,
    /// The option `map_f64_to_f32` is given.
    pub maps_f64: bool,
}

impl Header {
    /// A header that has everything.
    pub const fn any() -> Self {
        Self { version: None, floor: FIRST_VERSION, target: None, maps_f64: false }
    }

    /// The header of `.version version` and `.target sm_target`.
    pub const fn new(version: Version, target: u32) -> Self {
        Self { version: Some(version), floor: FIRST_VERSION, target: Some(target), maps_f64: false }
    }

    /// The header of a module.
    pub fn of(tree: &Ast) -> Self {
        let number = |n: u32| u8::try_from(n).unwrap_or(u8::MAX);
        let target = tree.target.first().and_then(|name| Capability::from_target(name.name));
        Self {
            version: tree.version.map(|(major, minor, _)| Version::new(number(major), number(minor))),
            floor: FIRST_VERSION,
            maps_f64: tree.target.iter().any(|word| word.name == "map_f64_to_f32"),
            target: target.map(|c| u32::from(c.major) * 10 + u32::from(c.minor)),
        }
    }

    /// This header, whose target came with the version `floor`.
    #[must_use]
    pub fn at_least(self, floor: Version) -> Self {
        Self { floor, ..self }
    }

    /// `.version`, where there is a right one.
    pub fn version(&self) -> Option<Version> {
        self.version
    }

    /// The number of `.target sm_…`, where there is a right one.
    pub fn target(&self) -> Option<u32> {
        self.target
    }

    /// What this header lacks of `needs`.
    pub fn refuses(&self, needs: &Needs) -> Option<Lack> {
        if self.target.is_some_and(|target| target < needs.sm) {
            return Some(Lack::Target);
        }
        let version = self.version?;
        if version.max(self.floor) < needs.since {
            return Some(Lack::Version);
        }
        needs.gone.filter(|gone| version >= *gone).map(Lack::Gone)
    }

    /// The complaint about `name`, an instruction, register or directive as written, if this header
    /// does not have it.
    pub fn refusal(&self, name: &str, needs: &Needs, span: Span) -> Option<Diagnostic> {
        let lack = self.refuses(needs)?;
        let (version, since) = (self.version.unwrap_or(LAST_VERSION), needs.since);
        Some(match lack {
            Lack::Target => {
                let (target, sm) = (self.target.unwrap_or(LAST_TARGET), needs.sm);
                let message = format!("`{name}` requires sm_{sm}, but this module targets sm_{target}");
                let advice = if version < since {
                    format!("write `.version {since}` and `.target sm_{sm}`, or above")
                } else {
                    format!("write `.target sm_{sm}` or above")
                };
                Diagnostic::error("E0401", message, span, format!("not available in sm_{target}"))
                    .help(advice)
            }
            Lack::Version => {
                let message =
                    format!("`{name}` requires PTX {since}, but this module has .version {version}");
                let label = format!("not available in PTX {version}");
                let advice = format!("write `.version {since}` or above");
                Diagnostic::error("E0404", message, span, label).help(advice)
            }
            Lack::Gone(gone) => {
                let message =
                    format!("`{name}` was removed in PTX {gone}, but this module has .version {version}");
                Diagnostic::error("E0405", message, span, format!("not available in PTX {version}"))
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_target_is_asked_before_the_version() {
        let needs = Needs { sm: 20, since: Version::new(2, 1), gone: None };
        let lack = |version: (u8, u8), target| {
            Header::new(Version::new(version.0, version.1), target).refuses(&needs)
        };
        assert_eq!(lack((1, 4), 13), Some(Lack::Target));
        assert_eq!(lack((2, 0), 20), Some(Lack::Version));
        assert_eq!(lack((2, 1), 20), None);
        assert_eq!(lack((6, 0), 30), None);
    }

    #[test]
    fn what_was_given_up_is_gone_from_that_version_on() {
        let gone = Version::new(1, 4);
        let needs = Needs { sm: 10, since: Version::new(1, 0), gone: Some(gone) };
        assert_eq!(Header::new(Version::new(1, 3), 10).refuses(&needs), None);
        assert_eq!(Header::new(Version::new(1, 4), 10).refuses(&needs), Some(Lack::Gone(gone)));
        assert_eq!(Header::new(Version::new(2, 3), 20).refuses(&needs), Some(Lack::Gone(gone)));
    }

    #[test]
    fn a_broken_header_refuses_nothing() {
        let needs = Needs { sm: 20, since: Version::new(2, 0), gone: Some(Version::new(2, 1)) };
        assert_eq!(Header::any().refuses(&needs), None);
        assert_eq!(Header::any().refusal("x", &needs, Span::default()).map(|d| d.code), None);
    }
}
