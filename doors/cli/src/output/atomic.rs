//! Atomic output files: a file appears complete or not at all, and no temporary file remains when
//! the program ends. A process that is killed (SIGKILL, a power failure) leaves its temporary
//! files; the next process that writes in the folder deletes them. A process locks its temporary
//! files, so a file without a lock belongs to no process. The same holds for temporary folders.
//!
//! Invariant `no-file-is-left`: A temporary file is deleted when its process ends, or when the next
//! process writes in its folder; the file of a running process stays.

use super::{host, shown};
use crate::access;
use crate::exit::{Code, Failure};
use std::collections::BTreeSet;
use std::fs::{self, File, Metadata};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use tempfile::{Builder, TempPath};

/// Beginning and end of the name of a temporary file, and the number of random letters and digits
/// between them.
const PREFIX: &str = ".warpsim-";
const SUFFIX: &str = ".tmp";
const RANDOM: usize = 16;

/// The existing temporary files and folders.
static TEMPORARIES: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// Folders in which this process has looked for abandoned temporary files.
static CLEANED: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

fn temporaries() -> MutexGuard<'static, Vec<PathBuf>> {
    TEMPORARIES.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Ends the program immediately and deletes its temporary files.
pub fn end_now(code: Code) -> ! {
    // The lock is held to the end, so that no other thread creates or renames a file.
    let temporaries = temporaries();
    for temporary in temporaries.iter() {
        let _ = fs::remove_file(temporary).or_else(|_| fs::remove_dir_all(temporary));
    }
    std::process::exit(code as i32)
}

/// An output file that is written later. It is opened before a long run, so that a bad path is
/// reported early. The bytes go to a temporary file in the same folder, which takes the file's
/// name, owner and mode when it is complete. The temporary file is deleted when the value is
/// dropped unwritten or [`end_now`] ends the program.
#[derive(Debug)]
pub struct OutputFile {
    /// Path as the user wrote it, for messages.
    name: String,
    /// Path with all symbolic links resolved; the links themselves are kept.
    path: PathBuf,
    file: Option<File>,
    /// `None` if the path is a device or a pipe, which must be written in place.
    temporary: Option<TempPath>,
}

impl OutputFile {
    /// Prepares to write `path`.
    pub fn open(path: &Path) -> Result<Self, Failure> {
        let cannot = |error: &dyn std::fmt::Display| {
            Failure::input(format!("error: cannot write {}: {error}", shown(path)))
        };
        let in_place =
            |file| Self { name: shown(path), path: path.to_owned(), file: Some(file), temporary: None };
        if let Some(file) = host::standard_output(path) {
            return Ok(in_place(file));
        }
        let old = fs::metadata(path).ok();
        match &old {
            Some(metadata) if metadata.is_dir() => return Err(cannot(&"the path is a folder")),
            Some(metadata) if !metadata.is_file() => {
                return File::options().write(true).open(path).map(in_place).map_err(|e| cannot(&e));
            }
            Some(metadata) if metadata.permissions().readonly() => {
                return Err(cannot(&"the file is read-only"));
            }
            // A file that the user cannot write is not replaced, even if the folder permits it.
            Some(_) => drop(File::options().append(true).open(path).map_err(|e| cannot(&e))?),
            None => {}
        }
        let target = access::resolve(path).map_err(|e| cannot(&e))?;
        let folder = target.parent().ok_or_else(|| cannot(&"the path has no file name"))?;
        let (file, temporary) = temporary_file(folder, old.as_ref()).map_err(|e| cannot(&e))?;
        Ok(Self { name: shown(path), path: target, file: Some(file), temporary: Some(temporary) })
    }

    /// Writes the bytes and renames the file.
    pub fn write(mut self, bytes: &[u8]) -> Result<(), Failure> {
        let result = self.try_write(bytes);
        result.map_err(|error| Failure::input(format!("error: cannot write {}: {error}", self.name)))
    }

