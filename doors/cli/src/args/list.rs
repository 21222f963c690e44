//! Options of `warpsim list` and `warpsim devices`.

use super::FormatArgs;

/// Options of `list`.
#[derive(Debug, clap::Args)]
pub struct ListArgs {
    /// Kernels, or families, whose variants are then listed separately; without a name, all kernels
    /// are listed, with one entry per family
    #[arg(value_name = "KERNEL|FAMILY")]
    pub kernels: Vec<String>,

    /// The output format.
    #[command(flatten)]
    pub format: FormatArgs,
}

/// Options of `devices`.
#[derive(Debug, clap::Args)]
pub struct DevicesArgs {
    /// A built-in chip, or a chip file; without it, all built-in chips are listed in one table
    #[arg(value_name = "NAME|FILE.ron")]
    pub chip: Option<String>,

    /// Override a number of the chip, such as `sm.max_warps=16`; may be repeated
    #[arg(long = "set", value_name = "PATH=VALUE", requires = "chip")]
    pub sets: Vec<String>,

    /// The output format.
    #[command(flatten)]
    pub format: FormatArgs,
}
