//! The folder of a program: where `stdio.h` finds its files.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::io::ErrorKind;
use std::ops::Bound;
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

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
    /// Whether the file is against a rule for programs that has nothing to do with its path.
    pub fn is_of_rule(self) -> bool {
        matches!(self, Self::Full(_) | Self::Many(_) | Self::InUse | Self::Fixed)
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
enum Found {
    File,
    Folder,
    Nothing,
}

/// Returns the path of a file without `.` and `..`, as [`resolve`] does. An error if it is a
/// folder.
fn below(path: &str, found: impl Fn(&Path) -> Found) -> Result<PathBuf, Refusal> {
    let (whole, at) = resolve(path, found)?;
    if at == Found::Folder { Err(Refusal::IsFolder) } else { Ok(whole) }
}

/// Returns a path without `.` and `..`, as POSIX resolves it, and what is there: all parts but the
/// last must be folders, and `/` at the end asks for a folder. An error if it leaves the folder.
fn resolve(path: &str, found: impl Fn(&Path) -> Found) -> Result<(PathBuf, Found), Refusal> {
    let mut whole = PathBuf::new();
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

/// Whether a run itself reads or writes the file at a path.
pub type InUse = Box<dyn Fn(&Path) -> bool + Send>;

/// A folder of the file system.
pub struct DiskFolder {
    root: PathBuf,
    in_use: InUse,
    /// Bytes of each file that the program has written.
    written: BTreeMap<PathBuf, usize>,
    /// Their sum.
    total: usize,
    /// Folders that the program has made.
    folders: usize,
    /// The changes, if the files of the system stay as they are: the bytes of files that were
    /// written, and nothing for files that were removed.
    changes: Option<BTreeMap<PathBuf, Option<Vec<u8>>>>,
}

impl DiskFolder {
    /// Most bytes of all files that a program writes.
    pub const LARGEST: usize = 1 << 30;
    /// Most files that a program writes.
    pub const MOST: usize = 10_000;

    /// The files below `root`; a program does not write those that are `in_use`.
    pub fn new(root: PathBuf, in_use: InUse) -> Self {
        Self { root, in_use, written: BTreeMap::new(), total: 0, folders: 0, changes: None }
    }

    /// The same folder, which changes no file of the system: a program reads back what it has
    /// written.
    #[must_use]
    pub fn unchanged(self) -> Self {
        Self { changes: Some(BTreeMap::new()), ..self }
    }

    /// The changed contents of a file; the inner value is nothing for a file that was removed.
    fn changed(&self, real: &Path) -> Option<&Option<Vec<u8>>> {
        self.changes.as_ref()?.get(real)
    }

    /// The path of a place without links, for [`Self::changed`].
    fn real(place: &Path) -> Option<PathBuf> {
        let parent = || Some(place.parent()?.canonicalize().ok()?.join(place.file_name()?));
        place.canonicalize().ok().or_else(parent)
    }

    /// The place of a file. A link must not lead out of the folder, and not to a file that is only
    /// made by a write.
    fn place(&self, path: &str) -> Result<PathBuf, Refusal> {
        let whole = self.root.join(below(path, |below| self.found(below))?);
        let real = |path: &Path| path.canonicalize().map_err(|_| Refusal::Path);
        let root = real(&self.root)?;
        let parent = real(whole.parent().ok_or(Refusal::Path)?)?;
        let is_new = whole.symlink_metadata().is_err();
        let is_inside =
            parent.starts_with(&root) && (is_new || (whole.is_file() && real(&whole)?.starts_with(&root)));
        if is_inside { Ok(whole) } else { Err(Refusal::Path) }
    }

    fn found(&self, below: &Path) -> Found {
        match self.root.join(below).metadata() {
            Ok(data) if data.is_dir() => Found::Folder,
            Ok(_) => Found::File,
            Err(_) => Found::Nothing,
        }
    }

    /// The place of a folder, or of nothing in a folder. A link must not lead out of the folder.
    fn place_of_folder(&self, path: &str) -> Result<(PathBuf, Found), Refusal> {
        let (below, found) = resolve(path, |below| self.found(below))?;
        let whole = self.root.join(below);
        let real = |path: &Path| path.canonicalize().map_err(|_| Refusal::Path);
        let nearest = match found {
            Found::Folder => whole.as_path(),
            Found::File | Found::Nothing => whole.parent().ok_or(Refusal::Path)?,
        };
        let is_inside = real(nearest)?.starts_with(real(&self.root)?);
        if is_inside { Ok((whole, found)) } else { Err(Refusal::Path) }
    }

    /// The place of a file that a program may change, also without links.
    fn place_to_change(&self, path: &str) -> Result<(PathBuf, PathBuf), Refusal> {
        self.permits(path)?;
        let place = self.place(path)?;
        let real = Self::real(&place).ok_or(Refusal::Path)?;
        Ok((place, real))
    }

    /// The place of a file that gets `bytes` bytes.
    fn place_to_write(&mut self, path: &str, bytes: usize) -> Result<(PathBuf, PathBuf), Refusal> {
        let (place, real) = self.place_to_change(path)?;
        if self.written.len() >= Self::MOST && !self.written.contains_key(&real) {
            return Err(Refusal::Many(Self::MOST));
        }
        let others = self.total - self.written.get(&real).copied().unwrap_or(0);
        if others.saturating_add(bytes) > Self::LARGEST {
            return Err(Refusal::Full(Self::LARGEST));
        }
        self.note(real.clone(), Some(bytes));
        Ok((place, real))
    }

    /// Notes the bytes of a file that the program has written; without them, it is no more its
    /// file.
    fn note(&mut self, real: PathBuf, bytes: Option<usize>) -> Option<usize> {
        let old = match bytes {
            Some(bytes) => self.written.insert(real, bytes),
            None => self.written.remove(&real),
        };
        self.total = self.total - old.unwrap_or(0) + bytes.unwrap_or(0);
        old
    }
}

impl Folder for DiskFolder {
    fn largest(&self) -> usize {
        Self::LARGEST
    }

    fn permits(&self, path: &str) -> Result<(), Refusal> {
        if (self.in_use)(&self.place(path)?) { Err(Refusal::InUse) } else { Ok(()) }
    }

    fn read(&self, path: &str) -> Result<Vec<u8>, Refusal> {
        let place = self.place(path)?;
        if let Some(changed) = Self::real(&place).and_then(|real| self.changed(&real)) {
            return changed.clone().ok_or(Refusal::Missing);
        }
        let size = std::fs::metadata(&place).map_or(0, |data| data.len());
        if size > self.largest() as u64 {
            return Err(Refusal::Full(self.largest()));
        }
        std::fs::read(&place).map_err(|why| refusal(&why))
    }

    fn write(&mut self, path: &str, bytes: &[u8]) -> Result<(), Refusal> {
        let (place, real) = self.place_to_write(path, bytes.len())?;
        if let Some(changes) = &mut self.changes {
            changes.insert(real, Some(bytes.to_vec()));
            return Ok(());
        }
        std::fs::write(place, bytes).map_err(|_| Refusal::Path)
    }

    fn remove(&mut self, path: &str) -> Result<(), Refusal> {
        let (place, real) = self.place_to_change(path)?;
        if self.changes.is_some() {
            self.read(path)?;
            self.changes.as_mut().map(|changes| changes.insert(real.clone(), None));
        } else {
            std::fs::remove_file(place).map_err(|why| refusal(&why))?;
        }
        self.note(real, None);
        Ok(())
    }

    fn rename(&mut self, from: &str, to: &str) -> Result<(), Refusal> {
        let ((place, old), (to, new)) = (self.place_to_change(from)?, self.place_to_change(to)?);
        if self.changes.is_some() {
            let bytes = self.read(from)?;
            let moved = [(old.clone(), None), (new.clone(), Some(bytes))];
            self.changes.iter_mut().for_each(|changes| changes.extend(moved.clone()));
        } else {
            std::fs::rename(place, to).map_err(|why| refusal(&why))?;
        }
        let bytes = self.note(old, None);
        self.note(new, bytes);
        Ok(())
    }

    fn look(&self, path: &str) -> Result<Entry, Refusal> {
        if let (_, Found::Folder) = self.place_of_folder(path)? {
            return Ok(Entry::Folder);
        }
        let place = self.place(path)?;
        if let Some(changed) = Self::real(&place).and_then(|real| self.changed(&real)) {
            return changed.as_ref().map(|bytes| Entry::File(bytes.len())).ok_or(Refusal::Missing);
        }
        let data = place.metadata().map_err(|why| refusal(&why))?;
        Ok(Entry::File(usize::try_from(data.len()).unwrap_or(usize::MAX)))
    }

    fn list(&self, path: &str) -> Result<Vec<String>, Refusal> {
        let place = match self.place_of_folder(path)? {
            (place, Found::Folder) => place,
            (_, Found::File) => return Err(Refusal::NotFolder),
            (_, Found::Nothing) => return Err(Refusal::Missing),
        };
        let entries = std::fs::read_dir(&place).map_err(|why| refusal(&why))?;
        let mut names: Vec<String> =
            entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok()).collect();
        if let (Some(changes), Ok(real)) = (&self.changes, place.canonicalize()) {
            let own = changes.iter().filter(|(path, _)| path.parent() == Some(&real));
            for (path, bytes) in own {
                let Some(name) = path.file_name().and_then(|name| name.to_str()) else { continue };
                names.retain(|known| known != name);
                names.extend(bytes.as_ref().map(|_| name.to_owned()));
            }
        }
        names.sort();
        Ok(names)
    }

    fn make_folder(&mut self, path: &str) -> Result<(), Refusal> {
        // A `/` at the end is no part of the name.
        let path = path.trim_end_matches(std::path::is_separator);
        let (place, Found::Nothing) = self.place_of_folder(path)? else { return Err(Refusal::Exists) };
        if self.changes.is_some() {
            return Err(Refusal::Fixed);
        }
        if self.folders >= Self::MOST {
            return Err(Refusal::Many(Self::MOST));
        }
        std::fs::create_dir(place).map_err(|why| refusal(&why))?;
        self.folders += 1;
        Ok(())
    }

    fn remove_folder(&mut self, path: &str) -> Result<(), Refusal> {
        if !self.list(path)?.is_empty() {
            return Err(Refusal::NotEmpty);
        }
        if self.changes.is_some() {
            return Err(Refusal::Fixed);
        }
        let (place, _) = self.place_of_folder(path)?;
        // The folder of the program itself stays.
        if place.canonicalize().ok() == self.root.canonicalize().ok() {
            return Err(Refusal::Path);
        }
        std::fs::remove_dir(place).map_err(|why| refusal(&why))
    }
}

fn refusal(why: &std::io::Error) -> Refusal {
    if why.kind() == ErrorKind::NotFound { Refusal::Missing } else { Refusal::Path }
}

/// A file in memory.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Stored {
    bytes: Vec<u8>,
    /// Whether the program wrote it.
    written: bool,
}