    /// Writes a part; the file appears with [`Self::finish`].
    pub fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.file.as_mut().map_or(Ok(()), |file| file.write_all(bytes))
    }

    /// Renames the file after its last part.
    pub fn finish(self) -> Result<(), Failure> {
        self.write(&[])
    }

    fn try_write(&mut self, bytes: &[u8]) -> io::Result<()> {
        let Some(mut file) = self.file.take() else { return Ok(()) };
        match file.write_all(bytes).and_then(|()| file.flush()) {
            // A closed reader of a pipe is not an error.
            Err(error) if self.temporary.is_none() && error.kind() == ErrorKind::BrokenPipe => return Ok(()),
            result => result?,
        }
        if let Some(temporary) = self.temporary.take() {
            let mut known = temporaries();
            known.retain(|other| *other != *temporary);
            temporary.persist(&self.path).map_err(|error| error.error)?;
        }
        // The lock ends here, because before the file had a temporary name.
        drop(file);
        Ok(())
    }
}

/// Deletes temporary files in `folder` that no process has locked, once for each folder. Files that
/// cannot be read or deleted stay: they do not disturb the run.
fn clean(folder: &Path) {
    let mut cleaned = CLEANED.lock().unwrap_or_else(PoisonError::into_inner);
    if !cleaned.insert(folder.to_owned()) {
        return;
    }
    for (path, _lock) in abandoned(folder, std::fs::Metadata::is_file) {
        let _ = fs::remove_file(path);
    }
}

/// Lists the entries of `folder` with the names of temporary files that no process has locked. Each
/// is locked until it is deleted, so that no process takes it for its own.
fn abandoned(folder: &Path, is_of_kind: impl Fn(&Metadata) -> bool) -> impl Iterator<Item = (PathBuf, File)> {
    let is_temporary = |name: &str| {
        let random = name.strip_prefix(PREFIX).and_then(|name| name.strip_suffix(SUFFIX));
        random.is_some_and(|word| word.len() == RANDOM && word.bytes().all(|b| b.is_ascii_alphanumeric()))
    };
    fs::read_dir(folder).into_iter().flatten().flatten().filter_map(move |entry| {
        // The metadata of a link itself: no link is followed.
        let is_of_kind = entry.metadata().is_ok_and(|metadata| is_of_kind(&metadata));
        if !is_of_kind || !entry.file_name().to_str().is_some_and(is_temporary) {
            return None;
        }
        let file = File::open(entry.path()).ok()?;
        file.try_lock().is_ok().then(|| (entry.path(), file))
    })
}

/// A folder for the files of a run in the temporary folder of the system. It is deleted when the
/// value is dropped or [`end_now`] ends the program, or by the next process that makes one.
#[derive(Debug)]
pub struct TemporaryFolder {
    path: PathBuf,
    _lock: Option<File>,
}

impl TemporaryFolder {
    /// Makes a folder.
    pub fn new() -> Result<Self, Failure> {
        Self::below(&std::env::temp_dir())
            .map_err(|why| Failure::input(format!("error: cannot make a temporary folder: {why}")))
    }

    fn below(parent: &Path) -> io::Result<Self> {
        let mut builder = Builder::new();
        builder.prefix(PREFIX).suffix(SUFFIX).rand_bytes(RANDOM);
        let mut known = temporaries();
        let made = loop {
            let path = builder.tempdir_in(parent)?.keep();
            // Not every system can lock a folder; no other process deletes such a folder.
            let lock = File::open(&path).and_then(|file| file.lock().map(|()| file)).ok();
            // Another process may have deleted it before it was locked.
            if path.try_exists().unwrap_or(true) {
                break Self { path, _lock: lock };
            }
        };
        known.push(made.path.clone());
        drop(known);
        // In a folder that all users share, the folders of other users are not for this one.
        let owner = fs::metadata(&made.path).ok().and_then(|metadata| host::owner(&metadata));
        let is_own = |metadata: &Metadata| metadata.is_dir() && host::owner(metadata) == owner;
        for (path, _lock) in abandoned(parent, is_own) {
            let _ = fs::remove_dir_all(path);
        }
        Ok(made)
    }

    /// Returns the path under which the file will appear.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for TemporaryFolder {
    fn drop(&mut self) {
        let mut known = temporaries();
        let _ = fs::remove_dir_all(&self.path);
        known.retain(|other| *other != self.path);
    }
}

