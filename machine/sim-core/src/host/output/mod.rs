//! Output of kernels: the memory of the device library ([`isa::library`]), and the records that
//! `vprintf` and `__assertfail` leave in it.
//!
//! Invariant `device-output`: The printed text of a launch has whole records in the order in which
//! their threads reserved them; of an overflowing buffer it has the latest ones.

mod format;

pub use format::{Values, format};

use super::gpu::{Gpu, HostError, ModuleId};
use super::memory::DevicePtr;
use crate::mem::image::Memory;
use crate::stats::report::{OutputReport, Report};
use isa::library::{ASSERTION_MARK, BLOCK_BYTES, HEAP, PRINTF, PRINTF_MARK, RECORD_WORDS};
use isa::uop::Program;

/// A limit of the device runtime (`cudaLimit`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// Bytes of the buffer of `printf` (`cudaLimitPrintfFifoSize`).
    PrintfFifoSize,
    /// Bytes of the heap of `malloc` in kernels (`cudaLimitMallocHeapSize`).
    MallocHeapSize,
}

impl Limit {
    /// Functions of the library that use the memory.
    fn functions(self) -> &'static [&'static str] {
        match self {
            Self::PrintfFifoSize => &["vprintf", "__assertfail"],
            Self::MallocHeapSize => &["malloc", "free"],
        }
    }
}

/// Sizes of the memory that a module of the device library gets, in bytes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    printf: u32,
    heap: u32,
    /// Whether a kernel that prints was launched.
    printed: bool,
    /// Whether a kernel that uses the heap was launched.
    allocated: bool,
}

impl Default for Limits {
    fn default() -> Self {
        Self { printf: 1 << 20, heap: 8 << 20, printed: false, allocated: false }
    }
}

/// Smallest size of the buffer and of the heap.
const LEAST_BYTES: u32 = 1 << 10;

/// Most bytes of the text that the records of a launch make.
const LARGEST_TEXT: usize = 64 << 20;

/// Largest position of a record.
const LARGEST_POSITION: u64 = 1 << 60;

/// The memory of the library functions that a module uses.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Library {
    /// The printf buffer, if the module prints.
    printf: Option<Buffer>,
    /// The heap, if the module allocates.
    heap: Option<Heap>,
}

/// The heap of a module.
#[derive(Clone, Copy, Debug)]
struct Heap {
    /// Address of the variable with its state.
    state: u32,
    /// Address of its first byte.
    first: u32,
    /// Its size in bytes.
    bytes: u32,
}

/// The printf buffer of a module.
#[derive(Clone, Copy, Debug)]
struct Buffer {
    /// Address of the variable with its state.
    state: u32,
    /// Address of its first byte.
    first: u32,
    /// Its size in bytes.
    bytes: u32,
    /// Position of the next record to read.
    read: u64,
    /// Bytes of an address in the records.
    address_bytes: u32,
}

