//! Gains of ideal resources for the book's kernels, and the records of them that `docs/LIMITS.md`
//! names.
//!
//! The limits that reports state agree with the largest gains; an ideal resource changes no result;
//! and it makes no kernel slower, except for the listed scheduling anomalies. Every test run
//! measures a few kernels. `cargo test --test causes -- --ignored` measures all of them; `BLESS=1`
//! writes the records.

use serde_json::Value;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const CHIPS: [&str; 3] = ["g80", "gt200", "fermi"];

/// The book's kernels, with small sizes.
const KERNELS: [(&str, u32); 20] = [
    ("vecadd", 32_768),
    ("matmul-naive", 64),
    ("matmul-tiled", 64),
    ("matmul-tiled", 128),
    ("matmul-tiled-8", 64),
    ("matmul-16x16-1x1-unrolled", 128),
    ("matadd", 128),
    ("matadd-shared", 128),
    ("reduce-interleaved", 16_384),
    ("reduce-halving", 16_384),
    ("reduce-last-warp", 16_384),
    ("dot-product", 128),
    ("block-transpose", 128),
    ("coulomb-v1", 32),
    ("coulomb-v3", 32),
    ("cutoff-large-bin", 12),
    ("cutoff-small-bin", 12),
    ("mri-mu", 8192),
    ("mri-fhd-constant", 8),
    ("mri-fhd-global", 8),
];

/// Kernels that every test run measures.
const QUICK: [(&str, u32); 4] =
    [("vecadd", 32_768), ("matmul-tiled", 64), ("reduce-halving", 16_384), ("matadd", 128)];

/// Kernels with a single warp.
const ONE_WARP: [(&str, u32); 2] = [("matmul-single", 4), ("matmul-single", 5)];

/// Loss of time from which a slower run is listed.
const SLOWER: f64 = 0.01;

/// Difference up to which two gains count as equal.
const ALIKE: f64 = 0.05;

/// Resources that contain several others: they do not compete for the largest gain.
const WHOLE: [&str; 4] = ["execution_units", "scheduling", "zero_latency_memory", "perfect_l1"];

/// Groups of resources whose gains overlap: what one of them saves, another of the group can save
/// as well.
const GROUPS: [&[&str]; 3] = [
    &["issue_rate", "execution_unit"],
    &[
        "memory_latency",
        "memory_ports",
        "l2_bandwidth",
        "dram_bandwidth",
        "dram_rows",
        "partition_camping",
        "coalescing",
    ],
    &["instruction_latency", "constant_serialization", "fetch_latency", "barrier_waits"],
];

/// Limits that are properties of the program: no chip is ideal for them.
const PROGRAM: [&str; 3] = ["divergence", "imbalance", "tail"];

/// Metrics that show why a run is slower.
const METRICS: [&str; 7] = [
    "microseconds",
    "cycles",
    "slots_no_warp",
    "dram_row_misses",
    "dram_row_conflicts",
    "issued_second",
    "achieved_occupancy",
];

/// Resources with which the DRAM is too fast for its rows to matter.
const FAST_DRAM: [&str; 3] = ["dram_bandwidth", "zero_latency_memory", "perfect_l1"];

/// Statements that do not agree with the gains, each with the reason. A new one is a defect of the
/// statement or of the ideal chip, or gets a reason here.
const EXPLAINED: [(&str, &str, &str); 8] = [
    (
        "matmul-tiled 64",
        "fermi",
        "a tie: 20 % of the slots are lost to results of instructions and of shared memory, 20 % to global memory",
    ),
    (
        "matmul-tiled-8 64",
        "fermi",
        "26 % of the slots are lost to results of instructions and of shared memory, 22 % to global memory",
    ),
    (
        "matadd 128",
        "g80",
        "56 % of the slots with warps are used, less than the 70 % from which the report states the issue rate",
    ),
    (
        "matadd-shared 128",
        "g80",
        "67 % of the slots with warps are used, less than the 70 % from which the report states the issue rate",
    ),
    (
        "matadd-shared 128",
        "gt200",
        "72 % of the slots with warps are used, but 44 % of all slots have no warp: at the start and the end of so \
         short a launch one latency follows the other",
    ),
    (
        "block-transpose 128",
        "fermi",
        "a tie: 15 % of the slots are lost to bank conflicts and shared memory, 14 % to global memory; the rest as \
         for `matadd-shared`",
    ),
    (
        "mri-fhd-global 8",
        "g80",
        "an empty slot is charged to the warp closest to issuing; the 8 warps of an SM wait for instructions after \
         they have waited for memory together",
    ),
    (
        "mri-fhd-global 8",
        "gt200",
        "71 % of the slots with warps are used, just above 70 %; with a shorter memory latency more instructions \
         issue in pairs",
    ),
];

