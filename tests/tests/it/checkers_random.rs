//! The checkers on random programs: nothing is found without a mistake, and no mistake is missed
//! whose consequences the reference interpreter observes.

use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use sim_core::check::{Check, Checks, Finding, Kind, Severity};
use warpsim_check::draw::Checked;
use warpsim_check::draw::{Draw, for_all};
use warpsim_check::generate::Case;
use warpsim_check::generate::case::case;
use warpsim_tests::mistakes::{
    WrongProgram, right, with_larger_index, without_barrier, without_exits, without_initialization,
};

fn cases() -> impl Strategy<Value = Case> {
    case().prop_map(|case| without_exits(case.without_warp_cells()))
}

fn shown(findings: &[Finding]) -> String {
    let one = |f: &Finding| format!("{:?} at line {}: {} `{}`\n", f.kind, f.line, f.message, f.source);
    findings.iter().map(one).collect()
}

/// A program without mistakes has no finding, except barriers that this launch does not need, and
/// divisions of drawn values by zero.
fn clean(case: &Case) -> Checked {
    let mut findings = right(case).findings(Checks::ALL);
    findings.retain(|finding| !matches!(finding.kind, Kind::UnneededBarrier | Kind::DivisionByZero));
    if findings.is_empty() { Ok(()) } else { Err(shown(&findings)) }
}

/// Tests: `no-mistake-is-missed`.
#[test]
fn programs_without_mistakes_have_no_finding() {
    for_all(&cases(), Draw::Same, 96, clean);
}

/// Communication by the order of a warp's instructions is a warning. Only updates of one word by
/// several lanes of an instruction, and accesses on two paths of a branch, are errors: the order of
/// the instructions does not help.
///
/// Tests: `no-mistake-is-missed`.
#[test]
fn programs_that_need_their_warps_have_warnings() {
    for_all(&case().prop_map(without_exits), Draw::Same, 48, |case| {
        let mut findings = right(case).findings(Checks::ALL);
        let others = [Kind::LostUpdate, Kind::DivergentPaths, Kind::DivisionByZero];
        findings.retain(|finding| finding.severity == Severity::Error && !others.contains(&finding.kind));
        if findings.is_empty() { Ok(()) } else { Err(shown(&findings)) }
    });
}

/// A change of a program: from a case and a number that selects the place.
type Change = fn(&Case, usize) -> Option<WrongProgram>;

const CHANGES: [(&str, Change); 3] = [
    ("barrier", without_barrier),
    ("initialization", |case, which| Some(without_initialization(case, which))),
    ("index", with_larger_index),
];

/// Sets of checkers: all of them, and all except one.
fn sets() -> [Checks; 5] {
    let without = |check| Checks::ALL.set(check, false);
    [Checks::ALL, without(Check::Race), without(Check::Sync), without(Check::Init), without(Check::Memory)]
}

/// Numbers of changed programs.
#[derive(Clone, Copy, Debug, Default)]
struct Numbers {
    changed: usize,
    /// With results that differ between choices.
    observed: usize,
    /// Of these, without a finding of the right kind by each set of checkers.
    missed: [usize; 5],
}

/// Changes `count` cases in each way, and compares the reference interpreter with the checkers.
/// Returns the numbers for each way, and the texts of the mistakes that all checkers miss.
fn compare(mut runner: TestRunner, count: usize) -> ([Numbers; 3], Vec<String>) {
    let (mut numbers, mut missed) = ([Numbers::default(); 3], Vec::new());
    for _ in 0..count {
        let tree = (cases(), any::<u32>()).new_tree(&mut runner).expect("the generator rejects nothing");
        let (case, which) = tree.current();
        for ((name, change), numbers) in CHANGES.iter().zip(&mut numbers) {
            let Some(program) = change(&case, which as usize) else { continue };
            numbers.changed += 1;
            let Some(difference) = program.difference(which.into()) else { continue };
            numbers.observed += 1;
            for (set, number) in sets().into_iter().zip(&mut numbers.missed) {
                let findings = program.findings(set);
                if program.is_reported(&findings) {
                    continue;
                }
                *number += 1;
                if set == Checks::ALL {
                    let (change, text) = (&program.change, program.prepared.text());
                    let found = shown(&findings);
                    missed.push(format!("{name}: {change}\n{difference}\nfound: {found}\n{case:?}\n{text}"));
                }
            }
        }
    }
    (numbers, missed)
}

/// Every mistake with consequences is found. The comparison can fail: without one of the checkers,
/// mistakes are missed.
///
/// Tests: `no-mistake-is-missed`.
#[test]
fn a_mistake_with_consequences_is_found() {
    let (numbers, missed) = compare(TestRunner::deterministic(), 96);
    assert!(missed.is_empty(), "{numbers:?}\n{}", missed[0]);
    // The comparison is worth something only if enough mistakes have consequences.
    let observed = numbers.map(|numbers| numbers.observed);
    assert!(observed[0] >= 15 && observed[1] >= 30 && observed[2] >= 10, "{numbers:?}");
    let [barrier, initialization, index] = numbers.map(|numbers| numbers.missed);
    // The race checker finds missing barriers: `tests/data/checkers` has mistakes for `sync`.
    let noticed = [barrier[1], initialization[3], index[4]];
    assert!(noticed.iter().all(|missed| *missed > 0), "{numbers:?}");
}

/// The same as [`a_mistake_with_consequences_is_found`], with more and new cases.
#[test]
#[ignore = "minutes"]
fn a_mistake_with_consequences_is_found_at_length() {
    let (numbers, missed) = compare(TestRunner::default(), 2_000);
    assert!(missed.is_empty(), "{numbers:?}\n{}", missed[0]);
}
