//! Texts in, and writing without losing anything: standard streams that may be closed, files that appear whole or
//! not at all, and inputs that are not overwritten.

use crate::chip;
use crate::exit::{Code, Failure};
use crate::watch::interrupt;
use std::fs::{self, File};
use std::io::{self, ErrorKind, Read, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Prints to standard output. A reader that has gone away is no error: it has seen what it wanted.
pub fn print(text: &str) -> Result<(), Failure> {
    print_on(text).map(|_| ())
}

/// Prints, and says whether anybody is left to print more for.
pub fn print_on(text: &str) -> Result<ControlFlow<()>, Failure> {
    let mut stdout = io::stdout().lock();
    match stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()) {
        Ok(()) => Ok(ControlFlow::Continue(())),
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(ControlFlow::Break(())),
        Err(error) => Err(Failure::input(format!("error: cannot write to standard output: {error}"))),
    }
}

/// Prints a line to standard error; where that is closed, nobody can be told.
pub fn complain(text: &str) {
    let _ = writeln!(io::stderr().lock(), "{text}");
}

/// The text of a file of at most `limit` bytes. A longer file is refused before it is read, what is no file when one
/// byte more has come.
pub fn read_text(path: &Path, limit: u64) -> Result<String, Failure> {
    let cannot = |why: String| Failure::input(format!("error: cannot read {}: {why}", path.display()));
    let too_long = || cannot(format!("it has more than {limit} bytes"));
    let file = File::open(path).map_err(|e| cannot(e.to_string()))?;
    if file.metadata().is_ok_and(|metadata| metadata.is_file() && metadata.len() > limit) {
        return Err(too_long());
    }
    let mut bytes = Vec::new();
    file.take(limit + 1).read_to_end(&mut bytes).map_err(|e| cannot(e.to_string()))?;
    if bytes.len() as u64 > limit {
        return Err(too_long());
    }
    String::from_utf8(bytes)
        .map_err(|e| cannot(format!("no UTF-8 text: byte {}", e.utf8_error().valid_up_to())))
}

/// The files of a run: none that it reads is overwritten, and none is written twice.
#[derive(Debug, Default)]
pub struct Files {
    read: Vec<PathBuf>,
    written: Vec<PathBuf>,
}

impl Files {
    /// The run reads `path`.
    pub fn reads(&mut self, path: &Path) {
        self.read.extend(identity(path));
    }

    /// The run reads the chip of that name or file.
    pub fn reads_chip(&mut self, chip: &str) {
        // A chip that cannot be read is refused where it is loaded.
        if let Ok(texts) = chip::texts(chip) {
            chip::files(&texts).for_each(|file| self.reads(&file));
        }
    }

    /// Prepares to write `path`.
    pub fn open(&mut self, path: &Path) -> Result<OutputFile, Failure> {
        self.claim(path)?;
        interrupt::tidy();
        OutputFile::open(path)
    }

    /// Empties `path` to write it bit by bit: what is written stays, whatever happens afterwards.
    pub fn stream(&mut self, path: &Path) -> Result<File, Failure> {
        self.claim(path)?;
        File::create(path)
            .map_err(|error| Failure::input(format!("error: cannot write {}: {error}", path.display())))
    }

    fn claim(&mut self, path: &Path) -> Result<(), Failure> {
        let cannot = |why: &str| Failure::input(format!("error: cannot write {}: {why}", path.display()));
        if let Some(identity) = identity(path) {
            if self.read.contains(&identity) {
                return Err(cannot("it is an input of this run"));
            }
            if self.written.contains(&identity) {
                return Err(cannot("this run writes something else there"));
            }
            self.written.push(identity);
        }
        Ok(())
    }
}

/// One path for each file, however it is spelt; `None` for what is no file, such as a device, and may be used twice.
fn identity(path: &Path) -> Option<PathBuf> {
    if fs::metadata(path).is_ok_and(|m| !m.is_file()) {
        return None;
    }
    fs::canonicalize(path).ok().or_else(|| {
        let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
        Some(fs::canonicalize(folder).ok()?.join(path.file_name()?))
    })
}

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

/// A file to be written later: opened before a long run, so that a bad path is told at once; what is written goes
/// to a temporary file beside it, which takes its name when complete. Dropped unwritten, or where
/// [`end_at_once`] ends the program, it leaves no trace.
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
        let mut known = temporaries();
        let file = File::options().write(true).create_new(true).open(&temporary).map_err(|e| cannot(&e))?;
        known.push(temporary.clone());
        drop(known);
        Ok(Self { path: target, file: Some(file), temporary: Some(temporary) })
    }

    /// Writes everything and puts the file in its place.
    pub fn write(mut self, bytes: &[u8]) -> Result<(), Failure> {
        let result = self.try_write(bytes);
        result
            .map_err(|error| Failure::input(format!("error: cannot write {}: {error}", self.path.display())))
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
        if let Some(temporary) = &self.temporary {
            let mut known = temporaries();
            fs::rename(temporary, &self.path)?;
            known.retain(|other| other != temporary);
            self.temporary = None;
        }
        Ok(())
    }
}

impl Drop for OutputFile {
    fn drop(&mut self) {
        if let Some(temporary) = &self.temporary {
            let mut known = temporaries();
            let _ = fs::remove_file(temporary);
            known.retain(|other| other != temporary);
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

    #[test]
    fn inputs_are_not_overwritten_and_nothing_is_written_twice() {
        let folder = folder("twice");
        fs::write(folder.join("in"), "precious").expect("written");
        let mut files = Files::default();
        files.reads(&folder.join("in"));
        let message = |files: &mut Files, name: &str| {
            files.open(&folder.join(name)).map(|_| ()).expect_err(name).message
        };
        assert!(message(&mut files, "./in").contains("it is an input of this run"));
        let first = files.open(&folder.join("out")).expect("opened");
        assert!(message(&mut files, "./out").contains("writes something else there"));
        drop(first);
        assert_eq!(fs::read_to_string(folder.join("in")).expect("read"), "precious");
        fs::remove_dir_all(folder).expect("removed");
    }

    #[cfg(unix)]
    #[test]
    fn a_device_is_written_in_place() {
        OutputFile::open(Path::new("/dev/null")).expect("opened").write(b"x").expect("written");
        assert!(!fs::metadata("/dev/null").expect("still there").is_file());
    }
}
