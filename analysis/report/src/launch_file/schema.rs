//! The contents of a launch file: its records, each field in one row from which its reader and its
//! documentation follow. `docs/LAUNCH.md` describes the format in RON.

use super::argument::{Arguments, Params};
use super::codes;
use super::forms::{Address, AnyNumber, ElementType, Entry, Environment, Extent, Named, Size, StreamNumber};
use super::value::Number;
use crate::condition::{Condition, MetricsOnly};
use isa::diag::Diagnostic;
use isa::span::{Span, Spanned};
use isa::types::{Dim3, ScalarType};
use sim_core::check::Check;
use sim_core::config::read::{Fields, Reader};
use sim_core::config::schema::forms::{
    At, Choice, Flag, FormulaText, IfAny, Inline, Key, List, Needed, OneOf, Optional, Or, Place, Text,
};
use sim_core::config::schema::{Form, Presence, Value};
use sim_core::config::tree::Node;
use sim_core::host::{
    AddressMode, BarrierRule, CachePreference, FilterMode, HostMemory, MemoryRule, ReadMode, SurfaceOptions,
    TexelFormat, TextureOptions,
};
use sim_core::{record, words};
use std::ops::RangeInclusive;
use std::path::PathBuf;

/// Length of a buffer, in elements or bytes.
const LENGTH: RangeInclusive<u64> = 1..=1 << 32;

/// An absolute or relative tolerance.
const TOLERANCE: RangeInclusive<f64> = 0.0..=f64::INFINITY;

record! {
    /// A launch file.
    #[derive(Debug)]
    pub struct LaunchFile {
        /// PTX files that are linked with the files of the command line, such as `["lib.ptx"]`.
        pub ptx: Vec<Spanned<PathBuf>> = IfAny(List(At(Text)));
        /// Name of the kernel, in PTX or in CUDA C: `_Z5saxpyifPKfPf` or `saxpy`.
        pub entry: Option<Spanned<String>> = Needed(At(Text));
        /// Number of blocks: `4`, `(4, 4)` or `(4, 8, 2)`.
        pub grid: Option<Dim3> = Needed(Extent);
        /// Number of threads per block.
        pub block: Option<Dim3> = Needed(Extent);
        /// Dynamic shared memory per block.
        pub dynamic_shared: u32 = Or(0..=u32::MAX, 0), "bytes";
        /// Values of the environment registers from `%envreg0` on, at most 32, as host programs of
        /// OpenCL set them ([MODEL.md](MODEL.md#ptx-of-opencl)). Missing values are 0.
        pub environment: [u32; 32] = IfAny(Environment);
        /// Registers per thread, instead of the number that the compiled code needs. They change
        /// the occupancy, not the results. `--registers` overrides the number.
        pub registers: Option<u32> = Optional(1..=u32::MAX);
        /// Division of an SM's memory between L1 and shared memory, on a chip that can choose.
        /// `prefer_shared` and `prefer_none` have the same effect. `--cache` overrides it.
        pub cache: Option<CachePreference> = Optional(Choice);
        /// `page` permits accesses to global memory outside of allocations in pages with an
        /// allocation ([MODEL.md](MODEL.md#accesses-outside-of-allocations)). The default is
        /// `strict`. `--memory` overrides it.
        pub memory: Option<MemoryRule> = Optional(Choice);
        /// With `hardware`, barriers count warps, regardless of active lanes. The default is
        /// `strict`. `--barriers` overrides it.
        pub barriers: Option<BarrierRule> = Optional(Choice);
        /// Buffer of `printf` in kernels (`cudaLimitPrintfFifoSize`), 1 MiB by default.
        pub printf_bytes: Option<u32> = Optional(1024..=u32::MAX), "bytes";
        /// Heap of `malloc` in kernels (`cudaLimitMallocHeapSize`), 8 MiB by default.
        pub heap_bytes: Option<u32> = Optional(1024..=u32::MAX), "bytes";
        /// The arguments, in the order of the kernel's parameters, or as a map from their names
        /// ([Parameters](#parameters)).
        pub params: Arguments = Params;
        /// Buffers in device memory ([Buffers](#buffers)).
        pub buffers: Vec<Array> = IfAny(Named("buffer", BufferEntry::array));
        /// Values for `.global` or `.const` variables of the module ([Symbols](#symbols)).
        pub symbols: Vec<Array> = IfAny(Named("symbol", SymbolEntry::array));
        /// Textures of the module ([Textures](#textures)).
        pub textures: Vec<Texture> = IfAny(Named("texture", TextureEntry::texture));
        /// Calls of the host program in streams, instead of one launch ([Streams](#streams)).
        pub streams: Vec<StreamEntry> = IfAny(Calls);
        /// Surfaces of the module ([Surfaces](#surfaces)).
        pub surfaces: Vec<Surface> = IfAny(Named("surface", SurfaceEntry::surface));
        /// Buffers and variables to write to files after the run ([Dumps](#dumps)).
        pub dumps: Vec<Dump> = IfAny(List(Entry(DumpEntry::dump)));
        /// Expected contents of buffers and variables ([Expectations](#expectations)).
        pub expect: Vec<Expectation> = IfAny(List(Entry(ExpectEntry::expectation)));
    }

