//! Tests of `run --racecheck`: the reported races, and the exit code.

use crate::common::{Run, scratch, warpsim, warpsim_with};

/// Checks a kernel of `races.ptx` in `grid` blocks of `block` threads, with more arguments.
fn check(entry: &str, grid: u32, block: u32, more: &[&str]) -> Run {
    let folder = scratch(&format!("races-{entry}-{grid}-{block}-{}", more.len()));
    let launch = folder.join("launch.ron");
    let text = format!(
        "(entry: \"{entry}\", grid: {grid}, block: {block}, params: [buf(\"out\")], \
         buffers: {{\"out\": (type: u32, len: 128)}})"
    );
    std::fs::write(&launch, text).expect("written");
    let launch = launch.to_str().expect("UTF-8");
    warpsim_with(&[&["run", "races.ptx", "--launch", launch, "--racecheck"], more].concat())
}

fn assert_reported(run: &Run, code: i32, parts: &[&str]) {
    let Run { code: got, stdout, stderr } = run;
    assert_eq!(*got, Some(code), "{stdout}{stderr}");
    for part in parts {
        assert!(stdout.contains(part), "{part} is missing in\n{stdout}");
    }
    assert_eq!(stderr.contains("error: the checkers found "), code == 1, "{stderr}");
    assert!(stdout.lines().all(|l| l.chars().count() <= 100 && l == l.trim_end()), "{stdout}");
}

/// Tests: `races-are-found`.
#[test]
fn a_missing_barrier_is_a_race_drawn_on_both_lines() {
    let run = check("no_barrier", 1, 64, &[]);
    assert_reported(
        &run,
        1,
        &[
            "error[read_after_write]: line 15: read after write between warps",
            "no barrier orders the accesses",
            "RACECHECK: 1 error",
        ],
    );
    insta::assert_snapshot!("race", run.stdout);
    let run = check("half_a_barrier", 1, 64, &[]);
    assert_reported(
        &run,
        1,
        &[
            "error[write_after_read]: line 34: write after read between warps",
            "no barrier orders the accesses",
            "RACECHECK: 1 error",
        ],
    );
    let run = check("barriers", 1, 64, &[]);
    assert_reported(&run, 0, &["RACECHECK: 0 errors\n"]);
    assert!(!run.stdout.contains('['), "{}", run.stdout);
}

/// Tests: `races-are-found`.
#[test]
fn accesses_ordered_by_a_warp_are_not_races() {
    let run = check("no_barrier", 1, 32, &[]);
    let parts = [
        "warning[warp_synchronous]: line 15: read after write between lanes of a warp: lockstep only",
        "RACECHECK: 0 errors, 1 warning",
    ];
    assert_reported(&run, 0, &parts);
    let run = check("half_a_barrier", 4, 32, &[]);
    let parts = [
        "warning[warp_synchronous]: line 34: write after read between lanes of a warp: lockstep only",
        "RACECHECK: 0 errors, 1 warning",
    ];
    assert_reported(&run, 0, &parts);
}

#[test]
fn blocks_race_unless_they_write_the_same() {
    let parts = [
        "error[write_after_write]: line 79: write after write between blocks",
        "info[same_value]: line 81: write after write between blocks: always the same value",
        "byte 4 of `out`",
        "RACECHECK: 1 error, 1 info",
    ];
    assert_reported(&check("one_word", 2, 1, &[]), 1, &parts);
    assert_reported(&check("one_word", 1, 64, &[]), 0, &["RACECHECK: 0 errors, 4 infos"]);
}

