//! The built-in chips: their texts, and the checked chips.
//!
//! Invariant `boards`: Every board has its published peaks, and the DRAM timings in nanoseconds of
//! its generation.

use super::base::{Text, Texts};
use super::source::Complaints;
use super::{Chip, file};

/// Name and text of every built-in chip.
const BUILTIN: [(&str, &str); 11] = [
    ("g80", include_str!("../../../../configs/g80.ron")),
    ("fx5600", include_str!("../../../../configs/fx5600.ron")),
    ("8800gt", include_str!("../../../../configs/8800gt.ron")),
    ("gt200", include_str!("../../../../configs/gt200.ron")),
    ("c1060", include_str!("../../../../configs/c1060.ron")),
    ("fermi", include_str!("../../../../configs/fermi.ron")),
    ("c2050", include_str!("../../../../configs/c2050.ron")),
    ("m2090", include_str!("../../../../configs/m2090.ron")),
    ("gtx460", include_str!("../../../../configs/gtx460.ron")),
    ("gtx560ti", include_str!("../../../../configs/gtx560ti.ron")),
    ("kepler", include_str!("../../../../configs/kepler.ron")),
];

/// The chip of runs that name none: the first one on which calls, `printf`, `new` and atomic
/// operations on `float` run.
pub const DEFAULT_CHIP: &str = "fermi";

/// Names of the built-in chips.
pub fn builtin_names() -> impl Iterator<Item = &'static str> {
    BUILTIN.iter().map(|(name, _)| *name)
}

/// Names of the built-in chips on which programs run. For the others only the occupancy is known.
pub fn simulated_names() -> impl Iterator<Item = &'static str> {
    builtin_names().filter(|name| Chip::builtin(name).is_some_and(|chip| chip.simulated))
}

/// Returns the built-in chip with the lowest compute capability of at least `needed`, such as
/// `1.3`, on which programs run.
pub fn with_capability(needed: &str) -> Option<&'static str> {
    let (major, minor) = needed.split_once('.')?;
    let needed = (major.parse().ok()?, minor.parse().ok()?);
    let capability = |chip: &Chip| (chip.capability.major, chip.capability.minor);
    let chips = builtin_names().filter_map(|name| Some((name, Chip::builtin(name)?)));
    let able = chips.filter(|(_, chip)| chip.simulated && capability(chip) >= needed);
    able.min_by_key(|(_, chip)| capability(chip)).map(|(name, _)| name)
}

/// The RON text of a built-in chip.
pub fn builtin_text(name: &str) -> Option<&'static str> {
    BUILTIN.iter().find(|(n, _)| *n == name).map(|(_, text)| *text)
}

impl Chip {
    /// Returns a built-in chip.
    ///
    /// Returns `None` for a name that is not built in.
    pub fn builtin(name: &str) -> Option<Self> {
        let texts = Texts::new(Text::builtin(name)?);
        let (chip, _) = Self::from_texts(&texts, &[]).expect("a test reads every built-in chip");
        Some(chip)
    }

    /// Reads and checks a chip from RON text with `sets` applied. `file_name` is the name that
    /// complaints show. The base of the chip, if there is one, must be built in.
    ///
    /// `Ok` has the chip and the warnings, `Err` all errors and warnings.
    pub fn from_ron(
        file_name: &str,
        text: &str,
        sets: &[(String, String)],
    ) -> Result<(Self, Complaints), Complaints> {
        let own = Text { id: String::new(), name: file_name.to_owned(), text: text.to_owned().into() };
        Self::from_texts(&Texts::new(own), sets)
    }

    /// Reads and checks a chip from its text and the texts of its bases, with `sets` applied.
    ///
    /// `Ok` has the chip and the warnings, `Err` all errors and warnings.
    pub fn from_texts(texts: &Texts, sets: &[(String, String)]) -> Result<(Self, Complaints), Complaints> {
        file::read(texts, sets)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_builtin_chip_is_valid_and_has_its_name() {
        for name in builtin_names() {
            let (chip, warnings) = Chip::from_ron(name, builtin_text(name).unwrap(), &[])
                .unwrap_or_else(|complaints| panic!("{complaints}"));
            assert!(warnings.is_empty(), "{warnings}");
            assert_eq!(chip.name, name);
        }
    }
}