    /// A buffer. With `values` or `file` as `init`, the length is optional.
    #[derive(Debug)]
    pub struct BufferEntry {
        /// Name of the buffer.
        pub name: Spanned<String> = Key;
        /// Type of the elements.
        pub ty as "type": Option<ScalarType> = Needed(ElementType);
        /// Length in elements.
        pub len: Option<Spanned<u64>> = Optional(At(LENGTH));
        /// Length in bytes, instead of `len`.
        pub bytes: Option<Spanned<u64>> = Optional(At(LENGTH));
        /// Contents before the launch.
        pub init: Option<Spanned<Init>> = Contents;
        /// Memory from and to which the buffer is copied, or mapped memory.
        pub memory: BufferMemory = Or(Choice, BufferMemory::Pinned);
    }

    /// Values for a variable.
    #[derive(Debug)]
    pub struct SymbolEntry {
        /// Name of the variable.
        pub name: Spanned<String> = Key;
        /// Type of the numbers, if not the declared one: for arrays that a compiler declared as
        /// `.b8`.
        pub ty as "type": Option<ScalarType> = Optional(ElementType);
        /// Contents before the launch. Elements after the last value keep the initial values of
        /// the module.
        pub init: Option<Spanned<Init>> = Needed(At(OneOf));
    }

    /// Initial contents of an array.
    #[derive(Clone, Debug, PartialEq)]
    pub enum Init {
        /// Zeros.
        Zero = "zero",
        /// Bytes of host memory that the host program copies, but did not set (`malloc`): zeros
        /// here. They count as written, so `--check init` reports no use of them.
        Host = "host",
        /// `value` in every element.
        Fill = "fill"(value: Number = AnyNumber),
        /// `start`, `start + step`, `start + 2 step`, …
        Iota = "iota"(start: Number = AnyNumber, step: Number = AnyNumber),
        /// Uniform random numbers, `low` ≤ v < `high` (a float may be rounded up to `high`).
        /// ChaCha8 generates them from the seed: they are the same on every host.
        Random = "random"(seed: u64 = 0..=u64::MAX, low: Number = AnyNumber, high: Number = AnyNumber),
        /// The numbers of a list, then zeros.
        Values = "values"(list: Vec<Spanned<Number>> = List(At(AnyNumber))),
        /// The bytes of a file, which must have exactly the size of the buffer.
        File = "file"(path: PathBuf = Text),
    }

