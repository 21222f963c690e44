//! The checkers on the recorded programs, which are right: kernels that compilers made, and random
//! programs. Each finding is in a table with its reason.
//!
//! If the whole record is next to the repository, all programs are checked; otherwise those in the
//! repository.

use sim_core::check::{Finding, Kind};
use std::collections::BTreeSet;
use warpsim_tests::recorded::Records;
use warpsim_tests::recorded::case::{self, Case};
use warpsim_tests::recorded::run::{Failure, chips_for, findings};

/// Kernels with findings: the kind, and the reason.
const KNOWN: &[(&str, Kind, &str)] = &[];

/// The highest target that PTX 2.3 supports.
const HIGHEST_TARGET: u32 = 21;

/// Calls `take` for each recorded program with its findings. Returns the number of programs. If
/// `zeros`, the host writes the buffers that were zeros on silicon.
fn all(zeros: bool, mut take: impl FnMut(&Case, Finding)) -> usize {
    let whole = Records::whole("of the recorded programs, only those in tests/corpus are checked");
    let records = whole.unwrap_or_else(Records::copied);
    let mut cases = case::read(&records, "manifest.json").expect("compiled kernels");
    cases.extend(case::read(&records, "fuzz/manifest.json").expect("random programs"));
    let mut checked = 0;
    for case in &cases {
        let Some(capability) = case.capability().filter(|sm| *sm <= HIGHEST_TARGET) else { continue };
        let chip = chips_for(capability)[0];
        match findings(&records, case, chip, zeros) {
            Ok(found) => {
                checked += 1;
                found.into_iter().for_each(|finding| take(case, finding));
            }
            // Not supported; `tests/corpus/unsupported.txt` lists it.
            Err(Failure::Refused { .. }) => {}
            Err(Failure::Wrong(what)) => panic!("{}: {what}", case.id),
        }
    }
    checked
}

/// Tests: `mistakes-are-found`.
#[test]
fn recorded_programs_have_no_findings_without_a_reason() {
    let (mut wrong, mut seen) = (Vec::new(), BTreeSet::new());
    let checked = all(true, |case, finding| {
        let is_known =
            |(kernel, kind, _): &&(&str, Kind, &str)| *kernel == case.kernel && *kind == finding.kind;
        match KNOWN.iter().find(is_known) {
            Some((kernel, kind, _)) => drop(seen.insert((*kernel, *kind))),
            None => wrong.push(format!(
                "{}: {:?} at line {}: {}\n    {}",
                case.id, finding.kind, finding.line, finding.message, finding.source
            )),
        }
    });
    assert!(wrong.is_empty(), "{}\n{checked} programs", wrong.join("\n"));
    assert!(checked >= 80, "{checked} programs");
}
