//! Findings from the hazards of the race checker.

use super::finding::{Bytes, Check, Checks, Finding, Kind, Severity, Thread};
use super::place::object_at;
use crate::exec::Kernel;
use crate::racecheck::{self, Found, Hazard, HazardKind, MissingOrder, Party, Space};
use isa::types::StateSpace;
use std::collections::BTreeMap;

/// Returns the findings of the checkers `checks`: races, and accesses that only the lockstep of a
/// warp orders. Pairs of equal values and pairs of atomics are no findings. One missing barrier is
/// one finding; otherwise a kind is reported once for each line of a second access.
pub fn findings(found: &Found, kernel: &Kernel, checks: Checks) -> Vec<Finding> {
    let mut table: BTreeMap<(Check, Severity, Kind, u32), Finding> = BTreeMap::new();
    for group in racecheck::groups(&found.hazards, kernel.program.code.len() as u32) {
        let hazards = group.hazards.iter().map(|at| &found.hazards[*at]);
        let mut hazards = hazards.filter_map(|hazard| {
            let (kind, severity) = classify(hazard)?;
            checks.has(kind.check()).then_some((hazard, kind, severity))
        });
        let Some((main, kind, severity)) = hazards.next() else { continue };
        let others: Vec<&Hazard> = hazards.map(|(hazard, ..)| hazard).collect();
        let times: u64 = others.iter().map(|hazard| hazard.times).sum();
        let key = (kind.check(), severity, kind, main.second.line);
        if let Some(known) = table.get_mut(&key) {
            known.times += main.times + times;
            continue;
        }
        let mut finding = finding(main, kind, severity, kernel);
        finding.times += times;
        finding.notes.extend(others_note(main, &others, kernel));
        if let Some((after, before)) = group.barrier {
            let files = kernel.program.source.files();
            let (after, before) = (files.described(after), files.described(before));
            let hint =
                if severity == Severity::Hint { ", if the kernel is to run on other hardware" } else { "" };
            finding.help =
                Some(format!("add a `bar.sync` after line {after} and before line {before}{hint}"));
        }
        table.insert(key, finding);
    }
    table.into_values().collect()
}

/// Returns a note on the other pairs of lines of a group, each once.
fn others_note(main: &Hazard, others: &[&Hazard], kernel: &Kernel) -> Option<String> {
    let files = kernel.program.source.files();
    let of = |hazard: &Hazard| (hazard.first.line, hazard.second.line);
    let mut lines: Vec<(u32, u32)> = others.iter().map(|hazard| of(hazard)).collect();
    lines.retain(|lines| *lines != of(main));
    lines.sort_unstable();
    lines.dedup();
    let list: Vec<String> = lines.into_iter().map(|lines| files.pair(lines)).collect();
    (!list.is_empty()).then(|| format!("the cause is the same at {}", list.join(", ")))
}

/// Returns the kind and the severity; `None` if the hazard is no finding.
fn classify(hazard: &Hazard) -> Option<(Kind, Severity)> {
    let kind = if hazard.lost_update {
        Kind::LostUpdate
    } else if hazard.between == MissingOrder::Paths {
        Kind::DivergentPaths
    } else {
        match hazard.kind() {
            HazardKind::Raw => Kind::ReadAfterWrite,
            HazardKind::War => Kind::WriteAfterRead,
            HazardKind::Waw => Kind::WriteAfterWrite,
        }
    };
    match (hazard.severity(), hazard.between) {
        (racecheck::Severity::Race, _) => Some((kind, Severity::Error)),
        (racecheck::Severity::WarpSynchronous, MissingOrder::Instruction) => Some((kind, Severity::Hint)),
        (racecheck::Severity::WarpSynchronous, _) => Some((Kind::WarpSynchronous, Severity::Hint)),
        (racecheck::Severity::SameValue | racecheck::Severity::AtomicOrder, _) => None,
    }
}

fn finding(hazard: &Hazard, kind: Kind, severity: Severity, kernel: &Kernel) -> Finding {
    let Hazard { first, second, space, address, bytes, between, barriers, times, .. } = *hazard;
    let party = |party: &Party| {
        let does = match party.kind {
            racecheck::Kind::Read => "reads",
            racecheck::Kind::Write => "writes",
            racecheck::Kind::Atomic | racecheck::Kind::Reduction(_) => "changes",
        };
        Thread::at(kernel, party.pc, party.block.into(), party.warp, party.lane, does)
    };
    let space = match space {
        Space::Global => StateSpace::Global,
        Space::Shared => StateSpace::Shared,
    };
    let between = match between {
        MissingOrder::Blocks => "blocks",
        MissingOrder::Warps => "warps",
        MissingOrder::Paths => "two paths of a branch",
        MissingOrder::Lanes => "lanes of a warp",
        MissingOrder::Instruction => "lanes of an instruction",
    };
    let name = if kind == Kind::LostUpdate {
        "lost update"
    } else if kind == Kind::WarpSynchronous {
        "only the lockstep of a warp orders the accesses"
    } else {
        match hazard.kind() {
            HazardKind::Raw => "read after write",
            HazardKind::War => "write after read",
            HazardKind::Waw => "write after write",
        }
    };
    let object = object_at(kernel, space, address.into());
    let finding = Finding::new(kernel, kind, second.pc, format!("{name} between {between}"));
    let finding = finding.thread(party(&first)).thread(party(&second)).memory(Bytes {
        space,
        address: address.into(),
        bytes,
        object,
    });
    let finding = match (kind, hazard.between) {
        (Kind::LostUpdate, _) => finding.note(
            "each thread loads this word, computes a new value from it and stores it; an update of another \
             thread between the load and the store is lost",
        ),
        (_, MissingOrder::Warps) => {
            let s = if barriers == 1 { "" } else { "s" };
            finding
                .note(format!("both warps had passed {barriers} barrier{s}; no barrier orders the accesses"))
        }
        (_, MissingOrder::Blocks) => finding.note(
            "no barrier orders the accesses of different blocks; a fence and an atomic or volatile flag can",
        ),
        (_, MissingOrder::Paths) => finding.note(
            "the lanes are on different paths of a branch: the path that runs first decides the result; the \
             setting `sm.first_path` selects it here, and the programming model leaves it open",
        ),
        (_, MissingOrder::Lanes) => finding.note(
            "the order exists only because the lanes of a warp run in lockstep on this hardware; the \
             programming model does not guarantee it",
        ),
        (_, MissingOrder::Instruction) => {
            finding.note("the programming model does not define which lane of an instruction wins")
        }
    };
    let finding = if kind == Kind::WarpSynchronous {
        finding.help("add a `bar.sync` between the accesses, if the kernel is to run on other hardware")
    } else {
        Finding { help: racecheck::remedy(hazard).map(|text| text.replace('\n', " ")), ..finding }
    };
    Finding { severity, times, ..finding }
}
