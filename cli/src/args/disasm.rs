//! Options of `warpsim disasm`.

use super::{CompileArgs, FormatArgs};

/// Options of `disasm`.
#[derive(Debug, clap::Args)]
pub struct DisasmArgs {
    /// A PTX file, or a built-in kernel
    #[arg(value_name = "KERNEL|FILE.ptx")]
    pub file: String,

    /// The kernel of the file; without it all of them
    #[arg(long, value_name = "NAME")]
    pub entry: Option<String>,

    /// How it is compiled.
    #[command(flatten)]
    pub compile: CompileArgs,

    /// How to print.
    #[command(flatten)]
    pub format: FormatArgs,
}
