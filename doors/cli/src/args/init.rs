//! Options of `warpsim init`.

use super::WhichLaunch;
use std::ffi::OsString;
use std::path::PathBuf;

/// Options of `init`.
#[derive(Debug, clap::Args)]
pub struct InitArgs {
    /// A PTX file, or a CUDA C file, or a built-in kernel. A program with host code runs up to one
    /// of its launches, whose values and memory the launch file gets
    #[arg(value_name = "FILE|KERNEL")]
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

    /// Which launch.
    #[command(flatten)]
    pub which: WhichLaunch,

    /// The chip on which a program with host code runs (default: fermi)
    #[arg(long, value_name = "NAME|FILE.ron")]
    pub chip: Option<String>,

    /// Arguments of a program with host code
    #[arg(last = true, value_name = "ARGUMENT")]
    pub program_arguments: Vec<OsString>,
}
