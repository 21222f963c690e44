//! Tests of `warpsim validate`: published and simulated values.

use crate::common::{Run, scratch, warpsim, warpsim_with};
use serde_json::Value;
use std::fs;

/// Rows that take almost no time: a parameter of the chip, and some other values.
const ROWS: &str = "V318 V318t V344 V353 V315 V362";

fn json(line: &str) -> Value {
    let Run { code, stdout, stderr } = warpsim(&format!("validate {line} --format json"));
    assert_eq!(code, Some(0), "{stderr}");
    serde_json::from_str(&stdout).expect("standard output is JSON and nothing else")
}

#[test]
fn rows_are_the_same_for_any_number_of_jobs() {
    let folder = scratch("validate-jobs");
    let files = |jobs: u32| {
        ["csv", "svg", "markdown"].map(|kind| folder.join(format!("{jobs}.{kind}")).display().to_string())
    };
    let run = |jobs: u32| {
        let ([csv, svg, markdown], count) = (files(jobs), jobs.to_string());
        let rest = ["--jobs", &count, "--csv", &csv, "--svg", &svg, "--markdown", &markdown];
        let line: Vec<&str> = ["validate"].into_iter().chain(ROWS.split(' ')).chain(rest).collect();
        let run = warpsim_with(&line);
        assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
        assert!(run.stdout.lines().all(|l| l.chars().count() <= 100 && l == l.trim_end()), "{}", run.stdout);
        (run.stdout, [csv, svg, markdown].map(|path| fs::read_to_string(path).expect("written")))
    };
    let (one, files) = run(1);
    assert_eq!((one.clone(), files.clone()), run(3));
    for id in ROWS.split(' ') {
        assert!(one.contains(&format!("\n  {id:<5} ")), "{id} is missing in\n{one}");
        assert!(files[0].contains(&format!("\n{id},")) && files[2].contains(&format!("\n| {id} |")), "{id}");
    }
}

#[test]
fn chip_parameters_do_not_count() {
    let was = json("V318 V318t --chip gt200");
    let now = json("V318 V318t --chip gt200 --set sm.classes.fp_add.latency=48");
    let row = |document: &Value, i: usize| document["rows"][i].clone();
    assert_eq!(
        (&row(&was, 0)["simulated"], &row(&was, 0)["state"]),
        (&Value::from(24.0), &Value::from("set"))
    );
    assert_eq!((&row(&now, 0)["simulated"], &row(&now, 0)["error_percent"]), (&48.0.into(), &100.0.into()));
    assert_eq!(row(&now, 1)["state"], "calibrated");
    assert_eq!(now["summaries"]["overall"]["rows"], 1);
    let error = row(&now, 1)["error_percent"].as_f64().expect("a number").abs();
    assert_eq!(now["summaries"]["overall"]["mape"].as_f64(), Some(error));
    assert_ne!(was["chips"][0]["config"], now["chips"][0]["config"]);
}

#[test]
fn bad_ids_and_chips_are_reported() {
    for (line, part) in [
        ("V3181", "unknown row `V3181`\nhelp: did you mean `V318`?"),
        ("V001 --chip gt200", "V001 was measured on G80 8800 GTX (`g80`), not on `gt200`"),
        ("--chip c1060", "no published values for chip `c1060`"),
        ("--chip voodoo", "unknown chip `voodoo`"),
        ("--set sm.max_warps=8", "--chip"),
        ("V318 --latency x", "cannot be used with"),
    ] {
        let Run { code, stdout, stderr } = warpsim(&format!("validate {line}"));
        assert_eq!((code, stdout.as_str()), (Some(2), ""), "{line}: {stderr}");
        assert!(stderr.contains(part), "{line}: {stderr}");
    }
}

#[test]
fn a_row_that_fails_is_a_row_with_its_error() {
    let Run { code, stdout, stderr } =
        warpsim("validate V318 V318t --chip gt200 --set limits.threads_per_block=256");
    assert_eq!(code, Some(1), "{stderr}");
    assert_eq!(stderr, "1 of 2 rows could not be measured\n");
    assert!(stdout.contains("failed") && stdout.contains("24.00"), "{stdout}");
}

#[test]
fn the_list_measures_nothing_and_names_rows_without_a_measurement() {
    let listed = json("--list");
    let state = |id: &str| {
        let rows = listed["rows"].as_array().expect("a list");
        rows.iter().find(|row| row["id"] == id).map(|row| row["state"].clone())
    };
    assert_eq!(state("V318t"), Some("not measured".into()));
    assert_eq!(state("V193"), Some("not modelled".into()));
    assert!(listed["rows"].as_array().expect("a list").iter().all(|row| row["simulated"].is_null()));
}
