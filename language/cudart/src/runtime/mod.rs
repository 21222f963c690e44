//! The runtime API in safe Rust. Pointers of the host program are numbers.

pub mod arrays;
pub mod attributes;
pub mod blocks;
pub mod copies;
pub mod device;
pub mod driver;
pub mod element;
pub mod error;
pub mod estimates;
pub mod functions;
pub mod host;
pub mod images;
pub mod launch;
pub mod memory;
pub mod notes;
pub mod objects;
pub mod order;
pub mod peers;
mod pending;
mod places;
pub mod prepared;
mod record;
pub mod regions;
pub mod streams;
pub mod symbols;
pub mod textures;
pub mod thread;
mod unread;
mod unwritten;

#[cfg(test)]
mod tests;

use crate::settings::Settings;
use arrays::Array;
use blocks::Block;
use device::Device;
use error::{Error, Outcome};
use estimates::{Estimates, Rule};
use host::Process;
use images::Images;
use notes::Notes;
use objects::Descriptions;
use report::program::Program;
use sim_core::check::{Check, Checks};
use sim_core::host::{Gpu, HostError, Launch, ModuleId, StopReason};
use sim_core::stats::Report;
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::Arc;
use streams::{EventState, StreamState};
use textures::Reference;
use thread::Thread;

/// Whether the user interrupts the program.
pub type Interrupted = Arc<dyn Fn() -> bool + Send + Sync>;

/// All state of the API in a process.
pub struct Runtime {
    /// The settings.
    pub settings: Settings,
    /// The device code of the program, and the names of its kernels and variables.
    pub images: Images,
    /// Record of the program so far.
    pub program: Program,
    /// Text for the host program's user.
    pub notes: Notes,
    process: Box<dyn Process>,
    /// The primary context of each device, by its number, then contexts of the driver API.
    devices: Vec<Device>,
    streams: BTreeMap<u64, StreamState>,
    events: BTreeMap<u64, EventState>,
    arrays: BTreeMap<u64, Array>,
    /// Host memory that devices access, by its first address.
    blocks: BTreeMap<u64, Block>,
    references: BTreeMap<u64, Reference>,
    /// Texture and surface objects, by device and handle.
    objects: BTreeMap<(usize, u64), Descriptions>,
    /// Contents of the `.const` variables that the host has written, for recorded launches: device,
    /// module and name.
    constants: Vec<((usize, ModuleId, String), Vec<u8>)>,
    unread: Vec<unread::Unread>,
    places: places::Places,
    /// The calls that host code has waited for.
    order: order::Order,
    /// Calls that wait for their simulation.
    pending: pending::Pending,
    /// Series of launches, if launches are sampled.
    estimates: Option<Estimates>,
    /// Contexts and objects of the driver API.
    driver: driver::Driver,
    handles: u64,
    /// Start of the program, if host code takes its real time.
    started: Option<std::time::Instant>,
    /// Modelled nanoseconds of the host code so far, without calls of the runtime; `None` if the
    /// program is native code.
    pub host_code_ns: Option<u64>,
    /// The reports of all launches, if they are kept.
    reports: Option<Vec<Report>>,
    /// Stops launches.
    interrupted: Option<Interrupted>,
    /// The launch that is not started ([`Settings::hold`]).
    pub held: Option<Launch>,
}

/// Lets the user interrupt the launches of a GPU.
fn monitor(gpu: &mut Gpu, interrupted: Option<&Interrupted>) {
    let Some(interrupted) = interrupted.map(Arc::clone) else { return };
    gpu.monitor(Some(Box::new(move |_| {
        if interrupted() { ControlFlow::Break(StopReason::Interrupted) } else { ControlFlow::Continue(()) }
    })));
}

/// The names of checkers.
fn names(checks: Checks) -> Vec<String> {
    let on = Check::NAMES.iter().filter(|(_, check)| checks.has(*check));
    on.map(|(name, _)| (*name).to_owned()).collect()
}

/// Longest name of a variable, in bytes.
const LONGEST_NAME: u64 = 1024;

/// First handle of an object. No pointer of a host program has such a value.
const FIRST_HANDLE: u64 = 0x5753_0000_0000_0000;

impl Runtime {
    /// A runtime whose devices have not been used.
    pub fn new(settings: Settings, process: Box<dyn Process>, images: Images) -> Self {
        let devices = (0..settings.devices).map(|number| Device::new(&settings, number)).collect();
        let first = settings.sample_launches.map(Rule::First);
        Self {
            program: Program { checks: names(settings.checks), ..Program::new(&settings.chip) },
            estimates: first.or(settings.timed_work.map(Rule::Work)).map(Estimates::new),
            images,
            notes: Notes::default(),
            process,
            devices,
            streams: BTreeMap::new(),
            events: BTreeMap::new(),
            arrays: BTreeMap::new(),
            blocks: BTreeMap::new(),
            references: BTreeMap::new(),
            objects: BTreeMap::new(),
            constants: Vec::new(),
            unread: Vec::new(),
            places: places::Places::default(),
            order: order::Order::new(settings.checks),
            pending: pending::Pending::default(),
            driver: driver::Driver::default(),
            handles: FIRST_HANDLE,
            started: settings.real_host_time.then(std::time::Instant::now),
            host_code_ns: None,
            reports: None,
            interrupted: None,
            held: None,
            settings,
        }
    }

