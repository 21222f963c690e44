//! The race checker's results in the report.

use crate::exec::Kernel;
use crate::racecheck::{self, Found, Hazard, HazardKind, Kind, MissingOrder, Party, Severity, Space};
use crate::words::words;
use isa::types::Dim3;
use serde::Serialize;
use std::ops::Range;

/// Results of the race checker for a launch.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RaceReport {
    /// Pairs of lines that race: the accesses are not ordered and the result depends on their
    /// order, or updates are lost.
    pub races: usize,
    /// Pairs of lines that only the lockstep of a warp orders.
    pub warp_synchronous: usize,
    /// Pairs of lines that are not ordered, but always write the same value.
    pub same_value: usize,
    /// Pairs of lines with atomics whose order can change what they return or the final value.
    pub atomic_orders: usize,
    /// Pairs of lines that locks, flags or counters with fences order, as they did in this run. Not
    /// in `hazards`.
    pub synchronized: u64,
    /// All of these, the most severe first, then ordered by line.
    pub hazards: Vec<HazardReport>,
    /// Conflicting pairs of accesses beyond the maximum number of reported pairs of lines.
    pub more: u64,
    /// Words of accesses that were not recorded because the records were full, so later accesses
    /// were not checked against them: races may be missing in this report.
    pub not_kept: u64,
    /// Whether there were barriers whose order is not tracked. Always `false`, because the order of
    /// all barriers is tracked; the field belongs to the layout [`SCHEMA`](super::report::SCHEMA).
    pub partial_barriers: bool,
}

/// A hazard: two accesses of different threads to common bytes, at least one of them a write,
/// without a barrier between them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct HazardReport {
    /// Kind, by the order that the two have or would have if all warps ran in step.
    pub kind: HazardKind,
    /// Severity of the hazard.
    pub severity: Severity,
    /// Reason for which the accesses are not ordered.
    pub between: MissingOrder,
    /// Memory of the accesses.
    pub space: Space,
    /// First common byte of the first example; for shared memory, the address in the block's shared
    /// memory.
    pub address: u32,
    /// Number of common bytes.
    pub bytes: u32,
    /// The variable or allocation that contains them, and their offset in it in bytes.
    pub variable: Option<(String, u32)>,
    /// Barriers that the warp of the second access had passed.
    pub barriers: u32,
    /// Whether the accesses belong to an update of the bytes (load, compute, store) by several
    /// threads that is or can be lost: only an atomic helps, a barrier does not.
    pub lost_update: bool,
    /// The first access.
    pub first: PartyReport,
    /// The second access.
    pub second: PartyReport,
    /// Number of such pairs.
    pub times: u64,
    /// Number of the group: hazards with one cause, such as one missing barrier, have one number.
    pub group: usize,
    /// Lines behind which and before which a barrier is missing that would order the accesses of
    /// the whole group; `None` if no barrier helps.
    pub barrier: Option<(u32, u32)>,
}

words! {
    /// Effect of an access on its bytes.
    pub enum Does {
        /// It reads them.
        Reads = "reads",
        /// It writes them.
        Writes = "writes",
        /// It is atomic.
        Changes = "changes",
    }
}

/// One of the two threads of a hazard.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PartyReport {
    /// Source line number.
    pub line: u32,
    /// Source line text.
    pub source: String,
    /// Characters of the line that the instruction has, from 1; absent if it is the only
    /// instruction of the line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub columns: Option<Range<u32>>,
    /// Effect of the access.
    pub does: Does,
    /// Block index.
    pub block: Dim3,
    /// Thread index.
    pub thread: Dim3,
    /// Warp number within the block.
    pub warp: u32,
}

impl RaceReport {
    /// Makes the report of a launch of `kernel`.
    pub fn new(found: &Found, kernel: &Kernel) -> Self {
        let count = |severity| found.hazards.iter().filter(|h| h.severity() == severity).count();
        let mut hazards = Vec::with_capacity(found.hazards.len());
        let groups = racecheck::groups(&found.hazards, kernel.program.code.len() as u32);
        for (number, group) in groups.iter().enumerate() {
            let all = group.hazards.iter().map(|at| &found.hazards[*at]);
            hazards.extend(all.map(|hazard| (HazardReport::new(hazard, kernel), number, group.barrier)));
        }
        let grouped = |(hazard, group, barrier)| HazardReport { group, barrier, ..hazard };
        let mut hazards: Vec<HazardReport> = hazards.into_iter().map(grouped).collect();
        let lines = |h: &HazardReport| (h.first.line, h.second.line, h.space, h.between);
        hazards.sort_by_key(|hazard| (hazard.severity, lines(hazard)));
        Self {
            races: count(Severity::Race),
            warp_synchronous: count(Severity::WarpSynchronous),
            same_value: count(Severity::SameValue),
            atomic_orders: count(Severity::AtomicOrder),
            synchronized: found.synchronized,
            hazards,
            more: found.more,
            not_kept: found.not_kept,
            partial_barriers: false,
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
            group: 0,
            barrier: None,
        }
    }
}

impl PartyReport {
    fn new(party: &Party, kernel: &Kernel) -> Self {
        Self {
            line: party.line,
            source: kernel.program.source.line(party.line).to_owned(),
            columns: kernel.program.columns(party.pc),
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
