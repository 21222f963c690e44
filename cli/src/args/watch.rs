//! Options of commands with long runs.

/// When the progress is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum ShowProgress {
    /// A progress bar; if standard error is not a terminal, a line of text each second
    Always,
    /// Never
    Never,
    /// If standard error is a terminal
    #[default]
    Auto,
}

/// The option for the progress of launches.
#[derive(Clone, Copy, Debug, clap::Args)]
pub struct ProgressArgs {
    /// Show the progress of a launch that takes longer than a second on standard error
    #[arg(long, value_name = "WHEN", value_enum, default_value_t = ShowProgress::Auto)]
    pub progress: ShowProgress,
}
