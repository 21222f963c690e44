//! The chips that come with the program, as text and checked.

use super::source::Complaints;
use super::{Chip, file};

/// Name and text of every built-in chip.
const BUILTIN: [(&str, &str); 3] = [
    ("g80", include_str!("../../../configs/g80.ron")),
    ("gt200", include_str!("../../../configs/gt200.ron")),
    ("fermi", include_str!("../../../configs/fermi.ron")),
];

/// Names of the built-in chips.
pub fn builtin_names() -> impl Iterator<Item = &'static str> {
    BUILTIN.iter().map(|(name, _)| *name)
}

/// The RON text of a built-in chip.
pub fn builtin_text(name: &str) -> Option<&'static str> {
    BUILTIN.iter().find(|(n, _)| *n == name).map(|(_, text)| *text)
}

impl Chip {
    /// A built-in chip as it stands.
    ///
    /// Returns `None` for a name that is not built in.
    pub fn builtin(name: &str) -> Option<Self> {
        let text = builtin_text(name)?;
        let (chip, _) = Self::from_ron(name, text, &[]).expect("a test reads every built-in chip");
        Some(chip)
    }

    /// Reads a chip from RON text, `sets` laid over it, and checks it. `file_name` is what complaints show.
    ///
    /// With the chip come warnings, if any. Without it come all errors and warnings there are.
    pub fn from_ron(
        file_name: &str,
        text: &str,
        sets: &[(String, String)],
    ) -> Result<(Self, Complaints), Complaints> {
        file::read(file_name, text, sets)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_builtin_chip_is_sound_and_bears_its_name() {
        for name in builtin_names() {
            let (chip, warnings) = Chip::from_ron(name, builtin_text(name).unwrap(), &[])
                .unwrap_or_else(|complaints| panic!("{complaints}"));
            assert!(warnings.is_empty(), "{warnings}");
            assert_eq!(chip.name, name);
        }
    }
}
