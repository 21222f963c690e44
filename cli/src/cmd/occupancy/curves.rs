//! Occupancy by block size, registers and shared memory, for pictures.

use super::answer::bare;
use super::subject::{Origin, Subject};
use super::sweep::{self, Row};
use crate::args::occupancy::{Over, Sweep};
use crate::rules::RuleSet;
use serde::Serialize;
use sim_core::occupancy::Occupancy;
use sim_core::stats::Report;

/// The curves of a kernel: each varies one number and keeps the others.
#[derive(Clone, Debug, Serialize)]
pub struct Curves {
    /// Occupancy of the kernel; `None` without a block size.
    pub here: Option<Occupancy>,
    /// Threads of a block; `None` if it is unknown.
    pub block: Option<u64>,
    /// Registers per thread.
    pub registers: u32,
    /// Bytes of shared memory of a block.
    pub shared: u32,
    /// Warp slots of an SM.
    pub warp_slots: u32,
    /// Occupancy by threads of a block.
    pub by_block: Vec<Row>,
    /// Occupancy by registers per thread.
    pub by_registers: Vec<Row>,
    /// Occupancy by bytes of shared memory of a block.
    pub by_shared: Vec<Row>,
}

/// Returns the curves of a subject.
pub fn of(subject: &Subject, set: &RuleSet) -> Curves {
    let set = &if subject.params.is_some() { *set } else { bare(set) };
    let table = |over| sweep::table(subject, set, &Sweep { over, values: Vec::new() });
    let request = subject.block.map(|(block, _)| subject.request(block));
    let here = request.map(|request| request.occupancy(set.of(&request)));
    Curves {
        here,
        block: subject.block.map(|(block, _)| block.count()),
        registers: subject.registers.0,
        shared: subject.static_shared.saturating_add(subject.dynamic_shared),
        warp_slots: set.usual.sm.max_warps,
        by_block: table(Over::Block),
        by_registers: table(Over::Registers),
        by_shared: table(Over::Shared),
    }
}

/// Returns the curves of a launched kernel.
pub fn of_launch(report: &Report, set: &RuleSet) -> Curves {
    let launch = &report.launch;
    let subject = Subject {
        program: None,
        block: Some((launch.block, Origin::Given)),
        registers: (launch.registers, Origin::Given),
        static_shared: launch.shared_bytes,
        dynamic_shared: 0,
        params: Some(launch.param_bytes),
    };
    of(&subject, set)
}
