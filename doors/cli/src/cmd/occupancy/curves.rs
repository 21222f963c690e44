//! Occupancy by block size, registers and shared memory, for pictures.

use super::answer::as_reported;
use super::subject::{Origin, Subject};
use super::sweep::{self, OccupancyRow};
use crate::args::occupancy::{Over, Sweep};
use figures::occupancy::{Curve, Step};
use isa::terms::Terms;
use sim_core::host::fit::RuleSet;
use sim_core::stats::Report;

/// Returns the curves of a subject: each varies one number and keeps the others.
pub fn of(subject: &Subject, set: &RuleSet) -> Vec<Curve> {
    let set = &if subject.params.is_some() { set.clone() } else { as_reported(set) };
    let step = |row: OccupancyRow| {
        let OccupancyRow { from, to, blocks, occupancy, limiters, refusal, .. } = row;
        Step { from, to, blocks, occupancy, limiters, refusal }
    };
    let terms = subject.terms;
    let curve = |over, label, here: Option<u32>| {
        let rows = sweep::table(subject, set, &Sweep { over, values: Vec::new() });
        // Without a block size no point of a curve is the kernel.
        let here = here.filter(|_| subject.block.is_some());
        Curve { label: terms.fill(label), terms, steps: rows.into_iter().map(step).collect(), here }
    };
    let threads = subject.block.map(|(block, _)| u32::try_from(block.count()).unwrap_or(u32::MAX));
    let shared = subject.static_shared.saturating_add(subject.dynamic_shared);
    vec![
        curve(Over::Block, "{thread}s per {block}", threads),
        curve(Over::Registers, "registers per {thread}", Some(subject.registers.0)),
        curve(Over::Shared, "{shared} per {block} (bytes)", Some(shared)),
    ]
}

/// Returns the curves of a launched kernel.
pub fn of_launch(report: &Report, set: &RuleSet) -> Vec<Curve> {
    let launch = &report.launch;
    let subject = Subject {
        program: None,
        block: Some((launch.block, Origin::Given)),
        registers: (launch.registers, Origin::Given),
        barriers: 0,
        static_shared: launch.shared_bytes,
        dynamic_shared: 0,
        params: Some(launch.param_bytes),
        terms: Terms::of(&launch.files),
    };
    of(&subject, set)
}
