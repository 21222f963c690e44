//! The commands of warpsim with the policies of this crate.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use tempfile::TempDir;

/// Runs a command of the program in a folder. Returns its exit code, and both outputs.
fn warpsim_in(folder: &Path, words: &[&str]) -> (i32, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_own-scheduler"));
    let output = command.args(words).current_dir(folder).stdin(Stdio::null()).output();
    let Output { status, stdout, stderr } = output.expect("the program starts");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (status.code().expect("it exits"), text(&stdout), text(&stderr))
}

/// The standard output of a command that succeeds.
fn printed(words: &[&str]) -> String {
    printed_in(Path::new("."), words)
}

fn printed_in(folder: &Path, words: &[&str]) -> String {
    let (code, stdout, stderr) = warpsim_in(folder, words);
    assert_eq!(code, 0, "{words:?}: {stdout}{stderr}");
    stdout
}

/// The messages of a command that refuses its input.
fn refused(words: &[&str]) -> String {
    let (code, stdout, stderr) = warpsim_in(Path::new("."), words);
    assert_eq!(code, 2, "{words:?}: {stdout}{stderr}");
    stderr
}

fn has(text: &str, parts: &[&str]) {
    for part in parts {
        assert!(text.contains(part), "no `{part}` in: {text}");
    }
}

const MINE: &str = "sm.scheduler=memory_first(patience: 4)";

