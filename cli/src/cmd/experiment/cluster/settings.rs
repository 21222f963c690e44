//! Settings of an engine of a cluster, from the options of the command.

use super::scheduler::Scheduler;
use crate::access;
use crate::args::{Engine, ExperimentArgs};
use crate::exit::Failure;
use crate::output::shown;
use std::path::{Path, PathBuf};

/// Settings of an engine.
pub struct Settings {
    /// The scheduler.
    pub scheduler: Scheduler,
    /// Arguments of each submission.
    pub arguments: Vec<String>,
    /// Host time of a batch in seconds.
    pub batch_seconds: f64,
    /// The program that simulates a batch, with its arguments.
    pub program: PathBuf,
    /// Arguments of the program.
    pub command: Vec<String>,
    /// Number of points that run at a time on this host, for times.
    pub jobs: usize,
}

/// Returns the settings of an engine of a cluster; `None` for the local engine.
pub fn of(args: &ExperimentArgs, jobs: usize) -> Result<Option<Settings>, Failure> {
    let scheduler = match args.engine {
        Engine::Local if args.engine_args.is_some() => {
            return Err(Failure::input("error: --engine-args needs --engine hyperqueue or --engine slurm"));
        }
        Engine::Local => return Ok(None),
        Engine::Hyperqueue => Scheduler::HyperQueue,
        Engine::Slurm => Scheduler::Slurm,
    };
    let program = std::env::current_exe()
        .map_err(|why| Failure::input(format!("error: cannot find the path of this program: {why}")))?;
    let mut command = vec!["experiment".to_owned(), utf8(&args.file)?];
    command.extend(args.idealize.then(|| "--idealize".to_owned()));
    // A task has one processor unless the arguments of the engine and --jobs say otherwise.
    command.extend(["--jobs".to_owned(), args.jobs.unwrap_or(1).to_string()]);
    for folder in access::allowed() {
        command.extend(["--allow-path".to_owned(), utf8(folder)?]);
    }
    utf8(&program)?;
    Ok(Some(Settings {
        scheduler,
        arguments: words(args.engine_args.as_deref().unwrap_or_default())?,
        batch_seconds: args.batch_seconds,
        program,
        command,
        jobs,
    }))
}

/// Returns a path as a text for the script of a batch.
fn utf8(path: &Path) -> Result<String, Failure> {
    path.to_str().map(str::to_owned).ok_or_else(|| {
        Failure::input(format!("error: {}: an engine of a cluster needs a path in UTF-8", shown(path)))
    })
}

/// Splits a text into words, as a shell does.
fn words(text: &str) -> Result<Vec<String>, Failure> {
    shlex::split(text)
        .ok_or_else(|| Failure::input(format!("error: --engine-args {text}: a quotation mark is not closed")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn engine_arguments_are_words_with_quotation_marks() {
        assert_eq!(words("").expect("valid"), [""; 0]);
        assert_eq!(words(" --mem 4G  -p 'a b'c \"\" ").expect("valid"), ["--mem", "4G", "-p", "a bc", ""]);
        assert!(words("--name 'x").expect_err("open").message.contains("is not closed"));
    }
}
