//! Streams and events. A call that asks for a stream or an event waits for it, so that it has been
//! reached.

use super::Runtime;
use super::error::{Error, Outcome};
use super::pending::Reached;
use super::thread::Thread;
use sim_core::host::{Stream, TimelineEvent};

/// A stream.
#[derive(Clone, Copy, Debug)]
pub struct StreamState {
    /// Number of its device.
    pub device: usize,
    stream: Stream,
    flags: u32,
    priority: i32,
}

/// An event.
#[derive(Clone, Copy, Debug)]
pub struct EventState {
    /// Number of its device.
    pub device: usize,
    flags: u32,
    recorded: Option<Recorded>,
}

impl EventState {
    /// Gives an event that collected calls record its place on the timeline. An event behind a
    /// kernel that did not finish has none.
    pub(super) fn resolve(&mut self, events: &[Option<TimelineEvent>]) {
        let Some(Recorded { event: Reached::Pending(number), .. }) = self.recorded else { return };
        let known = events.get(number).copied().flatten().map(Reached::Known);
        self.recorded = known.and_then(|event| Some(Recorded { event, ..self.recorded? }));
    }

    /// Returns the place of the event on the timeline, after all calls so far.
    fn known(&self) -> Option<TimelineEvent> {
        match self.recorded?.event {
            Reached::Known(event) => Some(event),
            Reached::Pending(_) => None,
        }
    }
}

/// The place of an event in the program.
#[derive(Clone, Copy, Debug)]
struct Recorded {
    event: Reached,
    /// Modelled nanoseconds of host code before it.
    host_code_ns: u64,
    /// Launches before it.
    launches: usize,
}

/// `cudaEventDisableTiming`.
const NO_TIMING: u32 = 2;

/// `cudaStreamNonBlocking`.
const NON_BLOCKING: u32 = 1;

/// Flags of `cudaEventCreateWithFlags`; `cudaEventInterprocess` needs `cudaEventDisableTiming`.
const EVENT_FLAGS: u32 = 7;

impl Runtime {
    /// Returns the stream of a handle; `None` for the default stream.
    pub(super) fn stream_of(&self, thread: &Thread, handle: u64) -> Outcome<Option<Stream>> {
        // 1 and 2 are cudaStreamLegacy and cudaStreamPerThread.
        if handle <= 2 {
            return Ok(None);
        }
        let stream = self.streams.get(&handle).filter(|stream| stream.device == thread.device);
        stream.map(|stream| Some(stream.stream)).ok_or(Error::INVALID_HANDLE)
    }

    /// `cudaStreamCreateWithPriority`.
    pub fn stream_create(&mut self, thread: &Thread, out: u64, flags: u32, priority: i32) -> Outcome {
        if flags > 1 {
            return Err(Error::INVALID_VALUE);
        }
        self.collecting(thread)?;
        let handle = self.handle();
        self.put_word(out, handle)?;
        let stream = self.collecting(thread)?.gpu.stream();
        self.order_stream(thread, handle, flags & NON_BLOCKING == 0);
        // There is one priority: others are set to it, as CUDA does with those out of range.
        let _ = priority;
        self.streams.insert(handle, StreamState { device: thread.device, stream, flags, priority: 0 });
        Ok(())
    }

    /// `cudaStreamDestroy`.
    pub fn stream_destroy(&mut self, thread: &Thread, handle: u64) -> Outcome {
        self.collecting(thread)?;
        self.streams.remove(&handle).ok_or(Error::INVALID_HANDLE)?;
        // As the programming guides of these chips have it; later ones let the call return at once.
        self.order_waits_for_stream(thread, handle);
        Ok(())
    }

    /// `cudaStreamGetFlags`, or `cudaStreamGetPriority`.
    pub fn stream_property(&mut self, thread: &Thread, handle: u64, out: u64, priority: bool) -> Outcome {
        self.collecting(thread)?;
        let value = if handle <= 2 {
            0
        } else {
            let stream = self.streams.get(&handle).ok_or(Error::INVALID_HANDLE)?;
            if priority { stream.priority } else { stream.flags as i32 }
        };
        self.put_int(out, value)
    }

    /// `cudaStreamSynchronize` and `cudaStreamQuery`. A query waits: host code takes no simulated
    /// time, so that a loop of queries would never end.
    pub fn stream_synchronize(&mut self, thread: &Thread, handle: u64) -> Outcome {
        let stream = self.stream_of(thread, handle)?;
        self.notes.flush = true;
        let gpu = &mut self.device(thread)?.gpu;
        match stream {
            Some(stream) => gpu.synchronize_stream(stream),
            None => gpu.synchronize(),
        }
        self.order_waits_for_stream(thread, handle);
        Ok(())
    }

