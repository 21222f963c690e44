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
        /// Print the numbers that follow from the chip's, each with its formula, in place of the
        /// file
        #[arg(long)]
        derived: bool,
        /// For whom: the chip as RON or a table, or as JSON
        #[command(flatten)]
        format: FormatArgs,
    },
    /// Say everything that is wrong with a chip file
    Check {
        /// A chip file, or the name of a built-in chip
        #[arg(value_name = "FILE.ron|NAME")]
        file: PathBuf,
        /// Override a number of the chip, such as `sm.max_warps=16`; may be repeated
        #[arg(long = "set", value_name = "PATH=VALUE")]
        sets: Vec<String>,
    },
    /// Show in which fields two chips differ
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
    /// Say what a field means, its range, its value, and where its number comes from
    Explain {
        /// The field, such as `sm.max_warps`, or a part of the chip, such as `sm.lsu`; without it
        /// all fields are listed
        #[arg(value_name = "PATH")]
        path: Option<String>,
        /// The chip that has the value: a name, or a chip file
        #[arg(value_name = "CHIP", default_value = DEFAULT_CHIP)]
        chip: String,
    },
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
    /// As other commands take a chip.
    pub fn args(&self) -> ChipArgs {
        ChipArgs { chip: self.chip.clone(), sets: self.sets.clone() }
    }
}
