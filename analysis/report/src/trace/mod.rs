//! Traces: the events of an observed launch, written while it runs. `spans`, `cycles` and `chrome`
//! are the three formats, `text` has the parts of the first two, `words` and `values` convert event
//! data to text, and `sink` is the output. `host` writes the timeline of a host program.
//!
//! Invariant `traces`: A trace has each issue cycle of a warp once. Slices of a track never
//! overlap. All formats say what the report says.
//!
//! Invariant `traces-are-limited`: A trace ends at its limit in a state that a reader accepts, at a
//! cycle that does not depend on the host.

mod chrome;
mod cycles;
mod host;
mod sink;
mod spans;
mod text;
mod values;

pub use chrome::Chrome;
pub use cycles::Cycles;
pub use host::{host_trace, track};
pub use sink::{Output, Sink};
pub use spans::Spans;

use crate::exit::Failure;
use sim_core::observe::{Event, Launched, Observer, Watch};
use sim_core::stats::Report;
use std::ops::{ControlFlow, Range};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The requested part of a launch.
#[derive(Clone, Debug)]
pub struct Request {
    /// Observed SMs.
    pub sms: Range<u32>,
    /// Warp slots.
    pub warps: Range<u32>,
    /// Shader cycles.
    pub cycles: Range<u64>,
    /// Whether to stop the launch after these cycles.
    pub then_stop: bool,
    /// Whether to show the values of registers.
    pub values: bool,
    /// Number of the launch, from 1.
    pub launch: u32,
}

/// A trace format.
pub trait Writer: Send {
    /// Called when the launch begins.
    fn begin(&mut self, launch: &Launched<'_>, watch: &Watch, out: &mut Sink);
    /// Called for the next event.
    fn event(&mut self, event: &Event, out: &mut Sink);
    /// Called at the end: the last state holds until shader cycle `end`. Returns the shader cycle
    /// up to which the trace is complete; it is before `end` if the trace has become full.
    fn end(&mut self, end: u64, out: &mut Sink) -> u64;
}

/// The observer of one launch.
pub struct Tracer {
    request: Request,
    writer: Box<dyn Writer>,
    sink: Sink,
    /// Shader cycles of the launch, after it has been traced.
    traced: Option<u64>,
    /// Shader cycle at which the full trace ends.
    cut: Option<u64>,
}

/// A tracer shared by the GPU and the command.
#[derive(Clone)]
pub struct Shared(Arc<Mutex<Tracer>>);

impl Shared {
    /// A tracer that writes the requested events to `sink`.
    pub fn new(request: Request, writer: Box<dyn Writer>, sink: Sink) -> Self {
        Self(Arc::new(Mutex::new(Tracer { request, writer, sink, traced: None, cut: None })))
    }

    fn tracer(&self) -> MutexGuard<'_, Tracer> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the shader cycles of the traced launch; `None` if there was no such launch.
    pub fn traced(&self) -> Option<u64> {
        self.tracer().traced
    }

    /// Returns the shader cycle at which the trace ends because it is full.
    pub fn cut(&self) -> Option<u64> {
        self.tracer().cut
    }

    /// Whether the reader has closed the output.
    pub fn abandoned(&self) -> bool {
        self.tracer().sink.is_shut()
    }

    /// Writes the remaining text.
    ///
    /// # Errors
    ///
    /// If a part of the trace could not be written.
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
        let Request { sms, warps, cycles, then_stop, values, .. } = request.clone();
        let watch = Watch { sms, warps, cycles, then_stop, values, memory: false };
        writer.begin(launch, &watch, sink);
        Some(watch)
    }

    fn events(&mut self, _: u32, events: &[Event]) -> ControlFlow<()> {
        let Tracer { writer, sink, cut, .. } = &mut *self.tracer();
        for event in events {
            if cut.is_some() || sink.is_shut() {
                return ControlFlow::Break(());
            }
            writer.event(event, sink);
            sink.flush_if_full();
            *cut = sink.is_full().then_some(event.cycle);
        }
        if cut.is_some() || sink.is_shut() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn end(&mut self, report: &Report) {
        let tracer = &mut *self.tracer();
        let cycles = report.timing.as_ref().map_or(0, |timing| timing.cycles);
        tracer.traced = Some(cycles);
        let end = tracer.cut.unwrap_or(cycles.min(tracer.request.cycles.end));
        let complete = tracer.writer.end(end, &mut tracer.sink);
        if tracer.cut.is_some() || complete < end {
            tracer.cut = Some(complete);
        }
    }
}
