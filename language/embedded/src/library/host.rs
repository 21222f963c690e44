//! State of the library: output, files, random numbers, time.

use super::file::File;
use super::folder::{Folder, Refusal};
use super::random::Random;
use report::program::streams::Streams;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Standard output is passed on when so many bytes are buffered.
const BUFFER: usize = 1 << 16;

/// The files of a program, which its code and its kernels read.
pub type SharedFolder = Arc<Mutex<Box<dyn Folder>>>;

/// State of the library.
pub struct Host {
    pub(super) streams: Box<dyn Streams>,
    buffer: Vec<u8>,
    /// Whether each line is passed on at once.
    by_line: bool,
    folder: SharedFolder,
    /// Open files by their number; 1 to 3 are the standard streams.
    pub(super) files: BTreeMap<u64, File>,
    /// The kinds of refusals that were said.
    refused: Vec<std::mem::Discriminant<Refusal>>,
    pub(super) random: Random,
    /// Where `strtok` goes on.
    pub(super) token: u64,
    /// Texts of errors by their code and kind.
    pub(super) texts: BTreeMap<(i32, bool), u64>,
    /// Address of `errno`; 0 before its first use.
    pub(super) errno: u64,
    /// Addresses of the texts of `strerror`.
    pub(super) messages: BTreeMap<String, u64>,
    /// What ends with the program, the first last: objects with the addresses of their destructors,
    /// and the functions of `atexit`, without an object.
    pub at_exit: Vec<(u64, u64)>,
    /// The functions of `at_quick_exit`.
    pub(super) at_quick_exit: Vec<(u64, u64)>,
    /// Addresses of the values of the environment, by their names.
    pub(super) environment: BTreeMap<Vec<u8>, u64>,
    /// Name of the program in messages.
    pub name: String,
    /// Executed instructions.
    pub now: u64,
    /// Nanoseconds that the program has slept.
    pub slept_ns: u64,
    /// Simulated nanoseconds in calls of the runtime.
    pub called_ns: u64,
    /// Number of the thread that runs; 0 is `main`.
    pub thread: u64,
}

impl Host {
    /// A library at the start of a program.
    pub fn new(streams: Box<dyn Streams>, folder: SharedFolder) -> Self {
        Self {
            by_line: streams.is_terminal(),
            streams,
            buffer: Vec::new(),
            folder,
            files: BTreeMap::new(),
            refused: Vec::new(),
            random: Random::default(),
            token: 0,
            texts: BTreeMap::new(),
            errno: 0,
            messages: BTreeMap::new(),
            at_exit: Vec::new(),
            at_quick_exit: Vec::new(),
            environment: BTreeMap::new(),
            name: String::new(),
            now: 0,
            slept_ns: 0,
            called_ns: 0,
            thread: 0,
        }
    }

    /// The files of the program.
    pub(super) fn folder(&self) -> MutexGuard<'_, Box<dyn Folder>> {
        self.folder.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether standard output is a terminal.
    pub(super) fn is_terminal(&self) -> bool {
        self.by_line
    }

    /// Prints to standard output.
    pub fn print(&mut self, bytes: &[u8]) {
        self.buffer.extend_from_slice(bytes);
        if self.buffer.len() >= BUFFER || self.by_line && bytes.contains(&b'\n') {
            self.flush();
        }
    }

    /// Shows a user what was printed before something that takes its time.
    pub fn show(&mut self) {
        if self.by_line {
            self.flush();
        }
    }

    /// Prints to standard error, after everything that was printed before.
    pub fn print_error(&mut self, bytes: &[u8]) {
        self.flush();
        self.streams.complain(bytes);
    }

    /// A message of the simulator.
    pub fn complain(&mut self, message: &str) {
        self.streams.complain(message.as_bytes());
        self.streams.complain(b"\n");
    }

    /// Stores what the program has written to an open file.
    ///
    /// # Errors
    ///
    /// The file is not stored.
    pub(super) fn store(&mut self, number: u64) -> Result<(), Refusal> {
        let mut folder = self.folder.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(file) = self.files.get_mut(&number) else { return Err(Refusal::Missing) };
        let (stored, path) = (file.store(&mut **folder), file.path.clone());
        drop(folder);
        stored.inspect_err(|why| self.refuse(&path, *why))
    }

    /// Stores all open files, as `exit` does.
    pub fn store_all(&mut self) {
        for number in self.files.keys().copied().collect::<Vec<_>>() {
            // The program has ended: a message is all that is left.
            let _ = self.store(number);
        }
    }

    /// Says once that a file is against a rule for programs, whose error tells it as a lack of
    /// permission.
    pub(super) fn refuse(&mut self, path: &str, why: Refusal) {
        let kind = std::mem::discriminant(&why);
        let Some((level, action)) = why.rule().filter(|_| !self.refused.contains(&kind)) else { return };
        // Names below the folder are also refused where there is no regular file.
        if why == Refusal::Path && !path.starts_with('/') && !path.contains("..") {
            return;
        }
        self.refused.push(kind);
        self.flush();
        self.complain(&format!("{level}: the file `{path}` is not {action}: {why}"));
    }

    /// Nanoseconds since the start of the program.
    pub fn time(&self) -> u64 {
        self.now.saturating_add(self.slept_ns).saturating_add(self.called_ns)
    }

    /// Lets time pass.
    pub fn sleep(&mut self, nanoseconds: u64) {
        self.slept_ns = self.slept_ns.saturating_add(nanoseconds);
    }

    /// Passes on what is buffered.
    pub fn flush(&mut self) {
        let buffer = std::mem::take(&mut self.buffer);
        if !buffer.is_empty() {
            self.streams.print(&buffer);
        }
    }
}
