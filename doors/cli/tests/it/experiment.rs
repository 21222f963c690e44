//! Tests of `warpsim experiment`: the store, equal results in any order, verdicts, and answers.

use crate::common::{Run, scratch, warpsim, warpsim_with};
use rusqlite::Connection;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use studies::store::Layout;

/// Two kernels, three factors, a condition and all kinds of questions.
const SHAPES: &str = r#"(
    kernels: [(kernel: "vecadd", size: 600), (kernel: "matmul-tiled", size: 32)],
    chips: ["g80", "gt200"],
    factors: [
        (vary: chip("sm.max_blocks"), values: [1, 4, 8]),
        (name: "policy", vary: chip("sm.scheduler"), values: [lrr, gto]),
        (name: "latency", vary: chip("crossbar.latency"), range: (60, 100, 20)),
    ],
    conditions: ["max_blocks < 8 || latency < 100"],
    formulas: {"cost": "sm.registers * 4 + sm.max_blocks * 1000"},
    metrics: ["cycles", "ipc"],
    analyses: [
        effects(of: "cycles", interactions: true),
        pareto(minimize: ["microseconds", "cost"]),
        best(maximize: "ipc", where: "cost < 40000"),
    ],
)"#;

/// Layout of a store whose metrics a test does not read.
pub fn no_metrics() -> Layout {
    Layout { metrics: Vec::new(), stops: std::sync::Arc::new(|| false) }
}

/// Returns the number of results of a store.
pub fn results(path: &Path) -> rusqlite::Result<usize> {
    let count = Connection::open(path)?.query_row("SELECT count(*) FROM results", [], |row| row.get(0));
    count.map(|count: i64| count as usize)
}

/// Points of [`SHAPES`].
const POINTS: usize = 2 * 2 * 2 * 8;

fn written(name: &str, text: &str) -> PathBuf {
    let folder = scratch(name);
    fs::write(folder.join("shapes.ron"), text).expect("the folder is writable");
    folder
}

/// Runs the experiment of a folder with a store and returns its rows and the messages.
fn rows(folder: &Path, store: &str, options: &str) -> (String, String) {
    let (file, store) = (folder.join("shapes.ron"), folder.join(store));
    let (file, store) = (file.to_str().expect("UTF-8"), store.to_str().expect("UTF-8"));
    let mut arguments = vec!["experiment", file, "--store", store, "--out", "-"];
    arguments.extend(options.split_whitespace());
    let Run { code, stdout, stderr } = warpsim_with(&arguments);
    assert_eq!(code, Some(0), "{stderr}");
    (stdout, stderr)
}

fn answers(folder: &Path, options: &str) -> Value {
    let (file, store) = (folder.join("shapes.ron"), folder.join("s.sqlite"));
    let (file, store) = (file.to_str().expect("UTF-8"), store.to_str().expect("UTF-8"));
    let mut arguments = vec!["experiment", file, "--store", store, "--json", "-"];
    arguments.extend(options.split_whitespace());
    let Run { code, stdout, stderr } = warpsim_with(&arguments);
    assert_eq!(code, Some(0), "{stderr}");
    serde_json::from_str(&stdout).expect("JSON")
}

/// Tests: `same-file-same-points`, `no-point-twice`.
#[test]
fn results_are_equal_for_any_number_of_jobs_and_are_not_simulated_twice() {
    let folder = written("experiment-jobs", SHAPES);
    let (one, messages) = rows(&folder, "one.sqlite", "--jobs 1");
    assert!(messages.contains(&format!("{POINTS} points (4 excluded by conditions)")), "{messages}");
    assert_eq!(one.lines().count(), 1 + POINTS);
    assert!(
        one.starts_with("point,kernel,chip,max_blocks,policy,latency,verdict,message,cycles,ipc,digest\n")
    );
    let (four, _) = rows(&folder, "four.sqlite", "--jobs 4");
    assert_eq!(one, four);
    let (again, messages) = rows(&folder, "four.sqlite", "");
    assert!(messages.contains(" 0 to simulate"), "{messages}");
    assert_eq!(again, one);

    // Another experiment with some of the points.
    let part =
        SHAPES.replace("[\"g80\", \"gt200\"]", "[\"gt200\"]").replace("range: (60, 100, 20)", "values: [80]");
    fs::write(folder.join("shapes.ron"), part).expect("the folder is writable");
    let (shared, messages) = rows(&folder, "four.sqlite", "");
    assert!(messages.contains(" 0 to simulate"), "{messages}");
    assert_eq!(shared.lines().count(), 1 + 2 * 3 * 2);
}