/// The files of a folder in memory.
#[derive(Clone, Debug, Default)]
struct Files {
    by_name: BTreeMap<String, Stored>,
    /// The folders that the program has made.
    folders: BTreeSet<String>,
    /// What they take of the limit.
    taken: usize,
}

impl Files {
    fn insert(&mut self, name: String, file: Stored) {
        self.taken += file.taken();
        let old = self.by_name.insert(name, file);
        self.taken -= old.as_ref().map_or(0, Stored::taken);
    }

    fn remove(&mut self, name: &str) -> Option<Stored> {
        let old = self.by_name.remove(name)?;
        self.taken -= old.taken();
        Some(old)
    }
}

impl Stored {
    /// What the file takes of the limit: files without bytes have one, too.
    fn taken(&self) -> usize {
        self.bytes.len().max(VirtualFolder::SMALLEST)
    }
}

/// A folder in memory. Its clones are the same folder, so that the caller of a program reads what
/// the program wrote.
#[derive(Clone, Debug, Default)]
pub struct VirtualFolder(Arc<Mutex<Files>>);

impl VirtualFolder {
    /// Most bytes of all files.
    pub const LARGEST: usize = 16 << 20;
    /// Bytes that a file takes at least, so that their number has a limit, too.
    const SMALLEST: usize = 1 << 10;

