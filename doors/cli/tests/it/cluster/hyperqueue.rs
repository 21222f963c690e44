//! `HyperQueue`: a real server and two real workers, from the Python package. Only `hq` is
//! replaced, by a client of the package, which does not have that program.

use super::{Experiment, ended};
use crate::experiment_killed::LARGE;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use test_support::tools::Tool;

/// A server or a worker; killed at the end of a test.
struct Part(Child);

impl Part {
    fn kill(&mut self) {
        // It may have ended.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Drop for Part {
    fn drop(&mut self) {
        self.kill();
    }
}

fn script() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cluster/cluster.py")
}

/// Returns Python with the package.
fn python() -> PathBuf {
    Tool::HyperQueue.folder().expect("a folder").join("bin/python")
}

/// Starts a server or a worker, and waits until it is ready.
fn start(what: &str, folder: &Path) -> Part {
    let mut command = Command::new(python());
    command.arg(script()).arg(what).arg(folder).stdin(Stdio::null());
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("Python starts");
    let lines = BufReader::new(child.stdout.take().expect("piped")).lines();
    let part = Part(child);
    let ready = lines.map_while(Result::ok).any(|line| line == "ready");
    assert!(ready, "the {what} does not start");
    part
}

/// Makes an experiment with a server; `None` if the package is not installed.
fn cluster(name: &str) -> Option<(Experiment, Part)> {
    if Tool::HyperQueue.is_missing(name) {
        return None;
    }
    let mut experiment = Experiment::new(name, "hyperqueue");
    // Small batches: the run is far from its end when its first parts exist.
    experiment.seconds = "0.05";
    let folder = experiment.folder.join("server");
    std::fs::create_dir(&folder).expect("created");
    let server = start("server", &folder);
    let hq = format!("#!/bin/sh\nexec '{}' '{}' hq \"$@\"\n", python().display(), script().display());
    experiment.program("hq", &hq);
    experiment.variables.push(("HQ_SERVER_DIR".to_owned(), folder));
    Some((experiment, server))
}

/// Tests: `clusters-lose-nothing`.
#[test]
fn a_killed_worker_loses_no_point() {
    let Some((experiment, _server)) = cluster("hyperqueue-worker") else { return };
    let folder = experiment.folder.join("server");
    let (mut first, _second) = (start("worker", &folder), start("worker", &folder));
    let straight = experiment.straight();
    let mut run = experiment.start("cluster.sqlite", true);
    experiment.wait_for_parts(&mut run, "cluster.sqlite", 2);
    first.kill();
    let run = ended(run);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert_eq!(run.stdout, straight, "{}", run.stderr);
    experiment.is_whole("cluster.sqlite", &run.stdout);
    let again = experiment.run("cluster.sqlite", true);
    assert!(again.stderr.contains(" 0 to simulate"), "{}", again.stderr);
    assert_eq!(again.stdout, straight);
}

/// Tests: `clusters-lose-nothing`.
#[test]
fn a_killed_server_loses_no_point() {
    let Some((experiment, mut server)) = cluster("hyperqueue-server") else { return };
    let worker = start("worker", &experiment.folder.join("server"));
    let mut run = experiment.start("cluster.sqlite", true);
    experiment.wait_for_parts(&mut run, "cluster.sqlite", 2);
    server.kill();
    let run = ended(run);
    assert_eq!(run.code, Some(2), "{}", run.stderr);
    assert!(run.stderr.contains("error: HyperQueue does not answer: `hq` failed"), "{}", run.stderr);
    drop(worker);

    // Another server and its worker continue.
    let folder = experiment.folder.join("server");
    let (_server, _worker) = (start("server", &folder), start("worker", &folder));
    std::fs::remove_file(folder.join("jobs-of-the-tests")).expect("jobs of the killed server");
    let again = experiment.run("cluster.sqlite", true);
    assert_eq!(again.code, Some(0), "{}", again.stderr);
    assert!(!again.stderr.contains(" 46 to simulate"), "{}", again.stderr);
    assert_eq!(again.stdout, experiment.straight());
    experiment.is_whole("cluster.sqlite", &again.stdout);
}

/// The experiment of docs/EXPERIMENTS.md, on two workers.
///
/// Tests: `clusters-lose-nothing`.
#[test]
#[ignore = "takes minutes"]
fn an_experiment_of_2000_points_loses_no_point_with_a_worker() {
    let name = "hyperqueue-large";
    let Some((mut experiment, _server)) = cluster(name) else { return };
    let folder = experiment.folder.join("server");
    let file = crate::experiment_killed::written("hyperqueue-large-file", LARGE).join("file.ron");
    std::fs::copy(file, experiment.folder.join("file.ron")).expect("copied");
    experiment.seconds = "2";
    let (mut first, _second) = (start("worker", &folder), start("worker", &folder));
    let mut run = experiment.start("cluster.sqlite", true);
    experiment.wait_for_parts(&mut run, "cluster.sqlite", 8);
    first.kill();
    let run = ended(run);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert_eq!(run.stdout, experiment.straight(), "{}", run.stderr);
}