/// Tests: `no-point-twice`.
#[test]
fn parts_are_merged() {
    let folder = written("experiment-parts", SHAPES);
    let (whole, _) = rows(&folder, "whole.sqlite", "");
    let (part, messages) = rows(&folder, "part.sqlite", "--points 10..14,16..29,15,12..13");
    assert!(messages.contains(" 20 selected, ") && messages.contains(" 20 to simulate"), "{messages}");
    // The rows of a selection are those of the whole.
    let of_whole: Vec<&str> = whole.lines().take(1).chain(whole.lines().skip(1 + 10).take(20)).collect();
    assert_eq!(part.lines().collect::<Vec<_>>(), of_whole);
    let merge = format!("--merge {}", folder.join("part.sqlite").display());
    let (merged, messages) = rows(&folder, "merged.sqlite", &merge);
    assert!(messages.contains("20 new results"), "{messages}");
    assert!(messages.contains(&format!(" {} to simulate", POINTS - 20)), "{messages}");
    assert_eq!(merged, whole);
}

#[test]
fn answers_agree_with_the_rows() {
    let folder = written("experiment-answers", SHAPES);
    let (rows, _) = rows(&folder, "s.sqlite", "--format jsonl");
    let rows: Vec<Value> = rows.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let answers = answers(&folder, "");
    let cycles = |row: &Value| row["cycles"].as_f64().expect("a number");
    let of = |kernel: &str| rows.iter().filter(|row| row["kernel"] == kernel).collect::<Vec<_>>();
    for (i, kernel) in ["vecadd", "matmul-tiled"].into_iter().enumerate() {
        let rows = of(kernel);
        let effects = &answers["effects"][i];
        assert_eq!((&effects["kernel"], effects["results"].as_u64()), (&Value::from(kernel), Some(32)));
        let mean = rows.iter().map(|row| cycles(row)).sum::<f64>() / 32.0;
        assert!((effects["mean"].as_f64().expect("a number") - mean).abs() < 1e-6);
        let best = &answers["best"][i]["best"];
        let number = best["point"].as_u64().expect("a point") as usize;
        let ipc = |row: &Value| row["ipc"].as_f64().expect("a number");
        // The chips have 8192 and 16384 registers: only g80 costs less than 40000, with 4 blocks.
        let fits = |row: &&&Value| row["chip"] == "g80" && row["max_blocks"].as_u64() < Some(8);
        let most = rows.iter().filter(fits).map(|row| ipc(row)).fold(0.0, f64::max);
        assert!((ipc(rows[number - 32 * i]) - most).abs() < 1e-12, "{best}");
    }
    let front = answers["fronts"][0]["points"].as_array().expect("points");
    assert!(!front.is_empty() && front.len() < 32, "{front:?}");
}