    /// Makes a folder with files: their paths and bytes.
    ///
    /// # Errors
    ///
    /// The path that is refused, and the reason.
    pub fn new(files: impl IntoIterator<Item = (String, Vec<u8>)>) -> Result<Self, (String, Refusal)> {
        let folder = Self::default();
        for (path, bytes) in files {
            let name = plain(&path).and_then(|name| text(&name));
            let name = name.filter(|name| !name.is_empty()).ok_or((path, Refusal::Path))?;
            let is_full = bytes.len() > folder.room(&name);
            folder.files().insert(name.clone(), Stored { bytes, written: false });
            if is_full {
                return Err((name, Refusal::Full(Self::LARGEST)));
            }
        }
        Ok(folder)
    }

    /// Returns another folder with the same files.
    #[must_use]
    pub fn copy(&self) -> Self {
        Self(Arc::new(Mutex::new(self.files().clone())))
    }

    /// All files: their paths and bytes.
    pub fn all(&self) -> Vec<(String, Vec<u8>)> {
        self.files().by_name.iter().map(|(name, file)| (name.clone(), file.bytes.clone())).collect()
    }

    /// The files that a program has written: their paths and bytes.
    pub fn written(&self) -> Vec<(String, Vec<u8>)> {
        let files = self.files();
        let written = files.by_name.iter().filter(|(_, file)| file.written);
        written.map(|(name, file)| (name.clone(), file.bytes.clone())).collect()
    }