    /// A texture: a buffer and its properties.
    #[derive(Debug)]
    pub struct TextureEntry {
        /// Name in the module.
        pub name: Spanned<String> = Key;
        /// The buffer with the texels, from its first byte on.
        pub buffer: Option<Spanned<String>> = Needed(At(Text));
        /// Texels. `tex.1d`, `tex.2d` and `tex.3d` need as many dimensions; of a cube it is the
        /// side of a face.
        pub size: Option<Size> = Needed(Extent);
        /// Type of a component.
        pub format: TexelFormat = Choice;
        /// Components of a texel: 1, 2 or 4. A fetch returns 0 for the others.
        pub channels: u32 = Or(1..=4, 1);
        /// Memory of the texels.
        pub memory: TextureMemory = Or(Choice, TextureMemory::Array);
        /// Number of layers of one or two dimensions, for `tex.a1d` and `tex.a2d`, or of cubes,
        /// for `tex.acube`.
        pub layers: Option<u32> = Optional(1..=65536);
        /// Distance from row to row, for two dimensions in linear memory.
        pub pitch: Option<u32> = Optional(1..=u32::MAX), "bytes";
        /// Conversion of a component.
        pub read: ReadMode = Or(Choice, ReadMode::Element);
        /// How a fetch computes its result from texels.
        pub filter: FilterMode = Or(Choice, FilterMode::Point);
        /// Positions outside: `clamp` by default, or one word for each dimension, such as
        /// `(wrap, clamp)`.
        pub address: [AddressMode; 3] = IfAny(Address);
        /// `true`: coordinates from 0 to 1.
        pub normalized: bool = Or(Flag, false);
        /// Position of the entry.
        pub span: Span = Place;
    }

    /// A surface: a buffer and its properties.
    #[derive(Debug)]
    pub struct SurfaceEntry {
        /// Name in the module.
        pub name: Spanned<String> = Key;
        /// The buffer with the elements, from its first byte on, row by row.
        pub buffer: Option<Spanned<String>> = Needed(At(Text));
        /// Elements, at most 65536 in each dimension. Accesses need as many dimensions.
        pub size: Option<Size> = Needed(Extent);
        /// Type of a component; only its size matters.
        pub format: TexelFormat = Choice;
        /// Components of an element: 1, 2 or 4.
        pub channels: u32 = Or(1..=4, 1);
        /// Number of layers.
        pub layers: Option<u32> = Optional(1..=65536);
        /// Position of the entry.
        pub span: Span = Place;
    }

    /// A call of the host program. Without a stream it is in the default stream.
    #[derive(Debug)]
    pub enum StreamEntry {
        /// Copies a buffer from host memory to the device (`cudaMemcpyAsync`).
        CopyIn(CopyEntry) = "copy_in",
        /// Copies a buffer from the device to host memory.
        CopyOut(CopyEntry) = "copy_out",
        /// Launches the kernel of the file (`<<<grid, block, shared, stream>>>`). Its fields
        /// replace the values of the file.
        Launch(LaunchEntry) = "launch",
        /// Records an event after the earlier calls of the stream (`cudaEventRecord`).
        Record(RecordEntry) = "record",
        /// Later calls of the stream wait for the event (`cudaStreamWaitEvent`).
        Wait(WaitEntry) = "wait",
        /// The host waits for all calls (`cudaThreadSynchronize`), for the calls of a stream
        /// (`cudaStreamSynchronize`) or for an event (`cudaEventSynchronize`).
        Synchronize(SynchronizeEntry) = "synchronize",
    }

    /// A copy of a buffer or of some of its elements.
    #[derive(Debug)]
    pub struct CopyEntry {
        /// Number of the stream.
        pub stream: Option<u32> = Optional(StreamNumber);
        /// The buffer.
        pub buffer as "buf": Spanned<String> = At(Text);
        /// First element.
        pub first: u64 = Or(0..=1 << 32, 0);
        /// Number of elements; all from the first one on by default.
        pub len: Option<u64> = Optional(LENGTH);
        /// Position of the whole entry.
        pub span: Span = Place;
    }

    /// A launch of a list; the values of the file replace the missing ones.
    #[derive(Debug)]
    pub struct LaunchEntry {
        /// Number of the stream.
        pub stream: Option<u32> = Optional(StreamNumber);
        /// Name of the kernel.
        pub entry: Option<Spanned<String>> = Optional(At(Text));
        /// Number of blocks.
        pub grid: Option<Dim3> = Optional(Extent);
        /// Number of threads per block.
        pub block: Option<Dim3> = Optional(Extent);
        /// Dynamic shared memory per block.
        pub dynamic_shared: Option<u32> = Optional(0..=u32::MAX), "bytes";
        /// Environment registers.
        pub environment: Option<[u32; 32]> = Optional(Environment);
        /// Arguments.
        pub params: Option<Arguments> = Optional(Params);
    }

