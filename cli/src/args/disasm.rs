//! Options of `warpsim disasm`.

use super::{CompileArgs, FormatArgs};

/// Options of `disasm`.
#[derive(Debug, clap::Args)]
pub struct DisasmArgs {
    /// A PTX file or a built-in kernel
    #[arg(value_name = "KERNEL|FILE.ptx")]
    pub file: String,

    /// Show only this kernel of the file
    #[arg(long, value_name = "NAME")]
    pub entry: Option<String>,

    /// The compilation of PTX.
    #[command(flatten)]
    pub compile: CompileArgs,

    /// The output format.
    #[command(flatten)]
    pub format: FormatArgs,
}
