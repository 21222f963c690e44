//! The checkers on the recorded programs, which are right: kernels that compilers made, and random
//! programs. Each finding is in a table with its reason.

use sim_core::check::{Check, Finding, Kind};
use std::collections::BTreeSet;
use warpsim_tests::recorded::case::{self, Case};
use warpsim_tests::recorded::run::{Failure, chips_for, findings};

/// Kernels with findings, or kinds of random programs: the kinds of findings, and the reason.
const KNOWN: [(&str, &[Kind], &str); 2] = [
    (
        "bfs_step",
        &[Kind::WriteAfterRead],
        "a benign race, which CUDA leaves undefined: all threads store the same level, and a thread that \
         still reads the old one stores it again",
    ),
    ("bar", &[Kind::UnneededBarrier], "random programs have barriers without purpose"),
];

/// Kernels with findings only if the buffers that were zeros on silicon count as not written: they
/// add to a buffer that the host must clear.
const ZEROS: [&str; 2] = ["hist_global", "fhd_fast"];

/// The highest target that PTX 2.3 supports.
const HIGHEST_TARGET: u32 = 21;

/// Calls `take` for each recorded program with its findings. Returns the number of programs. If
/// `zeros`, the host writes the buffers that were zeros on silicon.
fn all(zeros: bool, mut take: impl FnMut(&Case, Finding)) -> usize {
    let cases = case::all().expect("the record");
    let mut checked = 0;
    for case in &cases {
        let Some(capability) = case.capability().filter(|sm| *sm <= HIGHEST_TARGET) else { continue };
        let chip = chips_for(capability)[0];
        match findings(case, chip, zeros) {
            Ok(found) => {
                checked += 1;
                for finding in found {
                    take(case, finding);
                }
            }
            // Not supported; `tests/support/unsupported_programs.txt` lists it.
            Err(Failure::Refused { .. }) => {}
            Err(Failure::Wrong(what)) => panic!("{}: {what}", case.id),
        }
    }
    checked
}

/// Name of a kernel, or kind of a random program.
fn name(case: &Case) -> &str {
    if case.kernel.is_empty() { &case.kind } else { &case.kernel }
}

/// Tests: `mistakes-are-found`.
#[test]
fn recorded_programs_have_no_findings_without_a_reason() {
    let (mut wrong, mut seen) = (Vec::new(), BTreeSet::new());
    let checked = all(true, |case, finding| {
        let known = KNOWN.iter().find(|(of, kinds, _)| *of == name(case) && kinds.contains(&finding.kind));
        match known {
            Some((of, ..)) => drop(seen.insert((*of, finding.kind))),
            None => wrong.push(format!(
                "{}: {:?} at line {}: {}\n    {}",
                case.id, finding.kind, finding.line, finding.message, finding.source
            )),
        }
    });
    assert!(wrong.is_empty(), "{}\n{checked} programs", wrong.join("\n"));
    assert!(checked >= 300, "{checked} programs");
    let all = KNOWN.iter().flat_map(|(of, kinds, _)| kinds.iter().map(|kind| (*of, *kind)));
    assert_eq!(seen, all.collect(), "the table has only what is found");
}

/// Tests: `mistakes-are-found`.
#[test]
fn recorded_sums_need_a_cleared_buffer() {
    let mut found = BTreeSet::new();
    let checked = all(false, |case, finding| {
        if finding.check == Check::Init {
            assert_eq!(finding.kind, Kind::Global, "{}: {}", case.id, finding.message);
            found.insert(name(case).to_owned());
        }
    });
    assert!(found.iter().all(|name| ZEROS.contains(&name.as_str())), "{found:?}");
    assert!(checked >= 300 && found.len() == ZEROS.len(), "{checked} programs: {found:?}");
}
