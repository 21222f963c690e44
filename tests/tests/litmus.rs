//! Tests that memory keeps its guarantees and shows the reorderings that they permit: the litmus
//! tests of `tests/data/litmus`, each in three placements, with random timings.
//!
//! Every observed outcome must be one that the file allows for the placement. If the words are in
//! different places, all of these must be observed, including the relaxed ones, so that a test
//! whose race never happens fails. The outcome in functional mode must be one without reordering.
//! The outcomes of a file are also computed from the rules. docs/MEMORY-MODEL.md has a table of all
//! tests and outcomes, which must be complete.
//!
//! Tests: `litmus-outcomes`, `interleaved-litmus`.

use libtest_mimic::{Arguments, Failed, Trial};
use sim_core::hooks::Mutant;
use sim_core::host::Order;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use warpsim_tests::litmus::run::Runner;
use warpsim_tests::litmus::{Litmus, Outcome, Placement, shown};
use warpsim_tests::litmus::{explored, rules};

/// Smallest number of timings of a test, and the largest number while an outcome is missing.
const FEW: usize = 120;
const MOST: usize = 20_000;
/// Smallest number of timings of the ignored trials.
const LONG: usize = 20_000;

fn main() -> ExitCode {
    let args = Arguments::from_args();
    let trials = match read_all() {
        Ok(tests) => trials(tests),
        Err(e) => vec![Trial::test("files", move || Err(e.into()))],
    };
    libtest_mimic::run(&args, trials).exit_code()
}

fn read_all() -> Result<Vec<Litmus>, String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/litmus");
    let mut tests = Vec::new();
    for entry in fs::read_dir(folder).map_err(|e| e.to_string())? {
        let path = entry.map_err(|e| e.to_string())?.path();
        let text = fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
        let name = path.file_stem().map(|name| name.to_string_lossy().into_owned());
        tests.push(Litmus::read(&name.unwrap_or_default(), &text)?);
    }
    tests.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(tests)
}

fn trials(tests: Vec<Litmus>) -> Vec<Trial> {
    let all: Vec<Arc<Litmus>> = tests.into_iter().map(Arc::new).collect();
    let table = all.clone();
    let mut trials = vec![Trial::test("the table is complete", move || the_table_is_complete(&table))];
    for (test, mutant, outcome) in MUTANTS {
        let own = all.iter().find(|t| t.name == test).cloned();
        let noticed = move || noticed(own.as_deref().ok_or("no such test")?, mutant, &outcome);
        trials.push(Trial::test(format!("{test} notices {mutant:?}"), noticed));
    }
    for test in all {
        let own = Arc::clone(&test);
        trials.push(Trial::test(format!("{} functional", test.name), move || functional(&own)));
        if test.threads == 1 {
            let own = Arc::clone(&test);
            trials.push(Trial::test(format!("{} by the rules", test.name), move || by_the_rules(&own)));
        }
        let own = Arc::clone(&test);
        trials.push(Trial::test(format!("{} under all schedules", test.name), move || under_all(&own)));
        for placement in Placement::ALL {
            let name = format!("{} {placement}", test.name);
            let (own, long) = (Arc::clone(&test), Arc::clone(&test));
            trials.push(Trial::test(name.clone(), move || race(&own, placement, 1, FEW)));
            let at_length = Trial::test(format!("{name} at length"), move || race(&long, placement, 2, LONG));
            trials.push(at_length.with_ignored_flag(true));
        }
    }
    trials
}

/// The outcomes under all schedules of the interleaved machine are exactly those of the file.
fn under_all(test: &Litmus) -> Result<(), Failed> {
    let allowed: BTreeSet<Outcome> = test.allowed.iter().cloned().collect();
    let all: BTreeSet<Outcome> = test.allowed.iter().chain(&test.relaxed).cloned().collect();
    for (order, placement, expected) in [
        (Order::Sequential, Placement::Apart, &allowed),
        (Order::Words, Placement::OnePartition, &all),
        (Order::Partitions, Placement::OnePartition, &allowed),
        (Order::Partitions, Placement::Apart, &all),
    ] {
        let (outcomes, _) = explored::outcomes(test, order, placement)?;
        if outcomes != *expected {
            return Err(format!("{order:?} {placement}: {outcomes:?} instead of {expected:?}").into());
        }
    }
    Ok(())
}

/// The outcomes in the file are those that follow from the rules.
fn by_the_rules(test: &Litmus) -> Result<(), Failed> {
    let (in_turns, relaxed) = rules::outcomes(test)?;
    let sorted = |outcomes: &[Outcome]| outcomes.iter().cloned().collect::<BTreeSet<_>>();
    let same = sorted(&test.allowed) == sorted(&in_turns) && sorted(&test.relaxed) == sorted(&relaxed);
    if same { Ok(()) } else { Err(format!("taking turns: {in_turns:?}; relaxed: {relaxed:?}").into()) }
}

