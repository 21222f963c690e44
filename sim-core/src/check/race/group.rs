//! Groups of hazards with one cause: one missing barrier, or one store whose updates are lost.
//!
//! A barrier orders a pair of accesses if it is between the two in the program; if the second
//! access is of the next iteration of a loop, behind the first one or ahead of the second one.
//! Hazards form a group if one place is between the accesses of all of them.

use super::hazard::Hazard;
use super::{Kind, Space};
use crate::check::kind::{self, HazardKind, MissingOrder, Severity};

/// Hazards with one cause.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// Their numbers, the most severe first; of lost updates, a load before the store first.
    pub hazards: Vec<usize>,
    /// Lines behind which and before which a barrier is missing.
    pub barrier: Option<(u32, u32)>,
}

/// Cause of a hazard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Cause {
    /// A barrier is missing between the instructions.
    Barrier,
    /// The store at the line loses updates.
    LostUpdate(Space, u32),
    /// The order of two lines is missing, which is no barrier's. Hazards that are no mistakes have
    /// their kind.
    Lines(MissingOrder, Severity, Option<kind::Kind>, u32, u32),
}

fn cause(hazard: &Hazard) -> Cause {
    let (first, second) = (&hazard.first, &hazard.second);
    let severity = hazard.severity();
    if hazard.lost_update {
        let store = if second.kind == Kind::Read { first } else { second };
        return Cause::LostUpdate(hazard.space, store.line);
    }
    match (hazard.between, severity) {
        (MissingOrder::Warps | MissingOrder::Lanes, Severity::Error | Severity::Warning)
            if first.line != second.line =>
        {
            Cause::Barrier
        }
        _ => {
            let info = (severity == Severity::Info).then(|| hazard.finding());
            let (low, high) = (first.line.min(second.line), first.line.max(second.line));
            Cause::Lines(hazard.between, severity, info, low, high)
        }
    }
}

/// Places for a barrier, as instructions that it can precede; of the next iteration, numbers from
/// `code` on. With the lines around them.
#[derive(Clone, Copy, Debug)]
struct Places {
    from: (u32, u32),
    to: (u32, u32),
}

impl Places {
    fn of(hazard: &Hazard, code: u32) -> Self {
        let (first, second) = (&hazard.first, &hazard.second);
        let next = if second.pc > first.pc { 0 } else { code };
        Self { from: (first.pc + 1, first.line), to: (second.pc + next, second.line) }
    }

    /// Places of both, if there are any.
    fn and(self, other: Self, code: u32) -> Option<Self> {
        let moved = |by: i64| {
            let at = |(pc, line): (u32, u32)| Some((u32::try_from(i64::from(pc) + by).ok()?, line));
            let (from, to) = (at(other.from)?, at(other.to)?);
            let both = Self {
                from: if from.0 > self.from.0 { from } else { self.from },
                to: if to.0 < self.to.0 { to } else { self.to },
            };
            (both.from.0 <= both.to.0).then_some(both)
        };
        [0, -i64::from(code), i64::from(code)].into_iter().find_map(moved)
    }
}

/// Returns the groups of the hazards of a program of `code` instructions, in the order of their
/// most severe hazards, the first one of them first.
pub fn groups(hazards: &[Hazard], code: u32) -> Vec<Group> {
    let mut order: Vec<usize> = (0..hazards.len()).collect();
    let rank = |hazard: &Hazard| match hazard.kind() {
        HazardKind::War => 0,
        HazardKind::Waw => 1,
        HazardKind::Raw => 2,
    };
    let rank = |hazard: &Hazard| if hazard.lost_update { rank(hazard) } else { 0 };
    order.sort_by_key(|at| (hazards[*at].severity(), rank(&hazards[*at]), *at));
    let mut found: Vec<(Cause, Option<Places>, Group)> = Vec::new();
    for at in order {
        let (hazard, cause) = (&hazards[at], cause(&hazards[at]));
        let own = (cause == Cause::Barrier).then(|| Places::of(hazard, code));
        let joined = found.iter_mut().filter(|(other, ..)| *other == cause).find_map(|(_, places, group)| {
            match (*places, own) {
                (Some(known), Some(own)) => {
                    *places = Some(known.and(own, code)?);
                    Some(group)
                }
                _ => Some(group),
            }
        });
        match joined {
            Some(group) => group.hazards.push(at),
            None => found.push((cause, own, Group { hazards: vec![at], barrier: None })),
        }
    }
    let barrier = |places: Option<Places>| places.map(|places| (places.from.1, places.to.1));
    found.into_iter().map(|(_, places, group)| Group { barrier: barrier(places), ..group }).collect()
}
