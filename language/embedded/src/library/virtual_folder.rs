//! The folder of a program in memory.

use super::folder::{Entry, Folder, Found, Refusal, below, plain, resolve};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Bound;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

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
