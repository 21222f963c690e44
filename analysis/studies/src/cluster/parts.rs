//! The folder of a run on a cluster, beside the store, which all hosts must see.
//!
//! | file | contents |
//! |---|---|
//! | `lock` | locked while a run uses the folder |
//! | `job` | scheduler and number of the job that may run |
//! | `ROUND/batch.sh` | script of all tasks of a submission |
//! | `ROUND/N.points` | selection of batch N |
//! | `ROUND/N.sqlite` | its results, complete |
//! | `ROUND/N.err` | its messages |

use super::scheduler::{Job, Scheduler};
use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

/// The folder, locked.
pub struct Parts {
    /// Absolute path.
    path: PathBuf,
    lock: File,
}

/// Reason why the folder cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum PartsError {
    /// Another run uses the folder.
    #[error(
        "{0} is in use by another run\nhelp: wait until it ends, or give this run another store with --store"
    )]
    Locked(String),
    /// The folder cannot be read or written.
    #[error("cannot use the folder {0}: {1}")]
    Io(String, io::Error),
}

impl Parts {
    /// Creates or opens the folder of the store at `store`, and locks it.
    pub fn open(store: &Path) -> Result<Self, PartsError> {
        let mut name = store.file_name().unwrap_or_default().to_owned();
        name.push(".parts");
        let path = store.with_file_name(name);
        let shown = report::text::shown(&path);
        let failed = |why| PartsError::Io(shown.clone(), why);
        fs::create_dir_all(&path).map_err(failed)?;
        let path = fs::canonicalize(&path).map_err(failed)?;
        let lock = File::create(path.join("lock")).map_err(failed)?;
        match lock.try_lock() {
            Ok(()) => Ok(Self { path, lock }),
            Err(TryLockError::WouldBlock) => Err(PartsError::Locked(shown)),
            Err(TryLockError::Error(why)) => Err(failed(why)),
        }
    }

    /// Returns the path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the parts of all rounds, in the order of their paths.
    pub fn all(&self) -> io::Result<Vec<PathBuf>> {
        let mut parts = Vec::new();
        for entry in fs::read_dir(&self.path)? {
            let folder = entry?.path();
            if folder.is_dir() {
                for entry in fs::read_dir(folder)? {
                    let path = entry?.path();
                    parts.extend(path.extension().is_some_and(|word| word == "sqlite").then_some(path));
                }
            }
        }
        parts.sort();
        Ok(parts)
    }

    /// Returns the job that an earlier run has noted.
    pub fn job(&self) -> Option<(Scheduler, Job)> {
        let text = fs::read_to_string(self.path.join("job")).ok()?;
        let mut lines = text.lines();
        let name = lines.next()?;
        let scheduler =
            [Scheduler::HyperQueue, Scheduler::Slurm].into_iter().find(|known| known.name() == name)?;
        let (id, name) = (lines.next()?.to_owned(), lines.next()?.to_owned());
        Some((scheduler, Job { id, name }))
    }

    /// Notes a job.
    pub fn note(&self, scheduler: Scheduler, Job { id, name }: &Job) -> io::Result<()> {
        fs::write(self.path.join("job"), format!("{}\n{id}\n{name}\n", scheduler.name()))
    }

    /// Deletes everything but the lock.
    pub fn clear(&self) -> io::Result<()> {
        for entry in fs::read_dir(&self.path)? {
            let path = entry?.path();
            match path.file_name() {
                Some(name) if name == "lock" => {}
                _ if path.is_dir() => fs::remove_dir_all(path)?,
                _ => fs::remove_file(path)?,
            }
        }
        Ok(())
    }

    /// Deletes the folder.
    pub fn remove(self) -> io::Result<()> {
        drop(self.lock);
        fs::remove_dir_all(self.path)
    }

    /// Creates the folder of a submission with the script and the selections of the batches.
    pub fn round(&self, number: usize, script: &str, selections: &[String]) -> io::Result<PathBuf> {
        let folder = self.path.join(number.to_string());
        fs::create_dir(&folder)?;
        fs::write(folder.join("batch.sh"), script)?;
        for (batch, selection) in selections.iter().enumerate() {
            fs::write(folder.join(format!("{batch}.points")), selection)?;
        }
        Ok(folder)
    }
}

/// Returns the last message of a batch without a part in the folder of a submission; `None` if no
/// batch has left one.
pub fn message(folder: &Path, batches: impl Iterator<Item = usize>) -> Option<String> {
    let message = |batch: usize| {
        let text = fs::read(folder.join(format!("{batch}.err"))).ok()?;
        let text = String::from_utf8_lossy(&text);
        let line = text.lines().map(str::trim).rfind(|line| !line.is_empty())?;
        Some(format!("batch {batch}: {line}"))
    };
    batches.into_iter().find_map(message)
}

/// Returns the script of all batches of a submission: the program with `arguments` in the folder
/// `current`. The paths must be UTF-8, which the caller has checked.
pub fn script(
    scheduler: Scheduler,
    folder: &Path,
    current: &Path,
    program: &Path,
    arguments: &[String],
) -> String {
    let path = |path: &Path| quoted(&path.to_string_lossy());
    let words = arguments.iter().fold(String::new(), |words, word| words + " " + &quoted(word));
    format!(
        "#!/bin/sh\n\
         # A task simulates one batch of a warpsim experiment: the points of N.points go to N.sqlite.\n\
         batch={folder}/\"${variable}\"\n\
         cd {current} || exit 2\n\
         exec {program}{words} --points \"$(cat \"$batch.points\")\" --part \"$batch.sqlite\"\n",
        folder = path(folder),
        variable = scheduler.task_variable(),
        current = path(current),
        program = path(program),
    )
}

/// Quotes a word for the shell.
fn quoted(word: &str) -> String {
    shlex::try_quote(word).expect("neither a path nor an argument has a NUL byte").into_owned()
}