impl Gpu {
    /// `cudaDeviceSetLimit`. The size is rounded up to a multiple of 16, and is at least 1 KiB and
    /// at most 1 GiB. The memory of loaded modules gets the new size.
    ///
    /// # Errors
    ///
    /// A kernel that uses the memory was launched; the device has less memory.
    pub fn set_limit(&mut self, limit: Limit, bytes: u64) -> Result<(), HostError> {
        let bytes = bytes.clamp(LEAST_BYTES.into(), 1 << 30).next_multiple_of(BLOCK_BYTES.into()) as u32;
        let is_used = match limit {
            Limit::PrintfFifoSize => self.limits.printed,
            Limit::MallocHeapSize => self.limits.allocated,
        };
        if is_used {
            return Err(HostError::LimitInUse { function: limit.functions()[0].trim_start_matches('v') });
        }
        match limit {
            Limit::PrintfFifoSize => self.limits.printf = bytes,
            Limit::MallocHeapSize => self.limits.heap = bytes,
        }
        for number in 0..self.modules.len() {
            let Library { printf, heap } = self.modules[number].library;
            match (limit, printf, heap) {
                (Limit::PrintfFifoSize, Some(old), _) => {
                    self.release(old.first)?;
                    self.modules[number].library.printf =
                        Some(self.new_buffer(old.state, old.address_bytes)?);
                }
                (Limit::MallocHeapSize, _, Some(old)) => {
                    self.release(old.first)?;
                    self.modules[number].library.heap = Some(self.new_heap(old.state)?);
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// `cudaDeviceGetLimit`, in bytes.
    pub fn limit(&self, limit: Limit) -> u64 {
        match limit {
            Limit::PrintfFifoSize => self.limits.printf.into(),
            Limit::MallocHeapSize => self.limits.heap.into(),
        }
    }

    /// Whether an address is in the memory that `malloc` in kernels returns: calls of the host do
    /// not access it.
    pub fn is_in_heap(&self, address: u32) -> bool {
        let mut heaps = self.modules.iter().filter_map(|module| module.library.heap);
        heaps.any(|heap| address.wrapping_sub(heap.first) < heap.bytes)
    }

    /// Notes that a kernel was launched: the memory that its functions use keeps its size.
    pub(super) fn uses_library(&mut self, program: &Program) {
        let calls = |limit: Limit| {
            let names = limit.functions();
            program.functions.iter().any(|function| names.contains(&&*function.name))
        };
        self.limits.printed |= calls(Limit::PrintfFifoSize);
        self.limits.allocated |= calls(Limit::MallocHeapSize);
    }

    /// Allocates the memory of the library functions that a module uses, and writes the state of
    /// each.
    pub(super) fn load_library(
        &mut self,
        places: &[(String, DevicePtr)],
        address_bits: u32,
    ) -> Result<Library, HostError> {
        let place = |name: &str| places.iter().find(|(known, _)| known == name).map(|(_, ptr)| ptr.address());
        let heap = place(HEAP).map(|state| self.new_heap(state)).transpose()?;
        let printf = place(PRINTF).map(|state| self.new_buffer(state, address_bits / 8)).transpose()?;
        Ok(Library { printf, heap })
    }

    /// Frees the memory of the library functions of a module.
    pub(super) fn unload_library(&mut self, library: Library) -> Result<(), HostError> {
        let Library { printf, heap } = library;
        let parts = [printf.map(|buffer| buffer.first), heap.map(|heap| heap.first)];
        parts.into_iter().flatten().try_for_each(|first| self.release(first))
    }

    /// Frees memory of the library.
    fn release(&mut self, first: u32) -> Result<(), HostError> {
        self.checking.disowns(first);
        self.free(DevicePtr::new(first))
    }

    /// Returns a heap with one free block.
    fn new_heap(&mut self, state: u32) -> Result<Heap, HostError> {
        let bytes = self.limits.heap;
        let first = self.malloc_named(bytes.into(), Some("device heap"))?.address();
        self.checking.owns([first].into_iter());
        self.write_words(state, &[first, first + bytes, 0, first]);
        self.write_words(first, &[bytes, 0]);
        Ok(Heap { state, first, bytes })
    }

    /// Returns an empty buffer.
    fn new_buffer(&mut self, state: u32, address_bytes: u32) -> Result<Buffer, HostError> {
        let bytes = self.limits.printf;
        let first = self.malloc_named(bytes.into(), Some("printf buffer"))?.address();
        self.checking.owns([first].into_iter());
        self.write_words(state, &[0, 0, first, 0, bytes, 0]);
        Ok(Buffer { state, first, bytes, read: 0, address_bytes })
    }

    fn write_words(&mut self, address: u32, words: &[u32]) {
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        self.write(address, &bytes);
    }

    /// Adds the output of launches to their reports. The output of concurrent kernels of one module
    /// is in the report of the first.
    pub(super) fn printed(&mut self, modules: impl Iterator<Item = ModuleId>, reports: &mut [Report]) {
        for (module, report) in modules.zip(reports) {
            let Some(buffer) = &mut self.modules[module.0 as usize].library.printf else { continue };
            report.output = buffer.take(&self.memory);
        }
    }
}

impl Buffer {
    /// Reads all records since the last call; `None` if there are none.
    fn take(&mut self, memory: &Memory) -> Option<OutputReport> {
        // A kernel may have overwritten the state.
        let end = u64::from_le_bytes(memory.load(self.state)).min(LARGEST_POSITION) & !3;
        // A launch may have started from memory that was saved before later output.
        let mut at = if self.read > end { 0 } else { self.read };
        self.read = end;
        if at == end {
            return None;
        }
        let mut output = OutputReport::default();
        let oldest = end.saturating_sub(self.bytes.into());
        output.overflowed = at < oldest;
        at = at.max(oldest);
        let mut record = Vec::new();
        while at < end {
            // A record may be partly overwritten, or not complete because of a trap.
            let Some(bytes) = self.record(memory, at, end, &mut record) else {
                at += 4;
                continue;
            };
            let mark = word(&record, 0);
            let room = LARGEST_TEXT.saturating_sub(output.printed.len());
            let text = format::record(&record, self.address_bytes, room).unwrap_or_else(|| {
                let limit = LARGEST_TEXT >> 20;
                format!("[a text of printf is left out: the launch prints more than {limit} MiB]\n").into()
            });
            let text = String::from_utf8_lossy(&text);
            match mark {
                ASSERTION_MARK => output.assertions.push(text.trim_end().to_owned()),
                _ => output.printed += &text,
            }
            at += u64::from(bytes);
        }
        Some(output)
    }

    /// Reads the record at a position into `record` and returns its bytes; `None` if none is there.
    fn record(&self, memory: &Memory, at: u64, end: u64, record: &mut Vec<u8>) -> Option<u32> {
        let load = |at: u64| memory.load(self.first + (at % u64::from(self.bytes)) as u32);
        let header = [load(at), load(at + 4), load(at + 8)].map(u32::from_le_bytes);
        let [mark, position, bytes] = header;
        let is_record = matches!(mark, PRINTF_MARK | ASSERTION_MARK) && position == at as u32;
        let fits = bytes >= 4 * RECORD_WORDS && bytes % 4 == 0 && u64::from(bytes) <= end - at;
        if !is_record || !fits {
            return None;
        }
        record.clear();
        record.extend((0..u64::from(bytes / 4)).flat_map(|i| load(at + 4 * i)));
        Some(bytes)
    }
}

/// Returns the word at a byte of a record; 0 beyond its end.
fn word(record: &[u8], at: usize) -> u32 {
    record.get(at..at + 4).map_or(0, |bytes| u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]))
}
