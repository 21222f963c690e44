//! Calls of a host program as a list: streams, events, copies and launches whose later calls are
//! known when a kernel runs.
//!
//! A copy beside a kernel takes DRAM bandwidth from it. A kernel runs at its call, so the copies of
//! later calls must be known. [`Gpu::run_schedule`] knows them. Kernels run in the order of their
//! calls. Until a kernel ends, no other kernel begins, and no call that waits for it does. So the
//! copies beside it follow from the timeline of all later calls after a kernel that never ends.
//! This is exact except for [`Gpu::launch_together`], which knows the earlier calls only.
//!
//! Invariant `copies-beside-kernels`: The copies whose traffic a kernel meets are those that the
//! final timeline shows beside it.

use super::gpu::{Gpu, HostError, copy_ns};
use super::launch::Launch;
use super::memory::DevicePtr;
use super::timeline::{Call, Copying, Direction, Event, HostMemory, Stream, Timeline, TimelineEvent};
use crate::exec::Mode;
use crate::mem::partition::CopyTraffic;
use crate::stats::Report;

/// Nanoseconds of a kernel that never ends.
const FOREVER: u64 = 1 << 60;

/// Work for which the host waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Waited {
    /// All calls so far.
    All,
    /// The calls of a stream so far.
    Stream(Stream),
    /// The event of this number.
    Event(usize),
}

/// A call of a host program. Without a stream it is a plain call. Events are numbered by the
/// caller; the same number can be recorded again.
#[derive(Clone, Copy, Debug)]
pub enum StreamCall<'a> {
    /// A copy to the device.
    CopyIn {
        /// Stream.
        stream: Option<Stream>,
        /// Address of the first byte.
        to: DevicePtr,
        /// The bytes.
        bytes: &'a [u8],
        /// Kind of the host memory.
        memory: HostMemory,
    },
    /// A copy to the host.
    CopyOut {
        /// Stream.
        stream: Option<Stream>,
        /// Address of the first byte.
        from: DevicePtr,
        /// Number of bytes.
        bytes: usize,
        /// Kind of the host memory.
        memory: HostMemory,
    },
    /// A launch.
    Launch {
        /// Stream.
        stream: Option<Stream>,
        /// The launch.
        launch: &'a Launch,
    },
    /// Records an event after the calls of a stream so far; without a stream, after all calls.
    Record {
        /// Stream.
        stream: Option<Stream>,
        /// Number of the event.
        event: usize,
    },
    /// Later calls of the stream wait for an event.
    Wait {
        /// Stream.
        stream: Stream,
        /// Number of the event.
        event: usize,
    },
    /// The host waits.
    Synchronize(Waited),
}

/// Result of a list of calls.
#[derive(Clone, Debug)]
pub struct Ran {
    /// A report for each launch, in order. If a kernel does not finish, the last one.
    pub reports: Vec<Report>,
    /// The bytes of each copy to the host, in order.
    pub copied: Vec<Vec<u8>>,
}

/// Calls after a launch, as far as they are known, and the recorded events by number.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Later<'a> {
    calls: &'a [StreamCall<'a>],
    recorded: &'a [Option<TimelineEvent>],
}

