//! The timeline of a host program: copies over PCI Express and kernels, with their start times and
//! durations.
//!
//! **Plain calls** are the calls of CUDA's default stream. A plain call begins when all earlier
//! calls of all streams have ended. All later calls wait for it, and so does the host.
//!
//! **Calls in a [`Stream`]** let the host continue immediately. A copy or kernel begins when the
//! host has called it, the earlier calls of its stream have ended, and its **engine** is free. An
//! engine executes its calls in order, one at a time, even if a later call could begin earlier, as
//! the hardware queues of that time did. The chip defines the number of copy engines: two engines
//! serve one direction each, and the link is full duplex; one engine serves both directions in
//! turn; without one the chip executes one copy or kernel at a time.
//!
//! The timeline is computed from the times of the calls only: nothing waits, and no value in memory
//! depends on it.
//!
//! Invariant `streams-and-copies`: Copies and kernels of streams overlap as far as the copy engines
//! allow, and an engine executes its work in the order of the calls.

use super::HostError;
use super::engines::{Engine, Engines};
use serde::{Serialize, Serializer};
use std::fmt;

/// One host call that took device time.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Event {
    /// Kind of the call.
    pub what: Call,
    /// Bytes copied; 0 for kernels.
    pub bytes: u64,
    /// Nanoseconds since the first call.
    pub start_ns: u64,
    /// Duration in nanoseconds.
    pub duration_ns: u64,
    /// Number of the stream, from 1; 0 for a plain call.
    pub stream: usize,
}

impl Event {
    /// Returns the nanoseconds from the first call to the end of this call.
    pub fn end_ns(&self) -> u64 {
        self.start_ns + self.duration_ns
    }
}

/// A sequence of copies and kernels that is independent of other streams. Streams are numbered from
/// 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Stream(usize);

/// A point in a stream (`cudaEvent_t`). It is reached when all earlier calls of the stream have
/// ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TimelineEvent(usize);

/// Direction of a copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Direction {
    /// From the host to the device.
    In,
    /// From the device to the host.
    Out,
}

/// A host call that takes device time. Its text is `memcpy HtoD`, `memcpy DtoH` or the kernel's
/// name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Call {
    /// A copy.
    Copy(Direction),
    /// A launch of the kernel of this name.
    Kernel(String),
}

impl Call {
    /// Returns a launch of the kernel `name`.
    pub fn kernel(name: &str) -> Self {
        Self::Kernel(name.to_owned())
    }
}

impl fmt::Display for Call {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Copy(Direction::In) => "memcpy HtoD",
            Self::Copy(Direction::Out) => "memcpy DtoH",
            Self::Kernel(name) => name,
        })
    }
}

impl Serialize for Call {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// All calls in order, and the state of the host, the streams and the engines.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Timeline {
    /// The calls. Without streams each begins when the previous one has ended.
    pub events: Vec<Event>,
    /// Time of the host's next call, in nanoseconds.
    #[serde(skip)]
    host_ns: u64,
    /// End of the last call.
    #[serde(skip)]
    end_ns: u64,
    /// End of the last call of each stream.
    #[serde(skip)]
    streams: Vec<u64>,
    /// Time at which each event is reached.
    #[serde(skip)]
    recorded: Vec<u64>,
    /// Copy engines and kernel engine.
    #[serde(skip)]
    engines: Engines,
}

impl Default for Timeline {
    /// A timeline with two copy engines.
    fn default() -> Self {
        Self::new(2)
    }
}

impl Timeline {
    /// An empty timeline of a chip with `copy_engines` copy engines.
    pub fn new(copy_engines: u32) -> Self {
        Self {
            events: Vec::new(),
            host_ns: 0,
            end_ns: 0,
            streams: Vec::new(),
            recorded: Vec::new(),
            engines: Engines::new(copy_engines),
        }
    }

    /// Returns the end of the last call.
    pub fn now_ns(&self) -> u64 {
        self.end_ns
    }

    /// Returns the time of the host's next call.
    pub fn host_ns(&self) -> u64 {
        self.host_ns
    }

    /// Appends a plain call, which begins when all earlier calls have ended, and for which the host
    /// waits.
    pub fn push(&mut self, what: Call, bytes: u64, duration_ns: u64) {
        let start_ns = self.end_ns.max(self.host_ns);
        self.add(Event { what, bytes, start_ns, duration_ns, stream: 0 });
        self.host_ns = self.end_ns;
    }

    /// Creates a stream.
    pub fn stream(&mut self) -> Stream {
        self.streams.push(0);
        Stream(self.streams.len())
    }

