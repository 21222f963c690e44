//! Options for one launch of a program.

use clap::Args;

/// Which launch of a program is meant.
#[derive(Clone, Debug, Default, Args)]
pub struct WhichLaunch {
    /// Number of the launch in the host program, from 1 (default: the first one; of `run` and
    /// `picture stalls` the longest one)
    #[arg(long, value_name = "N", conflicts_with = "of_kernel", value_parser = clap::value_parser!(u32).range(1..))]
    pub launch_index: Option<u32>,

    /// The K-th launch of this kernel in the host program; without K as the default of
    /// --launch-index
    #[arg(long = "kernel", value_name = "NAME[:K]")]
    pub of_kernel: Option<String>,
}

impl WhichLaunch {
    /// The options, and whether they are given.
    pub fn given(&self) -> [(&'static str, bool); 2] {
        [("--launch-index", self.launch_index.is_some()), ("--kernel", self.of_kernel.is_some())]
    }
}
