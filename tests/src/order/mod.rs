//! Is a run *ordered*? The log of its accesses, and the pairs in it that nothing orders, as the
//! simulator's race checker ([`sim_core::racecheck`], where the rules stand) finds them.
//!
//! Invariant `random-programs-are-ordered`: Random programs are ordered as docs/MODEL.md defines
//! it. The race checker finds that, and is itself compared with the transitive closure of the
//! definition.

mod record;

pub use record::{Log, record, record_case};
pub use sim_core::racecheck::{Access, Hazard, Kind, MissingOrder, Party, Severity, Space};

use sim_core::racecheck::Racecheck;

/// What counts as an order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// All that the race checker's page lists.
    Warps,
    /// All but the instruction order within a warp: what passes it is right on any machine with
    /// barriers, and one thread at a time.
    Barriers,
}

/// All pairs of lines whose accesses to a common byte must be ordered and are not: of those that
/// differ in threads, addresses or time only, the first that is found stands for all. The list is
/// in the order of lines.
///
/// A log holds the accesses of one or more launches in the order in which the functional machine
/// makes them.
pub fn unordered(log: &[Log], rule: Rule) -> Vec<Hazard> {
    let mut check = Racecheck::new();
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

/// A pair in words.
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
