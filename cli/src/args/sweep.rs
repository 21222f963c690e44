//! Options of `warpsim sweep`.

use super::CompileArgs;
use super::run::threads;
use super::workload::{Barriers, Cache, WorkloadArgs, kernel_list};
use crate::metrics;
use std::path::PathBuf;

/// Options of `sweep`. Where it says LIST, several values stand with commas between them, and
/// `8..24:8` is short for `8,16,24`.
#[derive(Debug, clap::Args)]
#[command(after_long_help = kernel_list() + "\n\n" + &metric_list())]
pub struct SweepArgs {
    /// A built-in kernel or a PTX file
    #[arg(value_name = "KERNEL|FILE.ptx")]
    pub kernel: String,

    /// How to launch a PTX file (docs/LAUNCH.md); its dumps are not written
    #[arg(long, value_name = "LAUNCH.ron")]
    pub launch: Option<PathBuf>,

    /// Chips: names of built-in ones, or chip files
    #[arg(long, value_name = "LIST")]
    pub chip: Option<String>,

    /// Sizes of a built-in kernel's problem
    #[arg(long, value_name = "LIST")]
    pub size: Option<String>,

    /// Registers per thread, in place of what the lowered code needs
    #[arg(long, value_name = "LIST")]
    pub registers: Option<String>,

    /// A number of the chip and the values that it takes, such as `sm.max_warps=8,16,24`; may be
    /// repeated
    ///
    /// Every combination of all lists is run; the last list varies fastest. Commas in brackets and
    /// quotes belong to the value: `limits.grid=(1,1,1),(2,2,1)` are two.
    #[arg(long = "set", value_name = "PATH=LIST")]
    pub sets: Vec<String>,

    /// How PTX is compiled.
    #[command(flatten)]
    pub compile: CompileArgs,

    /// What a barrier asks of a warp
    #[arg(long, value_name = "RULE", value_enum, default_value_t = Barriers::Strict)]
    pub barriers: Barriers,

    /// How the memory of an SM that has an L1 is divided between it and shared memory
    #[arg(long, value_name = "PREFERENCE", value_enum)]
    pub cache: Option<Cache>,

    /// Stop each launch after this many shader-clock cycles (default: five seconds of the chip's
    /// own time)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub max_cycles: Option<u64>,

    /// Columns after the verdict, such as `cycles,ipc` (default: all; docs/METRICS.md lists them)
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub metrics: Vec<String>,

    /// Add the columns of the origin (program, PTX text, chip file) also where --metrics chooses
    /// columns
    #[arg(long)]
    pub provenance: bool,

    /// How rows are written
    #[arg(long, value_enum, default_value_t = RowFormat::Csv)]
    pub format: RowFormat,

    /// Write the rows to this file, not to standard output
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,

    /// Points that run at once (default: one for each core); the rows do not depend on it
    #[arg(long, value_name = "N", value_parser = threads)]
    pub jobs: Option<usize>,

    /// A line plot, such as `x=sm.max_warps,y=ipc,series=scheduler`; may be repeated, each with an
    /// --svg
    ///
    /// x is a list or a metric, y a metric. A line is drawn for each value of `series`, or for each
    /// combination where several are named (`series=scheduler+size`); by default all lists that
    /// vary, but x.
    #[arg(long, value_name = "x=…,y=…[,series=…]", requires = "svg")]
    pub plot: Vec<String>,

    /// The file of the plot
    #[arg(long, value_name = "FILE", requires = "plot")]
    pub svg: Vec<PathBuf>,
}

/// How rows are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum RowFormat {
    /// A line of names, then a line for each point
    Csv,
    /// An object for each point, on a line of its own
    Jsonl,
}

/// The metrics, for the long help.
fn metric_list() -> String {
    let describe = |m: &metrics::Metric| {
        let unit = if m.unit.is_empty() { String::new() } else { format!(" [{}]", m.unit) };
        format!("  {:<30} {}{unit}", m.name, m.about)
    };
    let list: Vec<String> = metrics::ALL.iter().map(describe).collect();
    format!("Metrics:\n{}", list.join("\n"))
}

impl SweepArgs {
    /// What is launched, without what varies.
    pub fn workload(&self) -> WorkloadArgs {
        WorkloadArgs {
            kernel: self.kernel.clone(),
            launch: self.launch.clone(),
            // Only whether there is one counts: it is refused for PTX files.
            size: self.size.as_ref().map(|_| 1),
            registers: None,
            compile: self.compile,
            barriers: self.barriers,
            cache: self.cache,
            max_cycles: self.max_cycles,
        }
    }
}
