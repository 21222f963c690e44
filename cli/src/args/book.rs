//! Options of `warpsim book`.

use super::FormatArgs;
use super::run::threads;
use std::path::PathBuf;

/// Options of `book`.
#[derive(Debug, clap::Args)]
pub struct BookArgs {
    /// What to run: rows (PERF-04), groups of rows (OCC, SIMT, MEM, PERF, FP), chapters of the book
    /// (ch6), its appendices (appB), `slides`, or `all`; without any the ledger is listed
    #[arg(value_name = "ROW|GROUP|CHAPTER")]
    pub names: Vec<String>,

    /// Run at the sizes that the ledger names, in place of small ones; sampled, unless --no-sample
    /// says otherwise
    #[arg(long, requires = "names")]
    pub full_size: bool,

    /// Simulate only the first blocks of launches of many, and the first of many launches alike,
    /// and estimate the rest (docs/MODEL.md); results of what is sampled are not checked
    #[arg(long, requires = "names")]
    pub sample: bool,

    /// Simulate every block of every launch, at the full size too: days, not hours
    #[arg(long, requires = "names", conflicts_with = "sample")]
    pub no_sample: bool,

    /// Override a number of every chip, such as `sm.max_warps=16`; may be repeated
    #[arg(long = "set", value_name = "PATH=VALUE", requires = "names")]
    pub sets: Vec<String>,

    /// Write the rows to this file as a page of Markdown
    #[arg(long, value_name = "FILE", requires = "names")]
    pub markdown: Option<PathBuf>,

    /// Most host threads of each launch; what is printed does not depend on it
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = threads)]
    pub threads: usize,

    /// Rows that are run at once (default: one for each core); what is printed does not depend on
    /// it
    #[arg(long, value_name = "N", value_parser = threads)]
    pub jobs: Option<usize>,

    /// How to print.
    #[command(flatten)]
    pub format: FormatArgs,
}

impl BookArgs {
    /// Whether launches are sampled.
    pub fn is_sampled(&self) -> bool {
        (self.sample || self.full_size) && !self.no_sample
    }

    /// How large rows are run, in words.
    pub fn sizes(&self) -> String {
        let size = if self.full_size { "at the sizes that the ledger names" } else { "at small sizes" };
        let blocks = if self.is_sampled() { "large launches sampled" } else { "no launch sampled" };
        format!("{size}, {blocks}")
    }
}
