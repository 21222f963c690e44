//! The timeline of a host program: copies over PCI Express and kernels, with their start times and
//! durations, and the times that the host spends in calls.
//!
//! **Plain calls** are the calls of CUDA's default stream. A plain call begins when all earlier
//! calls of all streams have ended, and all later calls wait for it. The host waits for a plain
//! copy. It does not wait for a plain kernel: the launch call takes the host the launch time.
//!
//! **Calls in a [`Stream`]** let the host continue immediately. A copy or kernel begins when the
//! host has called it, the earlier calls of its stream have ended, and its **engine** is free. An
//! engine executes its calls in order, one at a time, even if a later call could begin earlier, as
//! the hardware queues of that time did. The chip defines the number of copy engines: two engines
//! serve one direction each, and the link is full duplex; one engine serves both directions in
//! turn; without one the chip executes one copy or kernel at a time.
//!
//! **Concurrent kernels** are the exception to one at a time: on a chip that runs several kernels
//! together a kernel begins while others run if it was simulated together with them. Kernels still
//! begin in the order of their calls. A kernel that was simulated alone waits for all others.
//!
//! **Waits.** A host that waits for work continues the synchronization time after its end. If the
//! work has already ended, the call takes no time. The copy of **pageable** host memory goes
//! through a buffer of the driver: the host waits for it in a stream too.
//!
//! The timeline is computed from the times of the calls only: nothing waits, and no value in memory
//! depends on it.
//!
//! Invariant `streams-and-copies`: Copies and kernels of streams overlap as far as the copy engines
//! allow, and an engine executes its work in the order of the calls.

mod calls;

pub use calls::{Call, Copying, Direction, Event, HostCall, HostMemory, HostSpan};

use super::HostError;
use super::engines::{Engine, Engines};
use serde::Serialize;

/// A sequence of copies and kernels that is independent of other streams. Streams are numbered from
/// 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Stream(usize);

/// A point in a stream (`cudaEvent_t`). It is reached when all earlier calls of the stream have
/// ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TimelineEvent(usize);

/// All calls in order, and the state of the host, the streams and the engines.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Timeline {
    /// The copies and kernels. Without streams each begins when the previous one has ended.
    pub events: Vec<Event>,
    /// The times that the host spends in calls, in order.
    pub host: Vec<HostSpan>,
    /// Time of the host's next call, in nanoseconds.
    #[serde(skip)]
    host_ns: u64,
    /// End of the last copy or kernel.
    #[serde(skip)]
    end_ns: u64,
    /// Nanoseconds from the end of work for which the host waits until the host continues.
    #[serde(skip)]
    sync_ns: u64,
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
    /// A timeline with two copy engines, on which waiting takes no additional time.
    fn default() -> Self {
        Self::new(2, 0)
    }
}

impl Timeline {
    /// An empty timeline of a chip with `copy_engines` copy engines, whose host continues `sync_ns`
    /// after the end of the work for which it waits.
    pub fn new(copy_engines: u32, sync_ns: u64) -> Self {
        Self {
            events: Vec::new(),
            host: Vec::new(),
            host_ns: 0,
            end_ns: 0,
            sync_ns,
            streams: Vec::new(),
            recorded: Vec::new(),
            engines: Engines::new(copy_engines),
        }
    }

    /// Returns a timeline in the same state without the calls so far, for predictions.
    pub(super) fn ahead(&self) -> Self {
        let (streams, recorded) = (self.streams.clone(), self.recorded.clone());
        Self { events: Vec::new(), host: Vec::new(), streams, recorded, ..*self }
    }

    /// Returns the end of the program so far: of the last copy or kernel, or of the last call of
    /// the host.
    pub fn now_ns(&self) -> u64 {
        self.end_ns.max(self.host_ns)
    }

    /// Returns the time of the host's next call.
    pub fn host_ns(&self) -> u64 {
        self.host_ns
    }

    /// Appends a plain copy, which begins when all earlier calls have ended, and for which the host
    /// waits.
    pub fn push_copy(&mut self, copy: &Copying) {
        let start_ns = self.now_ns();
        self.add(Event { start_ns, ..copy.event(0) });
        self.host_until(HostCall::Copy, self.end_ns);
    }

    /// Appends a plain copy directly to or from another device, which begins when all earlier calls
    /// have ended. The host does not wait for it.
    pub(super) fn push_peer(&mut self, copy: &Copying) {
        self.add(Event { start_ns: self.now_ns(), ..copy.event(0) });
    }

    /// Keeps the host in a copy of another device until `ns`.
    pub(super) fn wait_for_host(&mut self, ns: u64) {
        self.host_until(HostCall::Copy, ns.max(self.host_ns));
    }

