//! Options of `warpsim config`.

use super::format::FormatArgs;
use super::workload::{ChipArgs, DEFAULT_CHIP};
use clap::Subcommand;
use std::path::PathBuf;

/// Options of `config`.
#[derive(Debug, clap::Args)]
pub struct ConfigArgs {
    /// What to do with a chip
    #[command(subcommand)]
    pub action: ConfigAction,
}

/// What to do with a chip.
#[derive(Debug, Subcommand)]
pub enum ConfigAction {
    /// Print a chip with its overrides, as a chip file
    Show {
        /// The chip
        #[command(flatten)]
        chip: OneChip,
        /// Print the numbers that follow from the chip's fields, each with its formula, instead of
        /// the file
        #[arg(long)]
        derived: bool,
        /// For whom: the chip as RON or a table, or as JSON
        #[command(flatten)]
        format: FormatArgs,
    },
    /// Report all errors and warnings of a chip file
    Check {
        /// A chip file, or the name of a built-in chip
        #[arg(value_name = "FILE.ron|NAME")]
        file: PathBuf,
        /// Override a number of the chip, such as `sm.max_warps=16`; may be repeated
        #[arg(long = "set", value_name = "PATH=VALUE")]
        sets: Vec<String>,
    },
    /// Show the fields in which two chips differ
    Diff {
        /// The first chip: a name, or a chip file
        #[arg(value_name = "A")]
        a: String,
        /// The second one
        #[arg(value_name = "B")]
        b: String,
        /// Override a number of the second chip; may be repeated
        #[arg(long = "set", value_name = "PATH=VALUE")]
        sets: Vec<String>,
    },
    /// Explain a field: its meaning, range and value, and the source of its number
    Explain {
        /// The field, such as `sm.max_warps`, or a part of the chip, such as `sm.lsu`; the default
        /// is a list of all fields
        #[arg(value_name = "PATH")]
        path: Option<String>,
        /// The chip that has the value: a name, or a chip file
        #[arg(value_name = "CHIP", default_value = DEFAULT_CHIP)]
        chip: String,
    },
    /// Print the JSON Schema of chip files
    Schema,
}

/// A chip with overrides.
#[derive(Debug, clap::Args)]
pub struct OneChip {
    /// The chip: the name of a built-in one, or a chip file
    #[arg(value_name = "NAME|FILE.ron", default_value = DEFAULT_CHIP)]
    chip: String,
    /// Override a number of the chip, such as `sm.max_warps=16`; may be repeated
    #[arg(long = "set", value_name = "PATH=VALUE")]
    sets: Vec<String>,
}

impl OneChip {
    /// The chip as an argument of other commands.
    pub fn args(&self) -> ChipArgs {
        ChipArgs { chip: self.chip.clone(), sets: self.sets.clone() }
    }
}