/// A run with an ideal resource, or without one.
struct Run {
    kernel: String,
    chip: String,
    ideal: String,
    metrics: Vec<f64>,
}

impl Run {
    fn time(&self) -> f64 {
        self.metrics[0]
    }
}

fn run(arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_warpsim")).args(arguments).output().expect("it starts");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "warpsim {arguments:?}: {errors}");
    String::from_utf8(output.stdout).expect("text")
}

/// Name of a kernel with its size, in an experiment and in the records.
fn named((kernel, size): (&str, u32)) -> String {
    format!("{kernel} {size}")
}

/// Runs an experiment with the ideal resources for each kernel. Returns its runs, and panics if a
/// result differs.
fn measure(name: &str, kernels: &[(&str, u32)]) -> Vec<Run> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("the folder is writable");
    let kernel = |at: &(&str, u32)| format!("(kernel: {:?}, size: {}, name: {:?}),", at.0, at.1, named(*at));
    let list: String = kernels.iter().map(kernel).collect();
    let text = format!("(kernels: [{list}], chips: {CHIPS:?}, idealize: gains, metrics: {METRICS:?})");
    let path = |name: &str| folder.join(name).to_str().expect("UTF-8").to_owned();
    let (file, store, json) = (path("causes.ron"), path("s.sqlite"), path("answers.json"));
    fs::write(&file, text).expect("the folder is writable");
    let rows =
        run(&["experiment", &file, "--store", &store, "--json", &json, "--out", "-", "--format", "jsonl"]);
    let answers = fs::read_to_string(json).expect("the answers are written");
    let answers: Value = serde_json::from_str(&answers).expect("JSON");
    for at in answers["gains"].as_array().expect("a list") {
        for gain in at["gains"].as_array().expect("a list") {
            let what = format!("{} on {}: {}", at["kernel"], at["values"]["chip"], gain["resources"]);
            assert_eq!(gain["same_result"], true, "{what}");
        }
    }
    let of_row = |line: &str| {
        let row: Value = serde_json::from_str(line).expect("JSON");
        let text = |name: &str| row[name].as_str().unwrap_or_default().to_owned();
        assert_eq!(row["verdict"], "finished", "{line}");
        let metrics = METRICS.iter().map(|metric| row[*metric].as_f64().unwrap_or(0.0)).collect();
        Run { kernel: text("kernel"), chip: text("chip"), ideal: text("ideal"), metrics }
    };
    rows.lines().map(of_row).collect()
}

/// Returns the limit that the report of a kernel states, as the name of a resource.
fn stated((kernel, size): (&str, u32), chip: &str) -> String {
    let text = run(&["run", kernel, "--size", &size.to_string(), "--chip", chip, "--json", "-"]);
    let document: Value = serde_json::from_str(&text).expect("JSON");
    let runs = document["runs"].as_array().expect("a list");
    let longest = runs.iter().max_by_key(|run| run["timing"]["cycles"].as_u64()).expect("a launch");
    let limits = &longest["timing"]["limits"];
    let name = limits["limited_by"].as_str().expect("a word").to_owned();
    limits["unit"].as_str().map_or(name.clone(), |unit| format!("{name} {unit}"))
}

