//! The report's words for what a user's own scheduling policy did wrong.

use crate::sm::scheduler::{Misconduct, SchedulerFault, bits};
use serde::Serialize;

/// What a user's own scheduling policy did wrong, in words and numbers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SchedulerReport {
    /// What happened, and what would have been right.
    pub message: String,
    /// The policy's name.
    pub policy: String,
    /// SM number in the chip.
    pub sm: u32,
    /// Scheduler number in the SM.
    pub scheduler: u32,
    /// Hot cycle.
    pub cycle: u64,
    /// Issue cycle.
    pub issue_cycle: u64,
    /// Warp slots that were eligible, ascending.
    pub eligible: Vec<u32>,
    /// What it picked; `None`: it picked nothing for too long.
    pub picked: Option<u32>,
}

impl SchedulerReport {
    /// The fault with its words.
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