    fn files(&self) -> MutexGuard<'_, Files> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Most bytes that the file `name` can have.
    fn room(&self, name: &str) -> usize {
        let files = self.files();
        let others = files.taken - files.by_name.get(name).map_or(0, Stored::taken);
        Self::LARGEST.saturating_sub(others)
    }

    /// Whether files are below this path.
    fn is_folder(&self, name: &str) -> bool {
        let below = format!("{name}/");
        let files = self.files();
        // The names of the files of a folder are neighbors.
        let mut from = files.by_name.range::<str, _>((Bound::Included(&*below), Bound::Unbounded));
        let has_files = from.next().is_some_and(|(file, _)| file.starts_with(&below));
        name.is_empty() || has_files || files.folders.contains(name)
    }

    /// The name of a file, in a folder that exists.
    fn place(&self, path: &str) -> Result<String, Refusal> {
        text(&below(path, |below| self.found(below))?).ok_or(Refusal::Path)
    }

    fn found(&self, below: &Path) -> Found {
        match text(below) {
            Some(name) if self.is_folder(&name) => Found::Folder,
            Some(name) if self.files().by_name.contains_key(&name) => Found::File,
            _ => Found::Nothing,
        }
    }

    /// The name of a path, and what is there.
    fn entry(&self, path: &str) -> Result<(String, Found), Refusal> {
        let (whole, found) = resolve(path, |below| self.found(below))?;
        Ok((text(&whole).ok_or(Refusal::Path)?, found))
    }
}

/// A path without `.` and `..`; `None` if it leaves the folder.
pub fn plain(path: &str) -> Option<PathBuf> {
    let mut whole = PathBuf::new();
    for part in Path::new(path).components() {
        match part {
            Component::Normal(name) => whole.push(name),
            Component::CurDir => {}
            Component::ParentDir if whole.pop() => {}
            Component::ParentDir | Component::RootDir | Component::Prefix(_) => return None,
        }
    }
    Some(whole)
}

/// A path as the name of a virtual file, the same on each system.
fn text(path: &Path) -> Option<String> {
    let parts: Option<Vec<&str>> = path.iter().map(|part| part.to_str()).collect();
    parts.map(|parts| parts.join("/"))
}

impl Folder for VirtualFolder {
    fn largest(&self) -> usize {
        Self::LARGEST
    }

    fn read(&self, path: &str) -> Result<Vec<u8>, Refusal> {
        let name = self.place(path)?;
        self.files().by_name.get(&name).map(|file| file.bytes.clone()).ok_or(Refusal::Missing)
    }