#[test]
fn run_names_the_policy_in_all_reports() {
    let vecadd = ["run", "vecadd", "--size", "512"];
    let run = |more: &[&str]| printed(&[&vecadd, more].concat());
    has(&run(&["--details=all", "--set", MINE]), &["memory_first(patience: 4): a policy that this program"]);
    has(&run(&["--json", "-", "--set", MINE]), &[r#""policy": "memory_first(patience: 4)""#]);
    has(
        &run(&["--json", "-", "--set", "sm.scheduler=memory_first"]),
        &[r#""policy": "memory_first(patience: 16)""#],
    );
    has(&run(&["--json", "-", "--set", "scheduler=youngest_first"]), &[r#""policy": "youngest_first""#]);
    let set = ["--set", "sm.scheduler=memory_first", "--set", "sm.scheduler=memory_first(patience: 3)"];
    has(
        &run(&[&["--json", "-"], &set[..], &["--set", "sm.scheduler.patience=7"]].concat()),
        &["(patience: 7)"],
    );
}

/// The policy of a chip file, in the file and in the commands that show chips.
#[test]
fn a_chip_file_has_the_policy() {
    let folder = TempDir::new().expect("a temporary folder");
    let chip = r#"(base: "g80", name: "mine", sm: (scheduler: memory_first(patience: 9)))"#;
    fs::write(folder.path().join("mine.ron"), chip).expect("the chip is written");
    let printed = |words: &[&str]| printed_in(folder.path(), words);
    has(
        &printed(&["run", "vecadd", "--size", "64", "--chip", "mine.ron", "--json", "-"]),
        &["(patience: 9)"],
    );
    let values = ["--set", "sm.scheduler.patience=1,2,4"];
    let rows = printed(&[&["sweep", "vecadd", "--size", "256", "--chip", "mine.ron"], &values[..]].concat());
    assert_eq!(rows.lines().filter(|line| line.contains("finished")).count(), 3, "{rows}");
    has(&printed(&["config", "check", "mine.ron"]), &["mine.ron"]);
    has(&printed(&["config", "show", "mine.ron"]), &["memory_first(patience: 9)"]);
    has(
        &printed(&["config", "explain", "sm.scheduler", "mine.ron"]),
        &["memory_first(patience: 9)", "youngest_first", "memory_first(patience: n)", "two_level(active: n)"],
    );
    has(&printed(&["config", "schema"]), &["\"youngest_first\"", "\"memory_first\"", "\"patience\""]);
}

#[test]
fn wrong_names_and_parameters_are_refused() {
    let set = |text: &str| refused(&["run", "vecadd", "--set", text]);
    has(
        &set("sm.scheduler=memory_frist"),
        &[
            "error[E0507]: unknown value `memory_frist` for sm.scheduler",
            "expected one of: lrr, oldest, gto, two_level, priority, random, youngest_first, memory_first",
            "did you mean `memory_first`?",
        ],
    );
    has(&set("sm.scheduler=memory_first(patience: 1000001)"), &["patience is out of range: 1000001"]);
    has(
        &set("sm.scheduler=memory_first(patients: 1)"),
        &["unknown field `patients`", "did you mean `patience`?"],
    );
    has(&set("sm.scheduler=youngest_first(patience: 1)"), &["unknown field `patience`"]);
}

#[test]
fn trace_sweep_compare_and_pictures_use_the_policy() {
    let trace = |policy: &str| {
        printed(&[
            "trace",
            "matmul-naive",
            "--size",
            "32",
            "--warp",
            "all",
            "--set",
            &format!("scheduler={policy}"),
        ])
    };
    assert_ne!(trace("youngest_first"), trace("lrr"), "another warp issues");

    let list = "sm.scheduler=lrr,youngest_first,memory_first(patience: 1),memory_first";
    let rows = printed(&["sweep", "vecadd", "--size", "256", "--set", list]);
    has(&rows, &["lrr", "youngest_first", "memory_first(patience: 1)"]);
    assert_eq!(rows.lines().filter(|line| line.contains("finished")).count(), 4, "{rows}");
    let compared = printed(&[
        "compare", "--", "run", "vecadd", "--size", "256", "--", "run", "vecadd", "--size", "256", "--set",
        MINE,
    ]);
    has(&compared, &["memory_first(patience: 4)"]);

    let folder = TempDir::new().expect("a temporary folder");
    let drawn = ["picture", "timeline", "vecadd", "--size", "256", "--set", MINE, "--svg", "a.svg"];
    printed_in(folder.path(), &drawn);
    has(&fs::read_to_string(folder.path().join("a.svg")).expect("it is drawn"), &["<svg"]);
}

/// Claims that depend on the policy are evaluated with it.
#[test]
fn book_uses_the_policy() {
    let text =
        |set: &str| warpsim_in(Path::new("."), &["book", "PERF-01", "--set", set, "--format", "json"]).1;
    let (plain, mine) = (text("sm.scheduler=lrr"), text("sm.scheduler=youngest_first"));
    has(&mine, &["PERF-01", "youngest_first"]);
    assert_ne!(plain, mine);
}

/// A step back returns to the same state: the history has copies of the policies.
#[test]
fn the_debugger_goes_back() {
    let folder = TempDir::new().expect("a temporary folder");
    let script =
        "cycle 40\ninfo warps\ncycle 200\ninfo warps\nreverse-cycle 200\ninfo warps\ncycle 200\ninfo warps\n";
    fs::write(folder.path().join("a.dbg"), script).expect("the script is written");
    let words = ["debug", "matmul-naive", "--size", "32", "--batch", "-x", "a.dbg", "--set", MINE];
    let shown = printed_in(folder.path(), &words);
    let answers: Vec<&str> = shown.split("(warpsim) info warps").skip(1).collect();
    let answers: Vec<&str> = answers.iter().filter_map(|text| text.split("(warpsim)").next()).collect();
    assert_eq!(answers.len(), 4, "{shown}");
    assert!(answers[0] != answers[1] && answers[0] == answers[2], "{shown}");
    assert_eq!(answers[1].split("[End").next(), answers[3].split("[End").next(), "{shown}");
}

#[test]
fn a_state_with_the_policy_cannot_be_saved() {
    let folder = TempDir::new().expect("a temporary folder");
    let words =
        ["run", "vecadd", "--size", "512", "--save-state", "a.state", "--at-cycle", "100", "--set", MINE];
    let (code, _, stderr) = warpsim_in(folder.path(), &words);
    assert_ne!(code, 0);
    has(&stderr, &["a launch with a policy that is not built in cannot be saved or loaded"]);
    assert!(!folder.path().join("a.state").exists());
}

/// The results of an experiment: found again by the same program, and not by another one.
#[test]
fn results_of_another_program_are_not_used() {
    let folder = TempDir::new().expect("a temporary folder");
    let text = r#"(
        kernels: [(kernel: "vecadd", sizes: [256])],
        factors: [(name: "policy", vary: chip("sm.scheduler"), values: [lrr, youngest_first, memory_first(patience: 2)])],
        metrics: ["cycles"],
    )"#;
    fs::write(folder.path().join("a.ron"), text).expect("the experiment is written");
    let dry = |program: &Path| {
        let output = Command::new(program)
            .args(["experiment", "a.ron", "--dry-run"])
            .current_dir(folder.path())
            .output();
        let Output { stdout, stderr, .. } = output.expect("it starts");
        String::from_utf8_lossy(&[stdout, stderr].concat()).into_owned()
    };
    let run = || {
        let (code, stdout, stderr) = warpsim_in(folder.path(), &["experiment", "a.ron", "--out", "-"]);
        assert_eq!(code, 0, "{stdout}{stderr}");
        stdout
    };
    let rows = run();
    has(&rows, &["youngest_first", "memory_first(patience: 2)"]);
    assert_eq!(run(), rows);
    let program = Path::new(env!("CARGO_BIN_EXE_own-scheduler"));
    has(&dry(program), &["3 different runs, 0 to simulate"]);

    // The same program with another byte at its end has another digest.
    let other = folder.path().join("other");
    fs::copy(program, &other).expect("the program is a file");
    let mut file = fs::OpenOptions::new().append(true).open(&other).expect("the copy can be changed");
    file.write_all(&[0]).expect("a byte is added");
    drop(file);
    has(&dry(&other), &["3 different runs, 2 to simulate"]);
}

/// A native program simulates its GPU in another process, which has no such policy.
#[test]
fn exec_refuses_the_policy() {
    has(
        &refused(&["exec", "--set", MINE, "--", "true"]),
        &["sm.scheduler is memory_first(patience: 4), which only this program has", "help: `run FILE.cu`"],
    );
}

/// CUDA C with its host code runs in this process.
#[test]
fn a_cuda_c_program_uses_the_policy() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../programs/vecadd.cu");
    let source = source.to_str().expect("the path is text");
    let folder = TempDir::new().expect("a temporary folder");
    let words = ["run", source, "--compiler", "embedded", "--json", "a.json", "--set", MINE];
    let (code, stdout, stderr) = warpsim_in(folder.path(), &words);
    assert_eq!(code, 0, "{stdout}{stderr}");
    let report = fs::read_to_string(folder.path().join("a.json")).unwrap_or(stdout);
    has(&report, &["memory_first(patience: 4)"]);
}
