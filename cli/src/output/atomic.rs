//! Files that appear whole or not at all, and leave nothing behind however the program ends.

use super::{host, shown};
use crate::access;
use crate::exit::{Code, Failure};
use std::fs::{self, File, Metadata};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use tempfile::{Builder, TempPath};

/// Random characters in the name of a temporary file.
const RANDOM: usize = 16;

/// The temporary files that there are.
static TEMPORARIES: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

fn temporaries() -> MutexGuard<'static, Vec<PathBuf>> {
    TEMPORARIES.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Ends the program wherever it is. Files that are not whole yet leave no trace.
pub fn end_at_once(code: Code) -> ! {
    // Held to the end: no other thread begins a file, or puts one in its place, after this.
    let temporaries = temporaries();
    for temporary in temporaries.iter() {
        let _ = fs::remove_file(temporary);
    }
    std::process::exit(code as i32)
}

/// A file to be written later: opened before a long run, so that a bad path is reported at once.
/// The bytes go to a temporary file in the same folder, which takes the file's name, owner and mode
/// when it is complete. Dropped unwritten, or where [`end_at_once`] ends the program, it leaves no
/// trace.
#[derive(Debug)]
pub struct OutputFile {
    /// As it was spelled, for messages.
    name: String,
    /// The file itself, all symbolic links followed: the links stay.
    path: PathBuf,
    file: Option<File>,
    /// `None` where the path is a device or a pipe, which must be written in place.
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
            // A file of somebody else is not replaced only because the folder permits it.
            Some(_) => drop(File::options().append(true).open(path).map_err(|e| cannot(&e))?),
            None => {}
        }
        let target = access::resolve(path).map_err(|e| cannot(&e))?;
        let folder = target.parent().ok_or_else(|| cannot(&"the path has no file name"))?;
        let (file, temporary) = temporary_file(folder, old.as_ref()).map_err(|e| cannot(&e))?;
        Ok(Self { name: shown(path), path: target, file: Some(file), temporary: Some(temporary) })
    }

    /// Writes everything and puts the file in its place.
    pub fn write(mut self, bytes: &[u8]) -> Result<(), Failure> {
        let result = self.try_write(bytes);
        result.map_err(|error| Failure::input(format!("error: cannot write {}: {error}", self.name)))
    }

    /// Writes a piece; all of it appears with [`Self::finish`].
    pub fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.file.as_mut().map_or(Ok(()), |file| file.write_all(bytes))
    }

    /// Puts the file in its place after its last piece.
    pub fn finish(self) -> Result<(), Failure> {
        self.write(&[])
    }

    fn try_write(&mut self, bytes: &[u8]) -> io::Result<()> {
        let Some(mut file) = self.file.take() else { return Ok(()) };
        match file.write_all(bytes).and_then(|()| file.flush()) {
            // The reader of a pipe has seen what it wanted.
            Err(error) if self.temporary.is_none() && error.kind() == ErrorKind::BrokenPipe => return Ok(()),
            result => result?,
        }
        drop(file);
        if let Some(temporary) = self.temporary.take() {
            let mut known = temporaries();
            known.retain(|other| *other != *temporary);
            temporary.persist(&self.path).map_err(|error| error.error)?;
        }
        Ok(())
    }
}

/// A new file under a name that cannot be predicted, of the owner and mode of the file that it is
/// to replace.
fn temporary_file(folder: &Path, old: Option<&Metadata>) -> io::Result<(File, TempPath)> {
    let mut builder = Builder::new();
    // The length does not depend on the name of the file, which may be the longest that there can
    // be.
    builder.prefix(".warpsim-").suffix(".tmp").rand_bytes(RANDOM);
    if old.is_none() {
        host::new_file(&mut builder);
    }
    let mut known = temporaries();
    let (file, temporary) = builder.tempfile_in(folder)?.into_parts();
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
    fn a_file_appears_whole_and_the_old_one_stays_until_then() {
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

    #[test]
    fn bad_paths_are_told_when_opened() {
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
