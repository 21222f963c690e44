//! The claims of the course texts hold. Every claim of the claims table that has a program is run
//! at its reduced size. All exact values and all shapes must hold. A number that was measured on
//! silicon may be outside its band; this is only reported.
//!
//! A program must read what it expects from the claims table. So each claim is run again with its
//! numbers changed, and this must make a finding worse. A few claims are also run on two threads
//! and must give the same result.
//!
//! Tests: `course-texts`, `every-claim-has-a-program`.

use kernels::RunError;
use kernels::book::{self, Claim, Experiment, Finding, Runner, Shown, Verdict, claims_table};
use libtest_mimic::{Arguments, Failed, Trial};
use std::collections::BTreeSet;
use std::process::ExitCode;
use std::sync::{Arc, OnceLock};
use warpsim_tests::book::{Change, changed, numbers};

/// Claims that are also run on two threads, one of each group.
const ON_TWO_THREADS: [&str; 5] = ["OCC-12", "SIMT-07", "MEM-05", "PERF-01", "FP-01"];

/// Claims whose programs read none of their numbers, with the reason.
const NO_NUMBER_TO_READ: [(&str, &str); 2] = [
    ("SIMT-12", "its only number is that of a figure"),
    ("FP-06", "its loss of 0.1 dB is not reproduced, and no other number makes that worse"),
];

/// What a claim's experiment showed, for the trials that need it.
type Base = Arc<OnceLock<Result<Shown, String>>>;

fn main() -> ExitCode {
    let args = Arguments::from_args();
    let mut trials = vec![Trial::test("every claim has a program", every_claim_has_a_program)];
    for claim in book::experiments() {
        let base = Base::default();
        let own = Arc::clone(&base);
        trials.push(Trial::test(format!("{} holds", claim.id), move || holds(claim, &own)));
        let own = Arc::clone(&base);
        trials.push(Trial::test(format!("{} reads the claims table", claim.id), move || reads(claim, &own)));
        if ON_TWO_THREADS.contains(&claim.id) {
            let same = move || same_on_two_threads(claim, &base);
            trials.push(Trial::test(format!("{} is the same on two threads", claim.id), same));
        }
    }
    libtest_mimic::run(&args, trials).exit_code()
}

fn every_claim_has_a_program() -> Result<(), Failed> {
    let without = claims_table::claims()
        .iter()
        .map(|claim| claim.id.as_str())
        .filter(|id| book::experiment(id).is_none());
    let without: Vec<&str> = without.collect();
    if without.is_empty() { Ok(()) } else { Err(format!("without a program: {without:?}").into()) }
}

/// Returns what the claim's experiment shows at its reduced size.
fn shown(claim: Experiment, base: &Base) -> Result<&Shown, Failed> {
    let run = || claim.run(&Runner::default()).map_err(|why| why.to_string());
    base.get_or_init(run).as_ref().map_err(|why| Failed::from(why.clone()))
}

fn holds(claim: Experiment, base: &Base) -> Result<(), Failed> {
    let shown = shown(claim, base)?;
    if shown.findings.is_empty() {
        return Err("it has no findings".into());
    }
    let with_verdict = |verdict: Verdict| {
        let findings = shown.findings.iter().filter(|finding| finding.verdict == verdict);
        findings.map(in_words).collect::<Vec<_>>().join("\n")
    };
    let outside = with_verdict(Verdict::Outside);
    if !outside.is_empty() {
        eprintln!("{} outside its band at reduced size:\n{outside}", claim.id);
    }
    let failed = with_verdict(Verdict::Failed);
    if failed.is_empty() { Ok(()) } else { Err(failed.into()) }
}

fn in_words(finding: &Finding) -> String {
    let Finding { what, expected, simulated, .. } = finding;
    format!("  {what}: expected {expected}, simulated {simulated}")
}

/// Fails unless a change of the claim's numbers makes a finding worse or stops the program.
fn reads(claim: Experiment, base: &Base) -> Result<(), Failed> {
    let shown = shown(claim, base)?;
    let original = claim.claim();
    let noticed = Change::ALL.into_iter().any(|change| notices(claim, original, change, shown));
    let exempt = NO_NUMBER_TO_READ.iter().any(|(id, _)| *id == claim.id);
    match (noticed, exempt || numbers(original).is_empty()) {
        (false, false) => {
            Err("its numbers can be changed in the claims table, and no finding gets worse".into())
        }
        (true, true) => Err("it reads numbers, but is listed among those that do not".into()),
        _ => Ok(()),
    }
}

/// Whether the program notices that change of all numbers except those that it needs to find the
/// others.
fn notices(claim: Experiment, original: &Claim, change: Change, base: &Shown) -> bool {
    let mut kept = BTreeSet::new();
    loop {
        match (claim.show)(&Runner::default(), &changed(original, change, &kept)) {
            Ok(shown) => return is_worse(base, &shown),
            // A number that is part of the text that the program looks for is not an expectation.
            Err(RunError::ClaimsTable { pattern, .. }) => {
                let before = kept.len();
                kept.extend(numbers_of_pattern(&pattern));
                if kept.len() == before {
                    return true;
                }
            }
            Err(_) => return true,
        }
    }
}

fn numbers_of_pattern(pattern: &str) -> Vec<String> {
    warpsim_tests::book::tokens(pattern).into_iter().map(|range| pattern[range].to_owned()).collect()
}

/// Whether a finding has a worse verdict, or is missing.
fn is_worse(base: &Shown, now: &Shown) -> bool {
    let pairs = base.findings.iter().zip(&now.findings);
    now.findings.len() < base.findings.len() || pairs.into_iter().any(|(was, is)| is.verdict > was.verdict)
}

fn same_on_two_threads(claim: Experiment, base: &Base) -> Result<(), Failed> {
    let one = shown(claim, base)?;
    let two = claim.run(&Runner { threads: 2, ..Runner::default() }).map_err(|why| why.to_string())?;
    if *one == two { Ok(()) } else { Err(format!("on one thread {one:#?}, on two {two:#?}").into()) }
}
