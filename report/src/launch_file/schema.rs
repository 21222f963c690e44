//! The contents of a launch file as plain data. `docs/LAUNCH.md` describes the format in RON.

use super::Spanned;
use super::value::Number;
use isa::span::Span;
use isa::types::{Dim3, ScalarType};
use sim_core::host::{BarrierRule, CachePreference, HostMemory, MemoryRule, SurfaceOptions, TextureOptions};
use std::path::PathBuf;

/// A launch file. A required field that is missing or wrong is `None` and has a diagnostic.
#[derive(Debug)]
pub struct LaunchFile {
    /// PTX files that are linked with those of the command line.
    pub ptx: Vec<Spanned<PathBuf>>,
    /// Name of the kernel.
    pub entry: Option<Spanned<String>>,
    /// Number of blocks.
    pub grid: Option<Dim3>,
    /// Number of threads per block.
    pub block: Option<Dim3>,
    /// Bytes of dynamic shared memory per block.
    pub dynamic_shared: u32,
    /// Registers per thread, instead of the number found by liveness analysis.
    pub registers: Option<u32>,
    /// Division of an SM's memory between L1 and shared memory.
    pub cache: Option<CachePreference>,
    /// Rule for accesses to global memory outside of allocations.
    pub memory: Option<MemoryRule>,
    /// Rule for the lanes of a warp at a barrier.
    pub barriers: Option<BarrierRule>,
    /// Bytes of the printf buffer (`cudaLimitPrintfFifoSize`).
    pub printf_bytes: Option<u32>,
    /// Bytes of the heap of `malloc` in kernels (`cudaLimitMallocHeapSize`).
    pub heap_bytes: Option<u32>,
    /// Arguments.
    pub params: Arguments,
    /// Buffers in order.
    pub buffers: Vec<Array>,
    /// Values for module symbols in order.
    pub symbols: Vec<Array>,
    /// Textures in order.
    pub textures: Vec<Texture>,
    /// Calls of the host program; without them it copies, launches the kernel and copies back.
    pub streams: Vec<StreamEntry>,
    /// Surfaces in order.
    pub surfaces: Vec<Surface>,
    /// Data to write to files after the run.
    pub dumps: Vec<Dump>,
    /// Expected results.
    pub expect: Vec<Expectation>,
}

impl LaunchFile {
    /// Iterates over the input files, relative to the launch file's folder.
    pub fn inputs(&self) -> impl Iterator<Item = &PathBuf> {
        let arrays = self.buffers.iter().chain(&self.symbols).filter_map(|array| match &array.init {
            Some(Spanned { value: Init::File(path), .. }) => Some(path),
            _ => None,
        });
        arrays.chain(self.expect.iter().filter_map(|expectation| match &expectation.source {
            Some(Source::File(path)) => Some(&path.value),
            _ => None,
        }))
    }
}

/// One kernel argument.
#[derive(Clone, Debug, PartialEq)]
pub enum Argument {
    /// The address of a buffer, plus a byte offset.
    Buffer(String, u64),
    /// A number of the parameter's type.
    Number(Number),
    /// A scalar's type and bytes.
    Scalar(ScalarType, Vec<u8>),
    /// Raw bytes, for parameters that are arrays.
    Bytes(Vec<u8>),
}

/// An argument of a list or, with the name of its parameter, of a map.
#[derive(Clone, Debug, PartialEq)]
pub struct Given {
    /// Name of the parameter.
    pub name: Option<Spanned<String>>,
    /// The argument; `None` if it is wrong.
    pub value: Option<Spanned<Argument>>,
}

/// Arguments, with the position of the whole list or map.
pub type Arguments = Spanned<Vec<Given>>;

/// A call of the host program. Streams are numbered from 1; without a stream a call is in the
/// default stream.
#[derive(Debug)]
pub enum StreamEntry {
    /// A copy to the device.
    CopyIn(CopyEntry),
    /// A copy to the host.
    CopyOut(CopyEntry),
    /// A launch.
    Launch(Box<LaunchEntry>),
    /// Records an event in a stream.
    Record(Option<u32>, Spanned<String>),
    /// Later calls of a stream wait for an event.
    Wait(u32, Spanned<String>),
    /// The host waits for all calls.
    Synchronize,
    /// The host waits for a stream.
    SynchronizeStream(u32),
    /// The host waits for an event.
    SynchronizeEvent(Spanned<String>),
}

impl StreamEntry {
    /// Returns the launch, if the call is one.
    pub fn launch(&self) -> Option<&LaunchEntry> {
        match self {
            Self::Launch(launch) => Some(launch),
            Self::CopyIn(_)
            | Self::CopyOut(_)
            | Self::Record(..)
            | Self::Wait(..)
            | Self::Synchronize
            | Self::SynchronizeStream(_)
            | Self::SynchronizeEvent(_) => None,
        }
    }
}