    fn write(&mut self, path: &str, bytes: &[u8]) -> Result<(), Refusal> {
        let name = self.place(path)?;
        if bytes.len().max(Self::SMALLEST) > self.room(&name) {
            return Err(Refusal::Full(Self::LARGEST));
        }
        self.files().insert(name, Stored { bytes: bytes.to_vec(), written: true });
        Ok(())
    }

    fn remove(&mut self, path: &str) -> Result<(), Refusal> {
        let name = self.place(path)?;
        self.files().remove(&name).map(drop).ok_or(Refusal::Missing)
    }

    fn rename(&mut self, from: &str, to: &str) -> Result<(), Refusal> {
        let (from, to) = (self.place(from)?, self.place(to)?);
        let mut files = self.files();
        let file = files.remove(&from).ok_or(Refusal::Missing)?;
        files.insert(to, Stored { written: true, ..file });
        Ok(())
    }

    fn look(&self, path: &str) -> Result<Entry, Refusal> {
        match self.entry(path)? {
            (_, Found::Folder) => Ok(Entry::Folder),
            (name, Found::File) => {
                Ok(Entry::File(self.files().by_name.get(&name).map_or(0, |file| file.bytes.len())))
            }
            (_, Found::Nothing) => Err(Refusal::Missing),
        }
    }

    fn list(&self, path: &str) -> Result<Vec<String>, Refusal> {
        let name = match self.entry(path)? {
            (name, Found::Folder) => name,
            (_, Found::File) => return Err(Refusal::NotFolder),
            (_, Found::Nothing) => return Err(Refusal::Missing),
        };
        let below = if name.is_empty() { name } else { name + "/" };
        let files = self.files();
        let all = files.by_name.keys().chain(&files.folders);
        let first = |path: &String| Some(path.strip_prefix(&below)?.split('/').next()?.to_owned());
        let names: BTreeSet<String> = all.filter_map(first).collect();
        Ok(names.into_iter().collect())
    }

    fn make_folder(&mut self, path: &str) -> Result<(), Refusal> {
        let path = path.trim_end_matches('/');
        let (name, Found::Nothing) = self.entry(path)? else { return Err(Refusal::Exists) };
        if self.room(&name) < Self::SMALLEST {
            return Err(Refusal::Full(Self::LARGEST));
        }
        let mut files = self.files();
        files.taken += Self::SMALLEST;
        files.folders.insert(name);
        Ok(())
    }

