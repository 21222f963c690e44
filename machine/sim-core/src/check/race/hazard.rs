//! Hazards: pairs of source lines, each with its first example and its count.

use super::{Kind, Space};
use crate::check::kind::{self, HazardKind, MissingOrder, Severity};
use std::collections::{BTreeMap, BTreeSet};

/// One of the two threads of a hazard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Party {
    /// Number of the block in the grid.
    pub block: u32,
    /// Number of the warp in the block.
    pub warp: u32,
    /// Lane in the warp.
    pub lane: u32,
    /// Index of the instruction.
    pub pc: u32,
    /// Line of the source.
    pub line: u32,
    /// Kind of the access.
    pub kind: Kind,
}

impl Party {
    /// Returns the thread's number in its block.
    pub fn thread(&self) -> u32 {
        32 * self.warp + self.lane
    }
}

/// Two [conflicting](Kind::conflicts_with) accesses to common bytes that are not ordered, or only
/// by a warp's lockstep.
#[expect(clippy::struct_excessive_bools, reason = "independent facts of a pair")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hazard {
    /// The first access, in the order that the two have or would have if all warps ran in step.
    pub first: Party,
    /// The second access.
    pub second: Party,
    /// Memory of the accesses.
    pub space: Space,
    /// First common byte.
    pub address: u32,
    /// Number of common bytes, at most 4.
    pub bytes: u32,
    /// Reason for which the accesses are not ordered.
    pub between: MissingOrder,
    /// Barriers that the warp of the second access had passed.
    pub barriers: u32,
    /// Whether both write the same value, in all such pairs.
    pub same_value: bool,
    /// Whether the accesses belong to an update of a word by several threads that is or can be
    /// lost: only an atomic helps.
    pub lost_update: bool,
    /// Whether the second access is of a later loop trip than the first one, in all such pairs.
    pub carried: bool,
    /// Whether the accesses synchronize: a flag and its waiting reader, or a load that an
    /// `atom.cas` validates.
    pub synchronizes: bool,
    /// Number of such pairs: with the same lines, kinds and reason.
    pub times: u64,
}

impl Hazard {
    /// Returns the kind of the hazard.
    pub fn kind(&self) -> HazardKind {
        match (self.first.kind, self.second.kind) {
            (Kind::Read, _) => HazardKind::War,
            (_, Kind::Read) => HazardKind::Raw,
            _ => HazardKind::Waw,
        }
    }

    /// Returns the kind of the finding. Lanes of one instruction have the kind of their hazard.
    pub fn finding(&self) -> kind::Kind {
        if self.lost_update {
            kind::Kind::LostUpdate
        } else if self.synchronizes || self.first.kind.is_atomic() && self.second.kind.is_atomic() {
            kind::Kind::AtomicOrder
        } else if self.same_value {
            kind::Kind::SameValue
        } else {
            match (self.between, self.kind()) {
                (MissingOrder::Lanes, _) => kind::Kind::WarpSynchronous,
                (MissingOrder::Paths, _) => kind::Kind::DivergentPaths,
                (_, HazardKind::Raw) => kind::Kind::ReadAfterWrite,
                (_, HazardKind::War) => kind::Kind::WriteAfterRead,
                (_, HazardKind::Waw) => kind::Kind::WriteAfterWrite,
            }
        }
    }

    /// Returns the severity of the hazard.
    pub fn severity(&self) -> Severity {
        match self.finding().severity() {
            Severity::Error if self.between == MissingOrder::Instruction && !self.lost_update => {
                Severity::Warning
            }
            severity => severity,
        }
    }
}

/// All hazards of one or more launches.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Found {
    /// One hazard for each pair of lines and reason, ordered by line.
    pub hazards: Vec<Hazard>,
    /// Conflicting pairs of accesses beyond the maximum number of hazards.
    pub more: u64,
    /// Words of accesses that were checked against earlier ones but not recorded for later ones,
    /// because the records were full: races with them may be missing.
    pub not_kept: u64,
    /// Pairs of lines whose accesses locks, flags or counters order, as they did in this run.
    pub synchronized: u64,
}

/// Key by which hazards are merged.
type Key = (u32, u32, Space, MissingOrder, Kind, Kind);

fn key(hazard: &Hazard) -> Key {
    let Hazard { first, second, space, between, .. } = *hazard;
    (first.line, second.line, space, between, first.kind, second.kind)
}

/// Maximum number of hazards.
const MOST: usize = 1000;

/// Collects hazards.
#[derive(Debug, Default)]
pub struct Table {
    table: BTreeMap<Key, Hazard>,
    more: u64,
    synchronized: BTreeSet<(u32, u32)>,
}

impl Table {
    /// Adds a hazard, which is merged with those of the same lines, kinds and reason.
    pub fn add(&mut self, hazard: Hazard) {
        if let Some(known) = self.table.get_mut(&key(&hazard)) {
            known.times += hazard.times;
            known.carried &= hazard.carried;
            let carried = known.carried;
            let more_severe =
                (hazard.lost_update, !hazard.same_value) > (known.lost_update, !known.same_value);
            if more_severe {
                let same_value = known.same_value && hazard.same_value;
                *known = Hazard { times: known.times, same_value, carried, ..hazard };
            }
        } else if self.table.len() < MOST {
            self.table.insert(key(&hazard), hazard);
        } else {
            self.more += 1;
        }
    }

    /// Adds a pair of lines whose accesses are ordered by synchronization.
    pub fn add_synchronized(&mut self, first: u32, second: u32) {
        self.synchronized.insert((first.min(second), first.max(second)));
    }

    /// Returns all hazards, with their accesses in the order in which the program can execute them:
    /// `is_possible` says whether it is possible for two instructions.
    pub fn found(&self, not_kept: u64, mut is_possible: impl FnMut(u32, u32) -> bool) -> Found {
        let mut ordered = Self::default();
        for hazard in self.table.values() {
            let (first, second) = (hazard.first, hazard.second);
            let is_free = matches!(hazard.between, MissingOrder::Warps | MissingOrder::Blocks);
            let turns = is_free && !is_possible(first.pc, second.pc) && is_possible(second.pc, first.pc);
            let turned = Hazard { first: second, second: first, carried: false, ..*hazard };
            ordered.add(if turns { turned } else { *hazard });
        }
        let hazards = ordered.table.into_values().collect();
        Found { hazards, more: self.more, not_kept, synchronized: self.synchronized.len() as u64 }
    }
}
