//! Options of `warpsim book`.

use super::FormatArgs;
use super::run::threads;
use evidence::view::document::Sizes;
use std::path::PathBuf;

/// Options of `book`.
#[derive(Debug, clap::Args)]
pub struct BookArgs {
    /// Claims (PERF-04), groups of claims (OCC, SIMT, MEM, PERF, FP, OCL), chapters (ch6) and
    /// appendices (appB) of the book, `slides`, or `all`; without a name, all claims are listed
    #[arg(value_name = "CLAIM|GROUP|CHAPTER")]
    pub names: Vec<String>,

    /// Run at the sizes of the claims table instead of small ones; large launches are sampled,
    /// unless --no-sample is given
    #[arg(long, requires = "names")]
    pub full_size: bool,

    /// Simulate only the first blocks of large launches, and the first of many equal launches, and
    /// estimate the rest (docs/MODEL.md); sampled results are not checked
    #[arg(long, requires = "names")]
    pub sample: bool,

    /// Simulate every block of every launch, also at full size: days, not hours
    #[arg(long, requires = "names", conflicts_with = "sample")]
    pub no_sample: bool,

    /// Override a number of every chip, such as `sm.max_warps=16`; may be repeated
    #[arg(long = "set", value_name = "PATH=VALUE", requires = "names")]
    pub sets: Vec<String>,

    /// Write the claims to this file as a page of Markdown
    #[arg(long, value_name = "FILE", requires = "names")]
    pub markdown: Option<PathBuf>,

    /// Write the claims to this file as one HTML page with pictures (docs/PICTURES.md)
    #[arg(long, value_name = "FILE", requires = "names")]
    pub html: Option<PathBuf>,

    /// Maximum number of host threads per launch; the output does not depend on it
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = threads)]
    pub threads: usize,

    /// Number of claims that run at a time (default: one per core); the output does not depend on
    /// it
    #[arg(long, value_name = "N", value_parser = threads)]
    pub jobs: Option<usize>,

    /// The output format.
    #[command(flatten)]
    pub format: FormatArgs,
}

impl BookArgs {
    /// Whether launches are sampled.
    pub fn is_sampled(&self) -> bool {
        (self.sample || self.full_size) && !self.no_sample
    }

    /// The sizes at which claims run.
    pub fn sizes(&self) -> Sizes<'_> {
        Sizes { full_size: self.full_size, sampled: self.is_sampled(), sets: &self.sets }
    }
}
