//! Tests of `warpsim sweep`: rows of every combination, rows of failures, and plots.

use crate::common::{Run, command, ends_well_unread, scratch, warpsim, warpsim_with};
use serde_json::Value;
use std::fs;
use std::io::{BufRead, BufReader};
use std::process::Stdio;

const METRICS: &str = "--metrics launches,cycles,inst_executed,occupancy,gld_transactions_per_request";

fn refused(line: &str) -> String {
    let Run { code, stdout, stderr } = warpsim(&format!("sweep {line}"));
    assert_eq!((code, stdout.as_str()), (Some(2), ""), "{line}: {stderr}");
    stderr
}

#[test]
fn every_combination_has_a_row_in_order() {
    let run = warpsim(&format!(
        "sweep vecadd --size 256..1024:*2 --set sm.max_blocks=1,2 --set scheduler=lrr,gto {METRICS}"
    ));
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    insta::assert_snapshot!(run.stdout);
}

#[test]
fn a_row_agrees_with_the_report() {
    let row = warpsim("sweep reduce-halving --size 5000 --format jsonl").stdout;
    let row: Value = serde_json::from_str(&row).expect("a line of JSON");
    let report = warpsim("run reduce-halving --size 5000 --json -").stdout;
    let report: Value = serde_json::from_str(&report).expect("JSON");
    let run = &report["runs"][0];
    assert_eq!((&row["size"], &row["verdict"]), (&Value::from(5000), &Value::from("finished")));
    for (metric, place) in [
        ("cycles", "/timing/cycles"),
        ("ipc", "/timing/ipc"),
        ("achieved_occupancy", "/timing/achieved_occupancy"),
        ("dram_gbps", "/timing/dram/gbps"),
        ("shared_load_passes", "/timing/shared/load/passes"),
        ("peak_gflops", "/chip/peak_gflops"),
    ] {
        let expected = run.pointer(place).expect("in the report");
        assert!(!expected.is_null() && row[metric] == *expected, "{metric}: {} {expected}", row[metric]);
    }
    let origin = &report["provenance"];
    for (column, expected) in [
        ("program", &origin["program"]),
        ("input_sha256", &origin["input_sha256"][0]),
        ("chip_sha256", &origin["chip_sha256"]),
    ] {
        assert!(expected.is_string() && row[column] == *expected, "{column}: {} {expected}", row[column]);
    }
    let chosen = |options: &str| warpsim(&format!("sweep vecadd --size 64 --metrics cycles{options}")).stdout;
    assert!(chosen("").starts_with("size,verdict,message,cycles\n"));
    let origin = "size,verdict,message,cycles,program,input_sha256,chip_sha256\n";
    assert!(chosen(" --provenance").starts_with(origin));
}

/// Tests: `sweeps-are-deterministic`.
#[test]
fn failures_are_rows_and_the_worst_is_the_exit_code() {
    let run = warpsim(&format!(
        "sweep matmul-tiled --size 16,24,32 --set sm.registers=1024,8192 --set sm.shared.banks=12,16 --chip g80 {METRICS}"
    ));
    assert_eq!(run.code, Some(3), "{}", run.stderr);
    insta::assert_snapshot!(format!("{}--- standard error\n{}", run.stdout, run.stderr));
}

#[test]
fn every_ending_of_a_kernel_is_a_row() {
    let folder = scratch("sweep-endings");
    for (entry, verdict, code, part) in [
        ("out_of_bounds", "trapped", 3, "trapped at line 18: "),
        ("hang", "hung", 4, "hangs: a barrier can never complete; block (0,0,0), warp 0 at line"),
        ("endless", "limit", 4, "limit of 9,999"),
    ] {
        let launch = folder.join(entry);
        let text = format!(
            "(entry: \"{entry}\", grid: 2, block: 64, params: [buf(\"o\")], buffers: {{\"o\": (type: u32, len: 64)}}, \
             expect: [(buf: \"o\", formula: \"7\")])"
        );
        fs::write(&launch, text).expect("written");
        let launch = launch.to_str().expect("UTF-8");
        let set = "sm.max_warps=8,24";
        let run = warpsim_with(&[
            "sweep",
            "endings.ptx",
            "--launch",
            launch,
            "--max-cycles",
            "9999",
            "--set",
            set,
            "--format",
            "jsonl",
        ]);
        assert_eq!(run.code, Some(code), "{entry}: {}", run.stderr);
        let rows: Vec<Value> = run.stdout.lines().map(|l| serde_json::from_str(l).expect("JSON")).collect();
        assert_eq!(rows.len(), 2, "the sweep continues");
        for row in rows {
            assert_eq!(row["verdict"], verdict);
            assert!(row["message"].as_str().is_some_and(|m| m.contains(part)), "{row}");
            assert!(row["cycles"].is_null());
        }
        assert!(run.stderr.contains(&format!("2 of 2 points failed: 2 {verdict}")), "{}", run.stderr);
    }
}

