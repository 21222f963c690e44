//! Options of `warpsim explore`.

use super::WhichLaunch;
use request::options::{ChipArgs, Request};
use sim_core::host::Order;
use std::path::PathBuf;

/// How schedules are chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum ExploreMode {
    /// One schedule of each class of equivalent schedules (partial-order reduction)
    Exhaustive,
    /// Each action is drawn uniformly from the possible ones
    Random,
    /// Random priorities with change points (PCT)
    Pct,
}

/// Requests that keep their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum ExploreOrder {
    /// Requests of an SM for one word: every placement of the data
    Words,
    /// Requests of an SM to one memory partition of the chip: the placement of this launch
    Partitions,
    /// All: every access takes effect at once
    Sequential,
}

impl ExploreOrder {
    /// Returns the order of the machine.
    pub fn order(self) -> Order {
        match self {
            Self::Words => Order::Words,
            Self::Partitions => Order::Partitions,
            Self::Sequential => Order::Sequential,
        }
    }
}

/// Options of `explore`.
#[derive(Debug, clap::Args)]
pub struct ExploreArgs {
    /// Kernel or program that is launched.
    #[command(flatten)]
    pub workload: Request,

    /// Which launch.
    #[command(flatten)]
    pub which: WhichLaunch,

    /// Which chip.
    #[command(flatten)]
    pub chip: ChipArgs,

    /// How schedules are chosen
    #[arg(long, value_enum, value_name = "MODE", default_value = "exhaustive")]
    pub mode: ExploreMode,

    /// Requests for global memory that keep their order
    #[arg(long, value_enum, value_name = "ORDER", default_value = "words")]
    pub order: ExploreOrder,

    /// Most schedules that are run (default: 20000, or 1000 drawn ones)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub schedules: Option<u64>,

    /// Most preemptions of a schedule, which are changes to another warp while the warp before
    /// could go on (default: no limit)
    #[arg(long, value_name = "N")]
    pub preemptions: Option<u32>,

    /// Most actions of a schedule
    #[arg(long, value_name = "N", default_value_t = 4000, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub actions: u32,

    /// Seed of drawn schedules
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,

    /// For `--mode pct`: number of change points and 1, the depth of bugs that are found with a
    /// guaranteed probability
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=64))]
    pub depth: u32,

    /// A buffer or variable that belongs to the result; may be repeated (default: the ones with
    /// expectations in the launch file; without expectations, all buffers)
    #[arg(long = "result", value_name = "NAME")]
    pub results: Vec<String>,

    /// A condition over memory at the end of each schedule, as herd7 writes it: `exists (x=1 /\
    /// y=0)`, `forall (…)`, `~exists (…)`, or a formula, which must hold for all schedules; may be
    /// repeated. With a condition, several outcomes are no failure
    #[arg(long = "assert", value_name = "CONDITION")]
    pub assertions: Vec<String>,

    /// Print the schedule of outcome N, action by action
    #[arg(long, value_name = "N")]
    pub show: Option<usize>,

    /// Write a schedule to this file: of the outcome of --show, or of the first outcome that is not
    /// as expected
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,

    /// Run exactly the schedule in this file, and print it action by action
    #[arg(long, value_name = "FILE", conflicts_with_all = ["show", "out", "preemptions", "schedules", "assertions"])]
    pub replay: Option<PathBuf>,

    /// Write the results as JSON (docs/EXPLORE.md); `-` writes them to standard output instead of
    /// the text
    #[arg(long, value_name = "FILE|-", conflicts_with = "replay")]
    pub json: Option<PathBuf>,
}
