//! Codes of diagnostics: every code with its meaning, from the stages that report them.
//!
//! Invariant `every-code-has-a-case`: Every diagnostic code has a test case, and a bad file with
//! its rendered message in `doors/cli/tests/bad`.

use crate::launch_file;
use isa::{lower, ptx};
use sim_core::config;

/// The codes of one stage.
#[derive(Clone, Copy, Debug)]
pub struct Stage {
    /// Input of the stage.
    pub title: &'static str,
    /// Codes and meanings.
    pub codes: &'static [(&'static str, &'static str)],
}

/// All stages.
pub const STAGES: [Stage; 7] = [
    Stage { title: "PTX: syntax", codes: ptx::parse::CODES },
    Stage { title: "PTX: forms of instructions", codes: ptx::forms::CODES },
    Stage { title: "PTX: names, types, targets and versions", codes: &lower::CODES },
    Stage { title: "chip files and --set, and RON in launch files", codes: &config::codes::ALL },
    Stage { title: "launch files", codes: &launch_file::codes::ALL },
    Stage { title: "experiment files", codes: &studies::codes::ALL },
    Stage { title: "rubrics of exercises", codes: &exercises::codes::ALL },
];

/// Returns every code with its meaning and its stage, stage by stage.
pub fn all() -> impl Iterator<Item = (&'static str, &'static str, &'static Stage)> {
    STAGES.iter().flat_map(|stage| stage.codes.iter().map(move |(code, meaning)| (*code, *meaning, stage)))
}
