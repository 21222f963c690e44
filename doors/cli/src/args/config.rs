//! Options of `warpsim config`.

use super::format::FormatArgs;
use clap::Subcommand;
use request::options::ChipArgs;
use sim_core::config::builtin::DEFAULT_CHIP;
use std::path::PathBuf;

/// Options of `config`.
#[derive(Debug, clap::Args)]
pub struct ConfigArgs {
    /// The action
    #[command(subcommand)]
    pub action: ConfigAction,
}

/// Actions on a chip.
#[derive(Debug, Subcommand)]
pub enum ConfigAction {
    /// Print a chip with its overrides as a chip file
    Show {
        /// The chip
        #[command(flatten)]
        chip: OneChip,
        /// Print numbers that are computed from the numbers of the chip, each with its formula,
        /// instead of the chip file
        #[arg(long)]
        derived: bool,
        /// Output format
        #[command(flatten)]
        format: FormatArgs,
    },
    /// Check a chip file and print all errors and warnings
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
        /// The second chip: a name, or a chip file
        #[arg(value_name = "B")]
        b: String,
        /// Override a number of the second chip; may be repeated
        #[arg(long = "set", value_name = "PATH=VALUE")]
        sets: Vec<String>,
    },
    /// Explain a field: its meaning, range and value, and the source of its number
    Explain {
        /// The field, such as `sm.max_warps`, or a part of the chip, such as `sm.lsu`; without it,
        /// all fields are listed. `launch.PATH` and `experiment.PATH` are fields of those files,
        /// such as `launch.buffers.init`
        #[arg(value_name = "PATH")]
        path: Option<String>,
        /// The chip whose values are shown: a name, or a chip file
        #[arg(value_name = "CHIP", default_value = DEFAULT_CHIP)]
        chip: String,
    },
    /// Print the JSON Schema of chip, launch or experiment files
    Schema {
        /// The kind of file
        #[arg(value_enum, value_name = "KIND", default_value_t)]
        of: FileKind,
    },
}

/// A kind of files that the user writes.
#[derive(Clone, Copy, Debug, Default, clap::ValueEnum)]
pub enum FileKind {
    /// Chip files
    #[default]
    Chip,
    /// Launch files
    Launch,
    /// Experiment files
    Experiment,
    /// Rubrics of exercises
    Exercise,
}

/// A chip with overrides.
#[derive(Debug, clap::Args)]
pub struct OneChip {
    /// A built-in chip, or a chip file
    #[arg(value_name = "NAME|FILE.ron", default_value = DEFAULT_CHIP)]
    chip: String,
    /// Override a number of the chip, such as `sm.max_warps=16`; may be repeated
    #[arg(long = "set", value_name = "PATH=VALUE")]
    sets: Vec<String>,
}

impl OneChip {
    /// The chip in the form that other commands use.
    pub fn args(&self) -> ChipArgs {
        ChipArgs { chip: self.chip.clone(), sets: self.sets.clone() }
    }
}