#[test]
fn a_wrong_result_is_reported_with_its_metrics() {
    let folder = scratch("sweep-wrong");
    let launch = folder.join("launch.ron");
    let good = fs::read_to_string(crate::common::data().join("symbols.ron")).expect("readable");
    let data = crate::common::data();
    let bad = good
        .replace("scale[0] * x[i] + scale[1]", "scale[0] * x[i]")
        .replace("file(\"x.bin\")", &format!("file({:?})", data.join("x.bin").to_str().expect("UTF-8")));
    let bad = bad.replace("(buf: \"y\", file: \"y.expected.bin\", rel: 1e-6),", "");
    fs::write(&launch, bad).expect("written");
    let run = warpsim_with(&[
        "sweep",
        "symbols.ptx",
        "--launch",
        launch.to_str().expect("UTF-8"),
        "--metrics",
        "inst_executed",
    ]);
    assert_eq!(run.code, Some(1), "{}", run.stderr);
    let row = run.stdout.lines().nth(1).expect("a row");
    assert!(row.starts_with("wrong_result,\"buffer `y`: 16 of 16 elements are wrong"), "{row}");
    assert!(!row.ends_with(','), "{row}");
    assert_eq!(fs::read_dir(&folder).expect("listed").count(), 1, "dumps are not written");
}

/// Tests: `sweeps-are-deterministic`.
#[test]
fn the_rows_do_not_depend_on_the_number_of_jobs() {
    let folder = scratch("sweep-jobs");
    let sweep = |jobs: &str| {
        let svg = folder.join(format!("{jobs}.svg"));
        let sizes = "64,4096,33,2048,100";
        let run = warpsim_with(&[
            "sweep",
            "vecadd",
            "--size",
            sizes,
            "--set",
            "sm.max_warps=0,8,16,24",
            "--jobs",
            jobs,
            "--plot",
            "x=size,y=cycles",
            "--svg",
            svg.to_str().expect("UTF-8"),
        ]);
        (run.code, run.stdout, run.stderr, fs::read_to_string(svg).expect("written"))
    };
    let one = sweep("1");
    assert_eq!(one.1.lines().count(), 21);
    assert!(one.2.contains("5 of 20 points failed: 5 bad_chip"), "{}", one.2);
    for jobs in ["2", "5"] {
        assert_eq!(sweep(jobs), one, "{jobs} jobs");
    }
}

#[test]
fn ten_thousand_points_are_rows_in_order() {
    // None of these chips is valid, so that only the rows take time.
    let run = warpsim("sweep vecadd --size 1 --set sm.max_warps=65..10064 --metrics cycles");
    assert_eq!(run.code, Some(2));
    assert_eq!(run.stdout.lines().count(), 10_001);
    for (line, warps) in run.stdout.lines().skip(1).zip(65..) {
        assert!(
            line.starts_with(&format!("1,{warps},bad_chip,E0506 sm.max_warps is out of range: {warps}")),
            "{line}"
        );
    }
}

#[test]
fn a_plot_has_lines_axes_and_a_note() {
    let folder = scratch("sweep-plot");
    let (line, bars) = (folder.join("line.svg"), folder.join("bars.svg"));
    let run = warpsim_with(&[
        "sweep",
        "matmul-tiled",
        "--size",
        "32",
        "--set",
        "sm.max_warps=4,8,16,24",
        "--set",
        "scheduler=lrr,gto",
        "--metrics",
        "cycles",
        "--plot",
        "x=sm.max_warps,y=ipc,series=scheduler",
        "--svg",
        line.to_str().expect("UTF-8"),
        "--plot",
        "x=scheduler,y=gflops",
        "--svg",
        bars.to_str().expect("UTF-8"),
    ]);
    assert_eq!(run.code, Some(3), "four warps are too few for a block: {}", run.stderr);
    assert!(run.stdout.starts_with("size,sm.max_warps,scheduler,verdict,message,cycles\n"), "{}", run.stdout);
    let svg = fs::read_to_string(line).expect("written");
    for part in [
        "sm.max_warps (warps)",
        "ipc (instructions/cycle)",
        "scheduler=lrr",
        "scheduler=gto",
        "2 points failed and are left out",
    ] {
        assert!(svg.contains(part), "{part} is missing in\n{svg}");
    }
    let svg = fs::read_to_string(bars).expect("written");
    assert!(
        svg.contains("gflops (GFLOP/s)") && svg.contains(">lrr<") && svg.contains("sm.max_warps=24"),
        "{svg}"
    );
}

