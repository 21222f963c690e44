//! Groups of hazards with one cause: one missing barrier, one store whose updates are lost, one
//! variable that is not volatile, or one other change.

use super::Kind;
use super::hazard::Hazard;
use super::place::{Places, Spots};
use crate::check::advice::{Advice, AdviceKind};
use crate::check::kind::{self, HazardKind, MissingOrder, Severity};
use crate::check::place::object_at;
use crate::exec::Kernel;
use isa::uop::Inst;
use std::collections::BTreeSet;

/// Hazards with one cause.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// Their numbers, the most severe first; of lost updates, a load before the store first.
    pub hazards: Vec<usize>,
    /// The change; `None` if the hazards are no mistake.
    pub advice: Option<Advice>,
}

/// Cause of a hazard.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Cause {
    /// A barrier is missing before one of these lines.
    Barrier(BTreeSet<u32>),
    /// A change is missing that is no barrier alone.
    Change(Severity, Advice),
    /// The order of two lines is missing, and a change of another kind for each pair of lines.
    Lines(MissingOrder, Severity, kind::Kind, u32, u32),
    /// The accesses are volatile, and the lockstep of a warp orders them.
    Lockstep,
}

/// Whether the accesses of a hazard are volatile.
pub fn is_volatile(hazard: &Hazard, kernel: &Kernel) -> bool {
    let of =
        |pc: u32| kernel.program.code.get(pc as usize).is_some_and(|inst| inst.aux & Inst::VOLATILE != 0);
    of(hazard.first.pc) && of(hazard.second.pc)
}

/// Causes of the hazards of a kernel.
struct Causes<'a> {
    kernel: &'a Kernel,
    places: Places<'a>,
}

impl Causes<'_> {
    /// Returns the cause, and how a barrier would order accesses that need none.
    fn of(&self, hazard: &Hazard) -> (Cause, Option<Spots>) {
        let (first, second) = (&hazard.first, &hazard.second);
        let severity = hazard.severity();
        if hazard.lost_update {
            let store = if second.kind == Kind::Read { first } else { second };
            return (Cause::Change(severity, Advice::new(AdviceKind::Atomic).at(store.line)), None);
        }
        let is_mistake = severity != Severity::Info;
        match hazard.between {
            MissingOrder::Lanes if is_mistake => {
                let spots = Some(self.places.of(hazard));
                if is_volatile(hazard, self.kernel) {
                    return (Cause::Lockstep, spots);
                }
                let object = object_at(self.kernel, hazard.space.into(), hazard.address.into());
                let variable = object.and_then(|object| object.name);
                (Cause::Change(severity, Advice { variable, ..Advice::new(AdviceKind::Volatile) }), spots)
            }
            MissingOrder::Warps
                if is_mistake && (hazard.kind() != HazardKind::Waw || first.line != second.line) =>
            {
                match self.places.of(hazard) {
                    Spots::Lines(lines) => (Cause::Barrier(lines), None),
                    Spots::Change(change) => (Cause::Change(severity, change), None),
                }
            }
            between => {
                let (low, high) = (first.line.min(second.line), first.line.max(second.line));
                let finding = if is_mistake { kind::Kind::WriteAfterWrite } else { hazard.finding() };
                (Cause::Lines(between, severity, finding, low, high), None)
            }
        }
    }

    /// Returns the advice for a cause, whose most severe hazard is `hazard`.
    fn advice(&self, cause: Cause, hazard: &Hazard) -> Option<Advice> {
        let line = hazard.second.line;
        match cause {
            Cause::Barrier(lines) => {
                self.places.best(&lines).map(|line| Advice::new(AdviceKind::Barrier).before(line))
            }
            Cause::Change(_, advice) => Some(advice),
            Cause::Lockstep | Cause::Lines(_, Severity::Info, ..) => None,
            Cause::Lines(MissingOrder::Paths, ..) => Some(Advice::new(AdviceKind::OnePath).at(line)),
            Cause::Lines(MissingOrder::Blocks, ..) if hazard.kind() != HazardKind::Waw => {
                Some(Advice::new(AdviceKind::NextLaunch).at(line))
            }
            Cause::Lines(..) => Some(Advice::new(AdviceKind::OneWriter).at(line)),
        }
    }
}

/// Returns the groups of the hazards of a kernel, in the order of their most severe hazards, the
/// first one of them first.
pub fn groups(hazards: &[Hazard], kernel: &Kernel) -> Vec<Group> {
    if hazards.is_empty() {
        return Vec::new();
    }
    let causes = Causes { kernel, places: Places::new(&kernel.program) };
    let mut order: Vec<usize> = (0..hazards.len()).collect();
    let rank = |hazard: &Hazard| match hazard.kind() {
        HazardKind::War => 0,
        HazardKind::Waw => 1,
        HazardKind::Raw => 2,
    };
    let rank = |hazard: &Hazard| if hazard.lost_update { rank(hazard) } else { 0 };
    order.sort_by_key(|at| (hazards[*at].severity(), rank(&hazards[*at]), *at));
    let mut found: Vec<(Cause, Vec<usize>)> = Vec::new();
    for at in order {
        let (cause, spots) = causes.of(&hazards[at]);
        let joined = found.iter_mut().find_map(|(known, all)| {
            // A barrier that is missing for other accesses orders these, too.
            let wanted = match (&cause, &spots) {
                (Cause::Barrier(lines), _) | (_, Some(Spots::Lines(lines))) => Some(lines),
                _ => None,
            };
            let is_joined = match (&mut *known, wanted, &spots) {
                (Cause::Barrier(known), Some(wanted), _) => {
                    let both: BTreeSet<u32> = known.intersection(wanted).copied().collect();
                    let is_joined = !both.is_empty();
                    if is_joined {
                        *known = both;
                    }
                    is_joined
                }
                (Cause::Change(Severity::Error, known), _, Some(Spots::Change(wanted)))
                    if known == wanted =>
                {
                    true
                }
                (known, ..) => *known == cause,
            };
            is_joined.then_some(all)
        });
        match joined {
            Some(all) => all.push(at),
            None => found.push((cause, vec![at])),
        }
    }
    found
        .into_iter()
        .map(|(cause, all)| Group { advice: causes.advice(cause, &hazards[all[0]]), hazards: all })
        .collect()
}
