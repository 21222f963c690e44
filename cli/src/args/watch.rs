//! Options of commands whose runs may take long.

/// When something is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum ShowProgress {
    /// Also where standard error is no terminal: a line of text each second
    Always,
    /// Never
    Never,
    /// Where standard error is a terminal
    #[default]
    Auto,
}

/// Whether the progress of launches is shown.
#[derive(Clone, Copy, Debug, clap::Args)]
pub struct ProgressArgs {
    /// Show on standard error how far a launch is that takes longer than a second
    #[arg(long, value_name = "WHEN", value_enum, default_value_t = ShowProgress::Auto)]
    pub progress: ShowProgress,
}