    /// Lets later plain calls begin at `ns` or later.
    pub(super) fn not_before(&mut self, ns: u64) {
        self.end_ns = self.end_ns.max(ns);
    }

    /// Appends a plain kernel, which begins when all earlier calls have ended. The call takes the
    /// host `launch_ns`; the host does not wait for the kernel.
    pub fn push_kernel(&mut self, name: &str, launch_ns: u64, duration_ns: u64) {
        self.host_until(HostCall::Launch, self.host_ns + launch_ns);
        let (what, start_ns) = (Call::kernel(name), self.now_ns());
        self.add(Event { what, bytes: 0, start_ns, duration_ns, stream: 0, address: None });
    }

    /// Creates a stream.
    pub fn stream(&mut self) -> Stream {
        self.streams.push(0);
        Stream(self.streams.len())
    }

    /// Appends a copy in a stream. The host does not wait for it, unless its memory is pageable.
    pub fn copy(&mut self, stream: Stream, copy: &Copying) {
        let engine = match copy.direction {
            Direction::In => Engine::CopyIn,
            Direction::Out | Direction::Peer => Engine::CopyOut,
        };
        let ready = self.host_ns.max(self.stream_end(stream));
        let start_ns = self.engines.reserve(engine, ready, copy.duration_ns);
        let event = Event { start_ns, ..copy.event(stream.0) };
        let end = event.end_ns();
        *self.stream_mut(stream) = end;
        self.add(event);
        match copy.memory {
            HostMemory::Pinned => {}
            HostMemory::Pageable => self.host_until(HostCall::Copy, end),
        }
    }

    /// Appends a kernel in a stream. The call takes the host `launch_ns`; the host does not wait
    /// for the kernel.
    pub fn kernel(&mut self, stream: Stream, name: &str, launch_ns: u64, duration_ns: u64) {
        self.kernels(&[(stream, name, duration_ns)], launch_ns);
    }

    /// Appends kernels of different streams that begin together, when all their streams are ready.
    /// Each call takes the host `launch_ns`. Each element is (stream, name, nanoseconds).
    pub fn kernels(&mut self, kernels: &[(Stream, &str, u64)], launch_ns: u64) {
        for _ in kernels {
            self.host_until(HostCall::Launch, self.host_ns + launch_ns);
        }
        let ends = kernels.iter().map(|(stream, ..)| self.stream_end(*stream));
        let ready = ends.fold(self.host_ns, u64::max);
        let longest = kernels.iter().map(|(.., ns)| *ns).max().unwrap_or(0);
        let start_ns = self.engines.reserve(Engine::Kernels, ready, longest);
        for (stream, name, duration_ns) in kernels {
            self.add_kernel(*stream, name, start_ns, *duration_ns);
        }
    }

    /// Appends a kernel in a stream that may begin while earlier kernels run, at most `most` in
    /// all, and not before them; otherwise as [`Self::kernel`]. Returns its start.
    pub fn kernel_beside(
        &mut self,
        stream: Stream,
        name: &str,
        launch_ns: u64,
        duration_ns: u64,
        most: usize,
    ) -> u64 {
        self.host_until(HostCall::Launch, self.host_ns + launch_ns);
        let ready = self.host_ns.max(self.stream_end(stream));
        let start_ns = self.engines.reserve_beside(most, ready, duration_ns);
        self.add_kernel(stream, name, start_ns, duration_ns);
        start_ns
    }

    fn add_kernel(&mut self, stream: Stream, name: &str, start_ns: u64, duration_ns: u64) {
        let what = Call::kernel(name);
        let event = Event { what, bytes: 0, start_ns, duration_ns, stream: stream.0, address: None };
        *self.stream_mut(stream) = event.end_ns();
        self.add(event);
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

    /// Lets the host compute for `ns` nanoseconds between its calls.
    pub fn host_works(&mut self, ns: u64) {
        self.host_ns += ns;
    }

    /// Makes the host wait for all calls.
    pub fn synchronize(&mut self) {
        self.wait_until(self.end_ns);
    }

    /// Makes the host wait for all calls of a stream.
    pub fn wait_for(&mut self, stream: Stream) {
        self.wait_until(self.stream_end(stream));
    }

    /// Makes the host wait for work that ends at `ns`.
    fn wait_until(&mut self, ns: u64) {
        if ns > self.host_ns {
            self.host_until(HostCall::Synchronize, ns + self.sync_ns);
        }
    }

    /// Keeps the host in a call until `ns`.
    fn host_until(&mut self, what: HostCall, ns: u64) {
        let span = HostSpan { what, start_ns: self.host_ns, duration_ns: ns - self.host_ns };
        self.host.push(span);
        self.host_ns = ns;
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
        self.wait_until(self.reached(event)?);
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
