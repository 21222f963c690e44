//! Slurm: a real cluster of one node.

use super::{Experiment, ended};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use test_support::tools::{Tool, say};

/// A cluster; ended at the end of a test.
struct Cluster(PathBuf);

/// Runs the script that starts and ends a cluster.
fn script(what: &str, folder: &Path) -> Output {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cluster/slurm");
    Command::new(script).arg(what).arg(folder).output().expect("the script starts")
}

impl Drop for Cluster {
    fn drop(&mut self) {
        script("stop", &self.0);
    }
}

/// Makes an experiment with a cluster; `None` if Slurm is not installed or cannot run here.
fn cluster(name: &str) -> Option<(Experiment, Cluster)> {
    if Tool::Slurm.is_missing(name) {
        return None;
    }
    let mut experiment = Experiment::new(name, "slurm");
    // Slurm starts tasks once a second.
    experiment.seconds = "0.5";
    let folder = experiment.folder.join("slurm");
    let cluster = Cluster(folder.clone());
    let started = script("start", &folder);
    if !started.status.success() {
        let why = String::from_utf8_lossy(&started.stderr);
        say(&format!(
            "!!!! SKIPPED: {name}: a cluster of one node does not start; it needs root: {}\n",
            why.trim()
        ));
        return None;
    }
    experiment.variables.push(("SLURM_CONF".to_owned(), folder.join("slurm.conf")));
    Some((experiment, cluster))
}

/// Tests: `clusters-lose-nothing`.
#[test]
fn a_canceled_task_of_slurm_loses_no_point() {
    let Some((experiment, cluster)) = cluster("slurm") else { return };
    let straight = experiment.straight();
    let mut run = experiment.start("cluster.sqlite", true);
    experiment.wait_for_parts(&mut run, "cluster.sqlite", 1);
    // Cancels the tasks that run, which are not resubmitted by Slurm.
    let mut cancel = Command::new("scancel");
    cancel.args(["--state=RUNNING", "--partition=main", "--signal=KILL"]);
    cancel.env("SLURM_CONF", cluster.0.join("slurm.conf"));
    assert!(cancel.status().expect("it starts").success());
    let run = ended(run);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert_eq!(run.stdout, straight, "{}", run.stderr);
    assert!(run.stderr.contains("Slurm job "), "{}", run.stderr);
    experiment.is_whole("cluster.sqlite", &run.stdout);
}

/// Tests: `clusters-lose-nothing`.
#[test]
fn a_controller_that_ends_loses_no_point() {
    let Some((experiment, cluster)) = cluster("slurm-controller") else { return };
    let mut run = experiment.start("cluster.sqlite", true);
    experiment.wait_for_parts(&mut run, "cluster.sqlite", 1);
    script("stop", &cluster.0);
    let run = ended(run);
    // The tasks that the node had started may have been the last ones.
    if run.code != Some(0) {
        assert_eq!(run.code, Some(2), "{}", run.stderr);
        assert!(run.stderr.contains("error: Slurm does not answer: `squeue` failed"), "{}", run.stderr);
    }
    let again = experiment.run("cluster.sqlite", false);
    assert_eq!(again.stdout, experiment.straight());
}
