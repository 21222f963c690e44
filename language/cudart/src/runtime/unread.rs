//! Errors of launches that the host program has not read: of refused launches, which `<<<...>>>`
//! does not return, and of kernels that trap, which later calls return.

use super::Runtime;
use super::driver::status::Status;
use super::error::Error;
use report::mangled::plain;
use std::thread::ThreadId;

/// Who can read an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reader {
    /// `cudaGetLastError` and `cudaPeekAtLastError` of the host thread.
    Thread(ThreadId),
    /// Any call of the device.
    Device(usize),
}

/// An error that has not been read.
#[derive(Clone, Debug)]
pub(super) struct Unread {
    reader: Reader,
    kernel: String,
    error: Error,
    /// Line of the launch.
    line: Option<String>,
}

impl Error {
    /// Returns the name without its NUL.
    pub fn name(self) -> &'static str {
        self.texts().map_or("unknown", |(name, _)| name.trim_end_matches('\0'))
    }
}

impl Runtime {
    /// Notes a failed call, which returns its error to the host program.
    pub fn note_failed(&mut self, device: usize, function: &str, error: Error) {
        let line = self.line();
        self.program.failed(function, error.name(), line);
        if self.devices[device].failed == Some(error) {
            self.read(Reader::Device(device));
        }
    }

    /// Notes a failed call of the driver API, which returns its error to the host program.
    pub fn note_status(&mut self, device: usize, function: &str, status: Status) {
        let line = self.line();
        self.program.failed(function, status.name(), line);
        if self.devices[device].failed.map(Status::from) == Some(status) {
            self.read(Reader::Device(device));
        }
    }

    /// Keeps the error of a refused launch until this host thread asks for its last error. The
    /// error of an earlier kernel, which all calls return, is not that of this launch.
    pub(super) fn note_refused(&mut self, device: usize, function: u64, error: Error) {
        if self.devices[device].failed != Some(error) {
            let named = self.images.functions.get(&function);
            let kernel = named.map_or("unknown", |named| plain(&named.name)).to_owned();
            let reader = Reader::Thread(std::thread::current().id());
            let line = self.line();
            self.unread.push(Unread { reader, kernel, error, line });
        }
    }

    /// Keeps the error of a kernel until a call of its device returns it.
    pub(super) fn note_trapped(&mut self, device: usize, kernel: &str, error: Error, line: Option<String>) {
        let (reader, kernel) = (Reader::Device(device), kernel.to_owned());
        self.unread.push(Unread { reader, kernel, error, line });
    }

    /// Notes that `cudaGetLastError` or `cudaPeekAtLastError` has returned an error to this thread.
    pub fn note_read(&mut self, device: usize, error: Error) {
        self.read(Reader::Thread(std::thread::current().id()));
        if self.devices[device].failed == Some(error) {
            self.read(Reader::Device(device));
        }
    }

    fn read(&mut self, reader: Reader) {
        self.unread.retain(|unread| unread.reader != reader);
    }

    /// Adds errors that can no longer be read to the record: of a device before its reset, or all.
    pub(super) fn lose_unread(&mut self, device: Option<usize>) {
        let lost = |unread: &mut Unread| device.is_none_or(|number| unread.reader == Reader::Device(number));
        for unread in self.unread.extract_if(.., lost) {
            self.program.unread(&unread.kernel, unread.error.name(), unread.line);
        }
    }
}
