//! Calls of a host program as a list: streams, events, copies and launches whose later calls are
//! known when a kernel runs.
//!
//! A copy beside a kernel takes DRAM bandwidth from it, and a kernel of another stream shares the
//! chip with it. A kernel runs at its call, so that later calls must be known. They are here: see
//! [`super::ahead`]. Other kernels begin beside it on chips with concurrent kernels only
//! ([`super::group`]). [`Gpu::launch_together`] knows the earlier calls only.
//!
//! Invariant `copies-beside-kernels`: The copies whose traffic a kernel meets are those that the
//! final timeline shows beside it.

use super::ahead::Later;
use super::gpu::{Gpu, HostError};
use super::group::Together;
use super::launch::Launch;
use super::memory::DevicePtr;
use super::timeline::{Direction, HostMemory, Stream, Timeline, TimelineEvent};
use crate::stats::Report;

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
        /// Stream of the copy; `None` is the default stream.
        stream: Option<Stream>,
        /// Address of the first byte.
        to: DevicePtr,
        /// Bytes of host memory that are copied.
        bytes: &'a [u8],
        /// Kind of the host memory.
        memory: HostMemory,
    },
    /// A copy to the host.
    CopyOut {
        /// Stream of the copy; `None` is the default stream.
        stream: Option<Stream>,
        /// Address of the first byte.
        from: DevicePtr,
        /// Number of bytes.
        bytes: usize,
        /// Kind of the host memory.
        memory: HostMemory,
    },
    /// A launch of a kernel.
    Launch {
        /// Stream of the launch; `None` is the default stream.
        stream: Option<Stream>,
        /// Kernel, grid and arguments.
        launch: &'a Launch,
    },
    /// Records an event after the calls of a stream so far; without a stream, after all calls.
    Record {
        /// Stream of the event; `None` is the default stream.
        stream: Option<Stream>,
        /// Number of the event.
        event: usize,
    },
    /// Later calls of the stream wait for an event.
    Wait {
        /// Stream that waits.
        stream: Stream,
        /// Number of the event.
        event: usize,
    },
    /// The host waits.
    Synchronize(Waited),
    /// The host computes for this many nanoseconds.
    HostWorks(u64),
}

/// Result of a list of calls.
#[derive(Clone, Debug)]
pub struct Ran {
    /// A report for each launch, in order. If a kernel does not finish, the last one.
    pub reports: Vec<Report>,
    /// The bytes of each copy to the host, in order.
    pub copied: Vec<Vec<u8>>,
    /// The kernels after the last one of `reports` that ran beside it, if it did not finish. They
    /// are on the timeline only after [`Gpu::run_collected`].
    pub beside: Vec<Report>,
    /// Number of the launch whose trap has stopped the concurrent kernels.
    pub trapped: Option<usize>,
}

