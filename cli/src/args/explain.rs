//! Options of `warpsim explain`.

use super::FormatArgs;

/// Options of `explain`.
#[derive(Debug, clap::Args)]
pub struct ExplainArgs {
    /// A metric, a warp state or stall, an outcome of an issue slot, a field of the report, or the
    /// code of an error
    #[arg(value_name = "NAME")]
    pub name: Vec<String>,

    /// How to print.
    #[command(flatten)]
    pub format: FormatArgs,
}
