//! Compares results with silicon: every recorded case runs in functional and in timed mode on every
//! chip that can run it. A case for `sm_10` runs on all chips, one for up to `sm_13` from GT200 on,
//! one for `sm_20` on Fermi.
//!
//! `tests/support/README.md` describes the record. The cases are compiled kernels and random
//! programs, the latter also with 32-bit addresses. Each case, chip and mode is a trial, so `cargo
//! test --test corpus vecadd` or `--test corpus "fermi timed"` selects trials. If a case is missing
//! in a manifest, the trial that counts the cases fails. `tests/support/unsupported_programs.txt`
//! lists what the simulator does not support. The list is checked.
//!
//! Tests: `arithmetic-of-silicon`, `optimizing-changes-no-result`.

use libtest_mimic::{Arguments, Failed, Trial};
use sim_core::host::Mode;
use std::collections::BTreeSet;
use std::process::ExitCode;
use std::sync::Arc;
use warpsim_tests::recorded::case::{self, Case};
use warpsim_tests::recorded::run::{BUILDS, chips_for, run};
use warpsim_tests::recorded::unsupported::Unsupported;

/// Number of cases of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Counts {
    /// Compiled cases, their kernels and their compilers.
    compiled: (usize, usize, usize),
    /// Random programs, those of them that have a module with 32-bit addresses, and their kinds.
    random: (usize, usize, usize),
}

/// The record.
const WHOLE: Counts = Counts { compiled: (210, 46, 5), random: (150, 69, 6) };

/// The highest target that PTX 2.3 supports.
const HIGHEST_TARGET: u32 = 21;

fn main() -> ExitCode {
    let args = Arguments::from_args();
    let trials = trials().unwrap_or_else(|e| vec![Trial::test("manifests", move || Err(e.into()))]);
    libtest_mimic::run(&args, trials).exit_code()
}

fn trials() -> Result<Vec<Trial>, String> {
    let unsupported = Arc::new(Unsupported::read(include_str!("../support/unsupported_programs.txt"))?);
    let cases = case::all()?;
    let mut trials = vec![counted("the record is complete", WHOLE, &cases)];
    let names: BTreeSet<String> = both_widths(&cases).into_iter().map(|case| case.id).collect();
    let listed = Arc::clone(&unsupported);
    trials.push(Trial::test("the unsupported cases exist", move || {
        match listed.names().find(|name| !names.contains(*name)) {
            Some(name) => Err(format!("there is no case `{name}`").into()),
            None => Ok(()),
        }
    }));
    for case in both_widths(&cases) {
        let Some(capability) = case.capability().filter(|c| *c <= HIGHEST_TARGET) else {
            let complaint = format!("needs more than sm_{HIGHEST_TARGET}, and is not listed as such");
            trials.push(Trial::test(case.id, move || Err(complaint.into())));
            continue;
        };
        let case = Arc::new(case);
        for chip in chips_for(capability) {
            for (mode, machine) in [(Mode::Functional, "functional"), (Mode::Timed, "timed")] {
                for build in BUILDS {
                    let (case, unsupported) = (Arc::clone(&case), Arc::clone(&unsupported));
                    let name = format!("{} {chip} {machine} {}", case.id, build.name);
                    trials.push(Trial::test(name.trim_end(), move || {
                        let outcome = run(&case, build, chip, mode);
                        unsupported.judge(&case.id, outcome).map_err(Failed::from)
                    }));
                }
            }
        }
    }
    Ok(trials)
}

/// Returns the cases, and again those that have a module with 32-bit addresses.
fn both_widths(cases: &[Case]) -> Vec<Case> {
    cases.iter().flat_map(|case| [Some(case.clone()), case.with_32_bits()]).flatten().collect()
}

fn counted(name: &str, wanted: Counts, cases: &[Case]) -> Trial {
    fn distinct<'a>(values: impl Iterator<Item = &'a String>) -> usize {
        values.collect::<BTreeSet<_>>().len()
    }
    let (random, compiled): (Vec<&Case>, Vec<&Case>) = cases.iter().partition(|c| c.kernel.is_empty());
    let counts = Counts {
        compiled: (
            distinct(compiled.iter().map(|c| &c.id)),
            distinct(compiled.iter().map(|c| &c.kernel)),
            distinct(compiled.iter().map(|c| &c.compiler)),
        ),
        random: (
            distinct(random.iter().map(|c| &c.id)),
            random.iter().filter(|c| c.ptx32.is_some()).count(),
            distinct(random.iter().map(|c| &c.kind)),
        ),
    };
    Trial::test(name, move || {
        if counts == wanted { Ok(()) } else { Err(format!("{counts:?} instead of {wanted:?}").into()) }
    })
}
