//! Options of the commands that complete an installation: `warpsim completions` and `warpsim man`.

use clap_complete::Shell;
use std::path::PathBuf;

/// Options of `completions`.
#[derive(Debug, clap::Args)]
pub struct CompletionsArgs {
    /// The shell
    #[arg(value_name = "SHELL")]
    pub shell: Shell,
}

/// Options of `man`.
#[derive(Debug, clap::Args)]
pub struct ManArgs {
    /// Folder to write the pages into; it is created if it does not exist
    #[arg(value_name = "DIR")]
    pub folder: PathBuf,
}
