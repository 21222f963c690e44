//! Writing without losing anything: standard streams that may be closed, and files that appear whole or not at all.

use crate::exit::Failure;
use std::fs::{self, File};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

/// Prints to standard output. A reader that has gone away is no error: it has seen what it wanted.
pub fn print(text: &str) -> Result<(), Failure> {
    let mut stdout = io::stdout().lock();
    match stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(Failure::input(format!("error: cannot write to standard output: {error}")))
        }
        _ => Ok(()),
    }
}

/// Prints a line to standard error; where that is closed, nobody can be told.
pub fn complain(text: &str) {
    let _ = writeln!(io::stderr().lock(), "{text}");
}

/// A file to be written later: opened before a long run, so that a bad path is told at once; what is written goes
/// to a temporary file beside it, which takes its name when complete. Dropped unwritten, it leaves no trace.
#[derive(Debug)]
pub struct OutputFile {
    path: PathBuf,
    file: Option<File>,
    /// `None` where the path is a device or a pipe, which must be written in place.
    temporary: Option<PathBuf>,
}

impl OutputFile {
    /// Prepares to write `path`.
    pub fn open(path: &Path) -> Result<Self, Failure> {
        let cannot = |error: &dyn std::fmt::Display| {
            Failure::input(format!("error: cannot write {}: {error}", path.display()))
        };
        // A link is followed: its target is what gets replaced.
        let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        match fs::metadata(&target) {
            Ok(metadata) if metadata.is_dir() => return Err(cannot(&"it is a folder")),
            Ok(metadata) if !metadata.is_file() => {
                let file = File::options().write(true).open(&target).map_err(|e| cannot(&e))?;
                return Ok(Self { path: target, file: Some(file), temporary: None });
            }
            Ok(metadata) if metadata.permissions().readonly() => return Err(cannot(&"it is read-only")),
            _ => {}
        }
        let Some(name) = target.file_name() else { return Err(cannot(&"it names no file")) };
        let mut temporary_name = std::ffi::OsString::from(".");
        temporary_name.push(name);
        temporary_name.push(format!(".{}.tmp", std::process::id()));
        let temporary = target.with_file_name(temporary_name);
        let file = File::options().write(true).create_new(true).open(&temporary).map_err(|e| cannot(&e))?;
        Ok(Self { path: target, file: Some(file), temporary: Some(temporary) })
    }

    /// Writes everything and puts the file in its place.
    pub fn write(mut self, bytes: &[u8]) -> Result<(), Failure> {
        let result = self.try_write(bytes);
        result
            .map_err(|error| Failure::input(format!("error: cannot write {}: {error}", self.path.display())))
    }

    fn try_write(&mut self, bytes: &[u8]) -> io::Result<()> {
        let Some(mut file) = self.file.take() else { return Ok(()) };
        match file.write_all(bytes).and_then(|()| file.flush()) {
            // The reader of a pipe has seen what it wanted.
            Err(error) if self.temporary.is_none() && error.kind() == ErrorKind::BrokenPipe => return Ok(()),
            result => result?,
        }
        drop(file);
        if let Some(temporary) = &self.temporary {
            fs::rename(temporary, &self.path)?;
            self.temporary = None;
        }
        Ok(())
    }
}

impl Drop for OutputFile {
    fn drop(&mut self) {
        if let Some(temporary) = &self.temporary {
            let _ = fs::remove_file(temporary);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("warpsim-output-{name}-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a temporary folder");
        folder
    }

    #[test]
    fn a_file_appears_whole_and_the_old_one_stays_until_then() {
        let folder = folder("whole");
        let path = folder.join("report.json");
        fs::write(&path, "old").expect("written");
        let output = OutputFile::open(&path).expect("opened");
        assert_eq!(fs::read_to_string(&path).expect("read"), "old");
        output.write(b"new").expect("written");
        assert_eq!(fs::read_to_string(&path).expect("read"), "new");
        drop(OutputFile::open(&path).expect("opened"));
        assert_eq!(fs::read_dir(&folder).expect("listed").count(), 1, "no temporary file is left");
        fs::remove_dir_all(folder).expect("removed");
    }

    #[test]
    fn bad_paths_are_told_when_opened() {
        let folder = folder("bad");
        assert!(OutputFile::open(&folder).expect_err("a folder").message.contains("it is a folder"));
        let missing = OutputFile::open(&folder.join("none/report.json")).expect_err("no such folder");
        assert!(missing.message.contains("cannot write"), "{}", missing.message);
        fs::remove_dir_all(folder).expect("removed");
    }

    #[cfg(unix)]
    #[test]
    fn a_device_is_written_in_place() {
        OutputFile::open(Path::new("/dev/null")).expect("opened").write(b"x").expect("written");
        assert!(!fs::metadata("/dev/null").expect("still there").is_file());
    }
}
