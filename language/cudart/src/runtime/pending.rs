//! Launches in streams that have been called and not simulated: on a chip with concurrent kernels,
//! launches of different streams run together.
//!
//! A launch in a stream is checked at its call and collected. Records of events, waits of streams
//! and copies to the device that depend on no collected launch are collected with it. Every other
//! call of the runtime first **settles** them: the list runs as [`Gpu::run_collected`] runs it,
//! with the machine of launch files. Such calls are those that can observe a result (waits,
//! queries, copies to the host), and those between which CUDA runs no kernels together:
//! allocations, fills, copies within the device and work of the default stream [P-PG 3.2.5.5.4].
//!
//! Invariant `collected-launches`: A program that orders its accesses computes the same with
//! collected launches, for any use of waits and queries; a program of one stream has the same
//! times.

use super::Runtime;
use super::error::Error;
use super::launch::Begun;
use sim_core::host::timeline::Call as Timed;
use sim_core::host::{DevicePtr, Gpu, HostMemory, Launch, Stream, StreamCall, TimelineEvent};
use sim_core::stats::report::Verdict;

/// Most launches of a list: as many as the simulator runs together.
const MOST_LAUNCHES: usize = 64;
/// Most calls of a list.
const MOST_CALLS: usize = 256;
/// Most bytes of the copies of a list.
const MOST_BYTES: usize = 1 << 26;

/// A collected call.
#[derive(Debug)]
enum Call {
    Launch { stream: Stream, launch: Box<Launch> },
    CopyIn { stream: Stream, to: DevicePtr, bytes: Vec<u8>, memory: HostMemory },
    Record { stream: Option<Stream>, event: usize },
    Wait { stream: Stream, event: usize },
    HostWorks(u64),
}

impl Call {
    fn lent(&self) -> StreamCall<'_> {
        match self {
            Self::Launch { stream, launch } => StreamCall::Launch { stream: Some(*stream), launch },
            Self::CopyIn { stream, to, bytes, memory } => {
                StreamCall::CopyIn { stream: Some(*stream), to: *to, bytes, memory: *memory }
            }
            Self::Record { stream, event } => StreamCall::Record { stream: *stream, event: *event },
            Self::Wait { stream, event } => StreamCall::Wait { stream: *stream, event: *event },
            Self::HostWorks(ns) => StreamCall::HostWorks(*ns),
        }
    }
}

/// The collected calls of one device. The first is a launch.
#[derive(Debug, Default)]
pub(super) struct Pending {
    device: usize,
    calls: Vec<Call>,
    launches: Vec<Begun>,
    /// Events that the calls name by their numbers; `None` if a collected call records it.
    events: Vec<Option<TimelineEvent>>,
    /// Streams that have a launch or a wait.
    busy: Vec<Stream>,
    bytes: usize,
    /// Nanoseconds that the calls take the host at least.
    host_ns: u64,
}

/// An event on a timeline.
#[derive(Clone, Copy, Debug)]
pub(super) enum Reached {
    /// On the timeline.
    Known(TimelineEvent),
    /// With this number among the collected calls.
    Pending(usize),
}

impl Pending {
    /// Number of collected launches.
    pub fn launches(&self) -> usize {
        self.launches.len()
    }

    /// Least nanoseconds of the host in collected calls of a device.
    pub fn host_ns(&self, device: usize) -> u64 {
        if self.device == device { self.host_ns } else { 0 }
    }

    /// Whether there are calls of a device.
    pub fn has(&self, device: usize) -> bool {
        !self.calls.is_empty() && self.device == device
    }

    /// Adds host code of a device that has calls.
    pub fn host_works(&mut self, ns: u64) {
        self.calls.push(Call::HostWorks(ns));
        self.host_ns += ns;
    }

    /// Whether a copy to a device in a stream may join: it depends on no collected launch.
    pub fn takes_copy(&self, device: usize, stream: Option<Stream>, bytes: u64) -> bool {
        let fits = self.calls.len() < MOST_CALLS && self.bytes as u64 + bytes <= MOST_BYTES as u64;
        self.has(device) && fits && stream.is_some_and(|stream| !self.busy.contains(&stream))
    }

