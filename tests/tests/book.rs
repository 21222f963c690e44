//! Do the course texts' claims come out? Every row of the ledger that has a program is run at its
//! reduced size: all that is exact, and every shape, must come out; a number read off silicon may
//! lie outside its band and is only told.
//!
//! What a program expects it must have read from the ledger: each row is run again with the row's
//! numbers changed, and that must spoil something. A few rows are run on two threads too, and must
//! show the same.
//!
//! Tests: `course-texts`, `every-claim-has-a-program`.

use kernels::RunError;
use kernels::book::{self, Claim, Experiment, Finding, Runner, Shown, Verdict, claims_table};
use libtest_mimic::{Arguments, Failed, Trial};
use std::collections::BTreeSet;
use std::process::ExitCode;
use std::sync::{Arc, OnceLock};
use warpsim_tests::book::{Change, changed, numbers};

/// Rows that are run on two threads too, one of each group.
const ON_TWO_THREADS: [&str; 5] = ["OCC-12", "SIMT-07", "MEM-05", "PERF-01", "FP-01"];

/// Rows whose programs read no number of theirs, with the reason.
const NO_NUMBER_TO_READ: [(&str, &str); 2] = [
    ("SIMT-12", "its only number is that of a figure"),
    ("FP-06", "its loss of 0.1 dB does not come out, and no other number makes that worse"),
];

/// What a row showed, for the trials that need it.
type Base = Arc<OnceLock<Result<Shown, String>>>;

fn main() -> ExitCode {
    let args = Arguments::from_args();
    let mut trials = vec![Trial::test("every row has a program", every_row_has_a_program)];
    for claim in book::experiments() {
        let base = Base::default();
        let own = Arc::clone(&base);
        trials.push(Trial::test(format!("{} comes out", claim.id), move || comes_out(claim, &own)));
        let own = Arc::clone(&base);
        trials.push(Trial::test(format!("{} reads the ledger", claim.id), move || reads(claim, &own)));
        if ON_TWO_THREADS.contains(&claim.id) {
            let same = move || same_on_two_threads(claim, &base);
            trials.push(Trial::test(format!("{} is the same on two threads", claim.id), same));
        }
    }
    libtest_mimic::run(&args, trials).exit_code()
}

fn every_row_has_a_program() -> Result<(), Failed> {
    let without =
        claims_table::claims().iter().map(|row| row.id.as_str()).filter(|id| book::experiment(id).is_none());
    let without: Vec<&str> = without.collect();
    if without.is_empty() { Ok(()) } else { Err(format!("without a program: {without:?}").into()) }
}

/// What the row shows at its reduced size.
fn shown(claim: Experiment, base: &Base) -> Result<&Shown, Failed> {
    let run = || claim.run(&Runner::default()).map_err(|why| why.to_string());
    base.get_or_init(run).as_ref().map_err(|why| Failed::from(why.clone()))
}

fn comes_out(claim: Experiment, base: &Base) -> Result<(), Failed> {
    let shown = shown(claim, base)?;
    if shown.findings.is_empty() {
        return Err("it found nothing".into());
    }
    let told = |verdict: Verdict| {
        let findings = shown.findings.iter().filter(|finding| finding.verdict == verdict);
        findings.map(in_words).collect::<Vec<_>>().join("\n")
    };
    let outside = told(Verdict::Outside);
    if !outside.is_empty() {
        eprintln!("{} outside its band at reduced size:\n{outside}", claim.id);
    }
    let failed = told(Verdict::Failed);
    if failed.is_empty() { Ok(()) } else { Err(failed.into()) }
}

fn in_words(finding: &Finding) -> String {
    let Finding { what, expected, simulated, .. } = finding;
    format!("  {what}: expected {expected}, simulated {simulated}")
}

/// A change of the row's numbers spoils a finding, or keeps the program from going on.
fn reads(claim: Experiment, base: &Base) -> Result<(), Failed> {
    let shown = shown(claim, base)?;
    let row = claim.claim();
    let noticed = Change::ALL.into_iter().any(|change| notices(claim, row, change, shown));
    let exempt = NO_NUMBER_TO_READ.iter().any(|(id, _)| *id == claim.id);
    match (noticed, exempt || numbers(row).is_empty()) {
        (false, false) => Err("its numbers can be changed in the ledger, and nothing is spoilt".into()),
        (true, true) => Err("it reads numbers, and stands among those that do not".into()),
        _ => Ok(()),
    }
}

/// Whether the program notices that change of all numbers but those that it needs to find the
/// others.
fn notices(claim: Experiment, row: &Claim, change: Change, base: &Shown) -> bool {
    let mut kept = BTreeSet::new();
    loop {
        match (claim.show)(&Runner::default(), &changed(row, change, &kept)) {
            Ok(shown) => return is_spoilt(base, &shown),
            // A number that stands in what the program looks for is no expectation.
            Err(RunError::ClaimsTable { pattern, .. }) => {
                let before = kept.len();
                kept.extend(ledger_numbers(&pattern));
                if kept.len() == before {
                    return true;
                }
            }
            Err(_) => return true,
        }
    }
}

fn ledger_numbers(pattern: &str) -> Vec<String> {
    warpsim_tests::book::tokens(pattern).into_iter().map(|range| pattern[range].to_owned()).collect()
}

/// Whether a finding has a worse verdict, or is gone.
fn is_spoilt(base: &Shown, now: &Shown) -> bool {
    let pairs = base.findings.iter().zip(&now.findings);
    now.findings.len() < base.findings.len() || pairs.into_iter().any(|(was, is)| is.verdict > was.verdict)
}

fn same_on_two_threads(claim: Experiment, base: &Base) -> Result<(), Failed> {
    let one = shown(claim, base)?;
    let two = claim.run(&Runner { threads: 2, ..Runner::default() }).map_err(|why| why.to_string())?;
    if *one == two { Ok(()) } else { Err(format!("on one thread {one:#?}, on two {two:#?}").into()) }
}
