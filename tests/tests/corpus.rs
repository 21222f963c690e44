//! Compares results with silicon: every recorded case runs in functional and in timed mode on every
//! chip that can run it. A case for `sm_10` runs on all chips, one for up to `sm_13` from GT200 on,
//! one for `sm_20` on Fermi.
//!
//! `tests/corpus/README.md` describes a case. The cases are compiled kernels and random programs,
//! the latter also with 32-bit addresses. If the whole record is next to the repository, all cases
//! are run; otherwise those in the repository. Each case, chip and mode is a trial, so `cargo test
//! --test corpus vecadd` or `--test corpus "fermi timed"` selects trials. If a file is missing or
//! unreadable, its trial fails. If a case is missing in a manifest, the trial that counts the cases
//! fails. `tests/corpus/unsupported.txt` lists what the simulator does not support yet. The list is
//! checked.
//!
//! Tests: `arithmetic-of-silicon`, `optimizing-changes-no-result`.

use libtest_mimic::{Arguments, Failed, Trial};
use sim_core::host::Mode;
use std::collections::BTreeSet;
use std::process::ExitCode;
use std::sync::Arc;
use warpsim_tests::recorded::Records;
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

/// The whole record.
const WHOLE: Counts = Counts { compiled: (210, 46, 5), random: (150, 69, 6) };

/// The part that is in the repository.
const COPIED: Counts = Counts { compiled: (70, 18, 4), random: (11, 5, 6) };

/// The highest target that PTX 2.3 supports.
const HIGHEST_TARGET: u32 = 21;

fn main() -> ExitCode {
    let args = Arguments::from_args();
    let trials = trials().unwrap_or_else(|e| vec![Trial::test("manifests", move || Err(e.into()))]);
    libtest_mimic::run(&args, trials).exit_code()
}

/// Returns both kinds of cases of a record.
fn cases(records: &Records) -> Result<Vec<Case>, String> {
    let mut cases = case::read(records, "manifest.json")?;
    cases.extend(case::read(records, "fuzz/manifest.json")?);
    Ok(cases)
}

fn trials() -> Result<Vec<Trial>, String> {
    let copied = cases(&Records::copied())?;
    let unsupported = Arc::new(Unsupported::read(&Records::copied().text("unsupported.txt")?)?);
    let whole = Records::whole("of the recorded programs, only those in tests/corpus are run");
    let mut trials = Vec::new();
    let (records, cases) = match whole {
        None => (Records::copied(), copied),
        Some(whole) => {
            let all = cases(&whole)?;
            let (original, part) = (whole.clone(), copied);
            trials.push(counted("the whole record is complete", WHOLE, &all));
            trials
                .push(Trial::test("the copy is identical", move || the_copy_is_identical(&original, &part)));
            (whole, all)
        }
    };
    trials.push(counted("the copy is complete", COPIED, &self::cases(&Records::copied())?));
    let names: BTreeSet<String> = both_widths(&cases).into_iter().map(|case| case.id).collect();
    let listed = Arc::clone(&unsupported);
    let is_whole = trials.len() > 1;
    trials.push(Trial::test("the unsupported cases exist", move || {
        // In the part that is in the repository most of the listed cases do not exist.
        match listed.names().find(|name| !names.contains(*name)) {
            Some(name) if is_whole => Err(format!("there is no case `{name}`").into()),
            _ => Ok(()),
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
                    let (case, unsupported, records) =
                        (Arc::clone(&case), Arc::clone(&unsupported), records.clone());
                    let name = format!("{} {chip} {machine} {}", case.id, build.name);
                    trials.push(Trial::test(name.trim_end(), move || {
                        let outcome = run(&records, &case, build, chip, mode);
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

/// Checks that each file of the copy is a file of the record.
fn the_copy_is_identical(whole: &Records, copied: &[Case]) -> Result<(), Failed> {
    for file in copied.iter().flat_map(Case::files) {
        if Records::copied().read(file)? != whole.read(file)? {
            return Err(format!("{file} differs from what was recorded").into());
        }
    }
    Ok(())
}
