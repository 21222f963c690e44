//! A set of kernels with a known limit, as a test of the limit that reports state.
//!
//! The rows are in `kernels.ron` and `held_out.ron`, and the measurements that show their truth in
//! `measured.tsv`.
//!
//! Of `cargo test --test limit_set -- --ignored --nocapture`, the test `all_verdicts` measures all
//! rows on all chips, `the_truth` measures the truth (`BLESS=1` writes it), and `files` writes the
//! PTX and launch files.
//!
//! `LIMIT_SET_ROWS=WORD,WORD` selects the rows whose names contain one of the words,
//! `LIMIT_SET_PROGRAM=FILE` another build of the program.

mod row;
mod run;

use rayon::prelude::*;
use row::{CHIPS, LimitCase, Proof, table};
use run::{Measured, measure, write_files};
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// The words of the limits.
const WORDS: [&str; 23] = [
    "issue_rate",
    "execution_unit",
    "bank_conflicts",
    "constant_serialization",
    "instruction_latency",
    "memory_latency",
    "memory_ports",
    "l2_bandwidth",
    "dram_bandwidth",
    "dram_rows",
    "partition_camping",
    "atomics",
    "barrier_waits",
    "resident_warps",
    "too_little_work",
    "block_scheduling",
    "fetch_latency",
    "divergence",
    "imbalance",
    "tail",
    "tlb",
    "texture",
    "pcie",
];

/// Rows that every test run measures.
const QUICK: [(&str, &str); 4] =
    [("issue_alu", "g80"), ("latency_chain", "gt200"), ("memory_chase", "fermi"), ("banks_16way", "gt200")];

/// Least share of right verdicts.
const RIGHT: f64 = 0.95;
/// Most verdicts that the experiments contradict. The aim is none: docs/LIMITS.md has the reasons.
const CONTRADICTED: usize = 5;
/// A verdict with a smaller gain is contradicted by another resource with at least this gain.
const CLEAR: f64 = 1.10;

/// Returns the rows that `LIMIT_SET_ROWS` selects, and whether each is held out.
fn rows() -> Vec<(LimitCase, bool)> {
    let words = std::env::var("LIMIT_SET_ROWS").unwrap_or_default();
    let selected = |name: &str| words.split(',').any(|word| name.contains(word));
    let known = table(include_str!("kernels.ron")).into_iter().map(|row| (row, false));
    let held_out = table(include_str!("held_out.ron")).into_iter().map(|row| (row, true));
    known.chain(held_out).filter(|(row, _)| selected(&row.name)).collect()
}

/// Calls `measured` for every row on every chip that can run it, in two threads.
fn on_all_chips<'r, T: Send>(
    rows: &'r [(LimitCase, bool)],
    measured: impl Fn(&'r LimitCase, bool, &str) -> T + Sync,
) -> Vec<T> {
    let all: Vec<(&LimitCase, bool, &str)> = rows
        .iter()
        .flat_map(|(row, held_out)| row.chips.iter().map(move |chip| (row, *held_out, chip.as_str())))
        .collect();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().expect("threads");
    pool.install(|| {
        all.into_par_iter()
            .with_max_len(1)
            .map(|(row, held_out, chip)| measured(row, held_out, chip))
            .collect()
    })
}

fn here() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/limit_set")
}

#[test]
fn the_rows_are_complete() {
    let mut names = BTreeSet::new();
    for (row, _) in rows() {
        assert!(names.insert(row.name.clone()), "two rows {}", row.name);
        for chip in &row.chips {
            assert!(CHIPS.iter().any(|(name, _)| name == chip), "{}: chip {chip}", row.name);
            let case = row.case(chip, false);
            assert!(!case.ptx.contains('$') && !case.launch.contains('$'), "{}: {}", row.name, case.ptx);
            assert!(!row.truth(chip).is_empty(), "{} has no truth on {chip}", row.name);
            for word in row.truth(chip).iter().chain(&row.half) {
                assert!(WORDS.contains(&word.as_str()), "{}: {word}", row.name);
            }
        }
    }
}

#[test]
fn clear_verdicts_are_right() {
    for (name, chip) in QUICK {
        let Some((row, _)) = rows().into_iter().find(|(row, _)| row.name == name) else { continue };
        let stated = measure(&row, chip, false, false).unwrap_or_else(|error| panic!("{error}")).stated;
        assert!(row.truth(chip).contains(&stated), "{name} on {chip}: {stated}, not {:?}", row.truth(chip));
    }
}

/// Quality of a verdict.
#[derive(Clone, Copy, PartialEq)]
enum Worth {
    Right,
    Half,
    Wrong,
}

