//! Measures the error of sampled launches: built-in kernels on G80, GT200 and Fermi, estimated and
//! simulated in full.

use kernels::Settings;
use sim_core::host::{Gpu, MEASURED, Sampling};
use sim_core::stats::Report;
use warpsim_tests::device::{chip_with, timing};

const CHIPS: [&str; 3] = ["g80", "gt200", "fermi"];

/// Clusters of SMs (`all`, or the first few), workload and size; each is a row of the table.
type Case = (&'static str, &'static str, u64);

const CASES: [Case; 41] = [
    ("1", "block-transpose", 1_024),
    ("1", "block-transpose", 2_048),
    ("1", "block-transpose-printed", 1_024),
    ("1", "dot-product", 3_000),
    ("1", "dot-product", 6_000),
    ("1", "dot-product", 10_001),
    ("all", "dot-product", 40_000),
    ("1", "dot-product-last-warp", 8_000),
    ("all", "histogram-words", 8_388_608),
    ("1", "matadd-shared", 1_500),
    ("1", "matmul-16x16-1x1", 384),
    ("1", "matmul-16x16-1x2-unrolled", 512),
    ("1", "matmul-16x16-1x4-unrolled", 768),
    ("1", "matmul-8x8-1x2", 384),
    ("1", "matmul-8x8-1x4-prefetch", 512),
    ("1", "matmul-8x8-1x4-unrolled", 384),
    ("1", "matmul-any", 380),
    ("1", "matmul-tiled", 256),
    ("1", "matmul-tiled", 384),
    ("1", "matmul-tiled", 512),
    ("1", "matmul-tiled-2", 192),
    ("1", "matmul-tiled-4", 256),
    ("1", "matmul-tiled-4", 320),
    ("1", "matmul-tiled-8", 256),
    ("1", "matmul-tiled-8", 384),
    ("1", "mri-mu", 4_000_000),
    ("1", "reduce-halving", 1_500_000),
    ("1", "reduce-halving", 4_000_000),
    ("1", "reduce-halving", 7_777_777),
    ("all", "reduce-halving", 8_000_000),
    ("1", "reduce-interleaved", 1_000_000),
    ("1", "reduce-interleaved", 2_000_000),
    ("1", "reduce-interleaved", 3_333_333),
    ("all", "reduce-interleaved", 4_000_000),
    ("1", "reduce-last-warp", 2_000_000),
    ("1", "reduce-last-warp", 4_000_000),
    ("all", "reduce-last-warp", 16_000_000),
    ("1", "reduce-pairs", 2_000_000),
    ("1", "reduce-pairs", 4_000_000),
    ("all", "reduce-pairs", 16_000_000),
    ("1", "vecadd", 4_000_000),
];

/// Returns the report of the first launch of a case, or `None` if the chip cannot run it.
fn report(chip: &str, (clusters, name, size): Case, sampling: Option<Sampling>) -> Option<Report> {
    let sets = [("clusters", clusters)];
    let mut gpu = Gpu::new(chip_with(chip, if clusters == "all" { &[] } else { &sets }));
    gpu.sample(sampling);
    let settings = Settings { size: Some(size), ..Settings::default() };
    Some(kernels::run(name, &mut gpu, settings).ok()?.reports.remove(0))
}

/// Returns the relative error in cycles of an estimate as a cell of the table, and as a number if
/// there is an estimate.
fn measure(chip: &str, case: Case) -> (String, Option<f64>) {
    let Some(estimate) = report(chip, case, Some(Sampling::default())) else {
        return ("–".to_owned(), None);
    };
    if estimate.sampled.is_none() {
        return ("in full".to_owned(), None);
    }
    let full = report(chip, case, None).expect("it ran once");
    let error = timing(&estimate).cycles as f64 / timing(&full).cycles as f64 - 1.0;
    (format!("{:+.2} %", 100.0 * error).replace('-', "\u{2212}"), Some(error.abs()))
}

/// Rounds up to a tenth of a percent.
fn tenths(error: f64) -> f64 {
    (1000.0 * error).ceil() / 1000.0
}

/// Prints the table of `docs/MODEL.md`, and compares the constants of the report with it.
#[test]
#[ignore = "minutes"]
fn the_error_of_estimates_is_as_measured() {
    let mut errors = Vec::new();
    for case in CASES {
        let (clusters, name, size) = case;
        let cells: Vec<String> = CHIPS
            .iter()
            .map(|chip| {
                let (cell, error) = measure(chip, case);
                errors.extend(error);
                cell
            })
            .collect();
        println!("| `{name}` {size}, {clusters} | {} |", cells.join(" | "));
    }
    errors.sort_by(f64::total_cmp);
    let (largest, median) = (errors[errors.len() - 1], errors[errors.len() / 2]);
    let measured = (errors.len() as u32, tenths(largest), tenths(median));
    println!("{} launches, largest {largest}, median {median}", errors.len());
    assert_eq!(
        measured,
        (MEASURED.launches, MEASURED.largest, MEASURED.median),
        "MEASURED and docs/MODEL.md"
    );
}

/// The report names the measured error, and one fast case is within it.
#[test]
fn an_estimate_names_the_measured_error() {
    let case = ("1", "reduce-interleaved", 1_000_000);
    let estimate = report("g80", case, Some(Sampling::default())).expect("it runs");
    let sampled = estimate.sampled.expect("many waves");
    let said = (sampled.measured_launches, sampled.measured_error, sampled.measured_median);
    assert_eq!(said, (MEASURED.launches, MEASURED.largest, MEASURED.median));
    let (cell, error) = measure("g80", case);
    assert!(error.is_some_and(|error| error <= MEASURED.largest), "{cell}");
}