#[test]
fn every_ending_is_a_row() {
    let text = r#"(
    kernels: [(ptx: "endings.ptx", launch: "endings.ron")],
    factors: [
        (name: "what", vary: launch("entry"), values: ["out_of_bounds", "hang", "endless"]),
        (vary: chip("sm.max_warps"), values: [24, 0]),
    ],
    max_cycles: 9999,
    metrics: ["cycles"],
)"#;
    let folder = written("experiment-endings", text);
    let data = crate::common::data();
    fs::copy(data.join("endings.ptx"), folder.join("endings.ptx")).expect("copied");
    let launch =
        "(entry: \"hang\", grid: 2, block: 64, params: [buf(\"o\")], buffers: {\"o\": (type: u32, len: 64)})";
    fs::write(folder.join("endings.ron"), launch).expect("written");
    let (file, store) = (folder.join("shapes.ron"), folder.join("s.sqlite"));
    let run = |options: &[&str]| {
        let mut all =
            vec!["experiment", file.to_str().expect("UTF-8"), "--store", store.to_str().expect("UTF-8")];
        all.extend(options);
        warpsim_with(&all)
    };
    let first = run(&["--out", "-"]);
    assert_eq!(first.code, Some(4), "{}", first.stderr);
    let verdicts: Vec<&str> =
        first.stdout.lines().skip(1).map(|line| line.split(',').nth(5).expect("a verdict")).collect();
    assert_eq!(
        verdicts,
        ["trapped", "bad_chip", "hung", "bad_chip", "limit", "bad_chip"],
        "{}",
        first.stdout
    );
    assert!(
        first.stderr.contains("6 of 6 points failed: 3 bad_chip, 1 trapped, 1 hung, 1 limit"),
        "{}",
        first.stderr
    );
    let again = run(&["--out", "-"]);
    assert!(again.stderr.contains(" 0 to simulate"), "{}", again.stderr);
    assert_eq!((again.code, again.stdout), (first.code, first.stdout));
}

#[test]
fn the_launch_is_varied_and_linked() {
    let text = r#"(
    kernels: [(ptx: "saxpy.ptx", launch: "saxpy.ron")],
    factors: [
        (name: "block", vary: launch("block"), values: [64, 256]),
        (name: "n", vary: [launch("params.3.0"), launch("buffers.x.len"), launch("buffers.y.len")], values: [500, 1000]),
    ],
    linked: [(vary: launch("grid"), formula: "floor((n + block - 1) / block)")],
    seeds: [1, 2],
    metrics: ["cycles", "thread_inst_executed"],
)"#;
    let folder = written("experiment-launch", text);
    fs::copy(crate::common::data().join("saxpy.ptx"), folder.join("saxpy.ptx")).expect("copied");
    let launch = r#"(entry: "saxpy", grid: 1, block: 32, params: [buf("x"), buf("y"), f32(2.0), s32(32)],
        buffers: {"x": (type: f32, len: 32, init: iota(0, 1)), "y": (type: f32, len: 32, init: random(42, -1.0, 1.0))},
        expect: [(buf: "y", formula: "2 * x[i] + y[i]", rel: 1e-6)])"#;
    fs::write(folder.join("saxpy.ron"), launch).expect("written");
    let (rows, messages) = rows(&folder, "s.sqlite", "");
    assert!(messages.contains("8 points, 8 different runs"), "{messages}");
    assert_eq!(rows.lines().skip(1).filter(|line| line.contains(",finished,")).count(), 8, "{rows}");
    assert!(rows.starts_with("point,kernel,chip,block,n,seed,verdict,"), "{rows}");
}

#[test]
fn ideal_resources_gain_time_and_change_no_result() {
    let text = "(kernels: [(kernel: \"matmul-tiled\", size: 64)], chips: [\"g80\"])";
    let folder = written("experiment-causes", text);
    let answers = answers(&folder, "--idealize");
    let gains = answers["gains"][0]["gains"].as_array().expect("gains");
    assert!(gains.len() > 10, "{gains:?}");
    assert!(gains.iter().all(|gain| gain["same_result"] == true), "{gains:?}");
    assert!(gains[0]["gain"].as_f64() > Some(1.1), "{:?}", gains[0]);
    let names: Vec<&str> = gains.iter().filter_map(|gain| gain["resources"][0].as_str()).collect();
    for name in ["dram_bandwidth", "memory_latency", "execution_unit sp", "bank_conflicts"] {
        assert!(names.contains(&name), "{names:?}");
    }
}

