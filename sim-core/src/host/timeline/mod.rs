//! What the host did and how long each thing took: copies over PCI Express, kernels on the chip.
//!
//! **Plain calls** are those of CUDA's default stream: each begins when everything before it has
//! ended, in whatever stream, everything later waits for it, and the host waits for its end.
//!
//! **Calls in a [`Stream`]** let the host go on at once. Such a copy or kernel begins when the host
//! has called it, what stands before it in its stream has ended, and its **engine** is free. An
//! engine takes its work in the order of the calls, one at a time, also where something later could
//! begin at once, as the hardware queues of the time did. The chip says how many copy engines it
//! has: with two there is one for each direction, and the link is full duplex; one serves both
//! directions in turn; with none the chip does one thing at a time, copy or kernel.
//!
//! All of it is arithmetic on the times of the calls: nothing here waits, and no value of memory
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
    /// The call.
    pub what: Call,
    /// Bytes copied; 0 for kernels.
    pub bytes: u64,
    /// Nanoseconds since the first call.
    pub start_ns: u64,
    /// Nanoseconds that it took.
    pub duration_ns: u64,
    /// The number of its stream, from 1; 0 for a plain call.
    pub stream: usize,
}

impl Event {
    /// Nanoseconds from the first call to its end.
    pub fn end_ns(&self) -> u64 {
        self.start_ns + self.duration_ns
    }
}

/// Copies and kernels that follow each other, apart from those of other streams. Its number is from
/// 1 on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Stream(usize);

/// A point in a stream (`cudaEvent_t`): it is reached when all that was called in the stream before
/// has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TimelineEvent(usize);

/// Which way a copy goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Direction {
    /// From the host to the device.
    In,
    /// From the device to the host.
    Out,
}

/// A host call that takes device time. As text it is `memcpy HtoD`, `memcpy DtoH` or the kernel's
/// name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Call {
    /// A copy.
    Copy(Direction),
    /// A launch of the kernel of this name.
    Kernel(String),
}

impl Call {
    /// A launch of the kernel `name`.
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

/// All of them in the order of the calls.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Timeline {
    /// The events. Without streams each begins when the one before has ended.
    pub events: Vec<Event>,
    /// When the host makes its next call.
    #[serde(skip)]
    host_ns: u64,
    /// When the last event ends.
    #[serde(skip)]
    end_ns: u64,
    /// When the last call of each stream ends.
    #[serde(skip)]
    streams: Vec<u64>,
    /// When each event is reached.
    #[serde(skip)]
    recorded: Vec<u64>,
    /// What copies and runs kernels.
    #[serde(skip)]
    engines: Engines,
}

impl Default for Timeline {
    /// With two copy engines.
    fn default() -> Self {
        Self::new(2)
    }
}

impl Timeline {
    /// Of a chip with so many copy engines.
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

    /// When the last event ended.
    pub fn now_ns(&self) -> u64 {
        self.end_ns
    }

    /// When the host makes its next call.
    pub fn host_ns(&self) -> u64 {
        self.host_ns
    }

    /// Appends a plain call, which begins when everything before it has ended, and which the host
    /// waits for.
    pub fn push(&mut self, what: Call, bytes: u64, duration_ns: u64) {
        let start_ns = self.end_ns.max(self.host_ns);
        self.add(Event { what, bytes, start_ns, duration_ns, stream: 0 });
        self.host_ns = self.end_ns;
    }

    /// Another stream.
    pub fn stream(&mut self) -> Stream {
        self.streams.push(0);
        Stream(self.streams.len())
    }

    /// Appends a copy in a stream, for which the host does not wait.
    pub fn copy(&mut self, stream: Stream, direction: Direction, bytes: u64, duration_ns: u64) {
        let engine = match direction {
            Direction::In => Engine::CopyIn,
            Direction::Out => Engine::CopyOut,
        };
        let ready = self.host_ns.max(self.stream_end(stream));
        let start_ns = self.engines.take(engine, ready, duration_ns);
        let event = Event { what: Call::Copy(direction), bytes, start_ns, duration_ns, stream: stream.0 };
        *self.stream_mut(stream) = event.end_ns();
        self.add(event);
    }

    /// Appends a kernel in a stream. The host needs `launch_ns` for the call and does not wait for
    /// the kernel.
    pub fn kernel(&mut self, stream: Stream, name: &str, launch_ns: u64, duration_ns: u64) {
        self.kernels(&[(stream, name, duration_ns)], launch_ns);
    }

    /// Appends kernels of different streams that begin together, when all their streams have come
    /// to them. The host needs `launch_ns` for each call. Each is (stream, name, nanoseconds).
    pub fn kernels(&mut self, kernels: &[(Stream, &str, u64)], launch_ns: u64) {
        self.host_ns += launch_ns * kernels.len() as u64;
        let ends = kernels.iter().map(|(stream, ..)| self.stream_end(*stream));
        let ready = ends.fold(self.host_ns, u64::max);
        let longest = kernels.iter().map(|(.., ns)| *ns).max().unwrap_or(0);
        let start_ns = self.engines.take(Engine::Kernels, ready, longest);
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

    /// When the last call of a stream ends. A stream of another timeline counts as a new one.
    fn stream_end(&self, stream: Stream) -> u64 {
        self.streams.get(stream.0 - 1).copied().unwrap_or(0)
    }

    fn stream_mut(&mut self, stream: Stream) -> &mut u64 {
        if stream.0 > self.streams.len() {
            self.streams.resize(stream.0, 0);
        }
        &mut self.streams[stream.0 - 1]
    }

    /// The host waits until everything has ended.
    pub fn synchronize(&mut self) {
        self.host_ns = self.host_ns.max(self.end_ns);
    }

    /// The host waits until all that was called in a stream has ended.
    pub fn wait_for(&mut self, stream: Stream) {
        self.host_ns = self.host_ns.max(self.stream_end(stream));
    }

    /// Marks the place in a stream behind all that was called in it so far; `None`: behind all that
    /// was called at all.
    pub fn record(&mut self, stream: Option<Stream>) -> TimelineEvent {
        let behind = stream.map_or(self.end_ns, |stream| self.stream_end(stream));
        self.recorded.push(behind.max(self.host_ns));
        TimelineEvent(self.recorded.len() - 1)
    }

    /// What is called in the stream from now on waits for an event of whatever stream.
    pub fn wait_in_stream(&mut self, stream: Stream, event: TimelineEvent) -> Result<(), HostError> {
        let reached = self.reached(event)?;
        let end = self.stream_mut(stream);
        *end = reached.max(*end);
        Ok(())
    }

    /// The host waits for an event.
    pub fn wait_for_event(&mut self, event: TimelineEvent) -> Result<(), HostError> {
        self.host_ns = self.host_ns.max(self.reached(event)?);
        Ok(())
    }

    /// Nanoseconds from one event to the other; below zero where the second is reached first.
    pub fn elapsed_ns(&self, from: TimelineEvent, to: TimelineEvent) -> Result<i64, HostError> {
        Ok(self.reached(to)?.cast_signed() - self.reached(from)?.cast_signed())
    }

    /// When an event is reached.
    fn reached(&self, event: TimelineEvent) -> Result<u64, HostError> {
        self.recorded.get(event.0).copied().ok_or(HostError::UnknownEvent)
    }

    fn add(&mut self, event: Event) {
        self.end_ns = self.end_ns.max(event.end_ns());
        self.engines.all_until(if event.stream == 0 { event.end_ns() } else { 0 });
        self.events.push(event);
    }
}

#[cfg(test)]
mod tests;