    /// Appends a copy in a stream. The host does not wait for it.
    pub fn copy(&mut self, stream: Stream, direction: Direction, bytes: u64, duration_ns: u64) {
        let engine = match direction {
            Direction::In => Engine::CopyIn,
            Direction::Out => Engine::CopyOut,
        };
        let ready = self.host_ns.max(self.stream_end(stream));
        let start_ns = self.engines.reserve(engine, ready, duration_ns);
        let event = Event { what: Call::Copy(direction), bytes, start_ns, duration_ns, stream: stream.0 };
        *self.stream_mut(stream) = event.end_ns();
        self.add(event);
    }

    /// Appends a kernel in a stream. The call takes the host `launch_ns`; the host does not wait
    /// for the kernel.
    pub fn kernel(&mut self, stream: Stream, name: &str, launch_ns: u64, duration_ns: u64) {
        self.kernels(&[(stream, name, duration_ns)], launch_ns);
    }

    /// Appends kernels of different streams that begin together, when all their streams are ready.
    /// Each call takes the host `launch_ns`. Each element is (stream, name, nanoseconds).
    pub fn kernels(&mut self, kernels: &[(Stream, &str, u64)], launch_ns: u64) {
        self.host_ns += launch_ns * kernels.len() as u64;
        let ends = kernels.iter().map(|(stream, ..)| self.stream_end(*stream));
        let ready = ends.fold(self.host_ns, u64::max);
        let longest = kernels.iter().map(|(.., ns)| *ns).max().unwrap_or(0);
        let start_ns = self.engines.reserve(Engine::Kernels, ready, longest);
        for (stream, name, duration_ns) in kernels {
            let event = Event {
                what: Call::kernel(name),
                bytes: 0,
                start_ns,
                duration_ns: *duration_ns,
                stream: stream.0,
            };
            *self.stream_mut(*stream) = event.end_ns();
            self.add(event);
        }
    }

    /// Returns the end of the last call of a stream. A stream of another timeline counts as a new
    /// stream.
    fn stream_end(&self, stream: Stream) -> u64 {
        self.streams.get(stream.0 - 1).copied().unwrap_or(0)
    }

    fn stream_mut(&mut self, stream: Stream) -> &mut u64 {
        if stream.0 > self.streams.len() {
            self.streams.resize(stream.0, 0);
        }
        &mut self.streams[stream.0 - 1]
    }

    /// Makes the host wait for all calls.
    pub fn synchronize(&mut self) {
        self.host_ns = self.host_ns.max(self.end_ns);
    }

    /// Makes the host wait for all calls of a stream.
    pub fn wait_for(&mut self, stream: Stream) {
        self.host_ns = self.host_ns.max(self.stream_end(stream));
    }

    /// Records an event after all calls made in a stream so far; `None`: after all calls made so
    /// far.
    pub fn record(&mut self, stream: Option<Stream>) -> TimelineEvent {
        let end = stream.map_or(self.end_ns, |stream| self.stream_end(stream));
        self.recorded.push(end.max(self.host_ns));
        TimelineEvent(self.recorded.len() - 1)
    }

    /// Makes later calls of the stream wait for an event of any stream.
    pub fn wait_in_stream(&mut self, stream: Stream, event: TimelineEvent) -> Result<(), HostError> {
        let reached = self.reached(event)?;
        let end = self.stream_mut(stream);
        *end = reached.max(*end);
        Ok(())
    }

    /// Makes the host wait for an event.
    pub fn wait_for_event(&mut self, event: TimelineEvent) -> Result<(), HostError> {
        self.host_ns = self.host_ns.max(self.reached(event)?);
        Ok(())
    }

    /// Returns the nanoseconds from one event to the other; negative if the second is reached
    /// first.
    pub fn elapsed_ns(&self, from: TimelineEvent, to: TimelineEvent) -> Result<i64, HostError> {
        Ok(self.reached(to)?.cast_signed() - self.reached(from)?.cast_signed())
    }

    /// Returns the time at which an event is reached.
    fn reached(&self, event: TimelineEvent) -> Result<u64, HostError> {
        self.recorded.get(event.0).copied().ok_or(HostError::UnknownEvent)
    }

    fn add(&mut self, event: Event) {
        self.end_ns = self.end_ns.max(event.end_ns());
        self.engines.hold_until(if event.stream == 0 { event.end_ns() } else { 0 });
        self.events.push(event);
    }
}

#[cfg(test)]
mod tests;
