//! The registry of a run's files: no output overwrites an input or another output.
//!
//! Invariant `no-input-is-overwritten`: No output overwrites an input or another output of the run,
//! under any spelling of its name; a replaced file keeps its mode, owner and links.

use super::atomic::OutputFile;
use super::{host, interrupt, shown};
use crate::access;
use crate::exit::Failure;
use std::collections::BTreeMap;
use std::fs::{self, File, Metadata};
use std::path::{Path, PathBuf};

/// The inputs and outputs of a run. All inputs are added before the first output is opened.
#[derive(Debug)]
pub struct Files {
    uses: BTreeMap<Key, Use>,
}

/// Identity of a file: a path, and a number if the file exists. Another path with the same number
/// is a hard link to it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Key {
    /// Absolute path with all symbolic links resolved.
    Path(PathBuf),
    /// Number of the device, and of the file on it.
    Number(u64, u64),
}

/// Use of a file by a run.
#[derive(Clone, Debug)]
struct Use {
    /// Path as the user wrote it.
    name: String,
    writes: bool,
}

impl Files {
    /// A run without files. Files to which standard output and standard error are redirected count
    /// as outputs.
    pub fn new() -> Self {
        let mut uses = BTreeMap::new();
        for (name, metadata) in host::standard_outputs() {
            if let Some(key) = number(&metadata) {
                uses.insert(key, Use { name: name.to_owned(), writes: true });
            }
        }
        Self { uses }
    }

    /// Adds an input.
    pub fn reads(&mut self, path: &Path) -> Result<(), Failure> {
        self.enter(path, false)
    }

    /// Adds an output and prepares to write it.
    pub fn open(&mut self, path: &Path) -> Result<OutputFile, Failure> {
        self.enter(path, true)?;
        interrupt::tidy();
        OutputFile::open(path)
    }

    /// Adds an output that a launch file names, and prepares to write it. It is not standard output
    /// or standard error: the run writes its report and its messages there.
    pub fn open_named(&mut self, path: &Path) -> Result<OutputFile, Failure> {
        if host::standard_output(path).is_some() {
            return Err(Failure::input(format!(
                "error: cannot write {}: this run also writes its report or its messages there\n\
                 help: name another file in the launch file",
                shown(path)
            )));
        }
        self.open(path)
    }

    /// Adds an output that another part of the program opens.
    pub fn claims(&mut self, path: &Path) -> Result<(), Failure> {
        self.enter(path, true)
    }

    /// Adds an output, truncates it and returns it for incremental writing. Its contents remain in
    /// any case.
    pub fn stream(&mut self, path: &Path) -> Result<File, Failure> {
        self.enter(path, true)?;
        host::standard_output(path)
            .map_or_else(|| File::create(path), Ok)
            .map_err(|error| Failure::input(format!("error: cannot write {}: {error}", shown(path))))
    }

    /// Whether the run uses the file at a path.
    pub fn has(&self, path: &Path) -> bool {
        keys(path).iter().any(|key| self.uses.contains_key(key))
    }

    fn enter(&mut self, path: &Path, writes: bool) -> Result<(), Failure> {
        let keys = keys(path);
        let conflict = |user: &&Use| writes || user.writes;
        if let Some(user) = keys.iter().find_map(|key| self.uses.get(key).filter(conflict)) {
            let does = match (writes, user.writes) {
                (true, true) => "also writes",
                (true, false) => "reads",
                (false, _) => "writes",
            };
            let (verb, name, other) = (if writes { "write" } else { "read" }, shown(path), &user.name);
            let message =
                format!("error: cannot {verb} {name}: it is the same file as {other}, which this run {does}");
            return Err(Failure::input(message));
        }
        let user = Use { name: shown(path), writes };
        self.uses.extend(keys.into_iter().map(|key| (key, user.clone())));
        Ok(())
    }
}

/// Returns the keys of a file; none for a device or a pipe, which may be used several times.
fn keys(path: &Path) -> Vec<Key> {
    if host::standard_output(path).is_some() {
        return Vec::new();
    }
    let metadata = fs::metadata(path).ok();
    if metadata.as_ref().is_some_and(|metadata| !metadata.is_file()) {
        return Vec::new();
    }
    let path = access::resolve(path).ok().map(Key::Path);
    path.into_iter().chain(metadata.as_ref().and_then(number)).collect()
}

fn number(metadata: &Metadata) -> Option<Key> {
    host::file_number(metadata).filter(|_| metadata.is_file()).map(|(device, file)| Key::Number(device, file))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inputs_are_not_overwritten_and_nothing_is_written_twice() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = |name: &str| folder.path().join(name);
        fs::write(path("in"), "precious").expect("written");
        let mut files = Files::new();
        files.reads(&path("in")).expect("an input");
        files.reads(&path("./in")).expect("read twice");
        let message =
            |files: &mut Files, name: &str| files.open(&path(name)).map(|_| ()).expect_err(name).message;
        assert!(message(&mut files, "./in").ends_with("in, which this run reads"));
        let first = files.open(&path("out")).expect("opened");
        assert!(message(&mut files, "./out").ends_with("out, which this run also writes"));
        let late = files.reads(&path("out")).expect_err("an output").message;
        assert!(late.ends_with("out, which this run writes"), "{late}");
        drop(first);
        assert_eq!(fs::read_to_string(path("in")).expect("read"), "precious");
    }

    /// The first output is complete and renamed before the second is opened.
    #[test]
    fn an_output_that_is_complete_is_not_written_again() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let mut files = Files::new();
        let path = folder.path().join("out");
        files.open(&path).expect("opened").write(b"first").expect("written");
        assert!(files.open(&path).is_err());
    }
}