    /// Adds a copy that takes the host `host_ns`.
    pub fn copy_in(
        &mut self,
        stream: Stream,
        (to, bytes): (DevicePtr, Vec<u8>),
        memory: HostMemory,
        host_ns: u64,
    ) {
        self.bytes += bytes.len();
        self.host_ns += host_ns;
        self.calls.push(Call::CopyIn { stream, to, bytes, memory });
    }

    /// Whether an event of a device can be recorded or waited for.
    pub fn takes_event(&self, device: usize) -> bool {
        self.has(device) && self.calls.len() < MOST_CALLS
    }

    /// Records an event.
    pub fn record(&mut self, stream: Option<Stream>) -> Reached {
        let event = self.events.len();
        self.events.push(None);
        self.calls.push(Call::Record { stream, event });
        Reached::Pending(event)
    }

    /// Lets a stream wait for an event.
    pub fn wait(&mut self, stream: Stream, event: Reached) {
        let event = match event {
            Reached::Pending(event) => event,
            Reached::Known(event) => {
                self.events.push(Some(event));
                self.events.len() - 1
            }
        };
        self.busy.push(stream);
        self.calls.push(Call::Wait { stream, event });
    }
}

impl Runtime {
    /// Collects a launch if others may run beside it.
    ///
    /// # Errors
    ///
    /// The launch is refused.
    pub(super) fn collect(
        &mut self,
        device: usize,
        stream: Option<Stream>,
        launch: &Launch,
        begun: &Begun,
    ) -> Result<bool, Error> {
        let Some(stream) = stream else { return Ok(false) };
        // A single stream has nothing to run beside.
        let streams = self.streams.values().filter(|stream| stream.device == device).take(2).count();
        let is_shared = self.blocks.values().any(|block| block.shared);
        let is_sampled =
            self.estimates.as_ref().is_some_and(|estimates| estimates.left().is_none_or(|left| left == 0));
        if streams < 2 || is_shared || is_sampled || self.settings.record.is_some() {
            return Ok(false);
        }
        if !self.devices[device].constants.is_empty() {
            return Ok(false);
        }
        let result = self.devices[device].gpu.check_launch(launch);
        if !self.told(result)? {
            return Ok(false);
        }
        let full = self.pending.launches.len() == MOST_LAUNCHES || self.pending.calls.len() >= MOST_CALLS;
        if full || !self.pending.has(device) {
            self.settle();
            if let Some(error) = self.devices[device].failed {
                return Err(error);
            }
        }
        let pending = &mut self.pending;
        pending.device = device;
        pending.busy.push(stream);
        pending.host_ns += self.devices[device].gpu.chip().pcie.launch_ns;
        pending.calls.push(Call::Launch { stream, launch: Box::new(launch.clone()) });
        pending.launches.push(begun.clone());
        Ok(true)
    }

    /// Runs the collected calls.
    pub(super) fn settle(&mut self) {
        if self.pending.calls.is_empty() {
            return;
        }
        let Pending { device, calls, launches, mut events, .. } = std::mem::take(&mut self.pending);
        let gpu = &mut self.devices[device].gpu;
        let first = gpu.timeline().events.len();
        let lent: Vec<StreamCall<'_>> = calls.iter().map(Call::lent).collect();
        let ran = gpu.run_collected(&lent, &mut events);
        let times = kernel_times(gpu, first);
        for event in self.events.values_mut().filter(|event| event.device == device) {
            event.resolve(&events);
        }
        let ran = match ran {
            Ok(ran) => ran,
            Err(error) => {
                // Each launch was checked at its call.
                self.devices[device].failed = Some(self.explain(&error));
                return;
            }
        };
        let reports = ran.reports.into_iter().chain(ran.beside);
        for (number, ((report, begun), span)) in reports.zip(launches).zip(times).enumerate() {
            let is_cause = match report.verdict {
                Verdict::Trapped { .. } => ran.trapped.is_none_or(|trapped| trapped == number),
                _ => true,
            };
            self.worked(Some(&report));
            self.ended(device, &begun, report, (None, span), is_cause);
        }
    }
}

/// Returns start and nanoseconds of the kernels on a timeline, from an event on.
fn kernel_times(gpu: &Gpu, first: usize) -> Vec<(u64, u64)> {
    let kernels =
        gpu.timeline().events[first..].iter().filter(|event| matches!(event.what, Timed::Kernel(_)));
    kernels.map(|event| (event.start_ns, event.duration_ns)).collect()
}