/// In functional mode, blocks run one after the other and nothing is reordered.
fn functional(test: &Litmus) -> Result<(), Failed> {
    let outcome = Runner::new(test, Placement::Apart, 0, 1, None).functional()?;
    if test.allowed.contains(&outcome) { Ok(()) } else { Err(shown(&outcome).into()) }
}

/// Mutants of the simulator, each with a test and an outcome of it that only the mutant gives.
const MUTANTS: [(&str, Mutant, [u32; 2]); 4] = [
    ("corr", Mutant::LsuOvertakes, [1, 0]),
    ("mp-fence", Mutant::FencesDoNothing, [1, 0]),
    ("sb-fence", Mutant::FencesDoNothing, [0, 0]),
    ("lb-fence", Mutant::FencesDoNothing, [1, 1]),
];

/// The mutant gives the forbidden outcome.
fn noticed(test: &Litmus, mutant: Mutant, outcome: &[u32]) -> Result<(), Failed> {
    let mut runner = Runner::new(test, Placement::Apart, 3, 12, Some(mutant));
    for _ in 0..MOST {
        if runner.timed()? == outcome {
            return Ok(());
        }
    }
    Err(format!("{} was never seen", shown(outcome)).into())
}

/// Tries at least `least` timings, and more while a required outcome is missing.
fn race(test: &Litmus, placement: Placement, seed: u64, least: usize) -> Result<(), Failed> {
    let relaxed: &[Outcome] = if placement.reorders() { &test.relaxed } else { &[] };
    let may: Vec<&Outcome> = test.allowed.iter().chain(relaxed).collect();
    let must: &[&Outcome] = if placement.reorders() { &may } else { &[] };
    let mut runner = Runner::new(test, placement, seed, if least == LONG { 500 } else { 12 }, None);
    let mut seen: BTreeMap<Outcome, usize> = BTreeMap::new();
    for run in 0..least.max(MOST) {
        let missing = must.iter().any(|outcome| !seen.contains_key(*outcome));
        if run >= least && !missing {
            break;
        }
        let outcome = runner.timed()?;
        if !may.contains(&&outcome) {
            return Err(format!("timing {run} gave {}", shown(&outcome)).into());
        }
        *seen.entry(outcome).or_default() += 1;
    }
    let never: Vec<String> = must.iter().filter(|o| !seen.contains_key(**o)).map(|o| shown(o)).collect();
    if never.is_empty() {
        return Ok(());
    }
    let seen: Vec<String> = seen.iter().map(|(outcome, n)| format!("{} {n} times", shown(outcome))).collect();
    Err(format!("never seen: {}; seen: {}", never.join(", "), seen.join(", ")).into())
}

/// Each test has a row in docs/MEMORY-MODEL.md that begins with its name and ends with its relaxed
/// outcomes, and there are no other rows.
fn the_table_is_complete(tests: &[Arc<Litmus>]) -> Result<(), Failed> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/MEMORY-MODEL.md");
    let text = fs::read_to_string(path)?;
    // The section after the tests has the verdicts of the race checker.
    let tests_end = text.find("\n## Locks").unwrap_or(text.len());
    let rows: Vec<&str> = text[..tests_end].lines().filter(|line| line.starts_with("| `")).collect();
    if rows.len() != tests.len() {
        return Err(format!("{} rows for {} tests", rows.len(), tests.len()).into());
    }
    for test in tests {
        let shows: Vec<&str> =
            test.text.lines().find_map(|l| l.strip_prefix("// shows:")).into_iter().collect();
        let relaxed = test.relaxed.iter().map(|o| shown(o)).collect::<Vec<_>>().join(", ");
        let relaxed = if relaxed.is_empty() { "none" } else { &relaxed };
        let allowed = in_turns(test);
        let end = format!("| {} | {allowed} | {relaxed} |", shows.join(" ").trim());
        let row = rows.iter().find(|row| row.starts_with(&format!("| `{}` |", test.name)));
        if !row.is_some_and(|row| row.ends_with(&end)) {
            return Err(format!("no row `{}` that ends with `{end}`", test.name).into());
        }
    }
    Ok(())
}

/// Returns the outcomes of sequential consistency as the table shows them: a list, or, if there are
/// many, the outcomes that are not among them.
fn in_turns(test: &Litmus) -> String {
    let list = |outcomes: &[Outcome]| outcomes.iter().map(|o| shown(o)).collect::<Vec<_>>().join(", ");
    if test.allowed.len() <= 6 {
        return list(&test.allowed);
    }
    let most = test.allowed.iter().flatten().max().map_or(0, |most| *most);
    let mut all: Vec<Outcome> = vec![Vec::new()];
    for _ in &test.shows {
        let longer = |o: &Outcome| (0..=most).map(|v| [o.as_slice(), &[v]].concat()).collect::<Vec<_>>();
        all = all.iter().flat_map(longer).collect();
    }
    all.retain(|outcome| !test.allowed.contains(outcome));
    format!("all but {}", list(&all))
}