/// A copy of a buffer or of some of its elements.
#[derive(Debug)]
pub struct CopyEntry {
    /// Stream.
    pub stream: Option<u32>,
    /// The buffer.
    pub buffer: Spanned<String>,
    /// First element.
    pub first: u64,
    /// Number of elements; `None`: all from the first one on.
    pub len: Option<u64>,
    /// Position of the whole entry.
    pub span: Span,
}

/// A launch of a list; the values of the file replace the missing ones.
#[derive(Debug)]
pub struct LaunchEntry {
    /// Stream.
    pub stream: Option<u32>,
    /// Name of the kernel.
    pub entry: Option<Spanned<String>>,
    /// Number of blocks.
    pub grid: Option<Dim3>,
    /// Number of threads per block.
    pub block: Option<Dim3>,
    /// Bytes of dynamic shared memory per block.
    pub dynamic_shared: Option<u32>,
    /// Arguments.
    pub params: Option<Arguments>,
}

/// A texture: a buffer and its properties.
#[derive(Debug)]
pub struct Texture {
    /// Name in the module.
    pub name: Spanned<String>,
    /// The buffer with the texels.
    pub buffer: Option<Spanned<String>>,
    /// Properties; `None` if one of them is wrong.
    pub options: Option<TextureOptions>,
}

/// A surface: a buffer and its properties.
#[derive(Debug)]
pub struct Surface {
    /// Name in the module.
    pub name: Spanned<String>,
    /// The buffer with the elements.
    pub buffer: Option<Spanned<String>>,
    /// Properties; `None` if one of them is wrong.
    pub options: Option<SurfaceOptions>,
}

/// A buffer, or the values for a symbol.
#[derive(Debug)]
pub struct Array {
    /// Name.
    pub name: Spanned<String>,
    /// Element type; for symbols `None` means the declared one.
    pub ty: Option<ScalarType>,
    /// Size in bytes, if `len` or `bytes` is given.
    pub bytes: Option<Spanned<u64>>,
    /// Initial contents; `None` if they are wrong.
    pub init: Option<Spanned<Init>>,
    /// Memory of a buffer.
    pub memory: BufferMemory,
}

/// Memory of a buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BufferMemory {
    /// Device memory, and the kind of the host memory from and to which it is copied.
    Copied(HostMemory),
    /// Mapped host memory, which kernels access.
    Mapped,
}

impl BufferMemory {
    /// The memories by name.
    pub const NAMES: [(&'static str, Self); 3] = [
        ("pinned", Self::Copied(HostMemory::Pinned)),
        ("pageable", Self::Copied(HostMemory::Pageable)),
        ("mapped", Self::Mapped),
    ];
}

impl Default for BufferMemory {
    fn default() -> Self {
        Self::Copied(HostMemory::default())
    }
}

impl Array {
    /// Whether the file gives initial contents. The contents of an array without `init` have the
    /// span of its name.
    pub fn has_init(&self) -> bool {
        self.init.as_ref().is_some_and(|init| init.span != self.name.span)
    }
}

/// Initial contents of an array.
#[derive(Clone, Debug, PartialEq)]
pub enum Init {
    /// Zeros, for bytes of host memory that the host program copies but does not set.
    Host,
    /// Zeros.
    Zero,
    /// One value for all elements.
    Fill(Number),
    /// Element i is `start + i * step`.
    Iota(Number, Number),
    /// Seeded random numbers from `low` up to, not including, `high`.
    Random(u64, Number, Number),
    /// The given values, then zeros.
    Values(Vec<Spanned<Number>>),
    /// Contents of a raw binary file.
    File(PathBuf),
}

/// A buffer or a symbol, by name.
#[derive(Clone, Debug, PartialEq)]
pub enum DataName {
    /// A buffer of the launch file.
    Buffer(Spanned<String>),
    /// A variable of the module.
    Symbol(Spanned<String>),
}

/// Data to write to a file after the run.
#[derive(Debug)]
pub struct Dump {
    /// The buffer or symbol.
    pub what: DataName,
    /// Path of the file.
    pub to: Spanned<PathBuf>,
}

/// Expected contents of a buffer or symbol after the run.
#[derive(Debug)]
pub struct Expectation {
    /// The buffer or symbol.
    pub what: DataName,
    /// Element type of the comparison, if it differs from the declared one.
    pub ty: Option<ScalarType>,
    /// Expected values.
    pub source: Option<Source>,
    /// Absolute tolerance.
    pub abs: f64,
    /// Tolerance relative to the expected value.
    pub rel: f64,
    /// Position of the whole entry.
    pub span: Span,
}

/// Source of the expected values.
#[derive(Debug)]
pub enum Source {
    /// A raw binary file.
    File(Spanned<PathBuf>),
    /// A formula.
    Formula(Spanned<String>),
}
