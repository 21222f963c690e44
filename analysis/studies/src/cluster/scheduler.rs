//! Commands of `HyperQueue` and Slurm: submit an array of tasks, find out whether it has ended, and
//! cancel it.

use serde_json::Value;
use std::io::ErrorKind;
use std::path::Path;
use std::process::Command;

/// A scheduler of a cluster.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scheduler {
    /// `HyperQueue`, through `hq`.
    HyperQueue,
    /// Slurm, through `sbatch`, `squeue` and `scancel`.
    Slurm,
}

/// An array of tasks.
pub struct Array<'a> {
    /// Name of the job: letters, digits, `-` and `_`.
    pub name: &'a str,
    /// Script that each task runs.
    pub script: &'a Path,
    /// Folder of the messages of the tasks: `N.err` for task N.
    pub folder: &'a Path,
    /// Number of tasks; their numbers count from 0.
    pub tasks: usize,
    /// Arguments of the user.
    pub arguments: &'a [String],
}

/// A submitted array.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Job {
    /// Number that the scheduler gave it.
    pub id: String,
    /// Its name.
    pub name: String,
}

impl Scheduler {
    /// Returns the name for messages.
    pub fn name(self) -> &'static str {
        match self {
            Self::HyperQueue => "HyperQueue",
            Self::Slurm => "Slurm",
        }
    }

    /// Returns the variable that has the number of a task.
    pub fn task_variable(self) -> &'static str {
        match self {
            Self::HyperQueue => "HQ_TASK_ID",
            Self::Slurm => "SLURM_ARRAY_TASK_ID",
        }
    }

    /// Returns the command that shows whether tasks can run.
    pub fn look(self) -> &'static str {
        match self {
            Self::HyperQueue => "hq worker list",
            Self::Slurm => "sinfo",
        }
    }

    /// Submits an array.
    pub fn submit(self, array: &Array<'_>) -> Result<Job, String> {
        let Array { name, script, folder, tasks, arguments } = array;
        // Both accept a single number and a range.
        let numbers = if *tasks == 1 { "0".to_owned() } else { format!("0-{}", tasks - 1) };
        let mut command = match self {
            Self::HyperQueue => {
                let mut command = Command::new("hq");
                command.args(["--output-mode", "quiet", "submit", "--name", name, "--array", &numbers]);
                command.args(["--stdout", "none", "--stderr"]).arg(folder.join("%{TASK_ID}.err"));
                command.args(*arguments).args(["--", "/bin/sh"]).arg(script);
                command
            }
            Self::Slurm => {
                let mut command = Command::new("sbatch");
                command.args(["--parsable", "--job-name", name, "--array", &numbers, "--output"]);
                command.arg(folder.join("%a.err")).args(*arguments).arg(script);
                command
            }
        };
        let printed = output(&mut command)?;
        // Slurm adds the name of the cluster after a semicolon.
        let id = printed.trim().split(';').next().unwrap_or_default().to_owned();
        if id.is_empty() || !id.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(format!("expected the number of a job, found `{}`", printed.trim()));
        }
        Ok(Job { id, name: (*name).to_owned() })
    }

    /// Whether tasks of the job wait or run.
    pub fn is_alive(self, job: &Job) -> Result<bool, String> {
        match self {
            Self::HyperQueue => {
                let filter = ["--output-mode", "json", "job", "list", "--filter", "waiting,running"];
                let printed = output(Command::new("hq").args(filter))?;
                let jobs: Value = serde_json::from_str(&printed).map_err(|why| why.to_string())?;
                let jobs = jobs.as_array().ok_or("`hq job list` printed no list")?;
                Ok(jobs.iter().any(|found| found["id"].as_u64() == job.id.parse().ok()))
            }
            // `squeue` fails for the number of a job that the controller has already deleted.
            Self::Slurm => {
                let name = format!("--name={}", job.name);
                let printed = output(Command::new("squeue").args(["--noheader", "--format=%i", &name]))?;
                Ok(!printed.trim().is_empty())
            }
        }
    }

    /// Ends all tasks of a job.
    pub fn cancel(self, job: &Job) -> Result<(), String> {
        let mut command = match self {
            Self::HyperQueue => {
                let mut command = Command::new("hq");
                command.args(["job", "cancel", &job.id]);
                command
            }
            Self::Slurm => {
                let mut command = Command::new("scancel");
                command.arg(&job.id);
                command
            }
        };
        output(&mut command).map(drop)
    }
}

/// Runs a command and returns its standard output; fails with its messages.
fn output(command: &mut Command) -> Result<String, String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let output = command.stdin(std::process::Stdio::null()).output().map_err(|why| match why.kind() {
        ErrorKind::NotFound => format!("the command `{name}` is not in PATH"),
        _ => format!("cannot start `{name}`: {why}"),
    })?;
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    if output.status.success() {
        return Ok(printed);
    }
    let errors = String::from_utf8_lossy(&output.stderr);
    let words = if errors.trim().is_empty() { &printed } else { &*errors };
    // A program may print a trace of calls after its message.
    let words: Vec<&str> = words.lines().map(str::trim).filter(|line| !line.is_empty()).take(3).collect();
    Err(format!("`{name}` failed ({}): {}", output.status, words.join(" ")))
}
