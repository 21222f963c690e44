//! The folder of a program in the file system.

use super::folder::{Entry, Folder, Found, Refusal, below, resolve};
use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

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

#[cfg(test)]
mod tests;
