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

    /// Only rows of this chip: a built-in chip, or a chip file with the `name` of one
    #[arg(long, value_name = "NAME|FILE.ron")]
    pub chip: Option<String>,

    /// Override a number of the chip, such as `sm.max_warps=16`; may be repeated
    #[arg(long = "set", value_name = "PATH=VALUE", requires = "chip")]
    pub sets: Vec<String>,

    /// Measure at the published sizes: hours, not minutes
    #[arg(long)]
    pub full: bool,

    /// List the rows with their published values, and run nothing
    #[arg(long, conflicts_with_all = ["csv", "svg", "markdown", "html", "full"])]
    pub list: bool,

    /// Write the rows to this file as CSV
    #[arg(long, value_name = "FILE")]
    pub csv: Option<PathBuf>,

    /// Write a scatter plot of simulated against published values to this file
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,

    /// Write the rows to this file as a page of Markdown; in a page with the lines `<!-- begin rows
    /// -->` and `<!-- end rows -->` only the text between them is replaced
    #[arg(long, value_name = "FILE")]
    pub markdown: Option<PathBuf>,

    /// Write the rows to this file as one HTML page with pictures (docs/PICTURES.md)
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,

    /// Draw the latency against footprint and stride for each chip, to a file per chip in this
    /// folder; no rows are measured
    #[arg(long, value_name = "FOLDER", conflicts_with_all = ["rows", "csv", "svg", "markdown", "html", "full", "list", "format", "ablation"])]
    pub latency: Option<PathBuf>,

    /// Measure the rows again with each mechanism of the model switched off, and write their errors
    /// to this file as a page of Markdown, or into its part `ablation`, as --markdown does
    #[arg(long, value_name = "FILE", conflicts_with_all = ["csv", "svg", "markdown", "html", "full", "list", "format"])]
    pub ablation: Option<PathBuf>,

    /// Number of rows that run at a time (default: one per core); the output does not depend on it
    #[arg(long, value_name = "N", value_parser = threads)]
    pub jobs: Option<usize>,

    /// The output format.
    #[command(flatten)]
    pub format: FormatArgs,
}
