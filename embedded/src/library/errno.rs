//! `errno`: codes of errors, as Linux has them.

use super::folder::Refusal;
use super::{Call, Table};
use crate::memory::Kind;
use cuda::source::Span;

/// The codes that functions of the library set, and the texts of `strerror`.
const TEXTS: &[(i32, &str)] = &[
    (0, "Success"),
    (1, "Operation not permitted"),
    (NO_ENTRY, "No such file or directory"),
    (4, "Interrupted system call"),
    (5, "Input/output error"),
    (9, "Bad file descriptor"),
    (NO_MEMORY, "Cannot allocate memory"),
    (13, "Permission denied"),
    (17, "File exists"),
    (20, "Not a directory"),
    (21, "Is a directory"),
    (22, "Invalid argument"),
    (TOO_MANY, "Too many open files"),
    (27, "File too large"),
    (28, "No space left on device"),
    (33, "Numerical argument out of domain"),
    (RANGE, "Numerical result out of range"),
];

const NO_ENTRY: i32 = 2;
/// `ENOMEM`.
pub const NO_MEMORY: i32 = 12;
/// `EMFILE`.
pub const TOO_MANY: i32 = 24;
/// `ERANGE`.
pub const RANGE: i32 = 34;

/// The text of a code.
pub fn text(code: i32) -> String {
    let known = TEXTS.iter().find(|(known, _)| *known == code);
    known.map_or_else(|| format!("Unknown error {code}"), |(_, text)| (*text).to_owned())
}

/// The code of a refusal.
pub fn of(why: Refusal) -> i32 {
    match why {
        Refusal::Missing => NO_ENTRY,
        Refusal::NotFolder => 20,
        Refusal::IsFolder => 21,
        Refusal::Path | Refusal::InUse => 13,
        Refusal::Full(_) => 27,
        Refusal::Many(_) => 28,
    }
}

impl Call<'_> {
    /// The address of `errno`; `None` without memory for it.
    fn errno_address(&mut self) -> Option<u64> {
        if self.host.errno == 0 {
            let kind = Kind::Global("errno".into());
            self.host.errno = self.memory.allocate(4, kind, true, Span::NONE).ok()?;
        }
        Some(self.host.errno)
    }

    /// Sets `errno`.
    pub fn fail(&mut self, code: i32) {
        if let Some(address) = self.errno_address() {
            // The variable is never freed.
            let _ = self.memory.store(address, code.to_le_bytes());
        }
    }

    /// The value of `errno`.
    pub fn errno(&mut self) -> i32 {
        let address = self.errno_address();
        address.and_then(|address| self.memory.load(address).ok()).map_or(0, i32::from_le_bytes)
    }
}

pub(super) const TABLE: Table = &[
    ("__errno_location", |call| Ok(call.errno_address().unwrap_or(0))),
    ("strerror", |call| {
        let text = text(call.int(0));
        if let Some(known) = call.host.messages.get(&text) {
            return Ok(*known);
        }
        let kind = Kind::Global("the text of `strerror`".into());
        let address = call.memory.allocate(text.len() as u64 + 1, kind, true, Span::NONE)?;
        call.memory.write(address, text.as_bytes())?;
        call.host.messages.insert(text, address);
        Ok(address)
    }),
];
