//! The folder of a program: where `stdio.h` finds its files.

use std::fmt;
use std::path::{Component, Path, PathBuf};

/// Why a file is not opened or not written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// There is no such file.
    Missing,
    /// A file has the place of a folder of the path.
    NotFolder,
    /// The path leads to a folder.
    IsFolder,
    /// The path leaves the folder, or does not lead to a regular file.
    Path,
    /// The files would have more bytes than this.
    Full(usize),
    /// The program would write more files than this.
    Many(usize),
    /// The run itself reads or writes the file.
    InUse,
    /// There is something at the path.
    Exists,
    /// The folder has files.
    NotEmpty,
    /// The files of the system stay as they are.
    Fixed,
}

impl Refusal {
    /// How a message begins and what it says if a rule for programs forbids the file; nothing if
    /// any system would.
    pub fn rule(self) -> Option<(&'static str, &'static str)> {
        match self {
            Self::Full(_) | Self::Many(_) | Self::InUse | Self::Fixed => Some(("error", "written")),
            Self::Path => Some(("warning", "opened")),
            _ => None,
        }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing => f.write_str("there is no such file"),
            Self::NotFolder => f.write_str("a part of the path is a file, not a folder"),
            Self::IsFolder => f.write_str("the path leads to a folder"),
            Self::Path => f.write_str("the path is not that of a file below the folder of the program"),
            Self::Full(most) if most.is_multiple_of(1 << 20) => {
                write!(f, "the limit for files of a program is {} MiB", most >> 20)
            }
            Self::Full(most) => write!(f, "the limit for files of a program is {most} bytes"),
            Self::Many(most) => write!(f, "a program can write at most {most} files"),
            Self::InUse => f.write_str("this run itself reads or writes it"),
            Self::Exists => f.write_str("there is a file or folder at the path"),
            Self::NotEmpty => f.write_str("the folder has files"),
            Self::Fixed => f.write_str("this run makes and removes no folders"),
        }
    }
}

/// A folder of files. A path names a file below it.
pub trait Folder: Send {
    /// Most bytes of a file.
    fn largest(&self) -> usize;

    /// Whether a program may open a file to write it.
    ///
    /// # Errors
    ///
    /// The run itself uses the file.
    fn permits(&self, _path: &str) -> Result<(), Refusal> {
        Ok(())
    }

    /// Reads a file.
    ///
    /// # Errors
    ///
    /// There is no such file, or it is not for programs.
    fn read(&self, path: &str) -> Result<Vec<u8>, Refusal>;

    /// Writes a file.
    ///
    /// # Errors
    ///
    /// The path is not for programs, or the file is too large.
    fn write(&mut self, path: &str, bytes: &[u8]) -> Result<(), Refusal>;

    /// Removes a file.
    ///
    /// # Errors
    ///
    /// There is no such file, or it is not for programs.
    fn remove(&mut self, path: &str) -> Result<(), Refusal>;

    /// Gives a file another path, and replaces the file there.
    ///
    /// # Errors
    ///
    /// There is no such file, or one of the paths is not for programs.
    fn rename(&mut self, from: &str, to: &str) -> Result<(), Refusal>;

    /// Returns what is at a path.
    ///
    /// # Errors
    ///
    /// There is nothing, or it is not for programs.
    fn look(&self, path: &str) -> Result<Entry, Refusal>;

    /// Returns the names in a folder, in the order of their bytes.
    ///
    /// # Errors
    ///
    /// There is no such folder, or it is not for programs.
    fn list(&self, path: &str) -> Result<Vec<String>, Refusal>;

    /// Makes a folder.
    ///
    /// # Errors
    ///
    /// There is something at the path, or it is not for programs.
    fn make_folder(&mut self, path: &str) -> Result<(), Refusal>;

    /// Removes an empty folder.
    ///
    /// # Errors
    ///
    /// There is no such folder, it has files, or it is not for programs.
    fn remove_folder(&mut self, path: &str) -> Result<(), Refusal>;
}

/// A file with its bytes, or a folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Entry {
    /// A file with so many bytes.
    File(usize),
    /// A folder.
    Folder,
}

/// What is at a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Found {
    File,
    Folder,
    Nothing,
}

/// The absolute path of the folder of a program: the result of `getcwd`.
pub const NAME: &str = "/warpsim";

/// Returns a path from the folder of the program.
fn from_folder(path: &str) -> &str {
    match path.strip_prefix(NAME) {
        Some(rest) if rest.trim_matches('/').is_empty() => ".",
        Some(rest) if rest.starts_with('/') => rest.trim_start_matches('/'),
        _ => path,
    }
}

/// Returns the path of a file without `.` and `..`, as [`resolve`] does. An error if it is a
/// folder.
pub fn below(path: &str, found: impl Fn(&Path) -> Found) -> Result<PathBuf, Refusal> {
    let (whole, at) = resolve(path, found)?;
    if at == Found::Folder { Err(Refusal::IsFolder) } else { Ok(whole) }
}

/// Returns a path without `.` and `..`, as POSIX resolves it, and what is there: all parts but the
/// last must be folders, and `/` at the end asks for a folder. An error if it leaves the folder.
pub fn resolve(path: &str, found: impl Fn(&Path) -> Found) -> Result<(PathBuf, Found), Refusal> {
    let (mut whole, path) = (PathBuf::new(), from_folder(path));
    let folder = |whole: &Path| match found(whole) {
        Found::Folder => Ok(()),
        Found::File => Err(Refusal::NotFolder),
        Found::Nothing => Err(Refusal::Missing),
    };
    let is_absolute = |part| matches!(part, Component::RootDir | Component::Prefix(_));
    if path.is_empty() {
        return Err(Refusal::Missing);
    }
    if Path::new(path).components().any(is_absolute) {
        return Err(Refusal::Path);
    }
    // The parts with `.` and with the empty part after a `/` at the end.
    for (number, part) in path.split(std::path::is_separator).enumerate() {
        if number > 0 {
            folder(&whole)?;
        }
        match part {
            "" | "." => {}
            ".." if whole.pop() => {}
            ".." => return Err(Refusal::Path),
            name => whole.push(name),
        }
    }
    let at = found(&whole);
    Ok((whole, at))
}

/// A path without `.` and `..`; `None` if it leaves the folder.
pub fn plain(path: &str) -> Option<PathBuf> {
    let mut whole = PathBuf::new();
    for part in Path::new(from_folder(path)).components() {
        match part {
            Component::Normal(name) => whole.push(name),
            Component::CurDir => {}
            Component::ParentDir if whole.pop() => {}
            Component::ParentDir | Component::RootDir | Component::Prefix(_) => return None,
        }
    }
    Some(whole)
}
