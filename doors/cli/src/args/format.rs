//! The option for the output format.

/// Output formats of most commands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Format {
    /// Plain text
    Text,
    /// One JSON document
    Json,
}

/// The output format of a command.
#[derive(Clone, Copy, Debug, clap::Args)]
pub struct FormatArgs {
    /// Output format
    #[arg(long, value_enum, value_name = "FORMAT", default_value = "text")]
    pub format: Format,
}