/// Returns the reason why a run with an ideal resource is slower, from what has changed.
fn reason(base: &Run, ideal: &Run) -> String {
    let more = |metric: usize| ideal.metrics[metric] - base.metrics[metric];
    let rows = |run: &Run| run.metrics[3] + run.metrics[4];
    // Slots without a warp, beyond the share that the base has too, as a part of the loss.
    let tail = more(2) * ideal.time() / (ideal.time() - base.time());
    let percent = |run: &Run, metric: usize| run.metrics[metric] * 100.0;
    if ideal.ideal == "partition_camping" {
        "another address map: other addresses share a partition".to_owned()
    } else if tail >= 0.3 {
        format!("SMs are idle: {:.1} % of the slots instead of {:.1} %", percent(ideal, 2), percent(base, 2))
    } else if more(6) < -0.02 {
        format!(
            "blocks end together: occupancy {:.0} % instead of {:.0} %",
            percent(ideal, 6),
            percent(base, 6)
        )
    } else if rows(ideal) > rows(base) * 1.02 && !FAST_DRAM.contains(&ideal.ideal.as_str()) {
        format!("DRAM: {:+.0} % openings of rows", (rows(ideal) / rows(base) - 1.0) * 100.0)
    } else if more(5) < -0.02 * base.metrics[5] {
        format!("second port: {:.0} % of the paired instructions", ideal.metrics[5] / base.metrics[5] * 100.0)
    } else {
        "another order of warps and messages".to_owned()
    }
}

/// Returns the row of a kernel on a chip, whose first run has no ideal resource; and whether the
/// statement agrees with the gains.
fn agreement(kernel: (&str, u32), runs: &[&Run]) -> (String, bool) {
    let (base, ideals) = runs.split_first().expect("a run without an ideal resource");
    let gain = |run: &Run| base.time() / run.time();
    let stated = stated(kernel, &base.chip);
    let own = ideals.iter().find(|run| run.ideal == stated).map_or(1.0, |run| gain(run));
    let competes = |run: &&&Run| !WHOLE.contains(&run.ideal.as_str());
    let best = ideals.iter().filter(competes).max_by(|a, b| gain(a).total_cmp(&gain(b))).expect("a resource");
    let word = |name: &str| name.split(' ').next().unwrap_or_default().to_owned();
    let together = GROUPS
        .iter()
        .any(|group| [&stated, &best.ideal].iter().all(|name| group.contains(&word(name).as_str())));
    let verdict = if PROGRAM.contains(&stated.as_str()) {
        "program"
    } else if own + ALIKE >= gain(best) {
        "yes"
    } else if own >= 1.10 || own - 1.0 >= (gain(best) - 1.0) / 2.0 {
        "confirmed"
    } else if together {
        "same group"
    } else {
        "no"
    };
    let row = format!(
        "| `{}` | {} | {stated} | {own:.2} | {} | {:.2} | {verdict} |\n",
        base.kernel,
        base.chip,
        best.ideal,
        gain(best)
    );
    (row, verdict != "no")
}

/// Returns the rows of slower runs.
fn slower(runs: &[&Run]) -> Vec<String> {
    let (base, ideals) = runs.split_first().expect("a run without an ideal resource");
    let is_slower = |run: &&&Run| run.time() > base.time() * (1.0 + SLOWER);
    let row = |run: &&Run| {
        let gain = base.time() / run.time();
        format!("| `{}` | {} | {} | {gain:.3} | {} |\n", base.kernel, base.chip, run.ideal, reason(base, run))
    };
    ideals.iter().filter(is_slower).map(row).collect()
}

/// The runs of each kernel on each chip.
fn by_kernel<'r>(
    kernels: &'r [(&'r str, u32)],
    runs: &'r [Run],
) -> impl Iterator<Item = ((&'r str, u32), Vec<&'r Run>)> {
    kernels.iter().flat_map(move |kernel| {
        CHIPS.iter().map(move |chip| {
            let of = |run: &&Run| run.kernel == named(*kernel) && run.chip == *chip;
            (*kernel, runs.iter().filter(of).collect())
        })
    })
}

/// Path and text of a record of the last measurement of all kernels.
fn record(name: &str) -> (PathBuf, String) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name);
    let text = fs::read_to_string(&path).expect("the record exists").replace("\r\n", "\n");
    (path, text)
}

const GAINS: &str = "limits-gains.txt";
const SLOWER_RUNS: &str = "limits-slower.txt";

