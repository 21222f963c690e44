//! `warpsim explore` on the kernels of `examples/explore`: each has a mistake that plain runs do
//! not show and that some schedule shows, and a repaired version with one result under all
//! schedules.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use test_support::workspace::root;

/// How a mistake shows.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shows {
    /// As a wrong result.
    Wrong,
    Hang,
}

/// A kernel: its name, how its mistake shows, and whether the mistake needs requests that overtake
/// each other, so that it does not show if every access takes effect at once.
const KERNELS: [(&str, Shows, bool); 22] = [
    ("aba", Shows::Wrong, false),
    ("append", Shows::Wrong, false),
    ("chained_scan", Shows::Wrong, true),
    ("dekker", Shows::Wrong, true),
    ("double_checked", Shows::Wrong, true),
    ("exchange", Shows::Wrong, false),
    ("flag_reset", Shows::Wrong, false),
    ("float_sum", Shows::Wrong, false),
    ("histogram", Shows::Wrong, false),
    ("last_block", Shows::Wrong, true),
    ("lock_order", Shows::Hang, false),
    ("lost_update", Shows::Wrong, false),
    ("missed_barrier", Shows::Hang, false),
    ("peterson", Shows::Wrong, true),
    ("publish", Shows::Wrong, true),
    ("ring", Shows::Wrong, true),
    ("second_phase", Shows::Wrong, false),
    ("seqlock", Shows::Wrong, true),
    ("spin_lock", Shows::Wrong, true),
    ("stale_max", Shows::Wrong, false),
    ("ticket_lock", Shows::Wrong, true),
    ("warp_reduction", Shows::Wrong, false),
];

fn warpsim(arguments: &[&str]) -> (Option<i32>, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_warpsim"));
    let Output { status, stdout, stderr } =
        command.args(arguments).current_dir(root()).output().expect("the program starts");
    (status.code(), String::from_utf8_lossy(&[stdout, stderr].concat()).into_owned())
}

/// Runs a command on a kernel of `examples/explore`.
fn on(command: &str, name: &str, options: &[&str]) -> (Option<i32>, String) {
    let (source, launch) = (format!("examples/explore/{name}.cu"), format!("examples/explore/{name}.ron"));
    let words = [command, &source, "--launch", &launch, "--chip", "gt200"];
    warpsim(&[&words, options].concat())
}

fn scratch(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("explore");
    std::fs::create_dir_all(&folder).expect("a scratch folder");
    folder.join(name)
}

#[test]
fn plain_runs_show_none_of_the_mistakes() {
    for (name, ..) in KERNELS {
        for options in [&["--functional"][..], &[]] {
            let (code, output) = on("run", name, options);
            assert_eq!(code, Some(0), "{name} {options:?}: {output}");
        }
    }
}

#[test]
fn some_schedule_shows_each_mistake() {
    for (name, shows, _) in KERNELS {
        let (code, output) = on("explore", name, &[]);
        assert_eq!(code, Some(1), "{name}: {output}");
        let wanted = match shows {
            Shows::Wrong => "  wrong\n",
            Shows::Hang => "  hang\n",
        };
        assert!(output.contains(wanted) && output.contains("  as expected\n"), "{name}: {output}");
    }
}

#[test]
fn repaired_kernels_have_one_result_under_all_schedules() {
    for (name, ..) in KERNELS {
        let (code, output) = on("explore", name, &["-D", "FIXED"]);
        assert_eq!(code, Some(0), "{name}: {output}");
        assert!(output.contains(": exhaustive\n") && output.contains("1 outcome\n"), "{name}: {output}");
    }
}

#[test]
fn a_missing_fence_shows_only_if_requests_overtake_each_other() {
    for (name, _, needs_late) in KERNELS {
        let (code, output) = on("explore", name, &["--order", "sequential"]);
        assert_eq!(code, Some(i32::from(!needs_late)), "{name}: {output}");
        assert!(output.contains(": exhaustive\n"), "{name}: {output}");
    }
}

#[test]
fn drawn_schedules_show_mistakes_and_are_the_same_for_a_seed() {
    for mode in ["random", "pct"] {
        for name in ["publish", "lost_update", "lock_order", "histogram"] {
            let drawn = || on("explore", name, &["--mode", mode, "--seed", "7"]);
            let (code, output) = drawn();
            assert_eq!(code, Some(1), "{mode} {name}: {output}");
            assert!(output.contains("1000 schedules") || output.contains("1,000 schedules"), "{output}");
            assert_eq!(drawn().1, output, "{mode} {name}");
        }
    }
}

