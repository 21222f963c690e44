//! [`Gpu`]: what a host program holds. Device memory, modules, copies and launches.

use super::launch::{Launch, LaunchError};
use super::memory::{Allocator, DevicePtr, MemoryError};
use super::module::Loaded;
use super::monitor::{Listener, Monitor};
use super::sample::Sampling;
use super::timeline::{Call, Direction, Stream, Timeline, TimelineEvent};
use crate::config::{Chip, PcieConfig};
use crate::debug::Debugger;
use crate::gpu::run::HostStats;
use crate::mem::image::Memory;
use crate::mem::map::AddressMap;
use crate::observe::Observer;
use crate::sm::scheduler::OwnScheduler;
use crate::stats::Report;
use isa::uop::Module;

/// A loaded module.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ModuleId(pub(super) u32);

/// Why a host call failed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum HostError {
    /// Allocation, free or copy.
    #[error(transparent)]
    Memory(#[from] MemoryError),
    /// Launch.
    #[error(transparent)]
    Launch(#[from] LaunchError),
    /// No such module variable.
    #[error("the module has no .global or .const variable `{0}`")]
    NoSymbol(String),
    /// A copy beyond a variable's end.
    #[error("a copy of {bytes} bytes at offset {offset} is outside `{symbol}`, which has {size} bytes")]
    SymbolRange {
        /// Variable.
        symbol: String,
        /// Offset.
        offset: u64,
        /// Bytes to copy.
        bytes: u64,
        /// Its size.
        size: u64,
    },
    /// More constant memory than the chip has.
    #[error("the module requires {needed} bytes of constant memory, but the chip has {available}")]
    ConstantMemory {
        /// Needed.
        needed: u64,
        /// Available.
        available: u64,
    },
    /// No such event.
    #[error("the event has not been recorded on this GPU")]
    UnknownEvent,
}

/// A simulated GPU with its device memory.
pub struct Gpu {
    pub(super) chip: Chip,
    pub(super) memory: Memory,
    pub(super) allocator: Allocator,
    pub(super) modules: Vec<Loaded>,
    pub(super) timeline: Timeline,
    pub(super) host_stats: HostStats,
    pub(super) launches: u32,
    pub(super) scheduler: Option<OwnScheduler>,
    pub(super) observer: Option<Box<dyn Observer>>,
    pub(super) monitor: Option<Monitor>,
    pub(super) listener: Option<Listener>,
    pub(super) sampling: Option<Sampling>,
    pub(super) racecheck: bool,
    pub(super) debugger: Option<Box<dyn Debugger>>,
}

impl Gpu {
    /// A GPU with empty memory.
    pub fn new(chip: Chip) -> Self {
        let map = AddressMap::of(&chip);
        Self {
            memory: Memory::new(map),
            allocator: Allocator::new(chip.usable_bytes()),
            modules: Vec::new(),
            timeline: Timeline::new(chip.pcie.copy_engines),
            host_stats: HostStats::default(),
            launches: 0,
            scheduler: None,
            observer: None,
            monitor: None,
            listener: None,
            sampling: None,
            racecheck: false,
            debugger: None,
            chip,
        }
    }

    /// The chip it is.
    pub fn chip(&self) -> &Chip {
        &self.chip
    }

    /// From now on timed launches schedule warps by a policy of the caller's own; `None`: by the
    /// chip's again. The report names it.
    pub fn set_scheduler(&mut self, scheduler: Option<OwnScheduler>) {
        self.scheduler = scheduler;
    }

    /// `cudaMalloc`: `bytes` bytes of device memory, 256-byte aligned, zero at first.
    pub fn malloc(&mut self, bytes: u64) -> Result<DevicePtr, HostError> {
        self.malloc_named(bytes, None)
    }

    /// [`Self::malloc`] with a name for error messages.
    pub fn malloc_named(&mut self, bytes: u64, name: Option<&str>) -> Result<DevicePtr, HostError> {
        let ptr = self.allocator.allocate(bytes, name)?;
        self.memory.fill(ptr.address(), bytes as usize, 0);
        Ok(ptr)
    }

    /// `cudaFree`.
    pub fn free(&mut self, ptr: DevicePtr) -> Result<(), HostError> {
        Ok(self.allocator.free(ptr)?)
    }

    /// `cudaMemcpy` to the device; `ptr` may point into an allocation.
    pub fn copy_in(&mut self, ptr: DevicePtr, bytes: &[u8]) -> Result<(), HostError> {
        self.allocator.check_copy(ptr, bytes.len() as u64)?;
        self.memory.write(ptr.address(), bytes);
        self.copied(Direction::In, bytes.len());
        Ok(())
    }

    /// `cudaMemcpy` from the device.
    pub fn copy_out(&mut self, ptr: DevicePtr, bytes: &mut [u8]) -> Result<(), HostError> {
        self.allocator.check_copy(ptr, bytes.len() as u64)?;
        self.memory.read(ptr.address(), bytes);
        self.copied(Direction::Out, bytes.len());
        Ok(())
    }

    /// `cudaStreamCreate`: calls in different streams may be under way together, as far as the chip
    /// has engines for them (`pcie.copy_engines`; see [`super::timeline`]). Plain calls wait for
    /// all streams, and all streams for them.
    pub fn stream(&mut self) -> Stream {
        self.timeline.stream()
    }

    /// `cudaMemcpyAsync` to the device, from host memory that counts as pinned. The bytes are there
    /// at once: values follow the order of the calls, as they do in a program that waits where it
    /// must, and only the time of the copy is the stream's. So a program that does not wait where
    /// it must is not found out.
    pub fn copy_in_async(&mut self, stream: Stream, ptr: DevicePtr, bytes: &[u8]) -> Result<(), HostError> {
        self.allocator.check_copy(ptr, bytes.len() as u64)?;
        self.memory.write(ptr.address(), bytes);
        self.copied_in_stream(stream, Direction::In, bytes.len());
        Ok(())
    }

    /// `cudaMemcpyAsync` from the device, as [`Self::copy_in_async`].
    pub fn copy_out_async(
        &mut self,
        stream: Stream,
        ptr: DevicePtr,
        bytes: &mut [u8],
    ) -> Result<(), HostError> {
        self.allocator.check_copy(ptr, bytes.len() as u64)?;
        self.memory.read(ptr.address(), bytes);
        self.copied_in_stream(stream, Direction::Out, bytes.len());
        Ok(())
    }

    /// `cudaThreadSynchronize`: the host waits for all streams. Plain copies and launches do so
    /// anyway.
    pub fn synchronize(&mut self) {
        self.timeline.synchronize();
    }

    /// `cudaStreamSynchronize`: the host waits for one stream.
    pub fn synchronize_stream(&mut self, stream: Stream) {
        self.timeline.wait_for(stream);
    }

    /// `cudaEventRecord`: events the place behind all that was called in a stream so far; `None`,
    /// the default stream's: behind all that was called at all.
    pub fn record(&mut self, stream: Option<Stream>) -> TimelineEvent {
        self.timeline.record(stream)
    }

    /// `cudaStreamWaitEvent`: what is called in `stream` from now on begins when the event has been
    /// reached.
    pub fn wait_in_stream(&mut self, stream: Stream, event: TimelineEvent) -> Result<(), HostError> {
        self.timeline.wait_in_stream(stream, event)
    }

    /// `cudaEventSynchronize`: the host waits for an event.
    pub fn synchronize_event(&mut self, event: TimelineEvent) -> Result<(), HostError> {
        self.timeline.wait_for_event(event)
    }

    /// `cudaEventElapsedTime`: nanoseconds from one event to the other.
    pub fn elapsed_ns(&self, from: TimelineEvent, to: TimelineEvent) -> Result<i64, HostError> {
        self.timeline.elapsed_ns(from, to)
    }

    /// Loads a module: finishes its code for this chip, places and initialises its variables.
    pub fn load(&mut self, module: Module) -> Result<ModuleId, HostError> {
        let module = module.compiled_for(self.chip.capability);
        let (needed, available) = (module.const_bytes.into(), self.chip.limits.const_bytes.into());
        if needed > available {
            return Err(HostError::ConstantMemory { needed, available });
        }
        let mut globals = Vec::new();
        for symbol in &module.globals {
            globals.push(self.malloc_named(symbol.bytes.max(1).into(), Some(&symbol.name))?);
        }
        let loaded = Loaded::new(module, globals);
        for (ptr, bytes) in loaded.global_images() {
            self.memory.write(ptr.address(), &bytes);
        }
        self.modules.push(loaded);
        Ok(ModuleId(self.modules.len() as u32 - 1))
    }

    /// A loaded module's contents.
    pub fn module(&self, id: ModuleId) -> &Module {
        &self.modules[id.0 as usize].module
    }

    /// Size in bytes of a module's `.global` or `.const` variable.
    pub fn symbol_bytes(&self, module: ModuleId, name: &str) -> Result<u64, HostError> {
        Ok(self.modules[module.0 as usize].place(name)?.bytes)
    }

    /// `cudaMemcpyToSymbol`: writes a `.global` or `.const` variable of a module.
    pub fn copy_to_symbol(
        &mut self,
        module: ModuleId,
        name: &str,
        offset: u64,
        bytes: &[u8],
    ) -> Result<(), HostError> {
        let loaded = &mut self.modules[module.0 as usize];
        let place = loaded.place(name)?;
        place.check(name, offset, bytes.len())?;
        match place.global {
            Some(ptr) => self.memory.write(ptr.address() + offset as u32, bytes),
            None => loaded.write_const(place.start + offset, bytes),
        }
        self.copied(Direction::In, bytes.len());
        Ok(())
    }

    /// `cudaMemcpyFromSymbol`.
    pub fn copy_from_symbol(
        &mut self,
        module: ModuleId,
        name: &str,
        offset: u64,
        bytes: &mut [u8],
    ) -> Result<(), HostError> {
        let loaded = &self.modules[module.0 as usize];
        let place = loaded.place(name)?;
        place.check(name, offset, bytes.len())?;
        match place.global {
            Some(ptr) => self.memory.read(ptr.address() + offset as u32, bytes),
            None => loaded.read_const(place.start + offset, bytes),
        }
        self.copied(Direction::Out, bytes.len());
        Ok(())
    }

    /// Runs a kernel to its end. A kernel that traps, hangs or reaches a limit has a report too:
    /// see its verdict. A launch that the chip cannot take at all is an error.
    pub fn launch(&mut self, launch: &Launch) -> Result<Report, HostError> {
        self.run_launch(launch, None)
    }

    /// As [`Self::launch`], in a stream: the host goes on at once, and the kernel runs beside the
    /// copies of other streams. Of its result the same holds as of [`Self::copy_in_async`]: it is
    /// there at once, only its time is the stream's.
    pub fn launch_in(&mut self, stream: Stream, launch: &Launch) -> Result<Report, HostError> {
        self.run_launch(launch, Some(stream))
    }

    /// From now on `observer` watches timed launches; nobody else does. Returns who did before.
    pub fn observe(&mut self, observer: Option<Box<dyn Observer>>) -> Option<Box<dyn Observer>> {
        std::mem::replace(&mut self.observer, observer)
    }

    /// From now on `debugger` is called before the first cycle of each timed launch that runs
    /// alone. `None` removes the debugger. Returns the debugger before.
    pub fn debug(&mut self, debugger: Option<Box<dyn Debugger>>) -> Option<Box<dyn Debugger>> {
        std::mem::replace(&mut self.debugger, debugger)
    }

    /// From now on launches on the functional machine are checked for races (see
    /// [`crate::racecheck`]), or not: their reports then have [`Report::races`].
    pub fn check_races(&mut self, on: bool) {
        self.racecheck = on;
    }

    /// The copies and launches so far, with their times.
    pub fn timeline(&self) -> &Timeline {
        &self.timeline
    }

    /// What the host did in the last timed launch; no part of any report.
    pub fn host_stats(&self) -> HostStats {
        self.host_stats
    }

    /// All of device memory, for comparing two runs.
    pub fn memory(&self) -> &Memory {
        &self.memory
    }

    fn copied(&mut self, direction: Direction, bytes: usize) {
        let ns = copy_ns(&self.chip.pcie, bytes as u64);
        self.timeline.push(Call::Copy(direction), bytes as u64, ns);
    }

    fn copied_in_stream(&mut self, stream: Stream, direction: Direction, bytes: usize) {
        let ns = copy_ns(&self.chip.pcie, bytes as u64);
        self.timeline.copy(stream, direction, bytes as u64, ns);
    }
}

/// Nanoseconds of a copy, rounded up.
fn copy_ns(pcie: &PcieConfig, bytes: u64) -> u64 {
    let wire = (u128::from(bytes) * 1_000_000_000).div_ceil(u128::from(pcie.bytes_per_second));
    pcie.latency_ns + wire as u64
}
