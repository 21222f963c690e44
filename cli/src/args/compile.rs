//! Options that say how PTX is compiled, in the words of `ptxas`.

use isa::Options;

/// How PTX is compiled.
#[derive(Clone, Copy, Debug, clap::Args)]
pub struct CompileArgs {
    /// How much of ptxas's work is done: 0 lowers each instruction by itself; 1 to 3, all the same
    /// here, fold copies, constants, addresses and dead code (docs/MODEL.md)
    #[arg(short = 'O', long, value_name = "LEVEL", default_value_t = 3,
          value_parser = clap::value_parser!(u32).range(0..=3))]
    pub opt_level: u32,

    /// Fuse a product with the sum that alone uses it, where neither names its rounding, as nvcc
    /// does unless told otherwise: changes results; not at level 0
    #[arg(long, value_name = "true|false", default_value_t = false, action = clap::ArgAction::Set)]
    pub fmad: bool,
}

impl CompileArgs {
    /// The same for the compiler.
    pub fn options(self) -> Options {
        let optimize = self.opt_level > 0;
        Options { optimize, fmad: optimize && self.fmad }
    }
}
