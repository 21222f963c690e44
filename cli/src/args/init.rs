//! Options of `warpsim init`.

use std::path::PathBuf;

/// Options of `init`.
#[derive(Debug, clap::Args)]
pub struct InitArgs {
    /// A PTX file, or a built-in kernel
    #[arg(value_name = "FILE.ptx|KERNEL")]
    pub file: String,

    /// More PTX files, which are linked with the first one (docs/FROM-CUDA.md)
    #[arg(value_name = "FILE.ptx")]
    pub linked: Vec<PathBuf>,

    /// The kernel of the file; without it the first one, with launches of the others as comments
    #[arg(long, value_name = "NAME")]
    pub entry: Option<String>,

    /// Write the launch file to this new file instead of standard output
    #[arg(short, long, visible_alias = "output", value_name = "LAUNCH.ron")]
    pub out: Option<PathBuf>,
}
