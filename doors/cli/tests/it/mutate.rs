//! Tests of `warpsim mutate`: launch files that notice nearly all mutants of a kernel, and launch
//! files that show little.

use crate::common::{Run, scratch, warpsim, warpsim_with};
use serde_json::Value;
use std::fs;

fn example(kernel: &str, launch: &str, more: &str) -> String {
    let folder = "../../../../examples/mutate";
    format!("mutate {folder}/{kernel}.cu --launch {folder}/{launch}.ron --chip gt200 {more}")
}

fn json(line: &str) -> Value {
    let Run { code, stdout, stderr } = warpsim(&format!("{line} --format json"));
    assert_eq!(code, Some(0), "{line}: {stderr}");
    serde_json::from_str(&stdout).expect("one document")
}

/// The survivors of a kind: lines and changes.
fn survivors<'a>(document: &'a Value, kind: &str) -> Vec<(u64, &'a str)> {
    let rows = document["mutants"].as_array().expect("a list").iter();
    let rows = rows.filter(|row| row["fate"] == "survived" && row["kind"] == kind);
    rows.map(|row| (row["line"].as_u64().expect("a line"), row["change"].as_str().expect("a change")))
        .collect()
}

const KINDS: [&str; 8] = ["barrier", "fence", "guard", "bound", "constant", "atomic", "arithmetic", "cache"];

/// Good launch files notice all mutants except those without an effect on any result.
#[test]
fn good_launch_files_notice_all_mutants_but_a_listed_few() {
    let product: &[(&str, &[(u64, &str)])] = &[
        // Widths of 0 and 1; an iteration without elements.
        ("bound", &[(10, "gt → ge"), (10, "lt → le")]),
        (
            "constant",
            &[
                (10, "setp: 0 → 1"),
                (10, "setp: 0 → -1"),
                // What is beyond the border is multiplied with zeros of the other tile.
                (11, "mov: 0 → 1"),
                (11, "mov: 0 → -1"),
                (12, "mov: 0 → 1"),
                (12, "mov: 0 → -1"),
                // Blocks without threads.
                (14, "setp: 0 → 1"),
                (14, "setp: 0 → -1"),
            ],
        ),
    ];
    let sum: &[(&str, &[(u64, &str)])] = &[
        (
            "constant",
            &[
                (9, "setp: 0 → 1"),
                (9, "setp: 0 → -1"),
                // The half of a negative number.
                (9, "shr: 31 → 32"),
                (9, "shr: 31 → 30"),
                (9, "shr: 31 → 62"),
                (9, "shr: 31 → 32"),
                (9, "shr: 31 → 30"),
                (9, "shr: 31 → 62"),
                // Thread 1 is in the warp that computes the sum.
                (14, "setp: 0 → 1"),
            ],
        ),
        ("arithmetic", &[(9, "shr.u32 → shl.b32"), (9, "add.s32 → sub.s32")]),
    ];
    // A block beyond all elements.
    let histogram: &[(&str, &[(u64, &str)])] = &[("bound", &[(11, "lt → le")])];
    for (kernel, expected, least) in
        [("product", product, 90.0), ("sum", sum, 85.0), ("histogram", histogram, 98.0)]
    {
        let document = json(&example(kernel, kernel, ""));
        for kind in KINDS {
            let known = expected.iter().find(|(known, _)| *known == kind).map_or(&[][..], |(_, list)| *list);
            assert_eq!(survivors(&document, kind), known, "{kernel}, {kind}");
        }
        let score = document["score"].as_f64().expect("a score");
        assert!(score >= least, "{kernel}: {score}");
        assert!(document["run"].as_u64().expect("a number") >= 60);
    }
}

