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

    /// The kernel that --grid launches; not necessary if the file has only one
    #[arg(long, value_name = "NAME", requires = "grid")]
    pub entry: Option<String>,

    /// An argument of the kernel that --grid launches: `n=1000`, or the values of the buffer of a
    /// pointer, such as `x=iota(0,1)`, `x=random(1,0,9)` or `x=(type: f32, len: 50)`; may be
    /// repeated
    #[arg(long = "arg", value_name = "NAME=VALUE", requires = "grid")]
    pub arguments: Vec<String>,

    /// Compare a buffer with a formula after the launch of --grid: `'y=2*x[i]'`; may be repeated
    #[arg(long, value_name = "NAME=FORMULA", requires = "grid")]
    pub expect: Vec<String>,

    /// Bytes of dynamic shared memory per block of the launch of --grid
    #[arg(long, value_name = "BYTES", requires = "grid")]
    pub dynamic_shared: Option<u32>,
}
