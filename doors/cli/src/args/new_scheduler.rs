//! The options of `warpsim new-scheduler`.

use clap::Args;
use std::path::PathBuf;

/// Options of `new-scheduler`.
#[derive(Clone, Debug, Args)]
pub struct NewSchedulerArgs {
    /// The folder of the new crate; the crate has its name
    #[arg(value_name = "DIR")]
    pub folder: PathBuf,

    /// The source code of the simulator: a folder with the crates `cli` and `check`
    ///
    /// Without it, the nearest folder above this program file or above the current folder that has
    /// them.
    #[arg(long, value_name = "DIR")]
    pub source: Option<PathBuf>,
}
