//! The claims of the course texts hold. Every claim of the claims table that has a program is run
//! at its reduced size. All exact values and all shapes must hold. A number that was measured on
//! silicon may be outside its band; this is only reported.
//!
//! A program must read what it expects from the claims table. So each claim is run again with its
//! numbers changed, and this must make a finding worse. A few claims are also run on two threads
//! and must give the same result.
//!
//! Tests: `concurrent-kernels`, `course-texts`, `every-claim-has-a-program`,
//! `partial-warps-at-barriers`, `streams-and-copies`.

use evidence::claims::{self, Claim};
use evidence::text::Value;
use evidence::{Finding, Runner, Shown, Verdict};
use libtest_mimic::{Arguments, Failed, Trial};
use std::process::ExitCode;
use std::sync::{Arc, OnceLock};

/// Claims that are also run on two threads, one of each group.
const ON_TWO_THREADS: [&str; 5] = ["OCC-12", "SIMT-07", "MEM-05", "PERF-01", "FP-01"];

/// Claims whose numbers can be changed without effect, with the reason.
const UNNOTICED: [(&str, &str); 1] =
    [("FP-06", "its loss of 0.1 dB is not reproduced, and no other number makes that worse")];

/// Changes of numbers: one more, so that no exact number matches any more; a tenth and ten times,
/// far outside any band.
const CHANGES: [fn(f64) -> f64; 3] = [|value| value + 1.0, |value| value / 10.0, |value| value * 10.0];

/// Result of a claim's experiment, for the trials that need it.
type Base = Arc<OnceLock<Result<Shown, String>>>;

fn main() -> ExitCode {
    let args = Arguments::from_args();
    let mut trials = Vec::new();
    for claim in claims::claims() {
        let base = Base::default();
        let own = Arc::clone(&base);
        trials.push(Trial::test(format!("{} holds", claim.id), move || holds(claim, &own)));
        let own = Arc::clone(&base);
        trials.push(Trial::test(format!("{} is recorded", claim.id), move || is_recorded(claim, &own)));
        let own = Arc::clone(&base);
        trials.push(Trial::test(format!("{} reads the claims table", claim.id), move || reads(claim, &own)));
        if ON_TWO_THREADS.contains(&claim.id.as_str()) {
            let same = move || same_on_two_threads(claim, &base);
            trials.push(Trial::test(format!("{} is the same on two threads", claim.id), same));
        }
    }
    libtest_mimic::run(&args, trials).exit_code()
}

/// The recorded results, which the page of the claims shows.
const RECORDED: &str = include_str!("../../analysis/evidence/data/results.ron");

/// Fails unless each finding has its recorded value.
fn is_recorded(claim: &Claim, base: &Base) -> Result<(), Failed> {
    let (_, rest) = RECORDED.split_once(&format!("    (id: {:?},", claim.id)).ok_or("no recorded result")?;
    let (recorded, _) = rest.split_once("\n    ]),").ok_or("the result has no end")?;
    let quoted = |text: &str| format!("{text:?}").replace('\'', "\\'");
    let wrong = shown(claim, base)?.findings.iter().filter(|finding| {
        let start = format!("        ({},", quoted(&finding.what));
        let row = recorded.lines().find(|line| line.starts_with(&start));
        let value = format!(",Some(({},", quoted(&finding.simulated));
        !row.is_some_and(|row| row.contains(&value))
    });
    let wrong: Vec<String> = wrong.map(in_words).collect();
    if wrong.is_empty() {
        return Ok(());
    }
    Err(format!("record the results again (docs/BOOK.md):\n{}", wrong.join("\n")).into())
}

/// Returns what the claim's experiment shows at its reduced size.
fn shown<'b>(claim: &Claim, base: &'b Base) -> Result<&'b Shown, Failed> {
    let run = || evidence::show(&Runner::default(), claim).map_err(|why| why.to_string());
    base.get_or_init(run).as_ref().map_err(|why| Failed::from(why.clone()))
}

fn holds(claim: &'static Claim, base: &Base) -> Result<(), Failed> {
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
fn reads(claim: &'static Claim, base: &Base) -> Result<(), Failed> {
    let shown = shown(claim, base)?;
    let noticed = CHANGES.into_iter().any(|change| notices(claim, change, shown));
    let exempt = UNNOTICED.iter().any(|(id, _)| *id == claim.id);
    match (noticed, exempt || claim.numbers.is_empty()) {
        (false, false) => Err("its numbers can be changed, and no finding gets worse".into()),
        (true, true) => Err("it reads numbers, but is listed among those that do not".into()),
        _ => Ok(()),
    }
}

/// Whether the program notices that change of all numbers. A wider band only tolerates more, so
/// the band stays.
fn notices(claim: &Claim, change: fn(f64) -> f64, base: &Shown) -> bool {
    let mut changed = claim.clone();
    for number in changed.numbers.values_mut() {
        match number {
            Value::One(value) => *value = change(*value),
            Value::List(values) => values.iter_mut().for_each(|value| *value = change(*value)),
            Value::Text(_) => {}
        }
    }
    evidence::show(&Runner::default(), &changed).map_or(true, |shown| is_worse(base, &shown))
}

/// Whether a finding has a worse verdict, or is missing.
fn is_worse(base: &Shown, now: &Shown) -> bool {
    let pairs = base.findings.iter().zip(&now.findings);
    now.findings.len() < base.findings.len() || pairs.into_iter().any(|(was, is)| is.verdict > was.verdict)
}

fn same_on_two_threads(claim: &'static Claim, base: &Base) -> Result<(), Failed> {
    let one = shown(claim, base)?;
    let two =
        evidence::show(&Runner { threads: 2, ..Runner::default() }, claim).map_err(|why| why.to_string())?;
    if *one == two { Ok(()) } else { Err(format!("on one thread {one:#?}, on two {two:#?}").into()) }
}
