//! The chips of the measurements, each with the hash of its configuration.

use crate::args::{ChipArgs, ValidateArgs};
use crate::cmd::config::Loaded;
use crate::exit::Failure;
use evidence::measure::table;
use report::ron_text;
use serde::Serialize;
use sha2::{Digest, Sha256};
use sim_core::config::Chip;
use sim_core::config::builtin::simulated_names;

/// Number of hexadecimal digits of a hash that are shown: enough to distinguish versions of a file.
const DIGITS: usize = 12;

/// The chips of the table, with their configuration and the day on which one of their numbers last
/// changed.
const FROZEN: [(&str, &str, &str); 8] = [
    ("g80", "c34669a0cba6", "2026-11-22"),
    ("gt200", "3b4b65cb04e7", "2026-11-22"),
    ("fermi", "602e9ec238a4", "2026-11-23"),
    ("fx5600", "f3011310331c", "2026-11-22"),
    ("c2050", "99a943cd1fdd", "2026-11-23"),
    ("m2090", "4fe691fdb066", "2026-11-23"),
    ("gtx460", "f32d6e4466ef", "2026-11-23"),
    ("gtx560ti", "6f455a277c0d", "2026-11-23"),
];

/// A chip of the table.
#[derive(Clone, Debug, Serialize)]
pub struct Board {
    /// Name of the chip file.
    pub chip: String,
    /// Board name of the chip file.
    pub board: String,
    /// First digits of the SHA-256 of the chip with its overrides, written as one line of RON.
    /// Comments and layout do not count.
    pub config: String,
    /// Day on which a number of the built-in chip last changed; `None` for other chips, and with
    /// overrides.
    pub changed: Option<&'static str>,
    /// The chip.
    #[serde(skip)]
    pub model: Chip,
}

impl Board {
    /// Loads the chip of that name or file, with overrides.
    fn new(args: &ChipArgs) -> Result<Self, Failure> {
        let loaded = Loaded::new(args)?;
        let hash = Sha256::digest(ron_text::ron(&loaded.effective).as_bytes());
        let config: String =
            hash.iter().flat_map(|byte| [byte >> 4, byte & 15]).take(DIGITS).map(digit).collect();
        let model = loaded.chip;
        let changed = FROZEN.iter().find(|(_, frozen, _)| *frozen == config).map(|(.., day)| *day);
        Ok(Self { chip: model.name.clone(), board: model.board.clone(), config, changed, model })
    }
}

fn digit(value: u8) -> char {
    char::from_digit(value.into(), 16).expect("half a byte")
}

/// The chips of the requested rows.
#[derive(Debug)]
pub struct Boards {
    boards: Vec<Board>,
    /// Whether rows of other chips are excluded.
    only: bool,
}

impl Boards {
    /// Loads the chip of `--chip`, or all built-in chips of the table.
    pub fn new(args: &ValidateArgs) -> Result<Self, Failure> {
        Self::overridden(args, &[])
    }

    /// Same as [`Self::new`], with more overrides on the chips that accept them.
    pub fn overridden(args: &ValidateArgs, more: &[&str]) -> Result<Self, Failure> {
        let board = |chip: &str, sets: &[String]| {
            let all = sets.iter().cloned().chain(more.iter().map(|set| (*set).to_owned())).collect();
            Board::new(&ChipArgs { chip: chip.to_owned(), sets: all })
                .or_else(|_| Board::new(&ChipArgs { chip: chip.to_owned(), sets: sets.to_vec() }))
        };
        let Some(chip) = &args.chip else {
            let load = |name: &str| board(name, &[]);
            let in_table = |name: &&str| table::published().iter().any(|row| row.chip == *name);
            let boards = simulated_names().filter(in_table).map(load).collect::<Result<_, _>>()?;
            return Ok(Self { boards, only: false });
        };
        Ok(Self { boards: vec![board(chip, &args.sets)?], only: true })
    }

    /// Returns the chip of that name.
    pub fn get(&self, chip: &str) -> Option<&Board> {
        self.boards.iter().find(|board| board.chip == chip)
    }

    /// Returns the name of the only chip, if rows of other chips are excluded.
    pub fn only(&self) -> Option<&str> {
        self.only.then(|| self.boards[0].chip.as_str())
    }

    /// Returns the boards of the chips of rows, each once, in the order of the rows.
    pub fn used<'r>(&self, chips: impl Iterator<Item = &'r str>) -> Vec<&Board> {
        let mut used: Vec<&Board> = Vec::new();
        for board in chips.filter_map(|chip| self.get(chip)) {
            if used.iter().all(|other| other.chip != board.chip) {
                used.push(board);
            }
        }
        used
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A change of a number of a chip must change the day on the validation page.
    #[test]
    fn every_chip_of_the_table_has_the_day_of_its_last_change() {
        for (chip, frozen, _) in FROZEN {
            let board = Board::new(&ChipArgs { chip: chip.to_owned(), sets: Vec::new() }).unwrap();
            assert_eq!(board.config, frozen, "a number of `{chip}` has changed: set its digest and day");
        }
        assert!(table::published().iter().all(|row| FROZEN.iter().any(|(chip, ..)| *chip == row.chip)));
    }

    #[test]
    fn the_hash_depends_on_the_numbers_only() {
        let hash = |sets: &[&str]| {
            let sets = sets.iter().map(|set| (*set).to_owned()).collect();
            Board::new(&ChipArgs { chip: "gt200".to_owned(), sets }).unwrap().config
        };
        assert_eq!(hash(&[]).len(), DIGITS);
        assert_eq!(hash(&["sm.max_warps=32"]), hash(&[]), "the value does not change");
        assert_ne!(hash(&["sm.max_warps=16"]), hash(&[]));
    }
}
