//! What the race checker found, as the report tells it.

use crate::exec::Kernel;
use crate::racecheck::{Found, Hazard, HazardKind, Kind, MissingOrder, Party, Severity, Space};
use crate::words::words;
use isa::types::Dim3;
use serde::Serialize;

/// What the race checker found in a launch.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RaceReport {
    /// Pairs of lines that race: nothing orders the two, and the result depends on which is first;
    /// or updates are lost.
    pub races: usize,
    /// Pairs of lines that only the lockstep of a warp orders.
    pub warp_synchronous: usize,
    /// Pairs of lines that nothing orders, but that always write the same value.
    pub same_value: usize,
    /// Pairs of lines with atomics whose order may show in what they give or leave.
    pub atomic_orders: usize,
    /// All of these, the gravest first, then in the order of lines.
    pub hazards: Vec<HazardReport>,
    /// Pairs of accesses that met, beyond the most pairs of lines that are told.
    pub more: u64,
    /// Words of accesses that later ones were not checked against, for there was no room to keep
    /// them: races may be missing in this report.
    pub not_kept: u64,
    /// There were barriers whose order does not count: for a part of a block, or from a
    /// `bar.arrive` for all of it on.
    pub partial_barriers: bool,
}

/// A hazard: two accesses of different threads to common bytes, one of them no read, without a
/// barrier between them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct HazardReport {
    /// Its kind, by the order that the two have or would have if all warps went in step.
    pub kind: HazardKind,
    /// How grave it is.
    pub severity: Severity,
    /// What is missing between the two.
    pub between: MissingOrder,
    /// Which memory.
    pub space: Space,
    /// First common byte of the first example; of shared memory, in the block's.
    pub address: u32,
    /// Common bytes.
    pub bytes: u32,
    /// The variable or allocation that holds them, and their place in it in bytes.
    pub variable: Option<(String, u32)>,
    /// Barriers that the second one's warp had passed.
    pub barriers: u32,
    /// They belong to an update of the bytes (load, compute, store) by several threads that is or
    /// can be lost: only an atomic helps, no barrier does.
    pub lost_update: bool,
    /// The one that is first, or would be.
    pub first: PartyReport,
    /// The other one.
    pub second: PartyReport,
    /// How often an access met one of earlier ones like this.
    pub times: u64,
}

words! {
    /// What an access does to its bytes.
    pub enum Does {
        /// It reads them.
        Reads = "reads",
        /// It writes them.
        Writes = "writes",
        /// It is atomic.
        Changes = "changes",
    }
}

/// One of the two.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PartyReport {
    /// Source line number.
    pub line: u32,
    /// Source line text.
    pub source: String,
    /// What it does.
    pub does: Does,
    /// Block index.
    pub block: Dim3,
    /// Thread index.
    pub thread: Dim3,
    /// Warp number within the block.
    pub warp: u32,
}

impl RaceReport {
    /// What was found in a launch of `kernel`.
    pub fn new(found: &Found, partial_barriers: bool, kernel: &Kernel) -> Self {
        let count = |severity| found.hazards.iter().filter(|h| h.severity() == severity).count();
        let mut hazards: Vec<_> =
            found.hazards.iter().map(|hazard| HazardReport::new(hazard, kernel)).collect();
        hazards.sort_by_key(|hazard| hazard.severity);
        Self {
            races: count(Severity::Race),
            warp_synchronous: count(Severity::WarpSynchronous),
            same_value: count(Severity::SameValue),
            atomic_orders: count(Severity::AtomicOrder),
            hazards,
            more: found.more,
            not_kept: found.not_kept,
            partial_barriers,
        }
    }
}

impl HazardReport {
    fn new(hazard: &Hazard, kernel: &Kernel) -> Self {
        let Hazard { first, second, space, address, bytes, between, barriers, lost_update, times, .. } =
            *hazard;
        let variable = match space {
            Space::Shared => {
                let holds = |from: u32, bytes: u32| address >= from && address - from < bytes;
                let found = kernel.program.shared.iter().find(|s| holds(s.offset, s.bytes));
                found.map(|s| (s.name.clone(), address - s.offset))
            }
            Space::Global => kernel
                .allocations
                .find(address)
                .and_then(|range| Some((range.name.clone()?, address - range.start))),
        };
        Self {
            kind: hazard.kind(),
            severity: hazard.severity(),
            between,
            space,
            address,
            bytes,
            variable,
            barriers,
            lost_update,
            first: PartyReport::new(&first, kernel),
            second: PartyReport::new(&second, kernel),
            times,
        }
    }
}

impl PartyReport {
    fn new(party: &Party, kernel: &Kernel) -> Self {
        Self {
            line: party.line,
            source: kernel.program.source.line(party.line).to_owned(),
            does: match party.kind {
                Kind::Read => Does::Reads,
                Kind::Write => Does::Writes,
                Kind::Atomic | Kind::Reduction(_) => Does::Changes,
            },
            block: kernel.grid.index_of(party.block.into()),
            thread: kernel.block.index_of(party.thread().into()),
            warp: party.warp,
        }
    }
}