impl Gpu {
    /// Makes the calls of a list in order. The list ends early with a kernel that does not finish.
    ///
    /// On a chip that runs several kernels at the same time (`dispatch.concurrent_kernels`),
    /// kernels of different streams that do not wait for each other run beside each other, each
    /// from its start in the timeline on. Their reports, observers and stops are those of
    /// [`Self::launch_together`], but `max_cycles`, the cycles of reports and those of observed
    /// events count from the arrival of the kernel.
    ///
    /// # Errors
    ///
    /// A call is rejected, or waits for an event that no earlier call has recorded.
    pub fn run_schedule(&mut self, calls: &[StreamCall<'_>]) -> Result<Ran, HostError> {
        let before = self.host_memory;
        let ran = self.run_calls(calls, &mut Vec::new());
        self.set_host_memory(before);
        Ok(ran?.0)
    }

    /// Makes the calls that a host program has made before it observes a result, as
    /// [`Self::run_schedule`] does. `recorded` has the events by number, also those of earlier
    /// calls. Kernels that were stopped with another kernel are on the timeline, too.
    ///
    /// # Errors
    ///
    /// As [`Self::run_schedule`].
    pub fn run_collected(
        &mut self,
        calls: &[StreamCall<'_>],
        recorded: &mut Vec<Option<TimelineEvent>>,
    ) -> Result<Ran, HostError> {
        let before = self.host_memory;
        let ran = self.run_calls(calls, recorded);
        self.set_host_memory(before);
        let (mut ran, mut together) = ran?;
        let launches = calls.iter().filter_map(|call| match call {
            StreamCall::Launch { stream, .. } => Some(*stream),
            _ => None,
        });
        for stream in launches.skip(ran.reports.len()).take(together.kernels.len()).flatten() {
            let report = self.add_next(stream, &mut together);
            ran.beside.push(report);
        }
        Ok(ran)
    }

    /// Checks a launch that is made later. Returns whether kernels of other streams may run beside
    /// it.
    ///
    /// # Errors
    ///
    /// The launch is rejected.
    pub fn check_launch(&self, launch: &Launch) -> Result<bool, HostError> {
        if !self.runs_beside(launch) {
            return Ok(false);
        }
        self.checked(launch, None, self.launches)?;
        Ok(true)
    }

    fn run_calls(
        &mut self,
        calls: &[StreamCall<'_>],
        recorded: &mut Vec<Option<TimelineEvent>>,
    ) -> Result<(Ran, Together), HostError> {
        let mut ran = Ran { reports: Vec::new(), copied: Vec::new(), beside: Vec::new(), trapped: None };
        let mut together = Together::default();
        for (i, call) in calls.iter().enumerate() {
            match *call {
                StreamCall::CopyIn { stream, to, bytes, memory } => {
                    self.set_host_memory(memory);
                    match (stream, together.made.remove(&i)) {
                        (Some(stream), Some(_)) => self.copied_in(stream, Direction::In, to, bytes.len()),
                        (Some(stream), None) => self.copy_in_async(stream, to, bytes)?,
                        (None, _) => self.copy_in(to, bytes)?,
                    }
                }
                StreamCall::CopyOut { stream, from, bytes, memory } => {
                    self.set_host_memory(memory);
                    let made = together.made.remove(&i);
                    let mut out = vec![0; bytes];
                    match (stream, made) {
                        (Some(stream), Some(made)) => {
                            self.copied_in(stream, Direction::Out, from, bytes);
                            out = made;
                        }
                        (Some(stream), None) => self.copy_out_async(stream, from, &mut out)?,
                        (None, _) => self.copy_out(from, &mut out)?,
                    }
                    ran.copied.push(out);
                }
                StreamCall::Launch { stream, launch } => {
                    let later = Later { calls: &calls[i + 1..], recorded };
                    let report = match stream.filter(|_| self.runs_beside(launch)) {
                        Some(stream) => {
                            if together.kernels.is_empty() {
                                together = self.run_group(stream, launch, &later, i + 1)?;
                                ran.trapped = together.trapped.map(|kernel| ran.reports.len() + kernel);
                            }
                            self.add_next(stream, &mut together)
                        }
                        None => self.run_launch(launch, stream, &later)?,
                    };
                    let whole = report.verdict.is_whole();
                    ran.reports.push(report);
                    if !whole {
                        break;
                    }
                }
                StreamCall::Record { .. }
                | StreamCall::Wait { .. }
                | StreamCall::Synchronize(_)
                | StreamCall::HostWorks(_) => order(&mut self.timeline, call, recorded)?,
            }
        }
        Ok((ran, together))
    }
}

/// Makes a call that only orders others. `recorded` has the events by number.
pub(super) fn order(
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
        StreamCall::HostWorks(ns) => timeline.host_works(ns),
        StreamCall::CopyIn { .. } | StreamCall::CopyOut { .. } | StreamCall::Launch { .. } => {}
    }
    Ok(())
}