    /// Lets the user interrupt the launches of all devices.
    pub fn ask(&mut self, interrupted: &Interrupted) {
        self.interrupted = Some(Arc::clone(interrupted));
        for device in &mut self.devices {
            monitor(&mut device.gpu, Some(interrupted));
        }
    }

    /// A device that has not been used.
    fn new_device(&self, number: usize) -> Device {
        let mut device = Device::new(&self.settings, number);
        monitor(&mut device.gpu, self.interrupted.as_ref());
        device
    }

    /// Exchanges the GPU of the first device, which no call has used: the other one may be observed
    /// or debugged. The reports of its launches are kept.
    pub fn exchange(&mut self, gpu: &mut Gpu) {
        std::mem::swap(&mut self.devices[0].gpu, gpu);
        self.reports.get_or_insert_default();
    }

    /// Returns the free bytes of the memory of the first device.
    pub fn free_bytes(&self) -> u64 {
        self.devices.first().map_or(0, |device| device.gpu.free_bytes())
    }

    /// Returns the reports that are kept.
    pub fn take_reports(&mut self) -> Vec<Report> {
        self.reports.take().unwrap_or_default()
    }

    /// Returns the current device of a thread, after all calls so far.
    ///
    /// # Errors
    ///
    /// The error of an earlier launch on the device, until it is reset; the current context is
    /// destroyed.
    pub fn device(&mut self, thread: &Thread) -> Outcome<&mut Device> {
        self.settle();
        self.collecting(thread)
    }

    /// Returns the current device of a thread, for calls that observe no result: collected launches
    /// stay collected.
    ///
    /// # Errors
    ///
    /// As [`Self::device`].
    pub(crate) fn collecting(&mut self, thread: &Thread) -> Outcome<&mut Device> {
        if thread.contexts.last().is_some_and(|context| !self.driver.is_at(*context, thread.device)) {
            return Err(Error::INCOMPATIBLE_CONTEXT);
        }
        let device = &mut self.devices[thread.device];
        device.active |= !thread.in_driver;
        if let Some(error) = device.failed {
            return Err(error);
        }
        if let Some(started) = self.started {
            let worked = device.host_reached(started.elapsed().as_nanos() as u64);
            if self.pending.has(thread.device) {
                self.pending.host_works(worked);
            } else {
                device.gpu.host_works(worked);
            }
        }
        Ok(device)
    }

    /// Reads memory of the current device of a thread, for debuggers: no copy takes place. Returns
    /// whether there is such memory.
    pub fn peek(&self, thread: &Thread, address: u64, into: &mut [u8]) -> bool {
        let gpu = &self.devices[thread.device].gpu;
        let end = address.checked_add(into.len() as u64);
        match (u32::try_from(address), end) {
            (Ok(address), Some(end)) if end <= gpu.highest_address() => {
                gpu.memory().read(address, into);
                true
            }
            _ => false,
        }
    }

    /// Returns the error that a launch has left on the current device of a thread.
    pub fn failed(&self, thread: &Thread) -> Option<Error> {
        self.devices[thread.device].failed
    }

    /// `cudaPeekAtLastError`: the last error of a thread, or the error that a launch has left on
    /// its device and that the program has not taken.
    pub fn last_error(&mut self, thread: &Thread) -> Error {
        let last = match thread.last {
            Error::SUCCESS if self.devices[thread.device].taken => Error::SUCCESS,
            Error::SUCCESS => self.failed(thread).unwrap_or(Error::SUCCESS),
            error => error,
        };
        if last != Error::SUCCESS {
            self.note_read(thread.device, last);
        }
        last
    }

    /// `cudaGetLastError`: the same error, which is no longer the last one. Calls still return the
    /// error of a launch.
    pub fn take_last_error(&mut self, thread: &mut Thread) -> Error {
        let last = self.last_error(thread);
        thread.last = Error::SUCCESS;
        let device = &mut self.devices[thread.device];
        device.taken = device.failed.is_some();
        last
    }

    /// Returns the device with a number.
    fn numbered(&mut self, number: i32) -> Outcome<&mut Device> {
        let number = usize::try_from(number).ok().filter(|number| *number < self.settings.devices);
        Ok(&mut self.devices[number.ok_or(Error::INVALID_DEVICE)?])
    }

    /// Checks that a device exists.
    pub fn known(&mut self, number: i32) -> Outcome {
        self.numbered(number).map(|_| ())
    }

