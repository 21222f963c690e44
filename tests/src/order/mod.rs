//! Whether a run is *ordered*: the log of its accesses, and the unordered pairs in it, found by the
//! simulator's race checker ([`sim_core::check::race`], which documents the rules).
//!
//! Invariant `random-programs-are-ordered`: Random programs are ordered as docs/MODEL.md defines
//! it. The race checker finds that, and is itself compared with the transitive closure of the
//! definition.

pub mod happens;
pub mod programs;
mod record;

pub use record::{Log, record, record_case};
pub use sim_core::check::MissingOrder;
pub use sim_core::check::Severity;
pub use sim_core::check::race::{Access, Hazard, Kind, Party, Space};

use sim_core::check::race::Detector;

/// Which orders count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// All orders that the race checker's documentation lists.
    Warps,
    /// All except the instruction order within a warp: a program that passes is correct on any
    /// machine with barriers, even one that runs one thread at a time.
    Barriers,
}

/// Returns all pairs of lines with unordered accesses to a common byte. Of the pairs that differ
/// only in threads, addresses or time, the first one represents all. The result is sorted by line.
///
/// A log contains the accesses of one or more launches in the order of functional mode.
pub fn unordered(log: &[Log], rule: Rule) -> Vec<Hazard> {
    let mut check = Detector::new();
    for launch in log {
        check.next_launch();
        for access in launch {
            check.access(access);
        }
    }
    let counts = |hazard: &Hazard| {
        rule == Rule::Barriers || !matches!(hazard.between, MissingOrder::Lanes | MissingOrder::Instruction)
    };
    check.found().hazards.into_iter().filter(counts).collect()
}

/// Text of a pair.
pub fn describe(hazard: &Hazard) -> String {
    let Hazard { first, second, address, bytes, between, barriers, times, .. } = hazard;
    let party = |p: &Party| {
        let does = if p.kind == Kind::Read { "reads" } else { "writes" };
        format!("line {} {does} (block {}, thread {}, warp {})", p.line, p.block, p.thread(), p.warp)
    };
    format!(
        "{} hazard at {address:#x}, {bytes} bytes of {:?} memory: {}, {}: {between:?}, {barriers} barriers passed, {times} times",
        hazard.kind(),
        hazard.space,
        party(first),
        party(second),
    )
}