    fn remove_folder(&mut self, path: &str) -> Result<(), Refusal> {
        if !self.list(path)?.is_empty() {
            return Err(Refusal::NotEmpty);
        }
        let (name, _) = self.entry(path)?;
        let mut files = self.files();
        if !files.folders.remove(&name) {
            return Err(Refusal::Path);
        }
        files.taken -= Self::SMALLEST;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The folder `data` with a file, and a file beside it.
    fn folders() -> (tempfile::TempDir, [Box<dyn Folder>; 2]) {
        let disk = tempfile::tempdir().expect("a temporary folder");
        std::fs::create_dir(disk.path().join("data")).expect("a folder");
        std::fs::write(disk.path().join("data/in.txt"), b"one").expect("a file");
        std::fs::write(disk.path().join("b.txt"), b"two").expect("a file");
        let files = [("data/in.txt", b"one"), ("./b.txt", b"two")];
        let files = files.map(|(path, bytes)| (path.to_owned(), bytes.to_vec()));
        let inner = VirtualFolder::new(files).expect("a folder");
        let real = DiskFolder::new(disk.path().to_owned(), Box::new(|_| false));
        (disk, [Box::new(real), Box::new(inner)])
    }

    #[test]
    fn both_kinds_of_folders_refuse_the_same_paths() {
        let (_disk, folders) = folders();
        for mut folder in folders {
            for (path, expected) in [
                ("b.txt", Ok(b"two".to_vec())),
                ("./data/../b.txt", Ok(b"two".to_vec())),
                ("data//in.txt", Ok(b"one".to_vec())),
                ("none.txt", Err(Refusal::Missing)),
                ("none/in.txt", Err(Refusal::Missing)),
                ("none/../b.txt", Err(Refusal::Missing)),
                ("b.txt/../b.txt", Err(Refusal::NotFolder)),
                ("b.txt/.", Err(Refusal::NotFolder)),
                ("b.txt/", Err(Refusal::NotFolder)),
                ("b.txt/x", Err(Refusal::NotFolder)),
                ("none.txt/", Err(Refusal::Missing)),
                ("", Err(Refusal::Missing)),
                (".", Err(Refusal::IsFolder)),
                ("data", Err(Refusal::IsFolder)),
                ("data/", Err(Refusal::IsFolder)),
                ("data/.", Err(Refusal::IsFolder)),
                ("data/..", Err(Refusal::IsFolder)),
                ("..", Err(Refusal::Path)),
                ("../b.txt", Err(Refusal::Path)),
                ("data/../../b.txt", Err(Refusal::Path)),
                ("/etc/passwd", Err(Refusal::Path)),
            ] {
                assert_eq!(folder.read(path), expected, "{path}");
                if let Err(why) = expected
                    && path != "none.txt"
                {
                    assert_eq!(folder.write(path, b"x"), Err(why), "{path}");
                    assert_eq!(folder.remove(path), Err(why), "{path}");
                    assert_eq!(folder.rename("b.txt", path), Err(why), "{path}");
                }
            }
            assert_eq!(folder.write("data/new.txt", b"three"), Ok(()));
            assert_eq!(folder.read("data/new.txt"), Ok(b"three".to_vec()));
            assert_eq!(folder.rename("data/new.txt", "b.txt"), Ok(()));
            assert_eq!(folder.read("data/new.txt"), Err(Refusal::Missing));
            assert_eq!(folder.read("b.txt"), Ok(b"three".to_vec()));
            assert_eq!((folder.remove("b.txt"), folder.remove("b.txt")), (Ok(()), Err(Refusal::Missing)));
        }
    }

    #[test]
    fn both_kinds_of_folders_make_list_and_remove_the_same_folders() {
        let (_disk, folders) = folders();
        for mut folder in folders {
            let names = |folder: &dyn Folder, path| folder.list(path).map(|list| list.join(" "));
            assert_eq!(names(&*folder, "."), Ok("b.txt data".to_owned()));
            for path in ["data", "b.txt", ".", "data/.."] {
                assert_eq!(folder.make_folder(path), Err(Refusal::Exists), "{path}");
            }
            assert_eq!(folder.make_folder("../out"), Err(Refusal::Path));
            assert_eq!(folder.make_folder("none/out"), Err(Refusal::Missing));
            assert_eq!(folder.make_folder("data/out/"), Ok(()));
            assert_eq!(
                (names(&*folder, "data"), names(&*folder, "data/out")),
                (Ok("in.txt out".to_owned()), Ok(String::new()))
            );
            assert_eq!(folder.look("data/out"), Ok(Entry::Folder));
            assert_eq!(folder.look("data/in.txt"), Ok(Entry::File(3)));
            assert_eq!(folder.look("data/none"), Err(Refusal::Missing));
            assert_eq!(folder.write("data/out/a", b"x"), Ok(()));
            assert_eq!(folder.remove_folder("data/out"), Err(Refusal::NotEmpty));
            assert_eq!(folder.remove_folder("b.txt"), Err(Refusal::NotFolder));
            assert_eq!(folder.remove("data/out/a"), Ok(()));
            assert_eq!(folder.remove_folder("data/out"), Ok(()));
            assert_eq!(folder.look("data/out"), Err(Refusal::Missing));
            assert_eq!(names(&*folder, "data/.."), Ok("b.txt data".to_owned()));
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_link_does_not_lead_out_of_a_folder() {
        let (disk, [mut folder, _]) = folders();
        std::os::unix::fs::symlink("/etc/passwd", disk.path().join("link")).expect("a link");
        assert_eq!(folder.read("link"), Err(Refusal::Path));
        assert_eq!(folder.write("link", b""), Err(Refusal::Path));
        let outside = tempfile::tempdir().expect("a temporary folder");
        let file = outside.path().join("made");
        std::os::unix::fs::symlink(&file, disk.path().join("dangling")).expect("a link");
        assert_eq!(folder.write("dangling", b""), Err(Refusal::Path));
        assert!(!file.exists());
    }

    #[test]
    fn files_in_use_and_files_beyond_the_limits_are_not_written() {
        let disk = tempfile::tempdir().expect("a temporary folder");
        let root = disk.path().to_owned();
        let mut folder = DiskFolder::new(root.clone(), Box::new(|path| path.ends_with("used")));
        std::fs::write(root.join("used"), "kept").expect("a file");
        assert_eq!(folder.write("used", b"x"), Err(Refusal::InUse));
        assert_eq!(folder.remove("used"), Err(Refusal::InUse));
        assert_eq!(folder.rename("used", "a"), Err(Refusal::InUse));
        assert_eq!(folder.read("used"), Ok(b"kept".to_vec()));
        folder.note(root.join("large"), Some(DiskFolder::LARGEST - 2));
        assert_eq!(folder.write("a", b"xx"), Ok(()));
        assert_eq!(folder.write("./a", b"yy"), Ok(()), "it is the same file");
        assert_eq!(folder.write("b", b"x"), Err(Refusal::Full(DiskFolder::LARGEST)));
        assert_eq!(folder.write("a", b""), Ok(()));
        assert_eq!(folder.write("b", b"x"), Ok(()));
        let others = (folder.written.len()..DiskFolder::MOST).map(|at| (root.join(at.to_string()), 0));
        folder.written.extend(others);
        assert_eq!(folder.write("c", b""), Err(Refusal::Many(DiskFolder::MOST)));
        assert_eq!(folder.write("b", b""), Ok(()));
        assert!(!root.join("c").exists());
    }

    #[test]
    fn an_unchanged_folder_keeps_its_changes_in_memory() {
        let disk = tempfile::tempdir().expect("a temporary folder");
        let root = disk.path().to_owned();
        std::fs::write(root.join("a"), "kept").expect("a file");
        let mut folder = DiskFolder::new(root.clone(), Box::new(|_| false)).unchanged();
        assert_eq!(folder.write("a", b"new"), Ok(()));
        assert_eq!(folder.read("./a"), Ok(b"new".to_vec()));
        assert_eq!(folder.rename("a", "b"), Ok(()));
        assert_eq!((folder.read("a"), folder.read("b")), (Err(Refusal::Missing), Ok(b"new".to_vec())));
        assert_eq!(folder.remove("b"), Ok(()));
        assert_eq!(folder.remove("b"), Err(Refusal::Missing));
        assert_eq!(folder.write("c", b""), Ok(()));
        let names = std::fs::read_dir(&root).expect("it exists").count();
        let text = std::fs::read_to_string(root.join("a")).expect("a text");
        assert_eq!((names, text.as_str()), (1, "kept"));
    }

    #[test]
    fn a_virtual_folder_has_a_limit_and_lists_what_a_program_wrote() {
        let (largest, half) = (VirtualFolder::LARGEST, VirtualFolder::LARGEST / 2);
        let folder = VirtualFolder::new([("in".to_owned(), vec![0; half])]).expect("it fits");
        let mut program = folder.clone();
        assert_eq!(program.write("out", &vec![1; half + 1]), Err(Refusal::Full(largest)));
        assert_eq!(folder.written(), []);
        assert_eq!(program.write("out", &vec![1; half]), Ok(()));
        assert_eq!(program.write("out", b"x"), Ok(()));
        assert_eq!(folder.written(), [("out".to_owned(), b"x".to_vec())]);
        let most = (0..half).find(|at| program.write(&format!("small{at}"), b"").is_err());
        assert_eq!(most, Some(half / 1024 - 1), "empty files have a limit, too");
        let large = VirtualFolder::new([("in".to_owned(), vec![0; largest + 1])]);
        assert_eq!(large.err(), Some(("in".to_owned(), Refusal::Full(largest))));
        let outside = VirtualFolder::new([("../in".to_owned(), vec![0])]);
        assert_eq!(outside.err(), Some(("../in".to_owned(), Refusal::Path)));
    }
}