    /// A record of an event.
    #[derive(Debug)]
    pub struct RecordEntry {
        /// Number of the stream.
        pub stream: Option<u32> = Optional(StreamNumber);
        /// Name of the event.
        pub event: Spanned<String> = At(Text);
    }

    /// A wait of a stream.
    #[derive(Debug)]
    pub struct WaitEntry {
        /// Number of the stream.
        pub stream: u32 = StreamNumber;
        /// Name of the event.
        pub event: Spanned<String> = At(Text);
    }

    /// A wait of the host.
    #[derive(Debug)]
    pub struct SynchronizeEntry {
        /// Number of the stream.
        pub stream: Option<u32> = Optional(StreamNumber);
        /// Name of the event.
        pub event: Option<Spanned<String>> = Optional(At(Text));
        /// Position of the whole entry.
        pub span: Span = Place;
    }

    /// A buffer or a variable: one of the two fields.
    #[derive(Debug)]
    pub struct DataEntry {
        /// Name of a buffer.
        pub buf: Option<Spanned<String>> = Optional(At(Text));
        /// Name of a variable, instead of a buffer.
        pub symbol: Option<Spanned<String>> = Optional(At(Text));
        /// Position of the entry.
        pub span: Span = Place;
    }

    /// Data to write to a file.
    #[derive(Debug)]
    pub struct DumpEntry {
        /// The data.
        pub data: DataEntry = Inline;
        /// Path of the file.
        pub to: Option<Spanned<PathBuf>> = Needed(At(Text));
    }

    /// An expectation: data with a file or a formula, a metric, or a checker.
    #[derive(Debug)]
    pub struct ExpectEntry {
        /// The data.
        pub data: DataEntry = Inline;
        /// A condition over metrics ([METRICS.md](METRICS.md)) instead of data, such as
        /// `gld_transactions_per_request <= 1.1`.
        pub metric: Option<Spanned<String>> = Optional(At(FormulaText));
        /// A checker instead of data: it must find no error in a checked run
        /// ([CHECKERS.md](CHECKERS.md)).
        pub check: Option<Spanned<Check>> = Optional(At(Choice));
        /// Type of the compared elements, if it differs from the declared one.
        pub ty as "type": Option<ScalarType> = Optional(ElementType);
        /// Raw bytes, exactly as many as the data has.
        pub file: Option<Spanned<PathBuf>> = Optional(At(Text));
        /// A formula for element `i`, instead of a file.
        pub formula: Option<Spanned<String>> = Optional(At(FormulaText));
        /// Absolute tolerance.
        pub abs: f64 = Or(TOLERANCE, 0.0);
        /// Tolerance relative to the expected value.
        pub rel: f64 = Or(TOLERANCE, 0.0);
    }
}

words! {
    /// Memory of a buffer.
    #[derive(Default)]
    pub enum BufferMemory {
        /// Copied from and to page-locked memory of `cudaMallocHost`.
        #[default]
        Pinned = "pinned",
        /// Copied from and to memory of `malloc`, which changes only the time of copies
        /// ([MODEL.md](MODEL.md#host-and-launches)).
        Pageable = "pageable",
        /// Mapped host memory (zero copy: `cudaHostAlloc` with `cudaHostAllocMapped`). It is not
        /// copied, and no call of `streams` may copy it. The kernel reads and writes it over PCI
        /// Express ([MODEL.md](MODEL.md#mapped-host-memory)). A chip of compute capability 1.0
        /// refuses the file.
        Mapped = "mapped",
    }
}

impl BufferMemory {
    /// The kind of the host memory of copies; `None` for mapped memory.
    pub fn copied(self) -> Option<HostMemory> {
        match self {
            Self::Pinned => Some(HostMemory::Pinned),
            Self::Pageable => Some(HostMemory::Pageable),
            Self::Mapped => None,
        }
    }
}

words! {
    /// Memory of a texture.
    #[derive(Default)]
    pub enum TextureMemory {
        /// An array.
        #[default]
        Array = "array",
        /// One dimension without filter and normalized coordinates, as `tex1Dfetch` reads it;
        /// texels outside are 0.
        Linear = "linear",
        /// Six faces, for `tex.cube`.
        Cube = "cube",
    }
}

