//! A launch that the command line describes, without a launch file.

use super::occupancy::block;
use isa::types::Dim3;

/// Options of `run` that replace a launch file.
#[derive(Debug, Default, clap::Args)]
pub struct DirectArgs {
    /// Launch a kernel of a CUDA C or PTX file with this number of blocks, without a launch file:
    /// `4`, `16x16` or `(16,16)` (docs/FROM-CUDA.md)
    #[arg(long, value_name = "BLOCKS", value_parser = block, requires = "block", conflicts_with = "launch")]
    pub grid: Option<Dim3>,

    /// Threads per block of --grid, in the same notation
    #[arg(long, value_name = "THREADS", value_parser = block, requires = "grid")]
    pub block: Option<Dim3>,

    /// Work-items of a kernel in OpenCL C (clEnqueueNDRangeKernel), in the same notation, without a
    /// launch file
    #[arg(long, value_name = "WORK-ITEMS", value_parser = block, conflicts_with_all = ["launch", "grid"])]
    pub global: Option<Dim3>,

    /// Work-items of a work-group of --global; without it the largest number up to 256 that divides
    /// it
    #[arg(long, value_name = "WORK-ITEMS", value_parser = block, requires = "global")]
    pub local: Option<Dim3>,

    /// The kernel that --grid or --global launches; not necessary if the file has only one
    #[arg(long, value_name = "NAME")]
    pub entry: Option<String>,

    /// An argument of this kernel: `n=1000`, or the values of the buffer of a pointer, such as
    /// `x=iota(0,1)`, `x=random(1,0,9)` or `x=(type: f32, len: 50)`, or the bytes of `__local`
    /// memory; may be repeated
    #[arg(long = "arg", value_name = "NAME=VALUE")]
    pub arguments: Vec<String>,

    /// Compare a buffer with a formula after the launch: `'y=2*x[i]'`; may be repeated
    #[arg(long, value_name = "NAME=FORMULA")]
    pub expect: Vec<String>,

    /// Bytes of dynamic shared memory per block of this launch
    #[arg(long, value_name = "BYTES")]
    pub dynamic_shared: Option<u32>,
}

impl DirectArgs {
    /// The first option that needs --grid or --global.
    pub fn dependent(&self) -> Option<&'static str> {
        let all = [
            ("--entry", self.entry.is_some()),
            ("--arg", !self.arguments.is_empty()),
            ("--expect", !self.expect.is_empty()),
            ("--dynamic-shared", self.dynamic_shared.is_some()),
        ];
        all.into_iter().find(|(_, is_given)| *is_given).map(|(name, _)| name)
    }
}
