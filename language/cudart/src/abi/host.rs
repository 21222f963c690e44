//! Memory of the host program, and the functions of the C library that the runtime uses.
//!
//! On Linux the kernel copies the bytes (`process_vm_readv`), so that a wrong pointer is an error
//! and not a crash. Where it cannot, the bytes are copied directly.

use crate::runtime::host::Process;
#[cfg(target_os = "linux")]
use std::ffi::c_ulong;
use std::ffi::{c_int, c_void};

/// This process.
#[derive(Clone, Copy, Debug)]
pub struct Memory;

/// Lowest address that a process can have.
const LOWEST: u64 = 4096;

/// `struct iovec`.
#[repr(C)]
#[derive(Clone, Copy)]
struct Range {
    start: u64,
    bytes: u64,
}

/// Largest number of ranges of a call (`IOV_MAX`).
const MOST_RANGES: usize = 1024;

/// Largest number of bytes of a call; Linux moves at most 2 GiB.
const MOST_BYTES: u64 = 1 << 30;

unsafe extern "C" {
    #[cfg(target_os = "linux")]
    fn process_vm_readv(
        process: c_int,
        own: *const Range,
        owns: c_ulong,
        other: *const Range,
        others: c_ulong,
        flags: c_ulong,
    ) -> isize;
    #[cfg(target_os = "linux")]
    fn process_vm_writev(
        process: c_int,
        own: *const Range,
        owns: c_ulong,
        other: *const Range,
        others: c_ulong,
        flags: c_ulong,
    ) -> isize;
    fn mmap(
        at: *mut c_void,
        bytes: usize,
        access: c_int,
        flags: c_int,
        file: c_int,
        offset: i64,
    ) -> *mut c_void;
    fn munmap(at: *mut c_void, bytes: usize) -> c_int;
    fn fwrite(bytes: *const c_void, size: usize, count: usize, file: *mut c_void) -> usize;
    fn fflush(file: *mut c_void) -> c_int;
    pub(super) fn atexit(function: extern "C" fn()) -> c_int;
    #[cfg_attr(target_os = "macos", link_name = "__stdoutp")]
    static stdout: *mut c_void;
}

/// Direction of a transfer, from the view of the runtime.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Transfer {
    Read,
    Write,
}

/// Writes text to the `stdout` of C, in order with the output of the host program.
pub fn print(text: &str) {
    // SAFETY: the text has `len` bytes, and `stdout` is open as long as the C library exists.
    unsafe {
        fwrite(text.as_ptr().cast(), 1, text.len(), stdout);
        fflush(stdout);
    }
}

/// Writes the text that the host program has buffered in the `stdout` of C, so that a message on
/// standard error comes after it.
pub fn flush() {
    // SAFETY: `stdout` is open as long as the C library exists.
    unsafe {
        fflush(stdout);
    }
}

/// Calls a function at the end of the host program.
pub fn at_exit(function: extern "C" fn()) {
    // SAFETY: `function` has no parameters and does not unwind.
    let _ = unsafe { atexit(function) };
}

/// Error of the kernel for an address without memory.
#[cfg(target_os = "linux")]
const EFAULT: i32 = 14;

/// Lets the operating system move the bytes. Returns whether all parts are memory; `None` where it
/// cannot move them.
#[cfg(target_os = "linux")]
fn by_kernel(transfer: Transfer, own: Range, parts: &[Range]) -> Option<bool> {
    let process = std::process::id() as c_int;
    let (others, count) = (parts.as_ptr(), parts.len() as c_ulong);
    // SAFETY: `own` is memory of the caller with as many bytes as the parts; the kernel checks the
    // parts.
    let moved = unsafe {
        match transfer {
            Transfer::Read => process_vm_readv(process, &raw const own, 1, others, count, 0),
            Transfer::Write => process_vm_writev(process, &raw const own, 1, others, count, 0),
        }
    };
    if u64::try_from(moved) == Ok(own.bytes) {
        Some(true)
    } else if moved >= 0 || std::io::Error::last_os_error().raw_os_error() == Some(EFAULT) {
        Some(false)
    } else {
        None
    }
}

#[cfg(not(target_os = "linux"))]
fn by_kernel(_: Transfer, _: Range, _: &[Range]) -> Option<bool> {
    None
}

