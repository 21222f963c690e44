//! Findings from the hazards: one for each cause.

use super::hazard::{Found, Hazard, Party};
use super::{group, remedy};
use crate::check::advice::Advice;
use crate::check::finding::{Bytes, Finding, Pair, Race, Thread};
use crate::check::kind::{HazardKind, Kind, MissingOrder, Severity};
use crate::check::place::object_at;
use crate::exec::Kernel;
use isa::terms::Terms;

/// Returns the findings.
pub fn findings(found: &Found, kernel: &Kernel) -> Vec<Finding> {
    let finding = |group: group::Group| {
        let main = &found.hazards[*group.hazards.first()?];
        let pairs = group.hazards.iter().map(|at| pair(&found.hazards[*at], kernel)).collect();
        Some(finding(main, Race { pairs }, group.advice, kernel))
    };
    group::groups(&found.hazards, kernel).into_iter().filter_map(finding).collect()
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
    let space = space.into();
    let object = object_at(kernel, space, address.into());
    let memory = Bytes { space, address: address.into(), bytes, object };
    let (first, second) = (party(&first), party(&second));
    let (severity, hazard) = (severity(hazard, kernel), hazard.kind());
    Pair { hazard, severity, between, barriers, first, second, memory, times }
}

/// Returns the severity of a hazard. Volatile accesses that the lockstep of a warp orders are right
/// on all hardware on which this program can run.
fn severity(hazard: &Hazard, kernel: &Kernel) -> Severity {
    match hazard.finding() {
        Kind::WarpSynchronous if group::is_volatile(hazard, kernel) => Severity::Info,
        _ => hazard.severity(),
    }
}

/// Returns the finding of a cause, whose most severe hazard is `hazard`.
fn finding(hazard: &Hazard, race: Race, advice: Option<Advice>, kernel: &Kernel) -> Finding {
    let is_volatile = group::is_volatile(hazard, kernel);
    let (kind, severity) = (hazard.finding(), severity(hazard, kernel));
    let terms = Terms::of(kernel.program.source.files());
    let between = match hazard.between {
        MissingOrder::Blocks => terms.fill("{block}s"),
        MissingOrder::Warps => "warps".into(),
        MissingOrder::Paths => "two paths of a branch".into(),
        MissingOrder::Lanes => "lanes of a warp".into(),
        MissingOrder::Instruction => "lanes of an instruction".into(),
    };
    let name = match hazard.kind() {
        _ if kind == Kind::LostUpdate => "lost update",
        HazardKind::Raw => "read after write",
        HazardKind::War => "write after read",
        HazardKind::Waw => "write after write",
    };
    let order = match kind {
        Kind::WarpSynchronous if is_volatile => ": lockstep, and volatile accesses",
        Kind::WarpSynchronous => ": lockstep only, and the accesses are not volatile",
        Kind::SameValue => ": always the same value",
        Kind::AtomicOrder => ": atomics",
        _ => "",
    };
    let note = match (kind, hazard.between) {
        (Kind::LostUpdate, _) => {
            "each {thread} loads this word, computes a new value from it and stores it; an update of another \
             {thread} between the load and the store is lost"
        }
        (Kind::SameValue, _) => "the order of the two makes no difference",
        (Kind::AtomicOrder, _) => {
            "each access is performed as a whole: this is not a race, but the result may depend on the order"
        }
        (_, MissingOrder::Warps) => "no barrier orders the accesses",
        (_, MissingOrder::Blocks) => {
            "no barrier orders the accesses of different {block}s; a fence and an atomic or volatile flag can"
        }
        (_, MissingOrder::Paths) => {
            "the lanes are on different paths of a branch: the path that runs first decides the result; the \
             setting `sm.first_path` selects it here, and the programming model leaves it open"
        }
        (_, MissingOrder::Lanes) if is_volatile => {
            "the lanes of a warp run in lockstep on chips before compute capability 7.0; later ones need \
             `__syncwarp()`"
        }
        (_, MissingOrder::Lanes) => {
            "the lanes of a warp run in lockstep on this chip, but a compiler may keep values in registers and \
             reorder accesses that are not volatile"
        }
        (_, MissingOrder::Instruction) => {
            "the programming model does not define which lane of an instruction wins"
        }
    };
    let note = terms.fill(note);
    let (barriers, s) = (hazard.barriers, if hazard.barriers == 1 { "" } else { "s" });
    let passed = format!("both warps had passed {barriers} barrier{s}");
    let notes = match (hazard.between, kind) {
        (MissingOrder::Warps, Kind::LostUpdate | Kind::SameValue | Kind::AtomicOrder) => {
            vec![passed, note.into_owned()]
        }
        (MissingOrder::Warps, _) => vec![format!("{passed}; {note}")],
        _ => vec![note.into_owned()],
    };
    let source = &kernel.program.source;
    let help = advice.as_ref().map(|advice| remedy::remedy(advice, source));
    let Pair { first, second, memory, .. } = race.pairs[0].clone();
    let message = format!("{name} between {between}{order}");
    let finding = Finding::new(kernel, kind, hazard.second.pc, message);
    let finding = finding.thread(first).thread(second).memory(memory);
    let times = race.pairs.iter().map(|pair| pair.times).sum();
    Finding { severity, notes, help, advice, times, race: Some(race), ..finding }
}
