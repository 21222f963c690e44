//! The scheduling policy in the report, and the fault of a user-defined policy.

use crate::sm::scheduler::{Misconduct, PolicyKind, SchedulerFault, bits};
use serde::{Serialize, Serializer};
use std::fmt;

/// The scheduling policy of a launch. A report contains it as text: the value of a chip file, or
/// `own: NAME`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PolicyReport {
    /// The policy of the chip.
    Chip(PolicyKind),
    /// A user-defined policy that the GPU has instead.
    Own {
        /// Name that the policy returns.
        name: String,
    },
}

impl fmt::Display for PolicyReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&match self {
            Self::Chip(kind) => kind.to_string(),
            Self::Own { name } => format!("own: {name}"),
        })
    }
}

impl Serialize for PolicyReport {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// A violation of the rules by a user-defined scheduling policy.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SchedulerReport {
    /// The invalid answer, where it was given, and which answers are valid.
    pub message: String,
    /// The policy's name.
    pub policy: String,
    /// SM number in the chip.
    pub sm: u32,
    /// Scheduler number in the SM.
    pub scheduler: u32,
    /// Shader cycle of the answer.
    pub cycle: u64,
    /// Issue cycle.
    pub issue_cycle: u64,
    /// Warp slots that could issue, ascending.
    pub eligible: Vec<u32>,
    /// The slot that it picked; `null` if it picked none for too long.
    pub picked: Option<u32>,
}

impl SchedulerReport {
    /// Makes the report of a fault.
    pub fn new(fault: &SchedulerFault) -> Self {
        Self {
            message: fault.to_string(),
            policy: fault.policy.clone(),
            sm: fault.sm,
            scheduler: fault.scheduler,
            cycle: fault.cycle,
            issue_cycle: fault.issue_cycle,
            eligible: bits(fault.eligible).collect(),
            picked: match fault.misconduct {
                Misconduct::NotEligible { picked } => Some(picked),
                Misconduct::Idle => None,
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_names_the_policy_as_a_chip_file_does() {
        for (policy, text) in [
            (PolicyReport::Chip(PolicyKind::GreedyThenOldest), "gto"),
            (PolicyReport::Chip(PolicyKind::Random { seed: 7 }), "random(seed: 7)"),
            (PolicyReport::Own { name: "gto".to_owned() }, "own: gto"),
        ] {
            assert_eq!(policy.to_string(), text);
        }
    }
}