#[test]
fn a_written_schedule_has_its_outcome_again() {
    for (name, shows, _) in KERNELS {
        let file = scratch(&format!("{name}.schedule"));
        let path = file.to_str().expect("a path");
        let (code, output) = on("explore", name, &["--out", path]);
        assert_eq!(code, Some(1), "{name}: {output}");
        let (code, output) = on("explore", name, &["--replay", path]);
        assert_eq!(code, Some(1), "{name}: {output}");
        let end = match shows {
            Shows::Wrong => "elements are wrong",
            Shows::Hang => "can never continue",
        };
        assert!(output.contains(end), "{name}: {output}");
        // A launch that hangs stops first.
        let script = scratch("to-the-end.dbg");
        let commands = "stepi\nstepi\nreverse-stepi\ncontinue\nreverse-stepi\ncontinue\ncontinue\n";
        std::fs::write(&script, commands).expect("the folder is writable");
        let script = script.to_str().expect("a path");
        let (code, output) = on("debug", name, &["--replay", path, "--batch", "-x", script]);
        assert_eq!(code, Some(1), "{name}: {output}");
        assert!(output.contains(end), "{name}: {output}");
    }
}

#[test]
fn limits_are_said() {
    let (_, output) = on("explore", "aba", &["--schedules", "10"]);
    assert!(output.contains("not exhaustive: stopped at the limit of schedules"), "{output}");
    let (_, output) = on("explore", "lost_update", &["--order", "sequential", "--preemptions", "0"]);
    assert!(output.contains("with at most 0 preemptions, not exhaustive"), "{output}");
    let (code, output) = on("explore", "publish", &["--actions", "2"]);
    assert_eq!(code, Some(4), "{output}");
    assert!(output.contains("longer than 2 actions"), "{output}");
}

#[test]
fn the_document_has_the_outcomes_and_the_races() {
    let (code, output) = on("explore", "publish", &["--json", "-"]);
    assert_eq!(code, Some(1), "{output}");
    let document: serde_json::Value = serde_json::from_str(&output).expect("JSON");
    assert_eq!(document["exhaustive"], true);
    let outcomes = document["outcomes"].as_array().expect("a list");
    let values: Vec<_> = outcomes.iter().map(|one| one["values"]["out[0]"].as_str()).collect();
    assert_eq!(values, [Some("42"), Some("0")]);
    let schedules: u64 = outcomes.iter().filter_map(|one| one["schedules"].as_u64()).sum();
    assert_eq!(document["schedules"], schedules);
}

#[test]
fn data_races_are_listed_with_both_lines() {
    let (_, output) = on("explore", "lost_update", &[]);
    let race = "counter[0]: line lost_update.cu:10 reads (1:0), line lost_update.cu:10 writes (0:0)";
    assert!(output.contains(race), "{output}");
    let (_, output) = on("explore", "lost_update", &["-D", "FIXED"]);
    assert!(output.contains("0 data races"), "{output}");
}

/// In all orders: of one block, and of several blocks.
#[test]
fn warps_of_one_block_race_on_global_memory() {
    for order in ["words", "partitions", "sequential"] {
        let (code, output) = on("explore", "mirror", &["--order", order]);
        assert_eq!(code, Some(0), "{order}: {output}");
        let race = "o[32]: line 8 writes (0:1), line 12 reads (0:0)";
        assert!(
            output.contains("all 3 inequivalent schedules") && output.contains(race),
            "{order}: {output}"
        );
        let (code, output) = on("explore", "mirror", &["--order", order, "-D", "FIXED"]);
        assert_eq!((code, output.contains("0 data races")), (Some(0), true), "{order}: {output}");
        let (code, output) = on("explore", "exchange", &["--order", order]);
        assert_eq!(code, Some(1), "{order}: {output}");
        // The accesses of the first block or of the second one are shown.
        let race = |block| format!("]: line 8 writes ({block}:0), line 13 reads ({block}:1)\n");
        let is_shown = (0..2).any(|block| output.contains(&race(block)));
        assert!(output.contains("\n1 data race\n") && is_shown, "{order}: {output}");
    }
}

/// A waiting loop that reads the same again has no further schedule.
#[test]
fn equal_reads_of_a_waiting_loop_count_once() {
    for (blocks, block) in [(2, 32), (3, 32), (4, 32), (1, 64), (1, 96), (1, 128)] {
        let launch = scratch(&format!("wait-{blocks}-{block}.ron"));
        let text = format!(
            "(entry: \"wait\", grid: {blocks}, block: {block}, params: {{ flag: buf(\"flag\"), out: buf(\"out\") }}, \
             buffers: {{ \"flag\": (type: s32, len: 1), \"out\": (type: s32, len: 8) }})"
        );
        std::fs::write(&launch, text).expect("the folder is writable");
        let launch = launch.to_str().expect("a path");
        let words = ["explore", "examples/explore/wait.cu", "--launch", launch, "--chip", "gt200"];
        let (code, output) = warpsim(&words);
        assert_eq!(code, Some(0), "{output}");
        let once = output.contains("all 1 inequivalent schedule: exhaustive");
        assert!(once && output.contains("0 data races"), "{blocks} {block}: {output}");
    }
}