fn worth(row: &LimitCase, chip: &str, stated: &str) -> Worth {
    let has = |words: &[String]| words.iter().any(|word| word == stated);
    if has(row.truth(chip)) {
        Worth::Right
    } else if has(&row.half) {
        Worth::Half
    } else {
        Worth::Wrong
    }
}

/// Whether the experiments contradict the verdict: its gain is small, and another one is large.
fn contradicted(measured: &Measured) -> bool {
    let own = measured.gain_of(std::slice::from_ref(&measured.stated));
    // A resource without an experiment cannot be contradicted.
    let Some(own) = own else { return false };
    let best = measured.best(std::slice::from_ref(&measured.stated)).1;
    best >= CLEAR && own < CLEAR && own - 1.0 < (best - 1.0) / 2.0
}

/// A verdict with the experiments that test it.
struct Verdict<'r> {
    row: &'r LimitCase,
    held_out: bool,
    chip: String,
    worth: Worth,
    contradicted: bool,
    /// The verdict and its gain, then the best other resource and its gain; or what the program
    /// says.
    said: Result<(String, Option<f64>, String, f64), String>,
}

impl Verdict<'_> {
    /// A line for the terminal.
    fn line(&self) -> String {
        let worth = match self.worth {
            Worth::Right => "right",
            Worth::Half => "half",
            Worth::Wrong => "WRONG",
        };
        let (name, chip, truth) = (&self.row.name, &self.chip, self.row.truth(&self.chip).join(" "));
        match &self.said {
            Ok((stated, own, best, gain)) => format!(
                "{worth:5} {name:22} {chip:6} {truth:40} {stated:24} {:>5} {best:24} {gain:.2}{}",
                own.map_or("-".to_owned(), |own| format!("{own:.2}")),
                if self.contradicted { " CONTRADICTED" } else { "" },
            ),
            Err(error) => format!("{worth:5} {name:22} {chip:6} {error}"),
        }
    }

    /// A cell of the page.
    fn cell(&self) -> String {
        let Ok((stated, own, best, gain)) = &self.said else { return "does not run".to_owned() };
        let mark = if self.worth == Worth::Right { "" } else { " (not the truth)" };
        let own = own.map_or("-".to_owned(), |own| format!("{own:.2}"));
        format!("{stated} {own}; {best} {gain:.2}{mark}")
    }
}