#[test]
fn an_error_of_every_point_is_reported_before_the_first() {
    assert!(refused("vecad").contains("did you mean `vecadd`"));
    assert!(refused("vecadd --chip g80,g81").contains("unknown chip `g81`"));
    let text = refused("vecadd --set sm.max_warp=8,16 --set crosbar.depth=3");
    assert!(text.contains("mean `sm.max_warps`?") && text.contains("mean `crossbar.depth`?"), "{text}");
    assert!(refused("vecadd --set queue=8,16").contains("one of: sm.lsu.queue, "));
    assert!(refused("vecadd --metrics cycles,icp").contains("did you mean `ipc`"));
    assert!(refused("vecadd --set sms=1,2").contains("two columns have the name `sms`"));
    assert!(refused("vecadd --size 1,,2").contains("--size: `1,,2` has an empty value"));
    assert!(refused("vecadd --plot x=size,y=ipc --svg no/such.svg").contains("x is not one of the lists"));
    assert!(
        refused("vecadd --size 4,8 --plot x=size,y=ipc --svg no/such.svg")
            .contains("cannot write no/such.svg")
    );
    assert!(refused("vecadd --out no/such.csv").contains("cannot write no/such.csv"));
    assert!(refused("vecadd --plot x=size,y=ipc").contains("--svg"));
    assert!(refused("broken.ptx --launch symbols.ron").contains("error["));
    assert!(refused("symbols.ptx --launch symbols.ron --size 3").contains("does not accept --size"));
    assert!(refused("vecadd --chip symbols.ron --out symbols.ron").contains("which this run reads"));
}

#[test]
fn rows_are_written_as_they_become_final() {
    let mut child =
        command(&["sweep", "vecadd", "--size", "64,2000000", "--jobs", "1", "--metrics", "cycles"])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("starts");
    let mut lines = BufReader::new(child.stdout.take().expect("piped")).lines();
    let mut next = || lines.next().expect("a line").expect("UTF-8");
    assert_eq!(next(), "size,verdict,message,cycles");
    assert!(next().starts_with("64,finished,,"));
    // The second point takes much longer than the test takes to reach this line.
    assert!(
        child.try_wait().expect("asked").is_none(),
        "the first row is written before the last point ends"
    );
    child.kill().expect("killed");
    child.wait().expect("ended");
}

#[test]
fn rows_go_to_a_file_and_a_reader_may_close() {
    let folder = scratch("sweep-out");
    let path = folder.join("rows.csv");
    let line = ["sweep", "vecadd", "--size", "64,128", "--out", path.to_str().expect("UTF-8")];
    let run = warpsim_with(&line);
    assert_eq!((run.code, run.stdout.as_str()), (Some(0), ""), "{}", run.stderr);
    assert_eq!(fs::read_to_string(&path).expect("written"), warpsim("sweep vecadd --size 64,128").stdout);

    ends_well_unread(command(&["sweep", "vecadd", "--size", "64..900"]));
}

/// A kernel of CUDA C is compiled for the features of each point's chip.
#[test]
fn kernels_are_compiled_for_the_features_of_each_point() {
    let folder = scratch("sweep-features");
    let source = folder.join("sum.cu");
    let text = "__global__ void sum(int *out) {\n    int v = threadIdx.x;\n    \
        for (int d = 16; d; d /= 2) v += __shfl_down_sync(0xffffffff, v, d);\n    \
        if (threadIdx.x == 0) out[0] = v;\n}\n";
    fs::write(&source, text).expect("written");
    let launch = folder.join("sum.ron");
    let text = "(entry: \"sum\", grid: (1, 1, 1), block: (32, 1, 1), buffers: {\"out\": (type: s32, len: 1, init: zero)}, \
        params: {out: buf(\"out\")}, \
        expect: [(buf: \"out\", formula: \"496\")])";
    fs::write(&launch, text).expect("written");
    let (source, launch) = (source.to_str().expect("UTF-8"), launch.to_str().expect("UTF-8"));
    let base = ["sweep", source, "--launch", launch, "--metrics", "launches"];
    let set = "features=[],[shuffle],[shuffle,warp_sync]";
    let Run { code, stdout, stderr } = warpsim_with(&[&base[..], &["--set", set]].concat());
    assert_eq!(code, Some(2), "{stdout}{stderr}");
    assert_eq!(stdout.matches("finished").count(), 2, "{stdout}{stderr}");
    assert!(stdout.contains("`__shfl_down_sync`"), "{stdout}{stderr}");
}