/// Creates a locked file with an unpredictable name, and with the owner and mode of the file that
/// it will replace.
fn temporary_file(folder: &Path, old: Option<&Metadata>) -> io::Result<(File, TempPath)> {
    clean(folder);
    let mut builder = Builder::new();
    // The length is independent of the file's name, which may have the maximum length.
    builder.prefix(PREFIX).suffix(SUFFIX).rand_bytes(RANDOM);
    if old.is_none() {
        host::new_file(&mut builder);
    }
    let mut known = temporaries();
    let (file, temporary) = loop {
        let (file, temporary) = builder.tempfile_in(folder)?.into_parts();
        // On a file system without locks no process deletes the file.
        let _ = file.lock();
        // Another process may have deleted it before it was locked.
        if temporary.try_exists().unwrap_or(true) {
            break (file, temporary);
        }
    };
    known.push(temporary.to_path_buf());
    drop(known);
    if let Some(old) = old {
        host::keep_owner_and_mode(&file, old)?;
    }
    Ok((file, temporary))
}

impl Drop for OutputFile {
    fn drop(&mut self) {
        if let Some(temporary) = self.temporary.take() {
            let mut known = temporaries();
            known.retain(|other| *other != *temporary);
            drop(temporary);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_replaced_only_when_it_is_complete() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("report.json");
        fs::write(&path, "old").expect("written");
        let output = OutputFile::open(&path).expect("opened");
        assert_eq!(fs::read_to_string(&path).expect("read"), "old");
        output.write(b"new").expect("written");
        assert_eq!(fs::read_to_string(&path).expect("read"), "new");
        drop(OutputFile::open(&path).expect("opened"));
        assert_eq!(fs::read_dir(folder.path()).expect("listed").count(), 1, "no temporary file is left");
    }

    /// Tests: `no-file-is-left`.
    #[test]
    fn files_that_a_killed_process_left_are_deleted() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = |name: &str| folder.path().join(name);
        let left = path(".warpsim-0123456789abcdEF.tmp");
        let others = [".warpsim-notes.tmp", ".warpsim-0123456789abcdEF.txt", "warpsim-0123456789abcdEF.tmp"];
        for name in &others {
            fs::write(path(name), "").expect("written");
        }
        fs::write(&left, "half").expect("written");
        fs::create_dir(path(".warpsim-0123456789abcdeF.tmp")).expect("created");
        let running = File::create(path(".warpsim-0123456789ABCDEF.tmp")).expect("created");
        running.lock().expect("locked");
        let output = OutputFile::open(&path("a")).expect("opened");
        assert!(!left.exists() && others.iter().all(|name| path(name).exists()));
        output.write(b"a").expect("written");
        let names = fs::read_dir(folder.path()).expect("listed").count();
        assert_eq!(names, others.len() + 3, "the locked file and the folder are kept");
    }

    /// Tests: `no-file-is-left`.
    #[test]
    fn folders_that_a_killed_process_left_are_deleted() {
        let parent = tempfile::tempdir().expect("a temporary folder");
        let path = |name: &str| parent.path().join(name);
        let left = path(".warpsim-0123456789abcdEF.tmp");
        let names = [".warpsim-0123456789ABCDEF.tmp", ".warpsim-0123.tmp", "other"];
        for folder in names.map(path).iter().chain([&left]) {
            fs::create_dir(folder).expect("created");
            fs::write(folder.join("program"), "").expect("written");
        }
        fs::write(path(".warpsim-0123456789abcdef.tmp"), "").expect("written");
        let running = File::open(path(names[0])).expect("opened");
        running.lock().expect("locked");
        let made = TemporaryFolder::below(parent.path()).expect("made");
        assert!(!left.exists() && made.path().is_dir());
        let count = || fs::read_dir(parent.path()).expect("listed").count();
        assert_eq!(count(), names.len() + 2, "locked folders, others and files stay");
        drop(made);
        assert_eq!(count(), names.len() + 1);
    }

    #[test]
    fn bad_paths_are_reported_when_opened() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        assert!(
            OutputFile::open(folder.path()).expect_err("a folder").message.contains("the path is a folder")
        );
        let missing = OutputFile::open(&folder.path().join("none/report.json")).expect_err("no such folder");
        assert!(missing.message.contains("cannot write"), "{}", missing.message);
    }

    #[cfg(unix)]
    #[test]
    fn a_device_is_written_in_place() {
        OutputFile::open(Path::new("/dev/null")).expect("opened").write(b"x").expect("written");
        assert!(!fs::metadata("/dev/null").expect("still there").is_file());
    }
}
