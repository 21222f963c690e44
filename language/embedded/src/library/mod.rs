//! The C library of host programs, and calls of the runtime.

mod characters;
mod descriptors;
mod disk_folder;
mod errno;
mod errors;
mod file;
mod files;
mod folder;
mod host;
mod math;
mod numbered;
mod numbers;
mod print;
mod process;
mod random;
mod recorded;
mod scan;
mod text;
mod time;
mod virtual_folder;

pub use disk_folder::{DiskFolder, InUse};
pub use folder::{Entry as FolderEntry, Folder, Refusal};
pub use host::{Host, SharedFolder};
pub use recorded::{Printed, Recorded};
pub use virtual_folder::VirtualFolder;

use crate::memory::Memory;
use crate::stop::Stop;
use cuda::source::Span;
use warpsim_cuda::abi::words;
use warpsim_cuda::runtime::Runtime;
use warpsim_cuda::runtime::thread::Thread;

/// A call of a function: its arguments are words.
pub struct Call<'c> {
    /// Memory of the host.
    pub memory: &'c mut Memory,
    /// State of the library.
    pub host: &'c mut Host,
    /// The arguments.
    pub words: &'c [u64],
    /// Place of the call.
    pub span: Span,
}

impl Call<'_> {
    /// An argument; 0 if the program gives fewer.
    pub fn word(&self, at: usize) -> u64 {
        self.words.get(at).copied().unwrap_or(0)
    }

    /// An argument of type `int`.
    pub fn int(&self, at: usize) -> i32 {
        self.word(at) as i32
    }

    /// The text at an argument.
    ///
    /// # Errors
    ///
    /// The text has no end, or no memory.
    pub fn text(&self, at: usize) -> Result<&[u8], Stop> {
        Ok(self.memory.text(self.word(at))?)
    }
}

/// A function that needs the runtime.
pub type WithRuntime = fn(&mut Runtime, &mut Thread, &mut Host, &mut Memory, &[u64]) -> Result<u64, Stop>;

/// A function of the library.
#[derive(Clone, Copy)]
pub enum Entry {
    /// A function of the C library.
    Plain(fn(&mut Call<'_>) -> Result<u64, Stop>),
    /// A function of the runtime that returns an error code.
    Api(words::Entry),
    /// A function of OpenCL.
    OpenCl(warpsim_opencl::calls::Entry),
    /// Another function of the runtime.
    Runtime(WithRuntime),
    /// A function that lets another thread run.
    Thread(ThreadCall),
}

/// What a program does with its threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ThreadCall {
    /// Starts a thread: the address of its function, the argument, and its number from 1.
    Start,
    /// Waits for another thread: the name of the function that waits, whether the thread has waited
    /// and what it waits for has not come, and the time in nanoseconds at which it stops waiting or
    /// 0.
    Wait,
    /// Lets the other threads run.
    Yield,
    /// Sleeps for nanoseconds.
    Sleep,
}

/// Functions that let other threads run.
const THREADS: [(&str, ThreadCall); 4] = [
    ("__ws_thread_start", ThreadCall::Start),
    ("__ws_thread_wait", ThreadCall::Wait),
    ("__ws_thread_yield", ThreadCall::Yield),
    ("__ws_thread_sleep", ThreadCall::Sleep),
];

/// Functions of one file.
type Table = &'static [(&'static str, fn(&mut Call<'_>) -> Result<u64, Stop>)];

/// Finds a function by its name.
pub fn find(name: &str) -> Option<Entry> {
    let tables: [Table; 13] = [
        characters::TABLE,
        descriptors::TABLE,
        errno::TABLE,
        files::TABLE,
        math::TABLE,
        math::OTHERS,
        numbers::TABLE,
        process::TABLE,
        print::TABLE,
        random::TABLE,
        scan::TABLE,
        text::TABLE,
        time::TABLE,
    ];
    if let Some((_, entry)) = tables.into_iter().flatten().find(|(known, _)| *known == name) {
        return Some(Entry::Plain(*entry));
    }
    if let Some((_, entry)) = errors::TABLE.iter().find(|(known, _)| *known == name) {
        return Some(Entry::Runtime(*entry));
    }
    if let Some((_, call)) = THREADS.iter().find(|(known, _)| *known == name) {
        return Some(Entry::Thread(*call));
    }
    words::find(name).map(Entry::Api).or_else(|| warpsim_opencl::calls::find(name).map(Entry::OpenCl))
}
