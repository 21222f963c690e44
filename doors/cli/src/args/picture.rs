//! Options of `warpsim picture`: a kind of picture, what it shows, and its files.

use super::WhichLaunch;
use super::run::threads;
use super::watch::ProgressArgs;
use super::{CompileArgs, Numbers, PreprocessArgs};
use clap::Subcommand;
use isa::types::Dim3;
use request::options::{Cache, ChipArgs, Request};
use std::path::PathBuf;

/// Options of `picture`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Where the time goes:   warpsim picture stalls matmul-naive --size 64 --svg stalls.svg\n\
                        Two kernels:           warpsim picture roofline matmul-naive --with matmul-tiled --svg roofline.svg\n\
                        Coalescing by chip:    warpsim picture segments matmul-naive --size 64 --png segments.png\n\
                        All pictures:          docs/PICTURES.md"
)]
pub struct PictureArgs {
    /// The kind of picture.
    #[command(subcommand)]
    pub kind: PictureKind,
}

/// Kinds of pictures.
#[derive(Debug, Subcommand)]
pub enum PictureKind {
    /// Time of all warps by source line and state
    Stalls(StallsArgs),
    /// Roofline of a chip with the points of kernels
    Roofline(RooflineArgs),
    /// Occupancy by block size, registers and shared memory
    Occupancy(OccupancyPictureArgs),
    /// States of the warps of an SM, cycle by cycle
    Timeline(TimelineArgs),
    /// Copies and kernels of the host program in time: a row for the host and one for each stream
    Streams(DrawnRunArgs),
    /// Lanes of a warp and the segments of memory that they use, chips side by side
    Segments(SegmentsArgs),
    /// Active threads of a block between barriers: the tree of a reduction
    Tree(TreeArgs),
    /// Grouped bars of a figure of the book, from simulated runs
    Figure(FigureArgs),
    /// Latency of a load by footprint and stride, with the published steps
    Latency(LatencyArgs),
}

/// The files of a picture.
#[derive(Debug, clap::Args)]
#[group(required = true, multiple = true)]
pub struct PictureFiles {
    /// Write the picture as SVG
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,

    /// Write the picture as PNG
    #[arg(long, value_name = "FILE")]
    pub png: Option<PathBuf>,
}

/// A run that is drawn.
#[derive(Debug, clap::Args)]
pub struct DrawnRunArgs {
    /// The launch.
    #[command(flatten)]
    pub workload: Request,

    /// The chip.
    #[command(flatten)]
    pub chip: ChipArgs,

    /// Maximum number of host threads. The picture does not depend on it
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = threads)]
    pub threads: usize,

    /// The progress.
    #[command(flatten)]
    pub progress: ProgressArgs,

    /// The files.
    #[command(flatten)]
    pub files: PictureFiles,
}

/// Options of `picture stalls`.
#[derive(Debug, clap::Args)]
pub struct StallsArgs {
    /// The run.
    #[command(flatten)]
    pub run: DrawnRunArgs,

    /// Which launch.
    #[command(flatten)]
    pub which: WhichLaunch,

    /// Number of source lines, from the one with the most time on
    #[arg(long, value_name = "N", default_value_t = 12, value_parser = clap::value_parser!(u32).range(1..=40))]
    pub top: u32,
}

/// Options of `picture roofline`.
#[derive(Debug, clap::Args)]
pub struct RooflineArgs {
    /// The run.
    #[command(flatten)]
    pub run: DrawnRunArgs,

    /// Also draw the point of this built-in kernel, with the same size; may be repeated
    #[arg(long = "with", value_name = "KERNEL")]
    pub others: Vec<String>,
}

/// Options of `picture occupancy`.
#[derive(Debug, clap::Args)]
pub struct OccupancyPictureArgs {
    /// A PTX file or a built-in kernel; without it, --block, --regs and --shared give the numbers
    #[arg(value_name = "KERNEL|FILE.ptx")]
    pub kernel: Option<String>,

    /// Kernel of the file, if it has several
    #[arg(long, value_name = "NAME", requires = "kernel")]
    pub entry: Option<String>,

    /// Threads per block: `256`, `16x16` or `(16,16)` (default: the block of the kernel)
    #[arg(long, value_name = "THREADS", value_parser = super::occupancy::block)]
    pub block: Option<Dim3>,