/// Launch files with one block, sizes that are multiples, and simple data miss barriers, borders
/// and atomics.
#[test]
fn launch_files_that_show_little_have_survivors_at_the_expected_lines() {
    let lines = |document: &Value, kind: &str| -> Vec<u64> {
        let mut lines: Vec<u64> = survivors(document, kind).into_iter().map(|(line, _)| line).collect();
        lines.dedup();
        lines
    };
    let product = json(&example("product", "product_one_block", ""));
    assert_eq!(lines(&product, "barrier"), [13, 16]);
    assert_eq!(lines(&product, "bound"), [10, 11, 12, 14, 18]);
    assert!(product["score"].as_f64().expect("a score") < 50.0);
    let sum = json(&example("sum", "sum_one_block", ""));
    assert_eq!(lines(&sum, "barrier"), [10]);
    assert_eq!(lines(&sum, "bound"), [8, 9, 11, 14]);
    assert!(sum["score"].as_f64().expect("a score") < 50.0);
    let histogram = json(&example("histogram", "histogram_one_block", ""));
    assert_eq!(lines(&histogram, "barrier"), [10, 13]);
    assert_eq!(lines(&histogram, "bound"), [8, 11]);
    assert_eq!(survivors(&histogram, "atomic"), [(12, "load, add, store"), (15, "load, add, store")]);
}

/// Tests: `mutants-are-graded-alike`.
#[test]
fn the_number_of_jobs_changes_nothing() {
    for format in ["text", "json"] {
        let run =
            |jobs| warpsim(&example("sum", "sum_one_block", &format!("--format {format} --jobs {jobs}")));
        let (one, four) = (run(1), run(4));
        assert_eq!((one.code, one.stdout.len() > 1_000), (Some(0), true), "{}", one.stderr);
        assert_eq!(one.stdout, four.stdout);
    }
}

#[test]
fn a_built_in_kernel_is_graded_by_its_host_program() {
    let document = json("mutate matmul-tiled --size 32");
    assert_eq!(document["has_expectations"], true);
    assert!(document["score"].as_f64().expect("a score") > 95.0);
    assert_eq!(survivors(&document, "barrier"), []);
    // Each row has the PTX line.
    let barrier = document["mutants"].as_array().expect("a list").iter().find(|row| row["kind"] == "barrier");
    let barrier = barrier.expect("it has barriers");
    assert_eq!((barrier["line"].as_u64(), &barrier["mutant"]), (barrier["ptx_line"].as_u64(), &Value::Null));
    assert_eq!(barrier["instruction"], "bar.sync 0;");
}

#[test]
fn kinds_limits_and_least_scores_are_chosen_by_options() {
    let some = json(&example("sum", "sum", "--only guard,bound"));
    let kinds: Vec<&str> =
        some["mutants"].as_array().expect("a list").iter().filter_map(|row| row["kind"].as_str()).collect();
    assert!(kinds.contains(&"guard") && kinds.contains(&"bound"));
    assert!(kinds.iter().all(|kind| ["guard", "bound"].contains(kind)), "{kinds:?}");
    let few = json(&example("sum", "sum", "--limit 7"));
    assert_eq!((few["run"].as_u64(), few["mutants"].as_array().map(Vec::len)), (Some(7), Some(7)));
    assert!(few["made"].as_u64().expect("a number") > 60);
    let code = |least: &str| warpsim(&example("sum", "sum_one_block", &format!("--min-score {least}"))).code;
    assert_eq!((code("10"), code("90")), (Some(0), Some(1)));
    for bad in ["--only nothing", "--limit 0", "--min-score 101", "--min-score x", "--jobs 0"] {
        assert_eq!(warpsim(&example("sum", "sum", bad)).code, Some(2), "{bad}");
    }
}

const SPREAD: &str = ".version 1.4\n.target sm_13\n.entry copy(.param .u32 in, .param .u32 out) {\n\
    .reg .u32 %t, %a, %b, %v;\ncvt.u32.u16 %t, %tid.x;\nshl.b32 %t, %t, 2;\nld.param.u32 %a, [in];\n\
    add.u32 %a, %a, %t;\nld.global.u32 %v, [%a];\nld.param.u32 %b, [out];\nadd.u32 %b, %b, %t;\n\
    mul.lo.u32 %v, %v, 1;\nst.global.u32 [%b], %v;\nexit;\n}\n";

