//! `errno`: codes of errors, as Linux has them.

use super::folder::Refusal;
use super::{Call, Table};
use crate::memory::Kind;
use cuda::source::Span;

const ENOENT: i32 = 2;
/// The descriptor is not open.
pub const EBADF: i32 = 9;
/// No memory is left.
pub const ENOMEM: i32 = 12;
const EACCES: i32 = 13;
/// There is a file at the path.
pub const EEXIST: i32 = 17;
const ENOTDIR: i32 = 20;
const EISDIR: i32 = 21;
/// The argument is not valid.
pub const EINVAL: i32 = 22;
/// Too many files are open.
pub const EMFILE: i32 = 24;
const EFBIG: i32 = 27;
const ENOSPC: i32 = 28;
const EROFS: i32 = 30;
/// The result does not fit in its type.
pub const ERANGE: i32 = 34;
const ENOTEMPTY: i32 = 39;

/// The codes of `errno.h`, and the texts of `strerror`, which are those of glibc.
const TEXTS: &[(i32, &str)] = &[
    (0, "Success"),
    (1, "Operation not permitted"),
    (ENOENT, "No such file or directory"),
    (3, "No such process"),
    (4, "Interrupted system call"),
    (5, "Input/output error"),
    (EBADF, "Bad file descriptor"),
    (11, "Resource temporarily unavailable"),
    (ENOMEM, "Cannot allocate memory"),
    (EACCES, "Permission denied"),
    (16, "Device or resource busy"),
    (EEXIST, "File exists"),
    (19, "No such device"),
    (ENOTDIR, "Not a directory"),
    (EISDIR, "Is a directory"),
    (EINVAL, "Invalid argument"),
    (EMFILE, "Too many open files"),
    (EFBIG, "File too large"),
    (ENOSPC, "No space left on device"),
    (EROFS, "Read-only file system"),
    (33, "Numerical argument out of domain"),
    (ERANGE, "Numerical result out of range"),
    (35, "Resource deadlock avoided"),
    (36, "File name too long"),
    (38, "Function not implemented"),
    (ENOTEMPTY, "Directory not empty"),
    (110, "Connection timed out"),
];

/// The text of a code.
pub fn text(code: i32) -> String {
    let known = TEXTS.iter().find(|(known, _)| *known == code);
    known.map_or_else(|| format!("Unknown error {code}"), |(_, text)| (*text).to_owned())
}

/// The code of a refusal.
pub fn of(why: Refusal) -> i32 {
    match why {
        Refusal::Missing => ENOENT,
        Refusal::NotFolder => ENOTDIR,
        Refusal::IsFolder => EISDIR,
        Refusal::Path | Refusal::InUse => EACCES,
        Refusal::Exists => EEXIST,
        Refusal::NotEmpty => ENOTEMPTY,
        Refusal::Fixed => EROFS,
        Refusal::Full(_) => EFBIG,
        Refusal::Many(_) => ENOSPC,
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_of_the_header_has_a_text() {
        let header = include_str!("../../../cuda/src/headers/errno.cuh");
        let codes = header.lines().filter_map(|line| line.strip_prefix("#define E")?.split_once(' '));
        let codes: Vec<i32> = codes.map(|(_, code)| code.parse().expect("a number")).collect();
        let known: Vec<i32> = TEXTS[1..].iter().map(|(code, _)| *code).collect();
        assert_eq!(codes, known);
    }
}
