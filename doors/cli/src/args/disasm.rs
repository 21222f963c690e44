//! Options of `warpsim disasm`.

use super::{CompileArgs, FormatArgs, PreprocessArgs};
use std::path::PathBuf;

/// Options of `disasm`.
#[derive(Debug, clap::Args)]
pub struct DisasmArgs {
    /// A PTX file or a built-in kernel
    #[arg(value_name = "KERNEL|FILE.ptx")]
    pub file: String,

    /// More PTX files, which are linked with the first one (docs/FROM-CUDA.md)
    #[arg(value_name = "FILE.ptx")]
    pub linked: Vec<PathBuf>,

    /// Show only this kernel of the file
    #[arg(long, value_name = "NAME")]
    pub entry: Option<String>,

    /// The compilation of PTX.
    #[command(flatten)]
    pub compile: CompileArgs,

    /// The preprocessor of CUDA C.
    #[command(flatten)]
    pub preprocess: PreprocessArgs,

    /// The output format.
    #[command(flatten)]
    pub format: FormatArgs,
}
