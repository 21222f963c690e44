//! Options of `warpsim check`.

use super::occupancy::block;
use super::{CompileArgs, FormatArgs, PreprocessArgs};
use isa::types::Dim3;

/// Options of `check`.
#[derive(Debug, clap::Args)]
pub struct CheckArgs {
    /// PTX files or built-in kernels
    #[arg(value_name = "FILE.ptx|KERNEL", required = true)]
    pub files: Vec<String>,

    /// Check the files together, as one linked program, instead of each file alone
    #[arg(long)]
    pub link: bool,

    /// Print only the PTX text; a built-in kernel's text begins with the kernel in CUDA C, and has
    /// pseudo code and explanations
    #[arg(long, conflicts_with_all = ["chip", "format", "opt_level", "fmad", "schedule", "maxrregcount"])]
    pub source: bool,

    /// Show the occupancy of each kernel on this chip: a built-in chip, a chip file, or a compute
    /// capability such as 1.3
    #[arg(long, value_name = "NAME|FILE.ron|CC")]
    pub chip: Option<String>,

    /// Override a number of the chip, such as `sm.max_warps=16`; may be repeated
    #[arg(long = "set", value_name = "PATH=VALUE", requires = "chip")]
    pub sets: Vec<String>,

    /// Threads per block for --chip: `256`, `16x16` or `(16,16)`
    #[arg(long, value_name = "THREADS", value_parser = block, requires = "chip")]
    pub block: Option<Dim3>,

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