/// Moves bytes between `own`, memory of the runtime, and parts of the host program.
fn transfer(transfer: Transfer, own: u64, parts: &[(u64, u64)]) -> bool {
    let mut own = own;
    let mut rest = parts.iter().copied().filter(|(_, bytes)| *bytes > 0).peekable();
    let mut left: Option<(u64, u64)> = None;
    loop {
        let (mut group, mut bytes) = (Vec::new(), 0);
        while group.len() < MOST_RANGES && bytes < MOST_BYTES {
            let Some((start, size)) = left.take().or_else(|| rest.next()) else { break };
            if start < LOWEST || start.checked_add(size).is_none() {
                return false;
            }
            let now = size.min(MOST_BYTES - bytes);
            if now < size {
                left = Some((start + now, size - now));
            }
            group.push(Range { start, bytes: now });
            bytes += now;
        }
        if group.is_empty() {
            return true;
        }
        match by_kernel(transfer, Range { start: own, bytes }, &group) {
            Some(true) => {}
            Some(false) => return false,
            None => direct(transfer, own, &group),
        }
        own += bytes;
    }
}

/// Copies bytes without the help of the operating system: a wrong pointer ends the program, as it
/// does with a call of the C library.
fn direct(transfer: Transfer, own: u64, parts: &[Range]) {
    let mut own = own;
    for Range { start, bytes } in parts {
        let (other, mine) = (*start as *mut u8, own as *mut u8);
        // SAFETY: `own` is memory of the caller, and the host program vouches for its pointers, as
        // for those that it passes to `memcpy`. The ranges may overlap.
        unsafe {
            match transfer {
                Transfer::Read => std::ptr::copy(other, mine, *bytes as usize),
                Transfer::Write => std::ptr::copy(mine, other, *bytes as usize),
            }
        }
        own += bytes;
    }
}

fn total(parts: &[(u64, u64)]) -> Option<u64> {
    parts.iter().try_fold(0_u64, |sum, (_, bytes)| sum.checked_add(*bytes))
}

impl Process for Memory {
    fn read(&self, parts: &[(u64, u64)], out: &mut [u8]) -> bool {
        total(parts) == Some(out.len() as u64) && transfer(Transfer::Read, out.as_mut_ptr() as u64, parts)
    }

    fn write(&self, parts: &[(u64, u64)], bytes: &[u8]) -> bool {
        total(parts) == Some(bytes.len() as u64) && transfer(Transfer::Write, bytes.as_ptr() as u64, parts)
    }

    fn file(&self, path: &str) -> Option<String> {
        std::fs::read_to_string(path).ok()
    }

    fn allocate(&self, wanted: u64, bytes: u64) -> Option<u64> {
        let flags = if cfg!(target_os = "linux") { 0x22 } else { 0x1002 };
        let bytes = usize::try_from(bytes).ok()?;
        // SAFETY: private anonymous memory at a free address; `wanted` is only a hint.
        let at = unsafe { mmap(wanted as *mut c_void, bytes, 3, flags, -1, 0) };
        (at as isize != -1).then_some(at as u64)
    }

    fn release(&self, address: u64, bytes: u64) {
        // SAFETY: `allocate` has returned the pages, and the runtime forgets them.
        let _ = unsafe { munmap(address as *mut c_void, bytes as usize) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrong_pointer_is_an_error() {
        let bytes = [1_u8, 2, 3, 4];
        let at = bytes.as_ptr() as u64;
        let mut out = [0; 3];
        assert!(Memory.read(&[(at + 2, 2), (at, 1)], &mut out));
        assert_eq!(out, [3, 4, 1]);
        for wrong in [0, 8, 4096, u64::MAX - 1, 1 << 63] {
            assert!(!Memory.read(&[(wrong, 3)], &mut out), "{wrong:#x}");
            assert!(!Memory.write(&[(wrong, 3)], &out), "{wrong:#x}");
        }
        assert!(!Memory.read(&[(at, u64::MAX)], &mut out));
        assert!(Memory.read(&[], &mut []));
    }

    #[test]
    fn memory_at_a_taken_address_is_elsewhere() {
        let first = Memory.allocate(0, 8192).expect("memory");
        assert!(Memory.write(&[(first + 8190, 2)], &[7, 8]));
        let second = Memory.allocate(first, 4096).expect("memory elsewhere");
        assert_ne!(first, second);
        let mut out = [0; 2];
        assert!(Memory.read(&[(first + 8190, 2)], &mut out));
        assert_eq!(out, [7, 8], "the second allocation is not over the first");
        // Whether the pages are free afterwards cannot be tested: other threads may get them.
        Memory.release(second, 4096);
        Memory.release(first, 8192);
    }
}
