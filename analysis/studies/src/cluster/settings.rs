//! Settings of an engine of a cluster.

use super::Scheduler;
use std::path::PathBuf;

/// Settings of an engine.
pub struct Settings {
    /// Scheduler that runs the tasks.
    pub scheduler: Scheduler,
    /// Arguments of each submission.
    pub arguments: Vec<String>,
    /// Host time of a batch in seconds.
    pub batch_seconds: f64,
    /// The program that simulates a batch. The path is UTF-8.
    pub program: PathBuf,
    /// Arguments of the program, before `--points` and `--part`.
    pub command: Vec<String>,
    /// Number of points that run at a time on this host, for times.
    pub jobs: usize,
}
