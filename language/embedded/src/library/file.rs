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
    /// The places of characters of `ungetc` in `bytes`, and the bytes of the file there.
    pub pushed: Vec<(usize, u8)>,
}

impl File {
    pub fn write(&mut self, bytes: &[u8]) -> Result<(), Refusal> {
        self.forget_pushed(usize::MAX);
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
        self.forget_pushed(usize::MAX);
        if !std::mem::take(&mut self.changed) || self.is_removed {
            return Ok(());
        }
        folder.write(&self.path, &self.bytes)
    }

    /// Puts a character in front of the rest, for the next read. The file itself does not change.
    pub fn push(&mut self, byte: u8) -> bool {
        let end = self.at.min(self.bytes.len());
        let Some(at) = end.checked_sub(1) else { return false };
        let old = std::mem::replace(&mut self.bytes[at], byte);
        if old != byte {
            self.pushed.push((at, old));
        }
        (self.at, self.ended) = (at, false);
        true
    }

    /// Moves to another place: the characters of `ungetc` are lost.
    pub fn seek(&mut self, at: usize) {
        self.forget_pushed(usize::MAX);
        (self.at, self.ended) = (at, false);
    }

    /// Gives the places of characters of `ungetc` before `end` their bytes again.
    fn forget_pushed(&mut self, end: usize) {
        let bytes = &mut self.bytes;
        self.pushed.retain(|(at, byte)| {
            let stays = *at >= end;
            if !stays {
                bytes[*at] = *byte;
            }
            stays
        });
    }

    /// Passes the next `count` bytes, which are read.
    pub fn pass(&mut self, count: usize) {
        self.at += count;
        self.forget_pushed(self.at);
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
        let taken = self.bytes[from..end].to_vec();
        self.at = from;
        self.pass(end - from);
        taken
    }
}
