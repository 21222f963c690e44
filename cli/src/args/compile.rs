//! Options for the compilation of PTX, with the names that `ptxas` uses.

use isa::Options;

/// Options for the compilation of PTX.
#[derive(Clone, Copy, Debug, clap::Args)]
pub struct CompileArgs {
    /// Optimization level, as for ptxas: 0 compiles each instruction separately; 1 to 3, which are
    /// the same here, optimize copies, constants, addresses and dead code (docs/MODEL.md)
    #[arg(short = 'O', long, value_name = "LEVEL", default_value_t = 3,
          value_parser = clap::value_parser!(u32).range(0..=3))]
    pub opt_level: u32,

    /// Fuse a product with a sum into one multiply-add if the product has no other use and neither
    /// names its rounding. Changes results; the default of nvcc is true. No effect with -O 0
    #[arg(long, value_name = "true|false", default_value_t = false, action = clap::ArgAction::Set)]
    pub fmad: bool,

    /// Order the instructions of each block by their latencies: loads ahead of their readers,
    /// independent chains interleaved. Results stay the same. No effect with -O 0
    #[arg(long, value_name = "true|false", default_value_t = false, action = clap::ArgAction::Set)]
    pub schedule: bool,

    /// Maximum number of registers per thread, as for ptxas: values that do not fit are computed
    /// again or kept in local memory (default: the limit of `.maxnreg` and of the chip)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub maxrregcount: Option<u32>,

    /// Lines that texts, pages and the debugger name: of the CUDA C file that the PTX was compiled
    /// from, if it is found, or of the PTX
    #[arg(long, value_enum, default_value = "source")]
    pub lines: Lines,
}

/// Lines that messages name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Lines {
    /// Lines of CUDA C, or of PTX without a source file
    Source,
    /// Lines of PTX
    Ptx,
}

impl Default for CompileArgs {
    fn default() -> Self {
        Self { opt_level: 3, fmad: false, schedule: false, maxrregcount: None, lines: Lines::Source }
    }
}

impl CompileArgs {
    /// The options of the compiler.
    pub fn options(self) -> Options {
        let optimize = self.opt_level > 0;
        Options {
            optimize,
            fmad: optimize && self.fmad,
            schedule: optimize && self.schedule,
            max_registers: self.maxrregcount,
            wide_addresses: false,
        }
    }
}
