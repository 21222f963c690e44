//! Options of `warpsim compile`, with the names that nvcc uses.

use request::compilation::PreprocessArgs;
use sim_core::config::builtin::DEFAULT_CHIP;
use std::path::PathBuf;

/// Options of `compile`.
#[derive(Debug, clap::Args)]
pub struct CudaArgs {
    /// A CUDA C or OpenCL C file
    #[arg(value_name = "FILE.cu")]
    pub file: PathBuf,

    /// Compute capability that code is generated for
    #[arg(long, visible_alias = "arch", value_name = "TARGET", conflicts_with = "chip",
          value_parser = clap::builder::PossibleValuesParser::new(cuda::target::Target::NAMES))]
    pub target: Option<String>,

    /// Generate code for the capability of this chip
    #[arg(long, value_name = "CHIP", default_value = DEFAULT_CHIP)]
    pub chip: String,

    /// Write the PTX to this file instead of standard output
    #[arg(short, long, visible_alias = "output", value_name = "FILE.ptx")]
    pub out: Option<PathBuf>,

    /// Optimization level: 0 compiles as written, 1 to 3 are the same
    #[arg(short = 'O', long, value_name = "LEVEL", default_value_t = 3,
          value_parser = clap::value_parser!(u32).range(0..=3))]
    pub opt_level: u32,

    /// The preprocessor.
    #[command(flatten)]
    pub preprocess: PreprocessArgs,

    /// Contract products and sums into multiply-adds (default: true)
    #[arg(long, value_name = "true|false")]
    pub fmad: Option<bool>,

    /// Replace subnormal floats by zeros (default: false; below `sm_20` always)
    #[arg(long, value_name = "true|false")]
    pub ftz: Option<bool>,

    /// Divide floats exactly (default: true; below `sm_20` never)
    #[arg(long, value_name = "true|false")]
    pub prec_div: Option<bool>,

    /// Compute square roots of floats exactly (default: true; below `sm_20` never)
    #[arg(long, value_name = "true|false")]
    pub prec_sqrt: Option<bool>,

    /// Fast functions instead of exact ones: --ftz true --prec-div false --prec-sqrt false, and
    /// `__sinf` for `sinf` and so on
    #[arg(long, alias = "use_fast_math")]
    pub use_fast_math: bool,

    /// Maximum number of registers per thread
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub maxrregcount: Option<u32>,

    /// Leave out the lines of CUDA C: `.loc` and comments
    #[arg(long)]
    pub no_lines: bool,
}
