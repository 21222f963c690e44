//! Traces: the events of an observed launch, written while it runs. `text` and `chrome` are the two
//! formats, `words` converts event data to text, and `sink` is the output.
//!
//! Invariant `traces`: A trace has a line for each issue cycle of a warp. Slices of a track never
//! overlap. Both say what the report says.

mod chrome;
mod sink;
mod text;
mod words;

pub use chrome::Chrome;
pub use sink::Sink;
pub use text::Text;
pub use words::Words;

use crate::exit::Failure;
use sim_core::observe::{Event, Launched, Observer, Watch};
use sim_core::stats::Report;
use std::ops::{ControlFlow, Range};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The requested part of a launch.
#[derive(Clone, Debug)]
pub struct Request {
    /// SMs.
    pub sms: Range<u32>,
    /// Warp slots.
    pub warps: Range<u32>,
    /// Shader cycles.
    pub cycles: Range<u64>,
    /// Whether to stop the launch after these cycles.
    pub then_stop: bool,
    /// Number of the launch, from 1.
    pub launch: u32,
}

/// A trace format. Its output is appended to `out`.
pub trait Writer: Send {
    /// Called when the launch begins.
    fn begin(&mut self, launch: &Launched<'_>, watch: &Watch, out: &mut String);
    /// Called for the next event.
    fn event(&mut self, event: &Event, out: &mut String);
    /// Called at the end: the last state holds until shader cycle `end`.
    fn end(&mut self, end: u64, out: &mut String);
}

/// The observer of one launch.
pub struct Tracer {
    request: Request,
    writer: Box<dyn Writer>,
    sink: Sink,
    /// Shader cycles of the launch, after it has been traced.
    traced: Option<u64>,
}

/// A tracer shared by the GPU and the command.
#[derive(Clone)]
pub struct Shared(Arc<Mutex<Tracer>>);

impl Shared {
    /// A tracer that writes the requested events to `sink`.
    pub fn new(request: Request, writer: Box<dyn Writer>, sink: Sink) -> Self {
        Self(Arc::new(Mutex::new(Tracer { request, writer, sink, traced: None })))
    }

    fn tracer(&self) -> MutexGuard<'_, Tracer> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the shader cycles of the traced launch; `None` if there was no such launch.
    pub fn traced(&self) -> Option<u64> {
        self.tracer().traced
    }

    /// Whether the reader has closed the output.
    pub fn abandoned(&self) -> bool {
        self.tracer().sink.is_shut()
    }

    /// Writes the remaining text and returns the first error.
    pub fn finish(&self) -> Result<(), Failure> {
        self.tracer().sink.finish()
    }
}

impl Observer for Shared {
    fn begin(&mut self, launch: &Launched<'_>) -> Option<Watch> {
        let Tracer { request, writer, sink, .. } = &mut *self.tracer();
        if launch.number != request.launch {
            return None;
        }
        let Request { sms, warps, cycles, then_stop, .. } = request.clone();
        let watch = Watch { sms, warps, cycles, then_stop };
        writer.begin(launch, &watch, sink.buffer());
        Some(watch)
    }

    fn events(&mut self, _: u32, events: &[Event]) -> ControlFlow<()> {
        let Tracer { writer, sink, .. } = &mut *self.tracer();
        for event in events {
            writer.event(event, sink.buffer());
            sink.flush_if_full();
        }
        if sink.is_shut() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn end(&mut self, report: &Report) {
        let tracer = &mut *self.tracer();
        let cycles = report.timing.as_ref().map_or(0, |timing| timing.cycles);
        tracer.traced = Some(cycles);
        tracer.writer.end(cycles.min(tracer.request.cycles.end), tracer.sink.buffer());
    }
}
