//! Options of `warpsim validate`.

use super::FormatArgs;
use super::run::threads;
use std::path::PathBuf;

/// Options of `validate`.
#[derive(Debug, clap::Args)]
pub struct ValidateArgs {
    /// Rows of the table, such as V307 (default: all; --list shows them)
    #[arg(value_name = "ROW")]
    pub rows: Vec<String>,

    /// Only rows of this chip: the name of a built-in one, or a chip file whose `name` is that of
    /// one
    #[arg(long, value_name = "NAME|FILE.ron")]
    pub chip: Option<String>,

    /// Override a number of the chip, such as `sm.max_warps=16`; may be repeated
    #[arg(long = "set", value_name = "PATH=VALUE", requires = "chip")]
    pub sets: Vec<String>,

    /// Measure at the published sizes: hours, not minutes
    #[arg(long)]
    pub full: bool,

    /// Show the rows and what was published, and measure nothing
    #[arg(long, conflicts_with_all = ["csv", "svg", "markdown", "full"])]
    pub list: bool,

    /// Write the rows to this file as well
    #[arg(long, value_name = "FILE")]
    pub csv: Option<PathBuf>,

    /// Draw simulated against published values to this file
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,

    /// Write the rows to this file as a page of Markdown
    #[arg(long, value_name = "FILE")]
    pub markdown: Option<PathBuf>,

    /// Draw each chip's latency against footprint and stride to a file in this folder, in place of
    /// the rows
    #[arg(long, value_name = "FOLDER", conflicts_with_all = ["rows", "csv", "svg", "markdown", "full", "list", "format"])]
    pub latency: Option<PathBuf>,

    /// Rows that are measured at once (default: one for each core); what is printed does not depend
    /// on it
    #[arg(long, value_name = "N", value_parser = threads)]
    pub jobs: Option<usize>,

    /// How to print.
    #[command(flatten)]
    pub format: FormatArgs,
}