/// Breaks the lines of a list at 100 columns.
fn wrapped(list: &str) -> String {
    let mut out = String::new();
    for item in list.lines() {
        let mut line = String::new();
        for word in item.split(' ') {
            if line.chars().count() + word.chars().count() + 1 > 100 {
                out += &line;
                out.push('\n');
                line.clear();
                line.push_str("  ");
            } else if !line.trim().is_empty() {
                line.push(' ');
            }
            line += word;
        }
        out += &line;
        out.push('\n');
    }
    out
}

/// A single warp competes with no other, so that no order can change for the worse.
#[test]
fn an_ideal_resource_never_slows_a_single_warp() {
    let runs = measure("causes-one-warp", &ONE_WARP);
    for (_, runs) in by_kernel(&ONE_WARP, &runs) {
        let (base, ideals) = runs.split_first().expect("a run");
        // Another address map can have worse conflicts in the DRAM for each kernel.
        for run in ideals.iter().filter(|run| run.ideal != "partition_camping") {
            let what = format!("{} on {}: {}", run.kernel, run.chip, run.ideal);
            assert!(run.time() <= base.time(), "{what}: {} instead of {}", run.time(), base.time());
        }
    }
}

#[test]
fn the_records_have_the_gains_and_all_slower_runs() {
    let ((_, gains), (_, slower_runs)) = (record(GAINS), record(SLOWER_RUNS));
    let runs = measure("causes-quick", &QUICK);
    for (kernel, runs) in by_kernel(&QUICK, &runs) {
        let (row, _) = agreement(kernel, &runs);
        assert!(gains.contains(&row), "{GAINS} does not have\n{row}");
        for row in slower(&runs) {
            assert!(slower_runs.contains(&row), "{SLOWER_RUNS} does not list\n{row}");
        }
    }
}

#[test]
#[ignore = "some minutes: all kernels of the records with each resource ideal"]
fn the_whole_records_are_measured_again() {
    let runs = measure("causes-all", &KERNELS);
    let (mut rows, mut lists, mut explained) = (String::new(), String::new(), String::new());
    let (mut agree, mut all, mut slow) = (0, 0, 0);
    let (mut ideal_runs, mut unexplained) = (0, String::new());
    for (kernel, runs) in by_kernel(&KERNELS, &runs) {
        let (row, agrees) = agreement(kernel, &runs);
        rows += &row;
        agree += u32::from(agrees);
        if !agrees {
            let (name, chip) = (&runs[0].kernel, &runs[0].chip);
            let reason = EXPLAINED.iter().find(|known| known.0 == name && known.1 == chip);
            match reason {
                Some((_, _, reason)) => {
                    let _ = writeln!(explained, "- `{name}` on `{chip}`: {reason}.");
                }
                None => unexplained += &row,
            }
        }
        all += 1;
        ideal_runs += runs.len() - 1;
        let slower = slower(&runs);
        slow += slower.len();
        lists.extend(slower);
    }
    assert!(unexplained.is_empty(), "statements disagree with the gains:\n{unexplained}");
    let mut table = String::new();
    let _ = write!(
        table,
        "{agree} of {all} statements agree with the gains.\n\n\
         | kernel, size | chip | stated limit | its gain | largest gain | gain | agrees |\n\
         |---|---|---|---|---|---|---|\n{rows}\nThe others:\n\n{}",
        wrapped(&explained)
    );
    let mut anomalies = String::new();
    let _ = write!(
        anomalies,
        "{slow} of {ideal_runs} runs with an ideal resource are slower by more than {:.0} %.\n\n\
         | kernel, size | chip | ideal resource | gain | what changed |\n|---|---|---|---|---|\n{lists}",
        SLOWER * 100.0
    );
    for (name, new) in [(GAINS, table), (SLOWER_RUNS, anomalies)] {
        let (path, old) = record(name);
        if std::env::var_os("BLESS").is_some_and(|value| value == "1") {
            fs::write(&path, new).expect("the record is writable");
        } else {
            assert!(new == old, "{name} has old numbers; run the test with BLESS=1");
        }
    }
}