/// Conditions as herd7 writes them, on message passing without and with the fence.
#[test]
fn conditions_are_tested_at_the_end_of_each_schedule() {
    let launch = scratch("publish-free.ron");
    let text = std::fs::read_to_string(root().join("examples/explore/publish.ron")).expect("the launch file");
    let (text, _) = text.split_once("    expect:").expect("expectations");
    std::fs::write(&launch, format!("{text})")).expect("the folder is writable");
    let launch = launch.to_str().expect("a path");
    let asserted = |conditions: &[&str], more: &[&str]| {
        let mut words = vec!["explore", "examples/explore/publish.cu", "--launch", launch, "--chip", "gt200"];
        words.extend(conditions.iter().flat_map(|condition| ["--assert", condition]));
        words.extend(more);
        warpsim(&words)
    };
    let fixed = ["-D", "FIXED"];
    for (condition, is_free, is_fixed) in [
        ("exists (flag=1 /\\ out=0)", true, false),
        ("~exists (flag=1 /\\ out=0)", false, true),
        ("forall ([out]=42 \\/ out[0]=0)", true, true),
        ("forall (not (out=0))", false, true),
        ("data[0] + flag == 43", true, true),
    ] {
        for (holds, more) in [(is_free, &[][..]), (is_fixed, &fixed[..])] {
            let (code, output) = asserted(&[condition], more);
            assert_eq!(code, Some(i32::from(!holds)), "{condition} {more:?}: {output}");
            let verb = if holds { "holds: true in" } else { "does not hold: true in" };
            assert!(output.contains(&format!("condition `{condition}` {verb}")), "{output}");
        }
    }
    let (code, output) = asserted(&["forall (true)", "exists (out=0)"], &["--json", "-"]);
    let document: serde_json::Value = serde_json::from_str(&output).expect("JSON");
    let outcomes: Vec<_> = document["conditions"].as_array().expect("a list").iter().collect();
    assert_eq!((code, outcomes.len(), &outcomes[0]["holds"]), (Some(0), 2, &true.into()), "{output}");
    let (code, output) = asserted(&["exists (0:r1=0)"], &[]);
    assert_eq!(code, Some(2), "{output}");
    assert!(output.contains("error: --assert `exists (0:r1=0)`: expected `)`, found `:`"), "{output}");
    // Without conditions, several outcomes are a failure.
    assert_eq!(asserted(&[], &[]).0, Some(1));
}

#[test]
fn bad_input_is_refused() {
    let refused = |arguments: &[&str], message: &str| {
        let (code, output) = warpsim(arguments);
        assert_eq!(code, Some(2), "{arguments:?}: {output}");
        assert!(output.contains(message), "{arguments:?}: {output}");
    };
    refused(&["explore", "vecadd"], "the built-in kernel `vecadd` cannot be explored");
    refused(&["debug", "vecadd", "--order", "words"], "--replay <FILE>");
    refused(
        &["debug", "examples/programs/vecadd.cu", "--replay", "examples/explore/last_block.schedule"],
        "at most 64 can be interleaved",
    );
    let vecadd = ["explore", "kernels/ptx/vecadd.ptx", "--launch", "kernels/launch/vecadd.ron"];
    refused(&[&vecadd[..], &["--result", "d"]].concat(), "the launch file has no buffer of this name");
    refused(
        &["explore", "kernels/ptx/matmul_tiled.ptx", "--launch", "kernels/launch/matmul_tiled.ron"],
        "the launch has 128 warps; at most 64 can be interleaved",
    );
    refused(
        &[
            "explore",
            "kernels/ptx/vecadd.ptx",
            "--launch",
            "kernels/launch/vecadd_streams.ron",
            "--chip",
            "gt200",
        ],
        "the launch file has a list of calls",
    );
    for (text, message) in [
        ("0:0 what", "`what` is not a word of a schedule"),
        ("0:0x99999999999", "is not a word of a schedule"),
        ("0:0x16777217", "the schedule is too long"),
        ("7:0", "word 1, `7:0`: the launch has no such warp"),
        ("0:0x1000", "word 1, `0:0x1000`: the warp has no step here"),
        ("0:0!5", "word 1, `0:0!5`: the request cannot take effect here"),
    ] {
        let file = scratch("bad.schedule");
        std::fs::write(&file, text).expect("the folder is writable");
        for command in ["explore", "debug"] {
            let (code, output) = on(command, "publish", &["--replay", file.to_str().expect("a path")]);
            assert_eq!(code, Some(2), "{text}: {output}");
            assert!(output.contains(message), "{text}: {output}");
        }
    }
    let file = scratch("short.schedule");
    std::fs::write(&file, "0:0").expect("the folder is writable");
    let path = file.to_str().expect("a path");
    let (code, output) = on("debug", "publish", &["--replay", path]);
    assert_eq!(code, Some(2), "{output}");
    assert!(output.contains("the schedule ends before the launch"), "{output}");
    let (code, output) = on("explore", "publish", &["--show", "9"]);
    assert_eq!(code, Some(2), "{output}");
    assert!(output.contains("outcome 9 does not exist"), "{output}");
}
