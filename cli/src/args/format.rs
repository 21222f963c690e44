//! The option that says for whom a command prints.

/// For whom a command prints.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Format {
    /// For people
    Text,
    /// For programs: one JSON document
    Json,
}

/// How a command prints.
#[derive(Clone, Copy, Debug, clap::Args)]
pub struct FormatArgs {
    /// How to print
    #[arg(long, value_enum, value_name = "FORMAT", default_value = "text")]
    pub format: Format,
}
