//! Options of `warpsim sweep`.

use super::kernel_list::HELP_COLUMNS;
use super::run::threads;
use super::{CompileArgs, PreprocessArgs};
use crate::exit::Failure;
use crate::metrics;
use crate::render::table::wrapped;
use request::Sources;
use request::options::{Cache, Request, RuleArgs};
use std::ffi::OsString;
use std::path::PathBuf;

/// Options of `sweep`. A LIST has values separated by commas; `8..24:8` is short for `8,16,24`.
#[derive(Debug, clap::Args)]
pub struct SweepArgs {
    /// A built-in kernel, several separated by commas, or a PTX file
    #[arg(value_name = "KERNELS|FILE.ptx")]
    pub kernel: String,

    /// The launch file of a PTX file (docs/LAUNCH.md); its dumps are not written
    #[arg(long, value_name = "LAUNCH.ron")]
    pub launch: Option<PathBuf>,

    /// Built-in chips, or chip files (default: fermi)
    #[arg(long, value_name = "LIST")]
    pub chip: Option<String>,

    /// Problem sizes of a built-in kernel
    #[arg(long, value_name = "LIST")]
    pub size: Option<String>,

    /// Numbers of blocks of a PTX file, such as `4,(4,2)`, instead of the launch file's grid
    #[arg(long, value_name = "LIST")]
    pub grid: Option<String>,

    /// Numbers of threads per block of a PTX file, in the same notation
    #[arg(long, value_name = "LIST")]
    pub block: Option<String>,

    /// Registers per thread, instead of the number that the compiled code needs
    #[arg(long, value_name = "LIST")]
    pub registers: Option<String>,

    /// A number of the chip and its values, such as `sm.max_warps=8,16,24`; may be repeated
    ///
    /// The sweep runs every combination of all lists; the last list varies fastest. Commas in
    /// brackets and quotes belong to the value: `limits.grid=(1,1,1),(2,2,1)` has two values.
    #[arg(long = "set", value_name = "PATH=LIST")]
    pub sets: Vec<String>,

    /// The compilation of PTX.
    #[command(flatten)]
    pub compile: CompileArgs,

    /// The preprocessor of CUDA C.
    #[command(flatten)]
    pub preprocess: PreprocessArgs,

    /// The strictness.
    #[command(flatten)]
    pub rules: RuleArgs,

    /// Division of an SM's memory between L1 and shared memory (cudaFuncSetCacheConfig)
    #[arg(long, value_name = "PREFERENCE", value_enum)]
    pub cache: Option<Cache>,

    /// Stop each launch after this many shader cycles (default: one second of the chip's own
    /// time)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub max_cycles: Option<u64>,

    /// Estimate each launch of many blocks from its first blocks (docs/PROGRAMS.md)
    #[arg(long)]
    pub sample: bool,

    /// Columns after the verdict, such as `cycles,ipc` (default: all; docs/METRICS.md lists them)
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub metrics: Vec<String>,

    /// Write the columns of the origin (program, PTX text, chip file) also with --metrics
    #[arg(long)]
    pub provenance: bool,

    /// Format of the rows
    #[arg(long, value_enum, default_value_t = RowFormat::Csv)]
    pub format: RowFormat,

    /// Write the rows to this file instead of standard output
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,

    /// Number of points that run at a time (default: one per core); the rows do not depend on it
    #[arg(long, value_name = "N", value_parser = threads)]
    pub jobs: Option<usize>,

    /// Write the rows to this file as one HTML page with plots (docs/PICTURES.md)
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,

    /// Draw a line plot, such as `x=sm.max_warps,y=ipc,series=scheduler`; may be repeated, each
    /// with an --svg
    ///
    /// x is a list or a metric, y is a metric. The plot has a line for each value of `series`, or
    /// for each combination of several (`series=scheduler+size`). The default is all lists with
    /// several values, except x.
    #[arg(long, value_name = "x=…,y=…[,series=…]", requires = "svg")]
    pub plot: Vec<String>,

    /// The file of the plot
    #[arg(long, value_name = "FILE", requires = "plot")]
    pub svg: Vec<PathBuf>,

    /// Arguments of a CUDA C program with host code
    #[arg(last = true, value_name = "ARGUMENT")]
    pub program_arguments: Vec<OsString>,
}

/// Formats of the rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum RowFormat {
    /// A line of column names, then a line for each point
    Csv,
    /// A JSON object for each point, one per line
    Jsonl,
}

impl From<RowFormat> for studies::rows::Format {
    fn from(format: RowFormat) -> Self {
        match format {
            RowFormat::Csv => Self::Csv,
            RowFormat::Jsonl => Self::Jsonl,
        }
    }
}

/// The metrics, for the long help.
pub fn metric_list() -> String {
    let describe = |m: &metrics::Metric| {
        let unit = if m.unit.is_empty() { String::new() } else { format!(" [{}]", m.unit) };
        wrapped(&format!("  {:<30} ", m.name), &format!("{}{unit}", m.about), 33, HELP_COLUMNS).join("\n")
    };
    let list: Vec<String> = metrics::ALL.iter().map(describe).collect();
    format!("Metrics:\n{}", list.join("\n"))
}

impl SweepArgs {
    /// The kernels.
    pub fn kernels(&self) -> Result<Vec<String>, Failure> {
        let kernels: Vec<String> = self.kernel.split(',').map(|name| name.trim().to_owned()).collect();
        if kernels.iter().any(String::is_empty) {
            return Err(Failure::input(format!("error: `{}` has an empty name of a kernel", self.kernel)));
        }
        Ok(kernels)
    }

    /// The launches, without the lists: one for each kernel.
    pub fn workloads(&self) -> Result<Vec<Request>, Failure> {
        let kernels = self.kernels()?;
        let several = kernels.len() > 1;
        let one = |kernel: String| Request {
            // Among several kernels, the launch file is that of the PTX files.
            launch: self.launch.clone().filter(|_| !several || kernels::find(&kernel).is_none()),
            kernel,
            linked: Vec::new(),
            // Only whether there is one counts: it is refused for PTX files.
            size: self.size.as_ref().map(|_| 1),
            registers: None,
            compile: self.compile,
            preprocess: self.preprocess.clone(),
            host_memory: None,
            program_arguments: self.program_arguments.clone(),
            rules: self.rules,
            cache: self.cache,
            max_cycles: self.max_cycles,
            sources: Sources::default(),
        };
        Ok(kernels.into_iter().map(one).collect())
    }
}