impl Gpu {
    /// Makes the calls of a list in order. The list ends early with a kernel that does not finish.
    ///
    /// # Errors
    ///
    /// A call is rejected, or waits for an event that no earlier call has recorded.
    pub fn run_schedule(&mut self, calls: &[StreamCall<'_>]) -> Result<Ran, HostError> {
        let before = self.host_memory;
        let ran = self.run_calls(calls);
        self.set_host_memory(before);
        ran
    }

    fn run_calls(&mut self, calls: &[StreamCall<'_>]) -> Result<Ran, HostError> {
        let mut recorded = Vec::new();
        let mut ran = Ran { reports: Vec::new(), copied: Vec::new() };
        for (i, call) in calls.iter().enumerate() {
            match *call {
                StreamCall::CopyIn { stream, to, bytes, memory } => {
                    self.set_host_memory(memory);
                    match stream {
                        Some(stream) => self.copy_in_async(stream, to, bytes)?,
                        None => self.copy_in(to, bytes)?,
                    }
                }
                StreamCall::CopyOut { stream, from, bytes, memory } => {
                    self.set_host_memory(memory);
                    let mut out = vec![0; bytes];
                    match stream {
                        Some(stream) => self.copy_out_async(stream, from, &mut out)?,
                        None => self.copy_out(from, &mut out)?,
                    }
                    ran.copied.push(out);
                }
                StreamCall::Launch { stream, launch } => {
                    let later = Later { calls: &calls[i + 1..], recorded: &recorded };
                    let report = self.run_launch(launch, stream, &later)?;
                    let whole = report.verdict.is_whole();
                    ran.reports.push(report);
                    if !whole {
                        break;
                    }
                }
                StreamCall::Record { .. } | StreamCall::Wait { .. } | StreamCall::Synchronize(_) => {
                    order(&mut self.timeline, call, &mut recorded)?;
                }
            }
        }
        Ok(ran)
    }

    /// Returns the traffic of the copies beside kernels that are launched together in `streams`,
    /// from their start on, as if they never ended.
    pub(super) fn traffic(&self, streams: &[Stream], later: &Later<'_>) -> Vec<CopyTraffic> {
        if streams.is_empty() || self.chip.pcie.copy_engines == 0 {
            return Vec::new();
        }
        let mut future = self.timeline.ahead();
        let kernels: Vec<(Stream, &str, u64)> = streams.iter().map(|stream| (*stream, "", FOREVER)).collect();
        future.kernels(&kernels, self.chip.pcie.launch_ns);
        let start_ns = future.events.last().map_or(0, |kernel| kernel.start_ns);
        let mut recorded = later.recorded.to_vec();
        for call in later.calls {
            // A wrong call is reported when its turn comes.
            if self.predict(&mut future, call, &mut recorded).is_err() {
                break;
            }
        }
        let earlier = self.timeline.events.iter().filter(|event| event.end_ns() > start_ns);
        let beside = future.events.iter().filter(|event| event.start_ns < start_ns + FOREVER);
        let mut list: Vec<CopyTraffic> =
            earlier.chain(beside).filter_map(|event| self.traffic_of(event, start_ns)).collect();
        list.sort_by_key(|copy| copy.from);
        list
    }

    /// Adds a later call to the timeline of a kernel that never ends. Kernels take no time, because
    /// none of them begins.
    fn predict(
        &self,
        future: &mut Timeline,
        call: &StreamCall<'_>,
        recorded: &mut Vec<Option<TimelineEvent>>,
    ) -> Result<(), HostError> {
        let copy = |direction, ptr: DevicePtr, bytes: usize, memory| Copying {
            direction,
            address: Some(ptr.address()),
            bytes: bytes as u64,
            memory,
            duration_ns: copy_ns(&self.chip.pcie, memory, bytes as u64),
        };
        let (stream, copy) = match *call {
            StreamCall::CopyIn { stream, to, bytes, memory } => {
                (stream, copy(Direction::In, to, bytes.len(), memory))
            }
            StreamCall::CopyOut { stream, from, bytes, memory } => {
                (stream, copy(Direction::Out, from, bytes, memory))
            }
            StreamCall::Launch { stream, launch } => {
                match (launch.mode, stream) {
                    (Mode::Functional, _) => {}
                    (Mode::Timed, Some(stream)) => future.kernel(stream, "", self.chip.pcie.launch_ns, 0),
                    (Mode::Timed, None) => future.push_kernel("", self.chip.pcie.launch_ns, 0),
                }
                return Ok(());
            }
            StreamCall::Record { .. } | StreamCall::Wait { .. } | StreamCall::Synchronize(_) => {
                return order(future, call, recorded);
            }
        };
        match stream {
            Some(stream) => future.copy(stream, &copy),
            None => future.push_copy(&copy),
        }
        Ok(())
    }

    /// Returns the traffic of a copy beside a kernel that begins at `kernel_ns`; `None` for other
    /// events, and for copies that end before it.
    fn traffic_of(&self, event: &Event, kernel_ns: u64) -> Option<CopyTraffic> {
        let write = match &event.what {
            Call::Copy(Direction::In) => true,
            Call::Copy(Direction::Out) => false,
            Call::Copy(Direction::Peer) | Call::Kernel(_) => return None,
        };
        let address = event.address?;
        let first_ns = event.start_ns + self.chip.pcie.latency_ns;
        let wire_ns = event.end_ns().checked_sub(first_ns).filter(|ns| *ns > 0)?;
        // Bytes that have crossed the link before the kernel begins.
        let early_ns = kernel_ns.saturating_sub(first_ns).min(wire_ns);
        let early = (u128::from(event.bytes) * u128::from(early_ns)).div_ceil(wire_ns.into()) as u64;
        let bytes = event.bytes.checked_sub(early).filter(|bytes| *bytes > 0)?;
        let cycles = |ns: u64| (u128::from(ns) * u128::from(self.chip.clocks.shader_khz) / 1_000_000) as u64;
        Some(CopyTraffic {
            write,
            address: address + early as u32,
            bytes,
            from: cycles(first_ns.saturating_sub(kernel_ns)),
            cycles: cycles(wire_ns - early_ns),
        })
    }
}

/// Makes a call that only orders others. `recorded` has the events by number.
fn order(
    timeline: &mut Timeline,
    call: &StreamCall<'_>,
    recorded: &mut Vec<Option<TimelineEvent>>,
) -> Result<(), HostError> {
    let find = |recorded: &[Option<TimelineEvent>], event: usize| {
        recorded.get(event).copied().flatten().ok_or(HostError::UnknownEvent)
    };
    match *call {
        StreamCall::Record { stream, event } => {
            if recorded.len() <= event {
                recorded.resize(event + 1, None);
            }
            recorded[event] = Some(timeline.record(stream));
        }
        StreamCall::Wait { stream, event } => timeline.wait_in_stream(stream, find(recorded, event)?)?,
        StreamCall::Synchronize(Waited::All) => timeline.synchronize(),
        StreamCall::Synchronize(Waited::Stream(stream)) => timeline.wait_for(stream),
        StreamCall::Synchronize(Waited::Event(event)) => timeline.wait_for_event(find(recorded, event)?)?,
        StreamCall::CopyIn { .. } | StreamCall::CopyOut { .. } | StreamCall::Launch { .. } => {}
    }
    Ok(())
}
