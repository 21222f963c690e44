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
    assert_eq!(stderr.contains("error: races found"), code == 1, "{stderr}");
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
            "error[read_after_write]: read after write between warps, lines 14 and 15: no barrier between them",
            "RACECHECK: 1 race,",
        ],
    );
    insta::assert_snapshot!("race", run.stdout);
    let run = check("half_a_barrier", 1, 64, &[]);
    assert_reported(
        &run,
        1,
        &[
            "error[write_after_read]: write after read between warps, lines 36 and 34: no barrier between them",
            "RACECHECK: 1 race,",
        ],
    );
    let run = check("barriers", 1, 64, &[]);
    assert_reported(&run, 0, &["RACECHECK: 0 races, 0 warp-synchronous, 0 of the same value"]);
    assert!(!run.stdout.contains("hazard"), "{}", run.stdout);
}

/// Tests: `races-are-found`.
#[test]
fn accesses_ordered_by_a_warp_are_not_races() {
    let run = check("no_barrier", 1, 32, &[]);
    let parts = [
        "hint[warp_synchronous]: read after write between lanes of a warp, lines 14 and 15: lockstep only",
        "RACECHECK: 0 races, 1 warp-synchronous",
    ];
    assert_reported(&run, 0, &parts);
    let run = check("half_a_barrier", 4, 32, &[]);
    let parts = [
        "hint[warp_synchronous]: write after read between lanes of a warp, lines 36 and 34: lockstep only",
        "RACECHECK: 0 races, 1 warp-synchronous",
    ];
    assert_reported(&run, 0, &parts);
}

#[test]
fn blocks_race_unless_they_write_the_same() {
    let parts = [
        "error[write_after_write]: write after write between blocks, line 79: not ordered",
        "note[same_value]: write after write between blocks, line 81: always the same value",
        "byte 4 of `out`",
        "RACECHECK: 1 race, 0 warp-synchronous, 1 of the same value",
    ];
    assert_reported(&check("one_word", 2, 1, &[]), 1, &parts);
    assert_reported(
        &check("one_word", 1, 64, &[]),
        0,
        &["RACECHECK: 0 races, 0 warp-synchronous, 4 of the same value"],
    );
}

/// `a[0] = a[0] + 1` by several threads, of one warp, of two and of two blocks.
///
/// Tests: `lost-updates`.
#[test]
fn lost_updates_are_races_that_only_an_atomic_prevents() {
    let help = ["A barrier does not help", "use an atomic"];
    for (grid, block, between) in [
        (1, 32, "lost update between lanes of a warp, lines 90 and 92: updates are lost"),
        (1, 64, "lost update between warps, lines 90 and 92: updates can be lost"),
        (2, 1, "lost update between blocks, lines 90 and 92: updates can be lost"),
    ] {
        let run = check("increments", grid, block, &[]);
        assert_reported(&run, 1, &[between, help[0], help[1], "RACECHECK: 1 race, ", " 0 of the same value"]);
        assert!(!run.stdout.contains("`bar.sync`"), "{}", run.stdout);
    }
    // A barrier between the load and the store does not help, although all threads store the same
    // value.
    for (grid, block) in [(1, 32), (1, 64), (2, 1)] {
        let run = check("increments_apart", grid, block, &[]);
        assert_reported(&run, 1, &["104: updates", help[0], help[1], " 0 of the same value"]);
        assert!(!run.stdout.contains("0 races") && !run.stdout.contains("`bar.sync`"), "{}", run.stdout);
    }
    insta::assert_snapshot!("lost_update", check("increments", 1, 32, &[]).stdout);
    let json = check("increments", 1, 32, &["--json", "-"]).stdout;
    let document: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(document["runs"][0]["races"]["hazards"][0]["lost_update"], true);
}

/// Tests: `lost-updates`.
#[test]
fn accesses_without_a_lost_update_keep_their_severity() {
    // The warp's lockstep orders whole updates.
    assert_reported(&check("in_turn", 1, 32, &[]), 0, &["RACECHECK: 0 races, 3 warp-synchronous"]);
    // The stored value is not computed from the loaded value.
    let run = check("sets_a_flag", 1, 32, &[]);
    assert_reported(&run, 0, &["note[same_value]", "1 of the same value"]);
    // The words are different, so a barrier helps.
    let run = check("adds_the_next", 1, 64, &[]);
    assert_reported(&run, 1, &["write after read between warps", "add a `bar.sync` after line "]);
    assert!(!run.stdout.contains("lost") && !run.stdout.contains("atomic"), "{}", run.stdout);
}

#[test]
fn the_report_as_json_has_the_hazards() {
    let run = check("no_barrier", 1, 64, &["--json", "-"]);
    assert_eq!(run.code, Some(1), "{}", run.stderr);
    let document: serde_json::Value = serde_json::from_str(&run.stdout).expect("JSON");
    let races = &document["runs"][0]["races"];
    assert_eq!((&races["races"], &races["more"]), (&1.into(), &0.into()));
    let hazard = &races["hazards"][0];
    for (field, want) in [("kind", "RAW"), ("severity", "race"), ("between", "warps"), ("space", "shared")] {
        assert_eq!(hazard[field], want, "{field}");
    }
    assert_eq!((&hazard["first"]["line"], &hazard["second"]["line"]), (&14.into(), &15.into()));
    assert_eq!(hazard["variable"], serde_json::json!(["cells", 128]));
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
        assert_reported(&run, 0, &["PASSED", "RACECHECK: 0 races, 0 warp-synchronous, 0 of the same value"]);
    }
}