/// A launch of `SPREAD` with 1,024 equal elements, of which 32 are copied; `expect` has more
/// expectations.
fn spread(name: &str, expect: &str) -> (String, String) {
    let folder = scratch(name);
    let launch = format!(
        "(entry: \"copy\", grid: 1, block: 32, params: [buf(\"in\"), buf(\"out\")], buffers: {{ \
         \"in\": (type: u32, len: 1024, init: fill(7)), \"out\": (type: u32, len: 32) }}, expect: [{expect}])"
    );
    let paths = ["copy.ptx", "copy.ron"].map(|file| folder.join(file));
    fs::write(&paths[0], SPREAD).expect("writable");
    fs::write(&paths[1], launch).expect("writable");
    let [ptx, launch] = paths.map(|path| path.to_str().expect("UTF-8").to_owned());
    (ptx, launch)
}

/// Loads that move within equal data change no result, but may change the number of transactions.
#[test]
fn a_metric_notices_what_no_result_shows() {
    let by = |name: &str, expect: &str| -> Vec<Value> {
        let (ptx, launch) = spread(name, expect);
        let arguments = [
            "mutate", &ptx, "--launch", &launch, "--only", "constant", "--format", "json", "--chip", "gt200",
        ];
        let Run { code, stdout, stderr } = warpsim_with(&arguments);
        assert_eq!(code, Some(0), "{stderr}");
        let document: Value = serde_json::from_str(&stdout).expect("one document");
        let rows = document["mutants"].as_array().expect("a list").iter();
        rows.filter(|row| row["line"] == 9).map(|row| row["by"].clone()).collect()
    };
    let data = "(buf: \"out\", formula: \"7\")";
    assert_eq!(by("mutate-data", data), [Value::Null, "trap".into()]);
    let metric = format!("{data}, (metric: \"gld_transactions <= 2\")");
    assert_eq!(by("mutate-metric", &metric), ["metric".into(), Value::from("trap")]);
}

/// A factor of 1 is removed by the optimizer, so nothing changes if it becomes a sum with 0.
#[test]
fn equivalent_mutants_do_not_run() {
    let (ptx, launch) = spread("mutate-equivalent", "(buf: \"out\", formula: \"7\")");
    let text = SPREAD.replace("mul.lo.u32 %v, %v, 1;", "add.u32 %v, %v, 0;");
    fs::write(&ptx, text).expect("writable");
    let Run { code, stdout, stderr } =
        warpsim_with(&["mutate", &ptx, "--launch", &launch, "--only", "arithmetic"]);
    assert_eq!(code, Some(0), "{stderr}");
    assert!(stdout.contains("; 1 equivalent, not run"), "{stdout}");
    assert!(!stdout.contains("add.u32 %v, %v, 0;"), "{stdout}");
}

#[test]
fn a_program_that_fails_its_checks_is_not_graded() {
    let (ptx, launch) = spread("mutate-wrong", "(buf: \"out\", formula: \"8\")");
    let Run { code, stdout, stderr } = warpsim_with(&["mutate", &ptx, "--launch", &launch]);
    assert_eq!((code, &*stdout), (Some(2), ""));
    assert!(stderr.contains("FAILED: buffer `out`: 32 of 32 elements are wrong"), "{stderr}");
    assert!(stderr.contains("error: the program does not pass its own checks"), "{stderr}");
    let Run { code, stderr, .. } = warpsim("mutate nothing");
    assert_eq!(code, Some(2));
    assert!(stderr.starts_with("error: unknown kernel `nothing`"), "{stderr}");
}

/// A program without expectations is graded by traps, hangs and checkers, and the output says it.
#[test]
fn missing_expectations_and_unused_checkers_are_named() {
    let (ptx, launch) = spread("mutate-none", "");
    let run = warpsim_with(&["mutate", &ptx, "--launch", &launch]);
    assert!(run.stdout.contains("warning: no result is compared"), "{}{}", run.stdout, run.stderr);
    let racing = warpsim("mutate dot-product-printed --size 24 --limit 1");
    assert!(
        racing.stdout.contains("warning: the checker `race` was not used"),
        "{}{}",
        racing.stdout,
        racing.stderr
    );
}