/// Returns the score of the verdicts, a line for each part of the set.
fn score(verdicts: &[Verdict<'_>]) -> String {
    let mut score = String::new();
    for part in [false, true] {
        let of = |worth| verdicts.iter().filter(|v| v.held_out == part && v.worth == worth).count();
        let (right, half, wrong) = (of(Worth::Right), of(Worth::Half), of(Worth::Wrong));
        let against = verdicts.iter().filter(|v| v.held_out == part && v.contradicted).count();
        let name = if part { "held out" } else { "known" };
        let _ = writeln!(
            score,
            "{name}: {right} right, {half} half right, {wrong} wrong, {against} contradicted by --why"
        );
    }
    score
}

/// Returns the table of the page: a row for each kernel, a cell for each chip.
fn page_table(verdicts: &[Verdict<'_>]) -> String {
    let right = verdicts.iter().filter(|v| v.worth == Worth::Right).count();
    let against = verdicts.iter().filter(|v| v.contradicted).count();
    let mut out = format!(
        "{right} of {} verdicts are right, {against} are contradicted.\n\n\
         | kernel | truth | g80 | gt200 | fermi |\n|---|---|---|---|---|\n",
        verdicts.len()
    );
    for row in rows().iter().map(|(row, _)| row) {
        let cell = |(chip, _): &(&str, _)| {
            let verdict = verdicts.iter().find(|v| v.row.name == row.name && v.chip == *chip);
            let other = if row.truth(chip) == row.truth {
                String::new()
            } else {
                format!(" (truth: {})", row.truth(chip).join(", "))
            };
            verdict.map_or("-".to_owned(), |verdict| verdict.cell() + &other)
        };
        let cells: Vec<String> = CHIPS.iter().map(cell).collect();
        let _ = writeln!(out, "| {} | {} | {} |", row.name, row.truth.join(", "), cells.join(" | "));
    }
    out
}

#[test]
#[ignore = "minutes: every row on every chip, with every resource changed"]
fn all_verdicts_are_right() {
    let rows = rows();
    let verdicts = on_all_chips(&rows, |row, held_out, chip| {
        let verdict = |worth, contradicted, said| Verdict {
            row,
            held_out,
            chip: chip.to_owned(),
            worth,
            contradicted,
            said,
        };
        let measured = match measure(row, chip, true, false) {
            Ok(measured) => measured,
            Err(error) => return verdict(Worth::Wrong, false, Err(error)),
        };
        let own = measured.gain_of(std::slice::from_ref(&measured.stated));
        let (best, gain) = measured.best(std::slice::from_ref(&measured.stated));
        let said = (measured.stated.clone(), own, best, gain);
        verdict(worth(row, chip, &measured.stated), contradicted(&measured), Ok(said))
    });
    println!(
        "      {:22} {:6} {:40} {:24} gain  {:24} gain",
        "kernel", "chip", "truth", "verdict", "best other"
    );
    for verdict in &verdicts {
        println!("{}", verdict.line());
    }
    let score = score(&verdicts);
    println!("{score}");
    if std::env::var_os("LIMIT_SET_ROWS").is_none() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/limit_set/verdicts.txt");
        let new = page_table(&verdicts);
        if std::env::var_os("BLESS").is_some_and(|value| value == "1") {
            std::fs::write(&path, new).expect("the record is writable");
        } else {
            let old = std::fs::read_to_string(&path).expect("the record exists").replace("\r\n", "\n");
            assert!(new == old, "{} has old verdicts; run the test with BLESS=1", path.display());
        }
    }
    let right = verdicts.iter().filter(|v| v.worth == Worth::Right).count();
    let against = verdicts.iter().filter(|v| v.contradicted).count();
    let share = right as f64 / verdicts.len().max(1) as f64;
    assert!(
        against <= CONTRADICTED && share >= RIGHT,
        "{:.1} % of the verdicts are right\n{score}",
        100.0 * share
    );
}

#[test]
#[ignore = "minutes: every row on every chip, with every resource changed"]
fn the_truth_is_measured() {
    let lines = on_all_chips(&rows(), |row, _, chip| {
        let truth = row.truth(chip).join(" ");
        let measured = measure(row, chip, true, false);
        let ideal = match row.proof(chip) {
            Proof::Gains => None,
            Proof::Sets(_) | Proof::Twin(_) => Some(measure(row, chip, false, true)),
        };
        let failed = |error: &String| (format!("{}\t{chip}\t{truth}\t{error}", row.name), false);
        let measured = match &measured {
            Ok(measured) => measured,
            Err(error) => return failed(error),
        };
        let (how, gain) = match &ideal {
            None => ("gains", measured.gain_of(row.truth(chip)).unwrap_or(0.0)),
            Some(Err(error)) => return failed(error),
            Some(Ok(ideal)) => {
                let how = if matches!(row.proof(chip), Proof::Twin(_)) { "twin" } else { "sets" };
                (how, measured.microseconds / ideal.microseconds)
            }
        };
        let (best, other) = measured.best(row.truth(chip));
        // The truth gains at least four fifths of the largest gain.
        let holds = gain >= 1.05 && gain - 1.0 >= 0.8 * (other - 1.0);
        let microseconds = measured.microseconds;
        let line =
            format!("{}\t{chip}\t{truth}\t{microseconds:.1}\t{how}\t{gain:.2}\t{best}\t{other:.2}", row.name);
        // The other large gains, for the eye.
        let large: String = measured
            .gains
            .iter()
            .filter(|gain| gain.1 >= 1.03)
            .take(6)
            .fold(String::new(), |text, (name, gain)| format!("{text}  {name} {gain:.2}"));
        println!("{} {line} |{large} | {}", if holds { "     " } else { "FALSE" }, measured.stated);
        (line, holds)
    });
    let mut text = "kernel\tchip\ttruth\tmicroseconds\tproof\tgain\tbest other\ttwice\n".to_owned();
    for (line, _) in &lines {
        let _ = writeln!(text, "{line}");
    }
    let path = here().join("measured.tsv");
    if std::env::var_os("BLESS").is_some_and(|value| value == "1") {
        std::fs::write(&path, &text).expect("the file is writable");
    } else if std::env::var_os("LIMIT_SET_ROWS").is_none() {
        let old = std::fs::read_to_string(&path).unwrap_or_default().replace("\r\n", "\n");
        assert!(old == text, "measured.tsv has old numbers; run the test with BLESS=1");
    }
    let unproved: Vec<&String> = lines.iter().filter(|line| !line.1).map(|line| &line.0).collect();
    assert!(unproved.is_empty(), "{} rows whose truth is not measured:\n{unproved:#?}", unproved.len());
}

#[test]
#[ignore = "writes files: the PTX and launch files of all rows, to target/tmp/limit_set"]
fn the_files_are_written() {
    for line in on_all_chips(&rows(), |row, _, chip| {
        let case = row.case(chip, false);
        let (ptx, launch) = write_files(&case, &row.name, chip);
        let sets: String = case.sets.iter().fold(String::new(), |text, set| format!("{text} --set '{set}'"));
        format!("warpsim run {} --launch {} --chip {chip}{sets}", ptx.display(), launch.display())
    }) {
        println!("{line}");
    }
}