    /// `cudaStreamWaitEvent`.
    pub fn stream_wait(&mut self, thread: &Thread, to: u64, handle: u64, flags: u32) -> Outcome {
        self.collecting(thread)?;
        let stream = self.stream_of(thread, to)?;
        let event = *self.events.get(&handle).ok_or(Error::INVALID_HANDLE)?;
        if flags != 0 {
            return Err(Error::INVALID_VALUE);
        }
        self.order_stream_waits(thread, to, handle);
        // The default stream waits for all streams anyway, and a stream of another device has
        // another timeline.
        let own = event.recorded.filter(|_| event.device == thread.device);
        let (Some(stream), Some(recorded)) = (stream, own) else { return Ok(()) };
        if self.pending.takes_event(thread.device) {
            self.pending.wait(stream, recorded.event);
            return Ok(());
        }
        self.device(thread)?;
        // A collected record has its place now.
        if let Some(event) = self.events.get(&handle).and_then(EventState::known) {
            let result = self.device(thread)?.gpu.wait_in_stream(stream, event);
            self.told(result)?;
        }
        Ok(())
    }

    /// `cudaEventCreateWithFlags`.
    pub fn event_create(&mut self, thread: &Thread, out: u64, flags: u32) -> Outcome {
        if flags & !EVENT_FLAGS != 0 {
            return Err(Error::INVALID_VALUE);
        }
        self.collecting(thread)?;
        let handle = self.handle();
        self.put_word(out, handle)?;
        self.events.insert(handle, EventState { device: thread.device, flags, recorded: None });
        Ok(())
    }

    /// `cudaEventDestroy`.
    pub fn event_destroy(&mut self, thread: &Thread, handle: u64) -> Outcome {
        self.collecting(thread)?;
        self.events.remove(&handle).map(|_| ()).ok_or(Error::INVALID_HANDLE)
    }

    /// `cudaEventRecord`.
    pub fn event_record(&mut self, thread: &Thread, handle: u64, of: u64) -> Outcome {
        self.collecting(thread)?;
        let stream = self.stream_of(thread, of)?;
        let event = self.events.get(&handle).ok_or(Error::INVALID_HANDLE)?;
        if event.device != thread.device {
            return Err(Error::INVALID_HANDLE);
        }
        self.order_record(thread, handle, of);
        let event = if self.pending.takes_event(thread.device) {
            self.pending.record(stream)
        } else {
            Reached::Known(self.device(thread)?.gpu.record(stream))
        };
        let (host_code_ns, launches) = (self.host_code_ns.unwrap_or(0), self.launched());
        let recorded = Recorded { event, host_code_ns, launches };
        if let Some(event) = self.events.get_mut(&handle) {
            event.recorded = Some(recorded);
        }
        Ok(())
    }

    /// `cudaEventSynchronize` and `cudaEventQuery`, which waits too. An event without record has
    /// been reached.
    pub fn event_synchronize(&mut self, thread: &Thread, handle: u64) -> Outcome {
        self.device(thread)?;
        let event = *self.events.get(&handle).ok_or(Error::INVALID_HANDLE)?;
        self.notes.flush = true;
        self.order_waits_for_event(handle);
        if let Some(reached) = event.known() {
            let result = self.devices[event.device].gpu.synchronize_event(reached);
            self.told(result)?;
        }
        Ok(())
    }

    /// `cudaEventElapsedTime`, in milliseconds. In a functional run host code takes its modelled
    /// time, so that a time of the CPU is not 0.
    pub fn elapsed(&mut self, thread: &Thread, out: u64, from_handle: u64, to_handle: u64) -> Outcome {
        self.device(thread)?;
        let event = |handle: u64| self.events.get(&handle).copied().ok_or(Error::INVALID_HANDLE);
        let (first, last) = (event(from_handle)?, event(to_handle)?);
        let (Some(start), Some(end)) = (first.recorded, last.recorded) else {
            return Err(Error::INVALID_HANDLE);
        };
        let (Some(from), Some(to)) = (first.known(), last.known()) else {
            return Err(Error::INVALID_HANDLE);
        };
        if (first.flags | last.flags) & NO_TIMING != 0 || first.device != last.device {
            return Err(Error::INVALID_HANDLE);
        }
        let ns = self.devices[first.device].gpu.elapsed_ns(from, to);
        let mut ns = self.told(ns)?;
        // The call succeeds only if both events have been reached.
        self.order_waits_for_event(from_handle);
        self.order_waits_for_event(to_handle);
        if self.settings.functional && self.started.is_none() {
            ns += end.host_code_ns as i64 - start.host_code_ns as i64;
        }
        let between = self.program.launches.get(start.launches..end.launches).unwrap_or(&[]);
        if between.iter().any(|launch| !launch.timed && !launch.estimated) {
            let what = if self.host_code_ns.is_some() { "host code, copies" } else { "copies" };
            self.notes.once(format!(
                "warpsim: kernels without timing take no time: cudaEventElapsedTime gives the time of {what} and calls"
            ));
        }
        self.put(out, &((ns as f64 / 1e6) as f32).to_le_bytes())
    }
}
