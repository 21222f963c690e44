//! Options of `warpsim explain`.

use super::FormatArgs;

/// Options of `explain`.
#[derive(Debug, clap::Args)]
pub struct ExplainArgs {
    /// A metric, a warp state or stall, an outcome of an issue slot, a field of the report, an
    /// error code, a word of a report, or a term of the glossary; without it, all names are listed
    #[arg(value_name = "NAME")]
    pub name: Vec<String>,

    /// The output format.
    #[command(flatten)]
    pub format: FormatArgs,
}
