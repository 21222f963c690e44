//! Tests of the engines of clusters: `hyperqueue` with a real server and two workers, `slurm` with
//! a real cluster of one node, and here with an `hq` that loses tasks.

mod hyperqueue;
mod slurm;

use crate::common::{Run, command, scratch};
use crate::experiment::results;
use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Child;
use std::time::{Duration, Instant};

/// An experiment of 48 points, each of which takes some ten milliseconds.
const FILE: &str = r#"(
    kernels: [(kernel: "vecadd", size: 20000), (kernel: "matmul-tiled", size: 64)],
    chips: ["g80", "gt200"],
    factors: [
        (vary: chip("sm.max_blocks"), values: [4, 8]),
        (name: "policy", vary: chip("sm.scheduler"), values: [lrr, gto]),
        (name: "latency", vary: chip("crossbar.latency"), range: (60, 100, 20)),
    ],
    metrics: ["cycles", "ipc", "thread_inst_executed"],
)"#;

/// Points of [`FILE`].
const POINTS: usize = 2 * 2 * 2 * 2 * 3;

/// An experiment in a folder, and the cluster on which it runs.
struct Experiment {
    folder: PathBuf,
    /// Variables of the programs.
    variables: Vec<(String, PathBuf)>,
    engine: &'static str,
    /// Host time of a batch.
    seconds: &'static str,
}

impl Experiment {
    fn new(name: &str, engine: &'static str) -> Self {
        let folder = scratch(name);
        fs::write(folder.join("file.ron"), FILE).expect("the folder is writable");
        Self { folder, variables: Vec::new(), engine, seconds: "0.2" }
    }

    /// Adds a program `name` with this text to the path of the programs.
    fn program(&mut self, name: &str, text: &str) {
        let bin = self.folder.join("bin");
        fs::create_dir_all(&bin).expect("created");
        fs::write(bin.join(name), text).expect("written");
        fs::set_permissions(bin.join(name), fs::Permissions::from_mode(0o755)).expect("executable");
        let path = std::env::var("PATH").expect("a path");
        let path = PathBuf::from(format!("{}:{path}", bin.display()));
        self.variables.push(("PATH".to_owned(), path));
    }

    fn path(&self, name: &str) -> String {
        self.folder.join(name).to_str().expect("UTF-8").to_owned()
    }

    /// Starts a run into `store`; small batches on the cluster, or the local engine.
    fn start(&self, store: &str, cluster: bool) -> Child {
        let (file, store) = (self.path("file.ron"), self.path(store));
        let mut arguments = vec!["experiment", &file, "--store", &store, "--out", "-"];
        if cluster {
            arguments.extend(["--engine", self.engine, "--batch-seconds", self.seconds]);
        }
        let mut command = command(&arguments);
        command.envs(self.variables.iter().cloned());
        command.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped());
        command.spawn().expect("the program starts")
    }

    fn run(&self, store: &str, cluster: bool) -> Run {
        ended(self.start(store, cluster))
    }

    /// Returns the rows of the local engine.
    fn straight(&self) -> String {
        let run = self.run("straight.sqlite", false);
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        run.stdout
    }

    /// Returns the folder of parts of a store.
    fn parts(&self, store: &str) -> PathBuf {
        self.folder.join(format!("{store}.parts"))
    }

    /// Waits until the first submission of a run has this number of parts.
    fn wait_for_parts(&self, run: &mut Child, store: &str, number: usize) {
        let folder = self.parts(store).join("0");
        let start = Instant::now();
        while files(&folder, ".sqlite").len() < number {
            let code = run.try_wait().expect("the run is a child");
            assert_eq!(code, None, "the run ends before it has {number} parts");
            assert!(start.elapsed() < Duration::from_mins(2), "no part arrives");
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Checks that a store has each result once, and that it is the whole experiment.
    fn is_whole(&self, store: &str, rows: &str) {
        let digests: BTreeSet<&str> = digests(rows).collect();
        assert_eq!(results(&self.folder.join(store)), Ok(digests.len()));
        assert_eq!(rows.lines().count(), 1 + POINTS);
    }
}

/// Iterates over the digests in rows, which are the last column.
fn digests(rows: &str) -> impl Iterator<Item = &str> {
    rows.lines().skip(1).map(|row| row.rsplit(',').next().expect("a column"))
}

/// Returns the names of the files of a folder that end with `end`; none if it does not exist.
fn files(folder: &Path, end: &str) -> Vec<String> {
    let entries = fs::read_dir(folder).into_iter().flatten();
    let names = entries.map(|entry| entry.expect("readable").file_name().to_string_lossy().into_owned());
    names.filter(|name| name.ends_with(end)).collect()
}

fn ended(child: Child) -> Run {
    let output = child.wait_with_output().expect("it ends");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
    Run { code: output.status.code(), stdout: text(output.stdout), stderr: text(output.stderr) }
}

/// An `hq` that runs the tasks of a submission one after another on this host. `$FAULT` is the
/// command that it runs before each task; if it fails, the task is lost.
const HQ: &str = r#"#!/bin/sh
home=$(dirname "$0")
case "$*" in
*" submit "*)
    while [ "$1" != -- ]; do
        if [ "$1" = --array ]; then last=${2#*-}; fi
        shift
    done
    shift
    echo x >>"$home/submissions"
    submission=$(wc -l <"$home/submissions")
    rm -f "$home/ended"
    (
        for HQ_TASK_ID in $(seq 0 "$last"); do
            export HQ_TASK_ID
            if FAULT; then "$@"; fi
        done
        touch "$home/ended"
    ) >/dev/null 2>&1 &
    echo 7
    ;;
*"job list"*)
    LIST
    if [ -e "$home/ended" ]; then echo '[]'; else echo '[{"id": 7}]'; fi
    ;;
