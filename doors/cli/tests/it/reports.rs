//! Tests of the report: as text, as JSON, and its outputs.

use crate::common::{Run, command, ends_well_unread, scratch, small, warpsim, warpsim_with};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;

fn json(line: &str) -> Value {
    let Run { code, stdout, stderr } = warpsim(&format!("{line} --json -"));
    assert_eq!(code, Some(0), "{stderr}");
    serde_json::from_str(&stdout).expect("standard output is JSON and nothing else")
}

#[test]
fn every_built_in_kernel_passes_on_both_machines() {
    for workload in kernels::all().iter().filter(|w| !kernels::RACING.contains(&w.name)) {
        for machine in ["", "--functional"] {
            let Run { code, stdout, stderr } = warpsim(&format!("run {} {machine}", small(workload)));
            assert_eq!(code, Some(0), "{}: {stderr}", workload.name);
            assert!(stdout.starts_with("PASSED: "), "{stdout}");
            assert!(stdout.lines().all(|l| l.chars().count() <= 80 && l == l.trim_end()), "{stdout}");
        }
    }
}

#[test]
fn the_full_report_shows_that_both_breakdowns_add_up() {
    let text = warpsim("run reduce-interleaved --chip g80 --size 5000 --details").stdout;
    assert!(text.contains("equals all slots: ") && text.contains("equals resident warp cycles: "), "{text}");
    assert!(!text.contains("DIFFERS"), "{text}");
}

#[test]
fn json_agrees_with_the_text() {
    let report = json("run reduce-interleaved --chip g80 --size 5120");
    assert_eq!(report["schema"], 6);
    assert_eq!(report["provenance"]["kernel"], "reduce-interleaved");
    assert_eq!(report["provenance"]["size"], 5120);
    assert_eq!(report["check"]["passed"], true);
    let run = &report["runs"][0];
    assert_eq!(run["verdict"]["kind"], "finished");
    assert_eq!(run["launch"]["grid"]["x"], 10);
    // Claim SIMT-06: 16 warps diverge in iterations 1 to 5, then 8, 4, 2 and 1.
    assert_eq!(run["control"]["divergent_branches"], 10 * (16 * 5 + 15));
    assert_eq!(report["timeline"]["events"].as_array().map(Vec::len), Some(3));
    assert!(json("run vecadd --chip g80 --size 100 --functional")["runs"][0]["timing"].is_null());
}

#[test]
fn the_tiled_product_fits_three_times_on_an_sm() {
    // Claims OCC-13 and OCC-11: with ten registers per thread an SM holds three blocks, with eleven
    // only two.
    let launch = |options: &str| {
        json(&format!("run matmul-tiled --chip g80 --size 32{options}"))["runs"][0]["launch"].clone()
    };
    let ten = launch("");
    assert_eq!((&ten["registers"], &ten["occupancy"]["blocks"]), (&Value::from(10), &Value::from(3)));
    let eleven = launch(" --registers 11");
    assert_eq!((&eleven["registers"], &eleven["occupancy"]["blocks"]), (&Value::from(11), &Value::from(2)));
    // The published count is used, also if the lowered code needs another one; both are shown.
    for launch in [&ten, &eleven, &launch(" -O0")] {
        assert_eq!(launch["registers_source"], "given");
        assert!(launch["registers_by_liveness"].as_u64().is_some_and(|n| (8..=10).contains(&n)), "{launch}");
    }
    let stdout = warpsim("run matmul-tiled --chip g80 --size 32 --details").stdout;
    let by_liveness = &ten["registers_by_liveness"];
    assert!(stdout.contains(&format!("10 (given; by liveness {by_liveness})")), "{stdout}");
    let vecadd = &json("run vecadd --chip g80 --size 32")["runs"][0]["launch"];
    assert_eq!(
        (&vecadd["registers_source"], &vecadd["registers"]),
        (&Value::from("liveness"), &vecadd["registers_by_liveness"])
    );
}

#[test]
fn compilation_options_are_reported_if_not_the_default() {
    let run =
        |options: &str| json(&format!("run vecadd --chip g80 --size 3200 {options}"))["runs"][0].clone();
    let (usual, plain, fused) = (run(""), run("-O0"), run("--fmad true"));
    let how = |run: &Value| (run["launch"]["opt_level"].clone(), run["launch"]["fmad"].clone());
    assert_eq!(how(&usual), (3.into(), false.into()));
    assert_eq!(how(&plain), (0.into(), false.into()));
    assert_eq!(how(&fused), (3.into(), true.into()));
    let executed = |run: &Value| run["instructions"]["warp"].as_u64();
    assert!(executed(&usual) < executed(&plain), "reading a parameter takes no instruction");
    let text =
        |options: &str| warpsim(&format!("run vecadd --chip g80 --size 3200 --details {options}")).stdout;
    let (usual, plain, fused) = (text(""), text("-O0"), text("--fmad true"));
    for (words, there) in [("(-O0)", &plain), ("(--fmad true)", &fused)] {
        assert!(there.contains(words) && !usual.contains(words), "{words}");
    }
}

