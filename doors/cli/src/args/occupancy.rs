//! Options of `warpsim occupancy`.

use super::{ChipArgs, CompileArgs, FormatArgs, PreprocessArgs};
use isa::types::Dim3;
pub use request::direct::extents as block;
use request::options::Cache;
use serde::Serialize;
use std::path::PathBuf;

/// Options of `occupancy`.
#[derive(Debug, clap::Args)]
#[command(after_help = "From a kernel:  warpsim occupancy matmul-tiled\n\
                        From numbers:   warpsim occupancy --block 256 --regs 11 --shared 2048\n\
                        As a table:     warpsim occupancy --regs 10 --sweep block\n\
                        --chip also accepts a compute capability from 1.0 to 9.0.")]
pub struct OccupancyArgs {
    /// A PTX file or a built-in kernel; without it, --block, --regs and --shared give the numbers
    #[arg(value_name = "KERNEL|FILE.ptx")]
    pub kernel: Option<String>,

    /// More PTX files, which are linked with the first one (docs/FROM-CUDA.md)
    #[arg(value_name = "FILE.ptx")]
    pub linked: Vec<PathBuf>,

    /// Show only this kernel of the file
    #[arg(long, value_name = "NAME", requires = "kernel")]
    pub entry: Option<String>,

    /// Threads per block: `256`, `16x16` or `(16,16)` (default: the block of the kernel)
    #[arg(long, value_name = "THREADS", value_parser = block)]
    pub block: Option<Dim3>,

    /// Registers per thread (default: the number that the kernel needs); 0 ignores registers
    #[arg(long, value_name = "N", visible_alias = "registers")]
    pub regs: Option<u32>,

    /// Barriers of a block, if no kernel is given, as ptxas reports them; they limit the blocks
    /// from 9.0 on
    #[arg(long, value_name = "N", conflicts_with = "kernel", value_parser = clap::value_parser!(u32).range(..=16))]
    pub barriers: Option<u32>,

    /// Bytes of shared memory per block, if no kernel is given
    #[arg(long, value_name = "BYTES", conflicts_with = "kernel")]
    pub shared: Option<u32>,

    /// Bytes of parameters, if no kernel is given; the answer then holds for a launched kernel
    #[arg(long, value_name = "BYTES", conflicts_with = "kernel")]
    pub params: Option<u32>,

    /// Bytes of dynamic shared memory per block
    #[arg(long, value_name = "BYTES", default_value_t = 0)]
    pub dynamic_shared: u32,

    /// Size of an SM's shared memory in KB that the launch prefers, for a capability with several
    /// sizes: 48 or 16 on 2.x, 48, 32 or 16 on 3.0. A block that does not fit gets a larger size
    #[arg(long, value_name = "KB")]
    pub shared_config: Option<u32>,

    /// The program raises the limit of dynamic shared memory, for more than 48 KB per block from
    /// 7.0 on (cudaFuncAttributeMaxDynamicSharedMemorySize)
    #[arg(long)]
    pub opt_in: bool,

    /// Division of an SM's memory between L1 and shared memory (cudaFuncSetCacheConfig)
    #[arg(long, value_enum, value_name = "PREFERENCE", conflicts_with = "shared_config")]
    pub cache: Option<Cache>,

    /// The chip.
    #[command(flatten)]
    pub chip: ChipArgs,

    /// Print a table over `block` sizes, `regs` or `shared` bytes: over all values, or over the
    /// given ones, as in `block=64,128`
    #[arg(long, value_name = "WHAT[=N,…]", value_parser = sweep, num_args = 0..=1, default_missing_value = "block")]
    pub sweep: Option<Sweep>,

    /// Write the answer to this file as one HTML page with curves (docs/PICTURES.md)
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,

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

/// The number that a sweep varies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Over {
    /// Threads of a block.
    Block,
    /// Registers per thread.
    #[serde(rename = "regs")]
    Registers,
    /// Bytes of shared memory of a block, without the bytes that a launch adds.
    Shared,
}

/// A table over one number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sweep {
    /// The number that varies.
    pub over: Over,
    /// Its values; empty for all values.
    pub values: Vec<u32>,
}

/// Reads `WHAT` or `WHAT=N,…`.
fn sweep(text: &str) -> Result<Sweep, String> {
    let (what, list) = text.split_once('=').map_or((text, None), |(what, list)| (what, Some(list)));
    let over = match what {
        "block" => Over::Block,
        "regs" | "registers" => Over::Registers,
        "shared" => Over::Shared,
        _ => {
            return Err(
                "expected `block`, `regs` or `shared`; write the kernel's name before --sweep".to_owned()
            );
        }
    };
    let number = |part: &str| {
        let part = part.trim();
        part.parse::<u32>().map_err(|_| format!("`{part}` is not a whole number"))
    };
    let values = list.map_or(Ok(Vec::new()), |list| list.split(',').map(number).collect())?;
    Ok(Sweep { over, values })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_has_one_to_three_extents() {
        for (text, extents) in [
            ("256", (256, 1, 1)),
            ("16x16", (16, 16, 1)),
            ("(16,16)", (16, 16, 1)),
            (" ( 8, 8, 2 ) ", (8, 8, 2)),
            ("4x4x4", (4, 4, 4)),
            ("0", (0, 1, 1)),
        ] {
            assert_eq!(block(text), Ok(extents.into()), "{text}");
        }
        for bad in ["", "x", "16x", "(16", "16)", "1x1x1x1", "-1", "1.5", "many", "99999999999"] {
            assert!(block(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn a_sweep_names_what_varies() {
        assert_eq!(sweep("block"), Ok(Sweep { over: Over::Block, values: vec![] }));
        assert_eq!(sweep("regs=8, 16"), Ok(Sweep { over: Over::Registers, values: vec![8, 16] }));
        for bad in ["", "blocks", "shared=", "shared=1,,2", "regs=x", "k.ptx"] {
            assert!(sweep(bad).is_err(), "{bad}");
        }
    }
}
