//! An open file of `stdio.h`, in memory.

use super::folder::{Folder, Refusal, plain};

/// An open file.
#[derive(Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "independent states of a file")]
pub struct File {
    pub path: String,
    pub bytes: Vec<u8>,
    pub at: usize,
    /// Most bytes.
    pub largest: usize,
    pub reads: bool,
    pub writes: bool,
    pub appends: bool,
    pub changed: bool,
    /// Whether the program has removed the file: it keeps its bytes until it is closed.
    pub is_removed: bool,
    /// Whether a read reached the end.
    pub ended: bool,
    /// Standard input: whether all of it has arrived.
    pub closed: bool,
}

impl File {
    pub fn write(&mut self, bytes: &[u8]) -> Result<(), Refusal> {
        if self.appends {
            self.at = self.bytes.len();
        }
        let end = self.at + bytes.len();
        if !self.writes {
            return Err(Refusal::Path);
        }
        if end > self.largest {
            return Err(Refusal::Full(self.largest));
        }
        if self.bytes.len() < end {
            self.bytes.resize(end, 0);
        }
        self.bytes[self.at..end].copy_from_slice(bytes);
        self.at = end;
        self.changed = true;
        Ok(())
    }

    pub fn store(&mut self, folder: &mut dyn Folder) -> Result<(), Refusal> {
        if !std::mem::take(&mut self.changed) || self.is_removed {
            return Ok(());
        }
        folder.write(&self.path, &self.bytes)
    }

    /// Whether it is the file at a path.
    pub fn is_at(&self, path: &str) -> bool {
        !self.is_removed && plain(&self.path) == plain(path)
    }

    /// The bytes that were not read.
    pub fn rest(&self) -> &[u8] {
        self.bytes.get(self.at..).unwrap_or_default()
    }

    /// Takes up to `most` bytes.
    pub fn take(&mut self, most: usize) -> Vec<u8> {
        let from = self.at.min(self.bytes.len());
        let end = from.saturating_add(most).min(self.bytes.len());
        self.ended |= end - from < most;
        self.at = end;
        self.bytes[from..end].to_vec()
    }
}