impl LaunchFile {
    /// Iterates over the input files, relative to the launch file's folder.
    pub fn inputs(&self) -> impl Iterator<Item = &PathBuf> {
        let arrays = self.buffers.iter().chain(&self.symbols).filter_map(|array| match &array.init {
            Some(Spanned { value: Init::File(path), .. }) => Some(path),
            _ => None,
        });
        arrays.chain(self.expected_data().filter_map(|expectation| match &expectation.source {
            Some(Source::File(path)) => Some(&path.value),
            _ => None,
        }))
    }

    /// Iterates over the expectations about data.
    pub fn expected_data(&self) -> impl Iterator<Item = &ExpectedData> {
        self.expect.iter().filter_map(|expectation| match expectation {
            Expectation::Data(data) => Some(data),
            Expectation::Metric(_) | Expectation::Check(_) => None,
        })
    }

    /// Iterates over the launches of `streams`.
    pub fn launches(&self) -> impl Iterator<Item = &LaunchEntry> {
        self.streams.iter().filter_map(|entry| match entry {
            StreamEntry::Launch(launch) => Some(launch),
            _ => None,
        })
    }
}

/// The contents of a buffer: zeros at the name of the buffer, if the file does not give them.
pub struct Contents;

impl Form<Option<Spanned<Init>>> for Contents {
    fn of(&self, reader: &Reader, node: &Node, what: &str) -> Option<Option<Spanned<Init>>> {
        Some(At(OneOf).of(reader, node, what))
    }

    fn read(&self, fields: &Fields, name: &'static str) -> Option<Option<Spanned<Init>>> {
        let zero = |key: &Spanned<String>| Spanned { value: Init::Zero, span: key.span };
        match fields.optional(name) {
            Some(_) => Some(fields.read(name, |reader, node, what| At(OneOf).of(reader, node, what))),
            None => Some(fields.key().map(zero)),
        }
    }

    fn value(&self) -> Value {
        Form::<Init>::value(&OneOf)
    }

    fn presence(&self) -> Presence {
        Presence::Optional
    }
}

/// The calls of `streams`, one of which is a launch.
pub struct Calls;

impl Form<Vec<StreamEntry>> for Calls {
    fn of(&self, reader: &Reader, node: &Node, what: &str) -> Option<Vec<StreamEntry>> {
        let entries: Vec<StreamEntry> = List(OneOf).of(reader, node, what)?;
        for entry in &entries {
            if let StreamEntry::Synchronize(wait) = entry
                && wait.stream.is_some()
                && wait.event.is_some()
            {
                let message = "`synchronize` has both a stream and an event";
                let label = "remove one of the two fields";
                reader.push(Diagnostic::error(codes::STREAMS, wait.span, message).label(label));
            }
        }
        let complete = reader.items(node, what)?.len() == entries.len();
        if complete && !entries.iter().any(|entry| matches!(entry, StreamEntry::Launch(_))) {
            let message = "`streams` has no launch";
            let help = "the list replaces the launch of the file; leave it out for a single launch";
            let diagnostic =
                Diagnostic::error(codes::STREAMS, node.span, message).label("expected `launch(stream: 1)`");
            reader.push(diagnostic.help(help));
        }
        Some(entries)
    }

    fn value(&self) -> Value {
        Form::<Vec<StreamEntry>>::value(&List(OneOf))
    }
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

impl Array {
    /// Whether the file gives initial contents. The contents of an array without `init` have the
    /// span of its name.
    pub fn has_init(&self) -> bool {
        self.init.as_ref().is_some_and(|init| init.span != self.name.span)
    }
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

/// An expectation about a run.
#[derive(Debug)]
pub enum Expectation {
    /// The contents of a buffer or symbol.
    Data(ExpectedData),
    /// A condition over metrics.
    Metric(Condition<MetricsOnly>),
    /// No error of a checker.
    Check(Check),
}

/// Expected contents of a buffer or symbol after the run.
#[derive(Debug)]
pub struct ExpectedData {
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
