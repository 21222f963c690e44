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

/// A limit of the device runtime (`cudaLimit`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// Bytes of the buffer of `printf` (`cudaLimitPrintfFifoSize`).
    PrintfFifoSize,
    /// Bytes of the heap of `malloc` in kernels (`cudaLimitMallocHeapSize`).
    MallocHeapSize,
}

/// Sizes of the memory that a module of the device library gets, in bytes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    printf: u32,
    heap: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Self { printf: 1 << 20, heap: 8 << 20 }
    }
}

/// Smallest size of the buffer and of the heap.
const LEAST_BYTES: u32 = 1 << 10;

/// Most bytes of the text that the records of a launch make.
const LARGEST_TEXT: usize = 64 << 20;

/// Largest position of a record.
const LARGEST_POSITION: u64 = 1 << 60;

/// The printf buffer of a module.
#[derive(Clone, Copy, Debug)]
pub(super) struct Buffer {
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
    /// `cudaDeviceSetLimit`: sets a limit for the modules that are loaded from now on. The size is
    /// rounded up to a multiple of 16, and is at least 1 KiB and at most 1 GiB.
    pub fn set_limit(&mut self, limit: Limit, bytes: u64) {
        let bytes = bytes.clamp(LEAST_BYTES.into(), 1 << 30).next_multiple_of(BLOCK_BYTES.into()) as u32;
        match limit {
            Limit::PrintfFifoSize => self.limits.printf = bytes,
            Limit::MallocHeapSize => self.limits.heap = bytes,
        }
    }

    /// `cudaDeviceGetLimit`, in bytes.
    pub fn limit(&self, limit: Limit) -> u64 {
        match limit {
            Limit::PrintfFifoSize => self.limits.printf.into(),
            Limit::MallocHeapSize => self.limits.heap.into(),
        }
    }

    /// Allocates the memory of the library functions that a module uses, and writes the state of
    /// each. Returns the printf buffer; `None` if the module does not print.
    pub(super) fn load_library(
        &mut self,
        places: &[(String, DevicePtr)],
        address_bits: u32,
    ) -> Result<Option<Buffer>, HostError> {
        let place = |name: &str| places.iter().find(|(known, _)| known == name).map(|(_, ptr)| ptr.address());
        if let Some(state) = place(HEAP) {
            let bytes = self.limits.heap;
            let first = self.malloc_named(bytes.into(), Some("device heap"))?.address();
            self.checking.owns([first].into_iter());
            let words = [first, first + bytes, 0, first];
            self.write_words(state, &words);
            // One free block.
            self.write_words(first, &[bytes, 0]);
        }
        let Some(state) = place(PRINTF) else { return Ok(None) };
        let bytes = self.limits.printf;
        let first = self.malloc_named(bytes.into(), Some("printf buffer"))?.address();
        self.checking.owns([first].into_iter());
        self.write_words(state, &[0, 0, first, 0, bytes, 0]);
        Ok(Some(Buffer { state, first, bytes, read: 0, address_bytes: address_bits / 8 }))
    }

    fn write_words(&mut self, address: u32, words: &[u32]) {
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        self.write(address, &bytes);
    }

    /// Adds the output of launches to their reports. The output of concurrent kernels of one module
    /// is in the report of the first.
    pub(super) fn printed(&mut self, modules: impl Iterator<Item = ModuleId>, reports: &mut [Report]) {
        for (module, report) in modules.zip(reports) {
            let Some(buffer) = &mut self.modules[module.0 as usize].printf else { continue };
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