esac
"#;

/// Tests: `clusters-lose-nothing`.
#[test]
fn lost_tasks_are_submitted_again() {
    let mut experiment = Experiment::new("cluster-lost", "hyperqueue");
    // The first submission loses two of three tasks, the second one half of them.
    let fault = r#"[ "$submission" -gt 2 ] || [ $((HQ_TASK_ID % (4 - submission))) = 0 ]"#;
    experiment.program("hq", &HQ.replace("FAULT", fault).replace("LIST", ""));
    let straight = experiment.straight();
    let Run { code, stdout, stderr } = experiment.run("cluster.sqlite", true);
    assert_eq!(code, Some(0), "{stderr}");
    assert_eq!(stdout, straight);
    assert!(stderr.contains("HyperQueue job 7: ") && stderr.contains("submission 2 left "), "{stderr}");
    experiment.is_whole("cluster.sqlite", &stdout);
    assert!(!experiment.parts("cluster.sqlite").exists(), "the folder of parts is removed");
}

#[test]
fn a_failed_point_is_a_result_of_its_task() {
    let mut experiment = Experiment::new("cluster-failed", "hyperqueue");
    experiment.program("hq", &HQ.replace("FAULT", "true").replace("LIST", ""));
    let file = FILE.replace("values: [4, 8]", "values: [4, 0]");
    fs::write(experiment.folder.join("file.ron"), file).expect("written");
    let (cluster, local) = (experiment.run("cluster.sqlite", true), experiment.run("local.sqlite", false));
    assert_eq!((cluster.code, &cluster.stdout), (Some(2), &local.stdout), "{}", cluster.stderr);
    assert!(cluster.stderr.ends_with("\n24 of 48 points failed: 24 bad_chip\n"), "{}", cluster.stderr);
    assert!(!cluster.stderr.contains("submission "), "{}", cluster.stderr);
}

/// A task that a scheduler stops in an orderly way keeps its finished points.
#[test]
fn a_terminated_task_writes_its_part() {
    let experiment = Experiment::new("cluster-terminated", "hyperqueue");
    let (file, part) = (experiment.path("file.ron"), experiment.folder.join("part.sqlite"));
    // No host ends the last of these three points before the signal.
    let text = r#"(
        kernels: [
            (kernel: "vecadd", size: 500), (kernel: "reduce-halving", size: 500),
            (kernel: "matmul-tiled", size: 4096),
        ],
        metrics: ["cycles"],
    )"#;
    fs::write(&file, text).expect("written");
    let out = part.to_str().expect("UTF-8");
    for seconds in [1, 4, 16, 64] {
        let mut task = command(&["experiment", &file, "--points", "0..2", "--part", out, "--jobs", "1"]);
        let mut task = task.spawn().expect("the program starts");
        std::thread::sleep(Duration::from_secs(seconds));
        let id = task.id().to_string();
        std::process::Command::new("kill").args(["-TERM", &id]).status().expect("kill exists");
        assert_eq!(task.wait().expect("it ends").code(), Some(143));
        // A slow host has done none of them.
        if results(&part) == Ok(2) {
            return;
        }
    }
    panic!("{:?} is not the two points that are finished", results(&part));
}