/// A multiplication and an addition in a user's kernel have two roundings, or one if fused.
#[test]
fn products_are_fused_on_request() {
    // (1 + 2^-12)^2 - 1 is 2^-11 + 2^-24; the rounded product has lost the last bit.
    let folder = scratch("fmad");
    let ptx = ".version 2.3\n.target sm_20\n.entry k (.param .u32 out)\n{\n.reg .f32 %f<4>; .reg .u32 %o;\n\
               ld.param.u32 %o, [out];\nld.global.f32 %f1, [%o];\nmul.f32 %f2, %f1, %f1;\n\
               add.f32 %f3, %f2, 0fBF800000;\nst.global.f32 [%o], %f3;\nexit;\n}\n";
    fs::write(folder.join("k.ptx"), ptx).expect("written");
    let exit = |file: &str, expected: f64, options: &[&str]| {
        let launch = format!(
            "(entry: \"k\", grid: 1, block: 1, params: [buf(\"o\")], \
             buffers: {{\"o\": (type: f32, len: 1, init: fill(1.000244140625))}}, \
             expect: [(buf: \"o\", formula: \"{expected:?}\")])"
        );
        fs::write(folder.join(file), launch).expect("written");
        let (ptx, launch) = (folder.join("k.ptx"), folder.join(file));
        let mut arguments =
            vec!["run", ptx.to_str().expect("UTF-8"), "--launch", launch.to_str().expect("UTF-8")];
        arguments.extend(["--chip", "fermi"]);
        arguments.extend(options);
        let Run { code, stderr, .. } = warpsim_with(&arguments);
        (code, stderr)
    };
    let (once, twice) = (2f64.powi(-11) + 2f64.powi(-24), 2f64.powi(-11));
    for (expected, options) in
        [(twice, &[][..]), (twice, &["-O0", "--fmad", "true"]), (once, &["--fmad", "true"])]
    {
        let (code, stdout) = exit("k.ron", expected, options);
        assert_eq!(code, Some(0), "{options:?}: {stdout}");
    }
}

/// Collects all keys of a value.
fn keys(value: &Value, out: &mut BTreeSet<String>) {
    match value {
        Value::Object(fields) => {
            for (key, value) in fields {
                out.insert(key.clone());
                keys(value, out);
            }
        }
        Value::Array(items) => items.iter().for_each(|item| keys(item, out)),
        _ => {}
    }
}

#[test]
fn every_key_is_documented() {
    let page = include_str!("../../../../docs/REPORT.md");
    // Paths of fields, such as `timing.l1.global_load_hit`.
    let metrics = include_str!("../../../../docs/METRICS.md");
    let fields: BTreeSet<&str> =
        metrics.split('`').skip(1).step_by(2).flat_map(|path| path.split('.').skip(1)).collect();
    let folder = scratch("keys");
    let mut found = BTreeSet::new();
    keys(&json("run reduce-interleaved --chip g80 --size 5120"), &mut found);
    for entry in ["out_of_bounds", "hang", "endless"] {
        let launch = folder.join(entry);
        let text = format!(
            "(entry: \"{entry}\", grid: 2, block: 64, params: [buf(\"o\")], buffers: {{\"o\": (type: u8, len: 256)}})"
        );
        fs::write(&launch, text).expect("written");
        let launch = launch.to_str().expect("UTF-8");
        let arguments = [
            "run",
            "endings.ptx",
            "--chip",
            "g80",
            "--launch",
            launch,
            "--max-cycles",
            "9999",
            "--json",
            "-",
        ];
        keys(&serde_json::from_str(&warpsim_with(&arguments).stdout).expect("JSON"), &mut found);
    }
    assert!(found.len() > 100, "{}", found.len());
    let is_named = |key: &&String| page.contains(&format!("`{key}`")) || fields.contains(key.as_str());
    let missing: Vec<&String> = found.iter().filter(|key| !is_named(key)).collect();
    assert!(missing.is_empty(), "docs/REPORT.md and docs/METRICS.md lack {missing:?}");
}

#[test]
fn the_report_does_not_depend_on_the_host() {
    let run = |options: &str| warpsim(&format!("run matmul-tiled --chip g80 --size 64 --json - {options}"));
    let (one, four) = (run("--threads 1"), run("--threads 4 --host-stats"));
    assert_eq!(one.stdout, four.stdout);
    assert!(four.stderr.starts_with("host: "), "{}", four.stderr);
    assert_eq!(one.stderr, "");
}

#[test]
fn a_file_gets_the_json_and_standard_output_the_text() {
    let folder = scratch("json");
    let path = folder.join("report.json");
    let run = warpsim_with(&[
        "run",
        "vecadd",
        "--chip",
        "g80",
        "--size",
        "100",
        "--json",
        path.to_str().expect("UTF-8"),
    ]);
    assert_eq!(run.code, Some(0));
    assert!(run.stdout.starts_with("PASSED"));
    let written: Value = serde_json::from_slice(&fs::read(&path).expect("written")).expect("JSON");
    assert_eq!(written, json("run vecadd --chip g80 --size 100"));
    assert_eq!(fs::read_dir(&folder).expect("listed").count(), 1, "no temporary file is left");
}

#[test]
fn a_file_that_cannot_be_written_is_reported_before_the_run() {
    let run = warpsim("run matmul-naive --chip g80 --size 512 --json no/such/folder/report.json");
    assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""));
    assert!(run.stderr.contains("cannot write no/such/folder/report.json"), "{}", run.stderr);
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_reported_and_the_json_is_not_lost() {
    let folder = scratch("full");
    let path = folder.join("report.json");
    let full = fs::File::options().write(true).open("/dev/full").expect("/dev/full exists on Linux");
    let output = command(&[
        "run",
        "vecadd",
        "--chip",
        "g80",
        "--size",
        "100",
        "--json",
        path.to_str().expect("UTF-8"),
    ])
    .stdout(full)
    .output()
    .expect("runs");
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("cannot write to standard output"));
    assert!(path.exists());
    let run = warpsim("run vecadd --chip g80 --size 100 --json /dev/full");
    assert_eq!(run.code, Some(2));
    assert!(
        run.stdout.starts_with("PASSED") && run.stderr.contains("cannot write /dev/full"),
        "{}",
        run.stderr
    );
}

#[test]
fn a_closed_reader_is_not_an_error() {
    ends_well_unread(command(&["run", "vecadd", "--chip", "g80", "--size", "100"]));
}
