//! The chips of the measurements, each with the hash of its configuration.

use super::MeasurementResult;
use crate::args::{ChipArgs, ValidateArgs};
use crate::cmd::config::Loaded;
use crate::exit::Failure;
use kernels::measure::table;
use report::ron_text;
use serde::Serialize;
use sha2::{Digest, Sha256};
use sim_core::config::Chip;
use sim_core::config::builtin::simulated_names;

/// Number of hexadecimal digits of a hash that are shown: enough to distinguish versions of a file.
const DIGITS: usize = 12;

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
        Ok(Self { chip: model.name.clone(), board: model.board.clone(), config, model })
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
        let Some(chip) = &args.chip else {
            let load = |name: &str| Board::new(&ChipArgs { chip: name.to_owned(), sets: Vec::new() });
            let in_table = |name: &&str| table::published().iter().any(|row| row.chip == *name);
            let boards = simulated_names().filter(in_table).map(load).collect::<Result<_, _>>()?;
            return Ok(Self { boards, only: false });
        };
        let board = Board::new(&ChipArgs { chip: chip.clone(), sets: args.sets.clone() })?;
        Ok(Self { boards: vec![board], only: true })
    }

    /// Returns the chip of that name.
    pub fn get(&self, chip: &str) -> Option<&Board> {
        self.boards.iter().find(|board| board.chip == chip)
    }

    /// Returns the name of the only chip, if rows of other chips are excluded.
    pub fn only(&self) -> Option<&str> {
        self.only.then(|| self.boards[0].chip.as_str())
    }

    /// Returns the chips that have rows among `results`, in the order of the rows.
    pub fn used(&self, results: &[MeasurementResult]) -> Vec<&Board> {
        let mut used: Vec<&Board> = Vec::new();
        for board in results.iter().filter_map(|result| self.get(result.row.chip)) {
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
