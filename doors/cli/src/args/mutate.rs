//! Options of `warpsim mutate`.

use super::FormatArgs;
use request::options::{ChipArgs, Request};
use warpsim_check::mutate::ChangeKind;

/// Options of `mutate`.
#[derive(Debug, clap::Args)]
pub struct MutateArgs {
    /// The launch.
    #[command(flatten)]
    pub workload: Request,

    /// The chip.
    #[command(flatten)]
    pub chip: ChipArgs,

    /// Change only these kinds of instructions, separated by commas
    #[arg(long, value_name = "KINDS", value_enum, value_delimiter = ',')]
    pub only: Vec<MutantKind>,

    /// Run at most this many mutants, spread evenly over the program
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub limit: Option<u32>,

    /// End with exit code 1 if less than this percentage of the mutants is noticed
    #[arg(long, value_name = "P", value_parser = percentage)]
    pub min_score: Option<f64>,

    /// Number of mutants that run at the same time; by default, the number of processors. The
    /// output does not depend on it
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub jobs: Option<u16>,

    /// The output format.
    #[command(flatten)]
    pub format: FormatArgs,
}

/// Kinds of changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum MutantKind {
    /// Barriers
    Barrier,
    /// Memory fences
    Fence,
    /// Guards of instructions and branches
    Guard,
    /// Borders of comparisons
    Bound,
    /// Numbers and offsets
    Constant,
    /// Atomic operations
    Atomic,
    /// Operations
    Arithmetic,
    /// `.volatile` and cache operators
    Cache,
}

impl From<MutantKind> for ChangeKind {
    fn from(kind: MutantKind) -> Self {
        match kind {
            MutantKind::Barrier => Self::Barrier,
            MutantKind::Fence => Self::Fence,
            MutantKind::Guard => Self::Guard,
            MutantKind::Bound => Self::Bound,
            MutantKind::Constant => Self::Constant,
            MutantKind::Atomic => Self::Atomic,
            MutantKind::Arithmetic => Self::Arithmetic,
            MutantKind::Cache => Self::Cache,
        }
    }
}

impl MutateArgs {
    /// The kinds of changes.
    pub fn kinds(&self) -> Vec<ChangeKind> {
        if self.only.is_empty() {
            ChangeKind::ALL.to_vec()
        } else {
            self.only.iter().map(|k| (*k).into()).collect()
        }
    }
}

/// Reads a percentage.
fn percentage(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(number) if (0.0..=100.0).contains(&number) => Ok(number),
        _ => Err("expected a number from 0 to 100".to_owned()),
    }
}