    /// Ends the program: completes the record, and prints the rest of the output.
    pub fn finish(&mut self) {
        self.settle();
        self.notes.flush = true;
        for number in 0..self.devices.len() {
            self.note_leaks(number);
        }
        self.lose_unread(None);
        // Host memory has other addresses in each run.
        self.program.leaks.sort_unstable();
        self.program.pinned_leaks.sort_unstable();
        self.program.simulated_ns = self.simulated_ns();
        self.program.series.extend(self.estimates.iter().flat_map(Estimates::series));
        for device in &self.devices {
            self.program.add_timeline(device.number, device.gpu.timeline());
        }
    }

    /// Writes the record of a program that has ended to the file of the settings. Returns what its
    /// user is told: an error, then the summary.
    pub fn close(&self) -> Vec<String> {
        let mut lines = Vec::new();
        if let Some(path) = &self.settings.report {
            let text = serde_json::to_string_pretty(&self.program).expect("a record is data");
            if let Err(why) = std::fs::write(path, text + "\n") {
                lines.push(format!("warpsim: error: cannot write {}: {why}", path.display()));
            }
        }
        if !self.settings.quiet {
            lines.extend(self.program.work_limit().map(|why| format!("warpsim: {why}")));
            lines.extend(self.program.estimates().into_iter().map(|line| format!("warpsim: {line}")));
            lines.push(self.program.summary());
        }
        lines
    }

    /// Returns a new handle.
    fn handle(&mut self) -> u64 {
        self.handles += 16;
        self.handles
    }

    /// Reads `bytes` bytes of the host program.
    ///
    /// # Errors
    ///
    /// The address is null or has no memory.
    pub fn get(&self, address: u64, bytes: u64) -> Outcome<Vec<u8>> {
        self.get_parts(&[(address, bytes)])
    }

    /// Reads ranges of the host program, each an address and a number of bytes.
    fn get_parts(&self, parts: &[(u64, u64)]) -> Outcome<Vec<u8>> {
        let bytes = parts.iter().map(|(_, bytes)| bytes).sum::<u64>();
        let mut out = vec![0; usize::try_from(bytes).map_err(|_| Error::INVALID_VALUE)?];
        if self.process.read(parts, &mut out) { Ok(out) } else { Err(Error::INVALID_VALUE) }
    }

    /// Writes bytes to the host program.
    pub fn put(&self, address: u64, bytes: &[u8]) -> Outcome {
        self.put_parts(&[(address, bytes.len() as u64)], bytes)
    }

    fn put_parts(&self, parts: &[(u64, u64)], bytes: &[u8]) -> Outcome {
        if self.process.write(parts, bytes) { Ok(()) } else { Err(Error::INVALID_VALUE) }
    }

    /// Writes an `int` to the host program.
    pub fn put_int(&self, address: u64, value: i32) -> Outcome {
        self.put(address, &value.to_le_bytes())
    }

    /// Writes a pointer, handle or `size_t` to the host program.
    pub fn put_word(&self, address: u64, value: u64) -> Outcome {
        self.put(address, &value.to_le_bytes())
    }

    /// Reads a text of the host program that ends with NUL, of at most `most` bytes.
    pub fn get_text(&self, address: u64, most: u64) -> Outcome<String> {
        host::read_text(&*self.process, address, most).ok_or(Error::INVALID_VALUE)
    }

    /// Allocates zeros in pages of the host program. Returns their address.
    pub fn allocate_pages(&self, bytes: u64) -> Outcome<u64> {
        self.process.allocate(0, bytes).ok_or(Error::MEMORY_ALLOCATION)
    }

    /// Frees what [`Self::allocate_pages`] has returned.
    pub fn release_pages(&self, address: u64, bytes: u64) {
        self.process.release(address, bytes);
    }

    /// Returns the text of a file that a kernel includes.
    pub fn file(&self, path: &str) -> Option<String> {
        self.process.file(path)
    }

    /// Returns the error of a failed call of the simulator and explains it.
    fn explain(&mut self, error: &HostError) -> Error {
        self.notes.once_for_call(format!("warpsim: {error}{}", report::exit::help(error)));
        Error::of_host(error)
    }

    /// Adds a result of the simulator: its error is explained.
    fn told<T>(&mut self, result: Result<T, HostError>) -> Outcome<T> {
        result.map_err(|error| self.explain(&error))
    }

    /// Refuses a call with a reason.
    fn refuse<T>(&mut self, error: Error, reason: impl Into<String>) -> Outcome<T> {
        self.notes.once_for_call(format!("warpsim: {}", reason.into()));
        Err(error)
    }

    /// Simulated nanoseconds of all devices' timelines: the longest one.
    pub fn simulated_ns(&self) -> u64 {
        self.devices.iter().map(Device::elapsed_ns).max().unwrap_or(0)
    }

    /// Nanoseconds that the host has spent in calls.
    pub fn host_ns(&self) -> u64 {
        let of = |(number, device): (usize, &Device)| device.host_ns() + self.pending.host_ns(number);
        self.devices.iter().enumerate().map(of).max().unwrap_or(0)
    }
}
