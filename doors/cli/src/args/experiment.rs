//! Options of `warpsim experiment`.

use super::run::threads;
use super::sweep::RowFormat;
use std::path::PathBuf;

/// Part of the program or of a cluster that simulates the points.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Engine {
    /// This process
    Local,
    /// Tasks of a `HyperQueue` server, submitted with `hq`
    Hyperqueue,
    /// Tasks of a job array of Slurm, submitted with `sbatch`
    Slurm,
}

/// Options of `experiment`.
#[derive(Debug, clap::Args)]
pub struct ExperimentArgs {
    /// The experiment file: kernels, chips, factors, design and analyses (docs/EXPERIMENTS.md)
    #[arg(value_name = "FILE.ron")]
    pub file: PathBuf,

    /// The store of results (default: the name of the experiment with the ending `.sqlite`, in the
    /// current folder); several experiments may share one
    #[arg(long, value_name = "FILE")]
    pub store: Option<PathBuf>,

    /// Place where the points are simulated: this process, or tasks of a cluster
    #[arg(long, value_enum, default_value_t = Engine::Local)]
    pub engine: Engine,

    /// Arguments for `hq submit` or `sbatch`, such as `"--time-limit 1h"`
    #[arg(long, value_name = "ARGS", allow_hyphen_values = true)]
    pub engine_args: Option<String>,

    /// Host time of a batch of points, which is one task of a cluster
    #[arg(long, value_name = "SECONDS", default_value = "30", value_parser = seconds)]
    pub batch_seconds: f64,

    /// Number of points that run at a time (default: one per core; in a task of a cluster: one);
    /// results do not depend on it
    #[arg(long, value_name = "N", value_parser = threads)]
    pub jobs: Option<usize>,

    /// Write a row for each point to this file; `-` is standard output
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,

    /// Format of the rows
    #[arg(long, value_enum, default_value_t = RowFormat::Csv)]
    pub format: RowFormat,

    /// Add the host time of each point to the rows
    #[arg(long)]
    pub host_time: bool,

    /// Write the answers to the questions of the file as JSON; `-` is standard output
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,

    /// Draw the answers into this folder, an SVG file for each question and kernel
    #[arg(long, value_name = "DIR")]
    pub plots: Option<PathBuf>,

    /// Write the answers as one HTML page with tables and pictures
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,

    /// Run each point also with one resource at a time ideal, and report the gains
    #[arg(long)]
    pub idealize: bool,

    /// Show the number of points, and how many of them the store has, without a simulation
    #[arg(long)]
    pub dry_run: bool,

    /// Simulate only these points, such as `0..99` or `0..9,20`; both ends are included
    #[arg(long, value_name = "FIRST..LAST")]
    pub points: Option<String>,

    /// Simulate the points of `--points` as a task of a cluster, and write only their results
    #[arg(long, value_name = "FILE", hide = true)]
    pub part: Option<PathBuf>,

    /// Add the results of another store first; may be repeated
    #[arg(long, value_name = "FILE")]
    pub merge: Vec<PathBuf>,
}

/// Reads a time in seconds.
fn seconds(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(seconds) if (0.0..=1e6).contains(&seconds) => Ok(seconds),
        _ => Err("expected a number of seconds from 0 to 1000000".to_owned()),
    }
}
