//! [`Gpu`]: the device as a host program sees it, with device memory, modules, copies and launches.

use super::ahead::Later;
use super::checks::Checking;
use super::effects::Effects;
use super::launch::Launch;
use super::launch_error::LaunchError;
use super::memory::{Allocator, DevicePtr, MemoryError};
use super::module::Loaded;
use super::monitor::{Listener, Monitor};
use super::objects::ObjectTables;
use super::output::Limits;
use super::sample::Sampling;
use super::speculation::Speculations;
use super::state::{StateError, States};
use super::surfaces::SurfaceError;
use super::textures::TextureError;
use super::timeline::{Copying, Direction, HostMemory, Stream, Timeline, TimelineEvent};
use super::warmup::Warmup;
use crate::config::{Chip, PcieConfig};
use crate::debug::Debugger;
use crate::gpu::kept::Kept;
use crate::gpu::run::HostStats;
use crate::mem::image::Memory;
use crate::mem::map::AddressMap;
use crate::mem::partition::CopyTraffic;
use crate::observe::Observer;
use crate::sm::scheduler::OwnScheduler;
use crate::stats::Report;
use isa::uop::{Module, Program};
use std::sync::Arc;

/// Handle of a loaded module.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ModuleId(pub(super) u32);

/// Why a host call failed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum HostError {
    /// An allocation, free or copy failed.
    #[error(transparent)]
    Memory(#[from] MemoryError),
    /// A variable of a module does not fit in device memory.
    #[error("variable `{name}` (line {line}): {error}")]
    Variable {
        /// Name of the variable.
        name: String,
        /// Line of its declaration.
        line: String,
        /// Why the allocation failed.
        error: MemoryError,
    },
    /// A launch failed.
    #[error(transparent)]
    Launch(#[from] LaunchError),
    /// The module has no variable of this name.
    #[error("the module has no .global or .const variable `{0}`")]
    NoSymbol(String),
    /// A copy reaches beyond a variable's end.
    #[error("a copy of {bytes} bytes at offset {offset} is outside `{symbol}`, which has {size} bytes")]
    SymbolRange {
        /// Name of the variable.
        symbol: String,
        /// Offset of the copy in bytes.
        offset: u64,
        /// Bytes to copy.
        bytes: u64,
        /// Size of the variable in bytes.
        size: u64,
    },
    /// The module needs more constant memory than the chip has.
    #[error("the module requires {needed} bytes of constant memory, but the chip has {available}")]
    ConstantMemory {
        /// Bytes needed.
        needed: u64,
        /// Bytes available.
        available: u64,
    },
    /// The state of a launch cannot be saved or loaded.
    #[error(transparent)]
    State(#[from] StateError),
    /// Memory cannot be bound to a texture.
    #[error(transparent)]
    Texture(#[from] TextureError),
    /// Memory cannot be bound to a surface.
    #[error(transparent)]
    Surface(#[from] SurfaceError),
    /// A kernel that uses the memory of a limit was launched.
    #[error(
        "the limit cannot change: a kernel that calls `{function}` was launched\nhelp: call \
         cudaDeviceSetLimit before the first launch of such a kernel"
    )]
    LimitInUse {
        /// The function that uses the memory.
        function: &'static str,
    },
    /// The event does not exist.
    #[error("the event has not been recorded on this GPU")]
    UnknownEvent,
}

/// A simulated GPU with its device memory.
pub struct Gpu {
    pub(super) chip: Chip,
    pub(super) memory: Memory,
    pub(super) allocator: Allocator,
    pub(super) modules: Vec<Loaded>,
    pub(super) objects: ObjectTables,
    pub(super) limits: Limits,
    pub(super) timeline: Timeline,
    pub(super) host_memory: HostMemory,
    pub(super) beside: Vec<CopyTraffic>,
    pub(super) host_stats: HostStats,
    pub(super) launches: u32,
    pub(super) scheduler: Option<OwnScheduler>,
    pub(super) observer: Option<Box<dyn Observer>>,
    pub(super) monitor: Option<Monitor>,
    pub(super) listener: Option<Listener>,
    pub(super) sampling: Option<Sampling>,
    pub(super) checking: Checking,
    pub(super) effects: Effects,
    pub(super) debugger: Option<Box<dyn Debugger>>,
    pub(super) states: States,
    pub(super) warmup: Option<Warmup>,
    pub(super) speculations: Speculations,
    pub(super) kept: Kept,
}

impl Gpu {
    /// A GPU with empty memory.
    pub fn new(chip: Chip) -> Self {
        Self {
            memory: Memory::new(AddressMap::LINEAR),
            allocator: Allocator::new(chip.usable_bytes()).with_addresses(chip.addresses()),
            modules: Vec::new(),
            objects: ObjectTables::default(),
            limits: Limits::default(),
            timeline: Timeline::new(chip.pcie.copy_engines, chip.pcie.sync_ns),
            host_memory: HostMemory::default(),
            beside: Vec::new(),
            host_stats: HostStats::default(),
            launches: 0,
            scheduler: None,
            observer: None,
            monitor: None,
            listener: None,
            sampling: None,
            checking: Checking::default(),
            effects: Effects::default(),
            debugger: None,
            states: States::default(),
            warmup: None,
            speculations: Speculations::default(),
            kept: Kept::default(),
            chip,
        }
    }

    /// Returns the simulated chip.
    pub fn chip(&self) -> &Chip {
        &self.chip
    }

    /// Sets a user-defined policy that schedules warps in all later timed launches; `None` restores
    /// the chip's policy. The report names the policy.
    pub fn set_scheduler(&mut self, scheduler: Option<OwnScheduler>) {
        self.scheduler = scheduler;
    }

    /// `cudaMalloc`: allocates `bytes` bytes of device memory, 256-byte aligned and filled with
    /// zeros.
    pub fn malloc(&mut self, bytes: u64) -> Result<DevicePtr, HostError> {
        self.malloc_named(bytes, None)
    }

    /// [`Self::malloc`] with a name for error messages.
    pub fn malloc_named(&mut self, bytes: u64, name: Option<&str>) -> Result<DevicePtr, HostError> {
        let ptr = self.allocator.allocate(bytes, name)?;
        self.memory.fill(ptr.address(), bytes as usize, 0);
        self.checking.allocated(ptr.address(), bytes);
        Ok(ptr)
    }

    /// `cudaFree`, and `cudaFreeHost` of mapped memory.
    pub fn free(&mut self, ptr: DevicePtr) -> Result<(), HostError> {
        Ok(self.allocator.free(ptr)?)
    }

    /// `cudaMemcpy` to the device; `ptr` may point into an allocation.
    pub fn copy_in(&mut self, ptr: DevicePtr, bytes: &[u8]) -> Result<(), HostError> {
        self.allocator.check_device(ptr, bytes.len() as u64)?;
        self.write(ptr.address(), bytes);
        self.copied(Direction::In, bytes.len());
        Ok(())
    }

    /// `cudaMemcpy` from the device.
    pub fn copy_out(&mut self, ptr: DevicePtr, bytes: &mut [u8]) -> Result<(), HostError> {
        self.allocator.check_device(ptr, bytes.len() as u64)?;
        self.memory.read(ptr.address(), bytes);
        self.checking.read(ptr.address(), bytes.len() as u64);
        self.copied(Direction::Out, bytes.len());
        Ok(())
    }

    /// `cudaStreamCreate`. Calls in different streams may overlap if the chip has engines for them
    /// (`pcie.copy_engines`; see [`super::timeline`]). Plain calls wait for all streams, and all
    /// streams wait for plain calls.
    pub fn stream(&mut self) -> Stream {
        self.timeline.stream()
    }

    /// Sets the kind of the host memory of later copies, at first pinned.
    pub fn set_host_memory(&mut self, memory: HostMemory) {
        self.host_memory = memory;
    }

    /// `cudaMemcpyAsync` to the device. The bytes are written immediately: values follow the order
    /// of the calls, as in a correctly synchronized program, and only the time of the copy belongs
    /// to the stream. A missing synchronization therefore goes undetected. The host waits for a
    /// copy of pageable memory.
    pub fn copy_in_async(&mut self, stream: Stream, ptr: DevicePtr, bytes: &[u8]) -> Result<(), HostError> {
        self.allocator.check_device(ptr, bytes.len() as u64)?;
        self.write(ptr.address(), bytes);
        self.copied_in(stream, Direction::In, ptr, bytes.len());
        Ok(())
    }

    /// `cudaMemcpyAsync` from the device; see [`Self::copy_in_async`].
    pub fn copy_out_async(
        &mut self,
        stream: Stream,
        ptr: DevicePtr,
        bytes: &mut [u8],
    ) -> Result<(), HostError> {
        self.allocator.check_device(ptr, bytes.len() as u64)?;
        self.memory.read(ptr.address(), bytes);
        self.checking.read(ptr.address(), bytes.len() as u64);
        self.copied_in(stream, Direction::Out, ptr, bytes.len());
        Ok(())
    }

    /// Least nanoseconds that the call of a copy in a stream takes the host.
    pub fn copy_call_ns(&self, memory: HostMemory, bytes: u64) -> u64 {
        match memory {
            HostMemory::Pinned => 0,
            HostMemory::Pageable => copy_ns(&self.chip.pcie, memory, bytes),
        }
    }

    /// `cudaThreadSynchronize`: the host waits for all streams. Plain copies do so as well.
    pub fn synchronize(&mut self) {
        self.timeline.synchronize();
    }

    /// `cudaStreamSynchronize`: the host waits for one stream.
    pub fn synchronize_stream(&mut self, stream: Stream) {
        self.timeline.wait_for(stream);
    }

    /// `cudaEventRecord`: records an event after all calls made in a stream so far; `None`, the
    /// default stream: after all calls made so far.
    pub fn record(&mut self, stream: Option<Stream>) -> TimelineEvent {
        self.timeline.record(stream)
    }

    /// `cudaStreamWaitEvent`: later calls in `stream` begin when the event has been reached.
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

    /// Returns the contents of a loaded module.
    pub fn module(&self, id: ModuleId) -> &Module {
        &self.modules[id.0 as usize].module
    }

    /// Returns the kernels of a loaded module in their order, each as launches execute it: with
    /// values in local memory if it needs more registers than the chip has.
    pub fn kernels(&self, id: ModuleId) -> impl Iterator<Item = &Arc<Program>> {
        let Loaded { module, fitted, .. } = &self.modules[id.0 as usize];
        module.entries.iter().map(|code| fitted.iter().find(|other| other.name == code.name).unwrap_or(code))
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
            Some(ptr) => self.write(ptr.address() + offset as u32, bytes),
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

    /// Runs a kernel to its end. On the timeline the host does not wait for it. A kernel that
    /// traps, hangs or reaches a limit has a report too, with the reason in its verdict. A launch
    /// that exceeds the limits of the chip is an error.
    pub fn launch(&mut self, launch: &Launch) -> Result<Report, HostError> {
        self.run_launch(launch, None, &Later::default())
    }

    /// Launches a kernel in a stream. The host continues immediately, and the kernel overlaps the
    /// copies of other streams. As in [`Self::copy_in_async`], the results are written immediately
    /// and only the time belongs to the stream. Copies that were called before and run beside the
    /// kernel take DRAM bandwidth from it; for those called later see [`Self::run_schedule`].
    pub fn launch_in(&mut self, stream: Stream, launch: &Launch) -> Result<Report, HostError> {
        self.run_launch(launch, Some(stream), &Later::default())
    }

    /// Sets the observer of later launches. Returns the previous observer.
    pub fn observe(&mut self, observer: Option<Box<dyn Observer>>) -> Option<Box<dyn Observer>> {
        std::mem::replace(&mut self.observer, observer)
    }

    /// From now on `debugger` is called before the first cycle of each timed launch that runs
    /// alone. `None` removes the debugger. Returns the debugger before.
    pub fn debug(&mut self, debugger: Option<Box<dyn Debugger>>) -> Option<Box<dyn Debugger>> {
        std::mem::replace(&mut self.debugger, debugger)
    }

    /// Returns the copies and launches so far, with their times.
    pub fn timeline(&self) -> &Timeline {
        &self.timeline
    }

    /// Returns statistics of the host about the last timed launch; they are not part of any report.
    pub fn host_stats(&self) -> HostStats {
        self.host_stats
    }

    /// Returns the end of the highest allocation of device memory so far: no program has changed a
    /// byte of device memory from this address on.
    pub fn highest_address(&self) -> u64 {
        self.allocator.highest()
    }

    /// Returns all of device memory, to compare two runs.
    pub fn memory(&self) -> &Memory {
        &self.memory
    }

    /// Writes bytes of the host to device memory.
    pub(super) fn write(&mut self, address: u32, bytes: &[u8]) {
        self.memory.write(address, bytes);
        self.checking.wrote(address, bytes.len() as u64);
    }

    /// Adds a copy in a stream to the timeline.
    pub(super) fn copied_in(&mut self, stream: Stream, direction: Direction, ptr: DevicePtr, bytes: usize) {
        let copy = self.copying(direction, Some(ptr), bytes);
        self.timeline.copy(stream, &copy);
    }

    /// Adds a plain copy to the timeline.
    pub(super) fn copied(&mut self, direction: Direction, bytes: usize) {
        let copy = self.copying(direction, None, bytes);
        self.timeline.push_copy(&copy);
    }

    /// Returns a copy from or to host memory of the current kind.
    fn copying(&self, direction: Direction, ptr: Option<DevicePtr>, bytes: usize) -> Copying {
        let memory = self.host_memory;
        let duration_ns = copy_ns(&self.chip.pcie, memory, bytes as u64);
        Copying { direction, address: ptr.map(DevicePtr::address), bytes: bytes as u64, memory, duration_ns }
    }
}

/// Returns the nanoseconds of a copy, rounded up.
pub(super) fn copy_ns(pcie: &PcieConfig, memory: HostMemory, bytes: u64) -> u64 {
    let rate = match memory {
        HostMemory::Pinned => pcie.bytes_per_second,
        HostMemory::Pageable => pcie.pageable_bytes_per_second.min(pcie.bytes_per_second),
    };
    let wire = (u128::from(bytes) * 1_000_000_000).div_ceil(u128::from(rate));
    pcie.latency_ns + wire as u64
}