#[test]
fn the_time_is_inverse_to_the_clock() {
    let text = "(kernels: [(kernel: \"matmul-tiled\", size: 64)],
        design: sensitivity(percent: 20, fields: [\"clocks\", \"pcie\"]))";
    let folder = written("experiment-sensitivity", text);
    let answers = answers(&folder, "");
    let fields = answers["sensitivity"][0]["fields"].as_array().expect("fields");
    let elasticity = |path: &str| {
        let field = fields.iter().find(|field| field["path"] == path).expect(path);
        field["elasticity"].as_f64().expect("a number")
    };
    assert!((elasticity("clocks.shader_mhz") + 1.0).abs() < 0.1);
    assert!(elasticity("pcie.bytes_per_second").abs() < 1e-9, "copies are not a part of the kernel");
    assert_eq!(fields[0]["path"], "clocks.shader_mhz");
}

#[test]
fn rules_stop_an_experiment_early() {
    let text = SHAPES.replace("metrics:", "stop: (points: 5),\n    metrics:");
    let folder = written("experiment-stop", &text);
    let (rows, messages) = rows(&folder, "s.sqlite", "--jobs 1");
    assert!(messages.contains("stopped by the rule `stop.points`: 59 points are not done"), "{messages}");
    assert_eq!(rows.lines().filter(|line| line.contains(",finished,")).count(), 5);
}

#[test]
fn a_store_of_another_program_is_refused() {
    let folder = written("experiment-store", SHAPES);
    fs::write(folder.join("other.sqlite"), "a".repeat(5000)).expect("written");
    let line = |store: &str| {
        let (file, store) = (folder.join("shapes.ron"), folder.join(store));
        warpsim(&format!("experiment {} --store {}", file.display(), store.display()))
    };
    let refused = line("other.sqlite");
    assert_eq!(refused.code, Some(2), "{}", refused.stderr);
    assert!(refused.stderr.contains("is not a store of warpsim\nhelp: "), "{}", refused.stderr);
    let overwritten = line("shapes.ron");
    assert_eq!(overwritten.code, Some(2));
    assert!(overwritten.stderr.contains("which this run reads"), "{}", overwritten.stderr);
    assert!(fs::read_to_string(folder.join("shapes.ron")).expect("unchanged").starts_with("(\n"));
}

/// Each file is refused with exit code 2, before anything is simulated, and no result of it is
/// merged.
///
/// Tests: `hostile-stores`.
#[test]
fn stores_from_somebody_else_are_checked() {
    let text = "(kernels: [(kernel: \"vecadd\", size: 64)], metrics: [\"cycles\"])";
    let folder = written("experiment-hostile", text);
    let (whole, _) = rows(&folder, "good.sqlite", "");
    let endless = "AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT * FROM n";
    for (name, change, expected) in [
        ("view", format!("DROP TABLE results; CREATE VIEW results {endless}"), "the view `results`"),
        (
            "trigger",
            "CREATE TRIGGER t BEFORE INSERT ON points BEGIN DELETE FROM results; END".to_owned(),
            "the trigger `t`",
        ),
        ("verdict", "UPDATE results SET verdict = 'splendid'".to_owned(), "expected one of finished, "),
        ("code", "UPDATE results SET code = 1".to_owned(), "expected 0, the exit code of `finished`"),
        ("text", "UPDATE results SET cycles = 'many'".to_owned(), "is the text `many`"),
        ("null", "UPDATE results SET cycles = NULL".to_owned(), "is NULL"),
        ("negative", "UPDATE results SET cycles = -5".to_owned(), "is -5"),
        ("huge", "UPDATE results SET ipc = 1e308".to_owned(), "is 1e308"),
    ] {
        let part = folder.join(format!("{name}.sqlite"));
        fs::copy(folder.join("good.sqlite"), &part).expect("copied");
        Connection::open(&part).and_then(|part| part.execute_batch(&change)).expect("changed");
        let (file, part) = (folder.join("shapes.ron"), part.display().to_string());
        let with = |more: &str| warpsim(&format!("experiment {} --out - {more}", file.display()));
        let store = folder.join(format!("{name}-own.sqlite"));
        for run in
            [with(&format!("--store {} --merge {part}", store.display())), with(&format!("--store {part}"))]
        {
            assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{name}: {}", run.stderr);
            assert!(
                run.stderr.contains(expected) && run.stderr.contains("\nhelp: "),
                "{name}: {}",
                run.stderr
            );
        }
        let (rows, messages) = rows(&folder, &format!("{name}-own.sqlite"), "");
        assert!(rows == whole && messages.contains(" 1 to simulate"), "{name}: {messages}");
    }
}

#[test]
fn a_sweep_varies_kernels_and_launches() {
    let run = warpsim("sweep vecadd,matmul-tiled --size 64 --metrics cycles");
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert!(
        run.stdout.starts_with("kernel,size,verdict,message,cycles\nvecadd,64,finished,,"),
        "{}",
        run.stdout
    );
    assert_eq!(run.stdout.lines().count(), 3);
    let run = warpsim("sweep vecadd --grid 4");
    assert_eq!(run.code, Some(2));
    assert!(run.stderr.contains("a built-in kernel does not accept --grid"), "{}", run.stderr);
    let run = warpsim("sweep vecadd --size 262144 --sample --metrics cycles");
    assert!(
        run.stdout.contains("262144,estimated,") || run.stdout.contains("262144,finished,"),
        "{}",
        run.stdout
    );

    let folder = scratch("sweep-launch");
    fs::copy(crate::common::data().join("saxpy.ptx"), folder.join("saxpy.ptx")).expect("copied");
    let launch = r#"(entry: "saxpy", grid: 1, block: 32, params: [buf("x"), buf("y"), f32(2.0), s32(512)],
        buffers: {"x": (type: f32, len: 512), "y": (type: f32, len: 512)})"#;
    fs::write(folder.join("saxpy.ron"), launch).expect("written");
    let (ptx, launch) = (folder.join("saxpy.ptx"), folder.join("saxpy.ron"));
    let line = format!(
        "sweep {} --launch {} --grid 4,(2,2) --block 64,128 --metrics cycles",
        ptx.display(),
        launch.display()
    );
    let run = warpsim(&line);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let points: Vec<&str> =
        run.stdout.lines().skip(1).map(|line| line.split(",finished,").next().unwrap()).collect();
    assert_eq!(points, ["4,64", "4,128", "\"(2,2)\",64", "\"(2,2)\",128"], "{}", run.stdout);
}

/// Points that share a warm-up have equal results for any number of jobs, and are other runs than
/// points without a warm-up.
///
/// Tests: `warm-up`.
#[test]
fn points_share_a_warm_up() {
    let text = |warmup: &str| {
        format!(
            "(kernels: [(kernel: \"vecadd\", size: 40000)], {warmup} metrics: [\"cycles\", \"ipc\"],
              factors: [(vary: chip(\"crossbar.latency\"), values: [60, 80, 100])])"
        )
    };
    let folder = written("experiment-warm-up", &text("warmup: 100,"));
    let (one, _) = rows(&folder, "one.sqlite", "--jobs 1");
    let (four, _) = rows(&folder, "four.sqlite", "--jobs 4");
    assert_eq!(one, four);
    fs::write(folder.join("shapes.ron"), text("")).expect("written");
    let (full, _) = rows(&folder, "one.sqlite", "");
    assert_ne!(full, one);
}

/// A level that the chip has anyway is no override without an effect.
#[test]
fn levels_of_the_chip_itself_have_no_message() {
    let text = r#"(
        kernels: [(kernel: "vecadd", size: 600)],
        chips: ["g80"],
        factors: [(vary: chip("sm.max_warps"), values: [24, 12])],
        formulas: {"cost": "partitions * 100 + clusters * 10 + max_warps"},
        metrics: ["cycles"],
        analyses: [best(maximize: "cost")],
    )"#;
    let folder = written("experiment-own-level", text);
    let (found, _) = rows(&folder, "s.sqlite", "");
    let messages: Vec<&str> =
        found.lines().skip(1).map(|line| line.split(',').nth(5).expect("a message")).collect();
    assert_eq!(messages[0], "", "{found}");
    let answers = answers(&folder, "");
    let text = answers.to_string();
    assert!(text.contains("704"), "6 partitions, 8 clusters and 24 warps: {text}");
}

/// A program of an experiment: its argument is a factor, it reads only the files of its entry, and
/// all of that decides the stored result.
#[test]
fn a_program_is_a_kernel_of_an_experiment() {
    let folder = written(
        "experiment-program",
        r#"(
            kernels: [(program: "scale.cu", arguments: ["64"], input: "in.txt", files: ["data.txt"])],
            chips: ["fermi"],
            factors: [(name: "n", vary: argument(1), values: [64, 128, 2048])],
            metrics: ["cycles"],
        )"#,
    );
    let program = r#"#include <stdio.h>
#include <stdlib.h>
__global__ void scale(int *x, int factor) { x[threadIdx.x] *= factor; }
int main(int argc, char **argv) {
    int n = atoi(argv[1]), factor = 0, more = 0, *x;
    if (scanf("%d", &factor) != 1) return 2;
    FILE *file = fopen("data.txt", "r");
    if (!file || fscanf(file, "%d", &more) != 1 || fopen("shapes.ron", "r")) return 3;
    fclose(file);
    cudaMalloc((void **)&x, n * sizeof(int));
    cudaMemset(x, 0, n * sizeof(int));
    scale<<<1, n>>>(x, factor + more);
    if (cudaGetLastError() != cudaSuccess) return 4;
    cudaFree(x);
    return 0;
}
"#;
    let write = |name: &str, text: &str| fs::write(folder.join(name), text).expect("the folder is writable");
    write("scale.cu", program);
    write("in.txt", "3");
    write("data.txt", "4");
    let path = |name: &str| folder.join(name).to_str().expect("UTF-8").to_owned();
    let run =
        || warpsim_with(&["experiment", &path("shapes.ron"), "--store", &path("s.sqlite"), "--out", "-"]);
    let Run { code, stdout, stderr } = run();
    let rows: Vec<Vec<&str>> = stdout.lines().skip(1).map(|row| row.split(',').collect()).collect();
    let n: Vec<&str> = rows.iter().map(|row| row[3]).collect();
    assert_eq!(n, ["64", "128", "2048"], "{stdout}{stderr}");
    // A block has at most 1,024 threads, so the last program ends with its code 4.
    let verdicts: Vec<&str> = rows.iter().map(|row| row[4]).collect();
    assert_eq!(verdicts, ["finished", "finished", "wrong_result"], "{stdout}");
    assert!(rows[2][5].contains("exit code 4"), "{stdout}");
    assert_eq!(code, Some(1), "{stderr}");
    assert!(run().stderr.contains(" 0 to simulate"));
    write("data.txt", "5");
    assert!(run().stderr.contains(" 3 to simulate"), "a file of the program decides its result");
    write("in.txt", "9");
    assert!(run().stderr.contains(" 3 to simulate"), "so does its standard input");
}

#[test]
fn a_program_of_an_experiment_has_its_own_fields() {
    for (entry, message) in [
        (r#"(program: "k.cu", size: 3)"#, "a program has neither a size nor a `launch`"),
        (r#"(kernel: "vecadd", arguments: ["3"])"#, "only a program has `arguments`"),
        (r#"(kernel: "vecadd", program: "k.cu")"#, "a kernel has one of"),
        (r#"(program: "k.cu", files: ["none.txt"])"#, "none.txt: the file does not exist"),
        (r#"(program: "k.cu", arguments: ["1"])"#, "the kernel `k` does not have this argument"),
    ] {
        let text = format!(
            r#"(kernels: [{entry}], chips: ["fermi"], factors: [(name: "n", vary: argument(2), values: [1, 2])])"#
        );
        let folder = written("experiment-program-fields", &text);
        fs::write(folder.join("k.cu"), "int main() { return 0; }").expect("the folder is writable");
        let file = folder.join("shapes.ron");
        let Run { code, stderr, .. } = warpsim_with(&["experiment", file.to_str().expect("UTF-8")]);
        assert_eq!(code, Some(2), "{stderr}");
        assert!(stderr.contains(message), "{entry}: {stderr}");
    }
}