/// Tests: `clusters-lose-nothing`.
#[test]
fn a_cluster_that_loses_all_tasks_is_an_error() {
    let mut experiment = Experiment::new("cluster-dead", "hyperqueue");
    let fault = "echo no such program >\"$(dirname \"$2\")/$HQ_TASK_ID.err\" && false";
    experiment.program("hq", &HQ.replace("FAULT", fault).replace("LIST", ""));
    let Run { code, stderr, .. } = experiment.run("cluster.sqlite", true);
    assert_eq!(code, Some(2), "{stderr}");
    for part in [
        "batch 0: no such program",
        "error: 46 points have no result after several submissions",
        "46 points have no result; run the command again to continue",
    ] {
        assert!(stderr.contains(part), "{part} is not in {stderr}");
    }
    // The local engine continues with the two points that gave the times.
    let run = experiment.run("cluster.sqlite", false);
    assert!(run.stderr.contains(" 46 to simulate"), "{}", run.stderr);
    assert_eq!(run.stdout, experiment.straight());
}

/// Tests: `clusters-lose-nothing`.
#[test]
fn a_scheduler_that_does_not_answer_is_an_error_and_its_parts_are_kept() {
    let mut experiment = Experiment::new("cluster-mute", "hyperqueue");
    let list = "echo 'server is unreachable' >&2; exit 1";
    experiment.program("hq", &HQ.replace("FAULT", "[ $HQ_TASK_ID = 0 ]").replace("LIST", list));
    let Run { code, stdout, stderr } = experiment.run("cluster.sqlite", true);
    assert_eq!(code, Some(2), "{stderr}");
    assert!(stderr.contains("error: HyperQueue does not answer: `hq` failed"), "{stderr}");
    assert!(stderr.contains("server is unreachable"), "{stderr}");
    assert!(stdout.lines().filter(|row| row.contains(",finished,")).count() > 2, "{stdout}");
}

#[test]
fn a_killed_run_finds_its_parts() {
    let mut experiment = Experiment::new("cluster-killed", "hyperqueue");
    // Many small batches: the run is far from its end when the first parts exist, on any host.
    experiment.seconds = "0.03";
    experiment.program("hq", &HQ.replace("FAULT", "sleep 0.1").replace("LIST", ""));
    let mut run = experiment.start("cluster.sqlite", true);
    experiment.wait_for_parts(&mut run, "cluster.sqlite", 2);
    run.kill().expect("it runs");
    ended(run);
    // The tasks end without the run.
    let start = Instant::now();
    while !experiment.folder.join("bin/ended").exists() {
        assert!(start.elapsed() < Duration::from_mins(2), "the tasks do not end");
        std::thread::sleep(Duration::from_millis(20));
    }
    let again = experiment.run("cluster.sqlite", true);
    assert_eq!(again.code, Some(0), "{}", again.stderr);
    assert!(again.stderr.contains(" of an earlier run"), "{}", again.stderr);
    assert!(again.stderr.contains(" 0 to simulate"), "{}", again.stderr);
    assert_eq!(again.stdout, experiment.straight());
    experiment.is_whole("cluster.sqlite", &again.stdout);
}

#[test]
fn two_runs_do_not_share_a_folder_and_rules_stop_a_cluster() {
    let mut experiment = Experiment::new("cluster-two", "hyperqueue");
    experiment.program("hq", &HQ.replace("FAULT", "sleep 1").replace("LIST", ""));
    let mut first = experiment.start("cluster.sqlite", true);
    let start = Instant::now();
    while !experiment.parts("cluster.sqlite").join("0").exists() {
        assert!(start.elapsed() < Duration::from_mins(2), "the first run submits nothing");
        std::thread::sleep(Duration::from_millis(20));
    }
    let second = experiment.run("cluster.sqlite", true);
    assert_eq!(second.code, Some(2), "{}", second.stderr);
    assert!(second.stderr.contains("is in use by another run\nhelp: "), "{}", second.stderr);
    first.kill().expect("it runs");
    ended(first);

    let text = FILE.replace("metrics:", "stop: (points: 5),\n    metrics:");
    fs::write(experiment.folder.join("file.ron"), text).expect("written");
    let run = experiment.run("stopped.sqlite", true);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert!(run.stderr.contains("stopped by the rule `stop.points`: 43 points"), "{}", run.stderr);
}

#[test]
fn a_cluster_without_its_program_is_an_error() {
    let mut experiment = Experiment::new("cluster-none", "slurm");
    experiment.variables.push(("PATH".to_owned(), experiment.folder.clone()));
    let Run { code, stderr, .. } = experiment.run("cluster.sqlite", true);
    assert_eq!(code, Some(2), "{stderr}");
    assert!(stderr.contains("cannot submit to Slurm: the command `sbatch` is not in PATH"), "{stderr}");
    let local = crate::common::warpsim("experiment none.ron --engine-args x");
    assert_eq!(local.code, Some(2), "{}", local.stderr);
}
