//! What is found: pairs of source lines, each with its first example and how often it was met.

use super::{Kind, Space};
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt;

/// What is missing between two accesses of different threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum MissingOrder {
    /// Nothing orders different blocks of a launch.
    Blocks,
    /// They are of one block, but of different warps, and both have passed as many barriers.
    Warps,
    /// They are of one warp: its instructions are ordered, on hardware whose warps run in step; no
    /// barrier is between them.
    Lanes,
    /// They are of one instruction of a warp: the highest lane wins.
    Instruction,
}

/// The kind of a hazard, by what its two accesses do in the order that they have or would have if
/// all warps went in step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub enum HazardKind {
    /// Read after write.
    #[serde(rename = "RAW")]
    Raw,
    /// Write after read.
    #[serde(rename = "WAR")]
    War,
    /// Write after write.
    #[serde(rename = "WAW")]
    Waw,
}

impl fmt::Display for HazardKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Raw => "RAW",
            Self::War => "WAR",
            Self::Waw => "WAW",
        })
    }
}

/// How grave a hazard is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// Nothing orders the two, and the result depends on which is first; or an update is lost.
    Race,
    /// Only the lockstep of a warp orders them.
    WarpSynchronous,
    /// Nothing orders them, but both write the same value.
    SameValue,
    /// Two atomics: which is first may show in what they give or leave, and each is whole.
    AtomicOrder,
}

/// One of the two threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Party {
    /// Number of its block in the grid.
    pub block: u32,
    /// Warp of the block.
    pub warp: u32,
    /// Lane of the warp.
    pub lane: u32,
    /// Index of the instruction.
    pub pc: u32,
    /// Line of the source.
    pub line: u32,
    /// What it does.
    pub kind: Kind,
}

impl Party {
    /// The thread's number in its block.
    pub fn thread(&self) -> u32 {
        32 * self.warp + self.lane
    }
}

/// Two accesses to common bytes that [meet](Kind::meets) and that nothing orders, or only a warp's
/// lockstep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hazard {
    /// The one that is first, or would be if all warps went in step.
    pub first: Party,
    /// The other one.
    pub second: Party,
    /// Which memory.
    pub space: Space,
    /// First common byte.
    pub address: u32,
    /// Common bytes, at most 4.
    pub bytes: u32,
    /// What is missing.
    pub between: MissingOrder,
    /// Barriers that the second one's warp had passed.
    pub barriers: u32,
    /// Both write the same value, in all the pairs.
    pub same_value: bool,
    /// They belong to an update of a word by several threads that is or can be lost: only an atomic
    /// helps.
    pub lost_update: bool,
    /// How often an access met one of earlier ones like this: of the same lines, kinds and reason.
    pub times: u64,
}

impl Hazard {
    /// Its kind.
    pub fn kind(&self) -> HazardKind {
        match (self.first.kind, self.second.kind) {
            (Kind::Read, _) => HazardKind::War,
            (_, Kind::Read) => HazardKind::Raw,
            _ => HazardKind::Waw,
        }
    }

    /// How grave it is.
    pub fn severity(&self) -> Severity {
        if self.first.kind.is_atomic() && self.second.kind.is_atomic() {
            Severity::AtomicOrder
        } else if self.lost_update {
            Severity::Race
        } else if self.same_value {
            Severity::SameValue
        } else if matches!(self.between, MissingOrder::Lanes | MissingOrder::Instruction) {
            Severity::WarpSynchronous
        } else {
            Severity::Race
        }
    }
}

/// All that was found of one or more launches.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Found {
    /// Each pair of lines and reason once, in the order of lines.
    pub hazards: Vec<Hazard>,
    /// Pairs of accesses that met and are like none of these, beyond the most that are told.
    pub more: u64,
    /// Words of accesses that were checked against earlier ones, but not kept for later ones, for
    /// there was no room: races with them may be missing here.
    pub not_kept: u64,
}

/// What hazards are told apart by.
type Like = (u32, u32, Space, MissingOrder, Kind, Kind);

/// Most hazards that are told of.
const MOST: usize = 1000;

/// Collects hazards.
#[derive(Debug, Default)]
pub struct Table {
    table: BTreeMap<Like, Hazard>,
    more: u64,
}

impl Table {
    /// Adds a hazard that was met once.
    pub fn add(&mut self, hazard: Hazard) {
        let Hazard { first, second, space, between, .. } = hazard;
        let like = (first.line, second.line, space, between, first.kind, second.kind);
        if let Some(known) = self.table.get_mut(&like) {
            known.times += 1;
            let graver = (hazard.lost_update, !hazard.same_value) > (known.lost_update, !known.same_value);
            if graver {
                let same_value = known.same_value && hazard.same_value;
                *known = Hazard { times: known.times, same_value, ..hazard };
            }
        } else if self.table.len() < MOST {
            self.table.insert(like, hazard);
        } else {
            self.more += 1;
        }
    }

    /// All of them.
    pub fn found(&self, not_kept: u64) -> Found {
        Found { hazards: self.table.values().copied().collect(), more: self.more, not_kept }
    }
}