/// `a[0] = a[0] + 1` by several threads, of one warp, of two and of two blocks.
///
/// Tests: `lost-updates`.
#[test]
fn lost_updates_are_races_that_only_an_atomic_prevents() {
    let help = ["A barrier does not help", "use an atomic"];
    for (grid, block, between) in [
        (1, 32, "error[lost_update]: line 92: lost update between lanes of a warp"),
        (1, 64, "error[lost_update]: line 92: lost update between warps"),
        (2, 1, "error[lost_update]: line 92: lost update between blocks"),
    ] {
        let run = check("increments", grid, block, &[]);
        assert_reported(&run, 1, &[between, help[0], help[1], "RACECHECK: 1 error\n"]);
        assert!(!run.stdout.contains("`bar.sync`"), "{}", run.stdout);
    }
    // A barrier between the load and the store does not help, although all threads store the same
    // value.
    for (grid, block) in [(1, 32), (1, 64), (2, 1)] {
        let run = check("increments_apart", grid, block, &[]);
        assert_reported(&run, 1, &["line 104: lost update", help[0], help[1]]);
        assert!(!run.stdout.contains("same_value") && !run.stdout.contains("`bar.sync`"), "{}", run.stdout);
    }
    insta::assert_snapshot!("lost_update", check("increments", 1, 32, &[]).stdout);
    let json = check("increments", 1, 32, &["--json", "-"]).stdout;
    let document: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(document["runs"][0]["checks"]["findings"][0]["kind"], "lost_update");
}

/// Tests: `lost-updates`.
#[test]
fn accesses_without_a_lost_update_keep_their_severity() {
    // The warp's lockstep orders whole updates.
    assert_reported(&check("in_turn", 1, 32, &[]), 0, &["RACECHECK: 0 errors, "]);
    // The stored value is not computed from the loaded value.
    let run = check("sets_a_flag", 1, 32, &[]);
    assert_reported(&run, 0, &["info[same_value]", "0 errors, 1 warning, 1 info"]);
    // The words are different, so a barrier helps.
    let run = check("adds_the_next", 1, 64, &[]);
    assert_reported(&run, 1, &["write after read between warps", "add a `bar.sync` before line "]);
    assert!(!run.stdout.contains("lost") && !run.stdout.contains("atomic"), "{}", run.stdout);
}

#[test]
fn the_report_as_json_has_the_hazards() {
    let run = check("no_barrier", 1, 64, &["--json", "-"]);
    assert_eq!(run.code, Some(1), "{}", run.stderr);
    let document: serde_json::Value = serde_json::from_str(&run.stdout).expect("JSON");
    let checks = &document["runs"][0]["checks"];
    assert_eq!((&checks["errors"], &checks["race"]["more"]), (&1.into(), &0.into()));
    let finding = &checks["findings"][0];
    assert_eq!((&finding["check"], &finding["kind"]), (&"race".into(), &"read_after_write".into()));
    assert_eq!(finding["advice"], serde_json::json!({ "kind": "barrier", "before": 15 }));
    let pair = &finding["race"]["pairs"][0];
    assert_eq!((&pair["hazard"], &pair["between"]), (&"RAW".into(), &"warps".into()));
    assert_eq!((&pair["first"]["line"], &pair["second"]["line"]), (&14.into(), &15.into()));
    assert_eq!(pair["memory"]["object"]["name"], "cells");
    assert_eq!((&finding["memory"]["space"], &finding["memory"]["address"]), (&"shared".into(), &128.into()));
}

/// A kernel with races is never reported as correct, and no line is too long.
#[test]
fn races_are_reported_in_short_lines() {
    let run = warpsim("run mri-fhd-racing --size 4 --racecheck");
    assert_eq!(run.code, Some(1), "{}", run.stderr);
    assert!(run.stdout.lines().all(|l| l.chars().count() <= 100 && l == l.trim_end()), "{}", run.stdout);
    assert!(
        run.stdout.contains("error[lost_update]")
            && run.stdout.contains("349")
            && !run.stdout.contains("right")
    );
}

#[test]
fn built_in_kernels_have_no_races() {
    for kernel in ["matmul-tiled --size 48", "reduce-interleaved --size 1500"] {
        let run = warpsim(&format!("run {kernel} --racecheck"));
        assert_reported(&run, 0, &["PASSED", "RACECHECK: 0 errors\n"]);
    }
}