    /// Registers per thread (default: the number that the kernel needs)
    #[arg(long, value_name = "N", visible_alias = "registers")]
    pub regs: Option<u32>,

    /// Bytes of shared memory per block, if no kernel is given
    #[arg(long, value_name = "BYTES", conflicts_with = "kernel")]
    pub shared: Option<u32>,

    /// Bytes of dynamic shared memory per block
    #[arg(long, value_name = "BYTES", default_value_t = 0)]
    pub dynamic_shared: u32,

    /// The program raises the limit of dynamic shared memory, for more than 48 KB per block from
    /// 7.0 on (cudaFuncAttributeMaxDynamicSharedMemorySize)
    #[arg(long)]
    pub opt_in: bool,

    /// Division of an SM's memory between L1 and shared memory (cudaFuncSetCacheConfig)
    #[arg(long, value_enum, value_name = "PREFERENCE")]
    pub cache: Option<Cache>,

    /// The chip.
    #[command(flatten)]
    pub chip: ChipArgs,

    /// The compilation of PTX.
    #[command(flatten)]
    pub compile: CompileArgs,

    /// The preprocessor of CUDA C.
    #[command(flatten)]
    pub preprocess: PreprocessArgs,

    /// The files.
    #[command(flatten)]
    pub files: PictureFiles,
}

/// Options of `picture timeline`.
#[derive(Debug, clap::Args)]
pub struct TimelineArgs {
    /// The run.
    #[command(flatten)]
    pub run: DrawnRunArgs,

    /// Which launch.
    #[command(flatten)]
    pub which: WhichLaunch,

    /// Number of the SM
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub sm: u32,

    /// Shader cycles: `A..B` (both included); the launch stops after B
    #[arg(long, value_name = "A..B", default_value = "0..1999")]
    pub cycles: Numbers,
}

/// Options of `picture segments`.
#[derive(Debug, clap::Args)]
pub struct SegmentsArgs {
    /// The launch.
    #[command(flatten)]
    pub workload: Request,

    /// Chips, separated by commas: built-in chips or chip files (default: g80, gt200 and fermi,
    /// if they run the kernel)
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    pub chips: Option<Vec<String>>,

    /// Source line of the access; may be repeated (default: the first lines with accesses to global
    /// or local memory)
    #[arg(long = "line", value_name = "N")]
    pub at_lines: Vec<u32>,

    /// Which launch.
    #[command(flatten)]
    pub which: WhichLaunch,

    /// The files.
    #[command(flatten)]
    pub files: PictureFiles,
}

/// Options of `picture tree`.
#[derive(Debug, clap::Args)]
pub struct TreeArgs {
    /// The run.
    #[command(flatten)]
    pub run: DrawnRunArgs,

    /// Which launch.
    #[command(flatten)]
    pub which: WhichLaunch,

    /// Source line of the store (default: the store to shared memory that executes between the most
    /// barriers)
    #[arg(long, value_name = "N")]
    pub line: Option<u32>,
}

/// Options of `picture figure`.
#[derive(Debug, clap::Args)]
pub struct FigureArgs {
    /// The figure
    #[arg(value_name = "FIGURE", value_enum)]
    pub figure: BookFigure,

    /// Size of the problem (default: one that takes some seconds)
    #[arg(long, value_name = "N")]
    pub size: Option<u64>,

    /// The chip.
    #[command(flatten)]
    pub chip: ChipArgs,

    /// Maximum number of host threads. The picture does not depend on it
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = threads)]
    pub threads: usize,

    /// The progress.
    #[command(flatten)]
    pub progress: ProgressArgs,

    /// The files.
    #[command(flatten)]
    pub files: PictureFiles,
}

/// Figures of the book with grouped bars.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum BookFigure {
    /// Tiled matrix products: tile size, granularity, unrolling, prefetching
    #[value(name = "6.16")]
    Products,
    /// F^H d of an MRI scan, tuned step by step
    #[value(name = "8.20")]
    Mri,
    /// Direct summation of the electrostatic potential
    #[value(name = "9.10")]
    Coulomb,
    /// Potential with a cutoff by volume: bins against direct summation
    #[value(name = "10.3")]
    Cutoff,
}

/// Options of `picture latency`.
#[derive(Debug, clap::Args)]
pub struct LatencyArgs {
    /// The chip.
    #[command(flatten)]
    pub chip: ChipArgs,

    /// The files.
    #[command(flatten)]
    pub files: PictureFiles,
}
