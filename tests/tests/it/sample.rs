//! Compares sampled with full runs: the estimates for the book's kernels agree with the counters of
//! a full run within bounds, and the breakdowns of an estimate are exact.

use kernels::Settings;
use sim_core::host::{Gpu, Sampling};
use sim_core::stats::Report;
use std::time::Instant;
use warpsim_tests::device::{chip_with, timing};
use warpsim_tests::identities;

/// Chip, clusters of SMs (`all` or a number), workload and size.
type Case = (&'static str, &'static str, &'static str, u64);

/// Cases that take seconds in total.
const SHORT: [Case; 6] = [
    ("g80", "1", "matmul-tiled", 384),
    ("g80", "1", "vecadd", 4_000_000),
    ("g80", "all", "reduce-interleaved", 2_000_000),
    ("gt200", "1", "reduce-halving", 2_000_000),
    ("fermi", "1", "matmul-tiled", 384),
    ("fermi", "1", "reduce-halving", 2_000_000),
];

/// Cases that take minutes.
const LONG: [Case; 27] = [
    ("g80", "all", "matmul-tiled", 1024),
    ("g80", "all", "matmul-naive", 1024),
    ("g80", "all", "matmul-8x8-1x1", 512),
    ("g80", "all", "matmul-8x8-1x4-unrolled", 1024),
    ("g80", "all", "matmul-16x16-1x4-unrolled", 1024),
    ("g80", "all", "matmul-16x16-1x2-unrolled-prefetch", 1024),
    ("g80", "all", "block-transpose", 2048),
    ("g80", "all", "vecadd", 16_000_000),
    ("g80", "all", "reduce-interleaved", 8_000_000),
    ("g80", "all", "reduce-halving", 16_000_000),
    ("g80", "all", "dot-product", 60_000),
    ("g80", "1", "coulomb-v1", 192),
    ("g80", "1", "mri-fhd-constant", 32),
    ("gt200", "all", "matmul-tiled", 1024),
    ("gt200", "all", "matmul-naive", 1024),
    ("gt200", "all", "matmul-16x16-1x2-unrolled", 1024),
    ("gt200", "all", "reduce-halving", 32_000_000),
    ("gt200", "1", "coulomb-v2", 256),
    ("gt200", "all", "histogram-words", 8_388_608),
    ("fermi", "all", "matmul-tiled", 1024),
    ("fermi", "all", "matmul-naive", 1024),
    ("fermi", "all", "vecadd", 16_000_000),
    ("fermi", "all", "reduce-halving", 32_000_000),
    ("fermi", "all", "matadd", 4096),
    ("fermi", "1", "coulomb-v1", 192),
    ("fermi", "all", "histogram-words", 33_554_432),
    ("fermi", "all", "histogram-shared-16", 67_108_864),
];

/// Runs a case. Returns the report and the seconds that it took.
fn report((chip, clusters, name, size): Case, sampling: Option<Sampling>) -> (Report, f64) {
    let sets = [("clusters", clusters)];
    let mut gpu = Gpu::new(chip_with(chip, if clusters == "all" { &[] } else { &sets }));
    gpu.sample(sampling);
    let before = Instant::now();
    let settings = Settings { size: Some(size), ..Settings::default() };
    let mut outcome = kernels::run(name, &mut gpu, settings).expect("it runs");
    let report = outcome.reports.remove(0);
    let checked = if report.sampled.is_some() { None } else { Some(true) };
    assert_eq!(outcome.check.verdict(), checked, "a sampled result is not checked");
    (report, before.elapsed().as_secs_f64())
}

/// Returns the compared counters with their names.
fn counters(report: &Report) -> [(&'static str, u64); 9] {
    let t = timing(report);
    [
        ("cycles", t.cycles),
        ("warp instructions", report.instructions.warp),
        ("floating-point operations", report.instructions.flops),
        ("slots", t.slots.total),
        ("resident warp cycles", t.warps.resident),
        ("transactions of loads", t.global.load.transactions),
        ("transactions of stores", t.global.store.transactions),
        ("bytes read by the DRAM", t.dram.read_bytes),
        ("bytes written by the DRAM", t.dram.write_bytes),
    ]
}

/// Relative error of `estimate`.
fn error(estimate: u64, full: u64) -> f64 {
    if full == 0 { estimate as f64 } else { estimate as f64 / full as f64 - 1.0 }
}

/// Runs a case with and without sampling. Returns a row of the table of `docs/MODEL.md`, or an
/// error message.
fn compare(case: Case) -> Result<String, String> {
    let (full, full_seconds) = report(case, None);
    let (estimate, seconds) = report(case, Some(Sampling::default()));
    let (chip, clusters, name, size) = case;
    let cycles = timing(&full).cycles;
    let start = format!("| `{name}` {size}, {chip}, {clusters} | {} |", grouped(cycles));
    let end = format!("{full_seconds:.1} s, {seconds:.1} s |");
    let Some(sampled) = &estimate.sampled else {
        assert_eq!(timing(&estimate).cycles, cycles, "{case:?}: run in full");
        return Ok(format!("{start} in full | | | {end}"));
    };
    identities::check(&estimate).map_err(|e| format!("{case:?}: {e}"))?;
    let errors =
        counters(&estimate).into_iter().zip(counters(&full)).map(|((what, e), (_, f))| (what, error(e, f)));
    let errors: Vec<(&str, f64)> = errors.collect();
    if let Some((what, error)) = errors.iter().find(|(_, error)| error.abs() >= 0.03) {
        return Err(format!("{case:?}: {what}: {:.2} %, {sampled:?}", 100.0 * error));
    }
    let worst = errors[1..].iter().map(|(_, error)| error.abs()).fold(0.0, f64::max);
    let [simulated, work, blocks] = [sampled.simulated, sampled.work, sampled.blocks].map(grouped);
    let errors = format!("{:+.2} % | {:.2} % |", 100.0 * errors[0].1, 100.0 * worst).replace('-', "\u{2212}");
    Ok(format!("{start} {simulated} ({work}) of {blocks} | {errors} {end}"))
}

/// Formats a number with commas between thousands.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let groups: Vec<&str> =
        digits.as_bytes().rchunks(3).rev().map(|g| str::from_utf8(g).expect("digits")).collect();
    groups.join(",")
}

/// Tests: `sampled-launches`.
#[test]
fn an_estimate_is_close_to_the_full_run() {
    let rows = SHORT.map(|case| compare(case).unwrap_or_else(|wrong| panic!("{wrong}")));
    let estimates = rows.iter().filter(|row| !row.contains("in full")).count();
    assert!(estimates >= 4, "{rows:#?}");
}

/// It takes 1.1 million cycles, of which half has place for three runs with units of 100,000.
///
/// Tests: `sampled-launches`.
#[test]
fn a_launch_of_40000_blocks_is_estimated() {
    let row = compare(("fermi", "all", "vecadd", 40_000 * 256)).unwrap_or_else(|wrong| panic!("{wrong}"));
    assert!(row.contains("of 40,000"), "{row}");
}

/// Prints the table of `docs/MODEL.md`.
#[test]
#[ignore = "minutes"]
fn estimates_are_close_to_the_full_runs_at_length() {
    let mut wrong = Vec::new();
    for case in SHORT.into_iter().chain(LONG) {
        match compare(case) {
            Ok(row) => println!("{row}"),
            Err(why) => wrong.push(why),
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
