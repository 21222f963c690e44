//! Options of `warpsim list` and `warpsim devices`.

use super::FormatArgs;

/// Options of `list`.
#[derive(Debug, clap::Args)]
pub struct ListArgs {
    /// Kernels, or families with each variant by itself; without any all are listed, a family as
    /// one
    #[arg(value_name = "KERNEL|FAMILY")]
    pub kernels: Vec<String>,

    /// How to print.
    #[command(flatten)]
    pub format: FormatArgs,
}

/// Options of `devices`.
#[derive(Debug, clap::Args)]
pub struct DevicesArgs {
    /// The name of a built-in chip, or a chip file; without it all built-in chips, side by side
    #[arg(value_name = "NAME|FILE.ron")]
    pub chip: Option<String>,

    /// Override a number of the chip, such as `sm.max_warps=16`; may be repeated
    #[arg(long = "set", value_name = "PATH=VALUE", requires = "chip")]
    pub sets: Vec<String>,

    /// How to print.
    #[command(flatten)]
    pub format: FormatArgs,
}
