//! Findings from the hazards: one for each cause.

use super::hazard::{Found, Hazard, Party};
use super::remedy::{self, Terms};
use super::{Space, group};
use crate::check::finding::{Bytes, Finding, Pair, Race, Thread};
use crate::check::kind::{HazardKind, Kind, MissingOrder, Severity};
use crate::check::place::object_at;
use crate::exec::Kernel;
use isa::types::StateSpace;

/// Returns the findings.
pub fn findings(found: &Found, kernel: &Kernel) -> Vec<Finding> {
    let groups = group::groups(&found.hazards, kernel.program.code.len() as u32).into_iter();
    let finding = |group: group::Group| {
        let main = &found.hazards[*group.hazards.first()?];
        let pairs = group.hazards.iter().map(|at| pair(&found.hazards[*at], kernel)).collect();
        Some(finding(main, Race { barrier: group.barrier, pairs }, kernel))
    };
    groups.filter_map(finding).collect()
}

/// Returns the two accesses of a hazard.
fn pair(hazard: &Hazard, kernel: &Kernel) -> Pair {
    let Hazard { first, second, space, address, bytes, between, barriers, times, .. } = *hazard;
    let party = |party: &Party| {
        let does = match party.kind {
            super::Kind::Read => "reads",
            super::Kind::Write => "writes",
            super::Kind::Atomic | super::Kind::Reduction(_) => "changes",
        };
        Thread::at(kernel, party.pc, party.block.into(), party.warp, party.lane, does)
    };
    let space = match space {
        Space::Global => StateSpace::Global,
        Space::Shared => StateSpace::Shared,
    };
    let object = object_at(kernel, space, address.into());
    let memory = Bytes { space, address: address.into(), bytes, object };
    let (first, second) = (party(&first), party(&second));
    let (hazard, severity) = (hazard.kind(), hazard.severity());
    Pair { hazard, severity, between, barriers, first, second, memory, times }
}

/// Returns the finding of a cause, whose most severe hazard is `hazard`.
fn finding(hazard: &Hazard, race: Race, kernel: &Kernel) -> Finding {
    let (kind, severity) = (hazard.finding(), hazard.severity());
    let between = match hazard.between {
        MissingOrder::Blocks => "blocks",
        MissingOrder::Warps => "warps",
        MissingOrder::Paths => "two paths of a branch",
        MissingOrder::Lanes => "lanes of a warp",
        MissingOrder::Instruction => "lanes of an instruction",
    };
    let name = match hazard.kind() {
        _ if kind == Kind::LostUpdate => "lost update",
        HazardKind::Raw => "read after write",
        HazardKind::War => "write after read",
        HazardKind::Waw => "write after write",
    };
    let order = match kind {
        Kind::WarpSynchronous => ": lockstep only",
        Kind::SameValue => ": always the same value",
        Kind::AtomicOrder => ": atomics",
        _ => "",
    };
    let note = match (kind, hazard.between) {
        (Kind::LostUpdate, _) => {
            "each thread loads this word, computes a new value from it and stores it; an update of another \
             thread between the load and the store is lost"
        }
        (Kind::SameValue, _) => "the order of the two makes no difference",
        (Kind::AtomicOrder, _) => {
            "each access is performed as a whole: this is not a race, but the result may depend on the order"
        }
        (_, MissingOrder::Warps) => "no barrier orders the accesses",
        (_, MissingOrder::Blocks) => {
            "no barrier orders the accesses of different blocks; a fence and an atomic or volatile flag can"
        }
        (_, MissingOrder::Paths) => {
            "the lanes are on different paths of a branch: the path that runs first decides the result; the \
             setting `sm.first_path` selects it here, and the programming model leaves it open"
        }
        (_, MissingOrder::Lanes) => {
            "the order exists only because the lanes of a warp run in lockstep on this hardware; the \
             programming model does not guarantee it"
        }
        (_, MissingOrder::Instruction) => {
            "the programming model does not define which lane of an instruction wins"
        }
    };
    let (barriers, s) = (hazard.barriers, if hazard.barriers == 1 { "" } else { "s" });
    let passed = format!("both warps had passed {barriers} barrier{s}");
    let notes = match (hazard.between, kind) {
        (MissingOrder::Warps, Kind::LostUpdate | Kind::SameValue | Kind::AtomicOrder) => {
            vec![passed, note.to_owned()]
        }
        (MissingOrder::Warps, _) => vec![format!("{passed}; {note}")],
        _ => vec![note.to_owned()],
    };
    let terms = Terms::of(&kernel.program.source);
    let help = match race.barrier {
        Some((after, before)) => {
            let barrier = terms.barrier;
            let files = kernel.program.source.files();
            let (after, before) = (files.described(after), files.described(before));
            let portable = if severity == Severity::Warning {
                ", if the kernel is to run on other hardware"
            } else {
                ""
            };
            Some(format!("add a {barrier} after line {after} and before line {before}{portable}"))
        }
        None => remedy::remedy(hazard, terms),
    };
    let Pair { first, second, memory, .. } = race.pairs[0].clone();
    let message = format!("{name} between {between}{order}");
    let finding = Finding::new(kernel, kind, hazard.second.pc, message);
    let finding = finding.thread(first).thread(second).memory(memory);
    let times = race.pairs.iter().map(|pair| pair.times).sum();
    Finding { severity, notes, help, times, race: Some(race), ..finding }
}
