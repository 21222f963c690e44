//! Events: the activity of the warps of observed SMs, cycle by cycle, as plain data, and the
//! recorder that an SM fills.
//!
//! Each observed SM has a [`recorder`]; the other SMs have none. An SM records into a separate
//! buffer because a component owns its state. At the end of each window the main loop delivers the
//! buffers, ordered by cycle and SM.
//!
//! Invariant `observation-is-deterministic`: The events do not depend on host threads, windows or
//! skipping; a part of a trace is that part of the whole; events are delivered window by window.

pub mod event;
pub mod memory;
pub mod recorder;

pub use event::{Event, Issued, Origin, What, Why, WrittenRow};
pub(crate) use memory::MemoryRecorder;
pub use memory::{DramCommand, MemoryEvent, MemoryWhat, Usage};

use std::ops::{ControlFlow, Range};

/// The part of a launch to observe.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Watch {
    /// SMs, by their numbers in the chip.
    pub sms: Range<u32>,
    /// Warp slots of each SM.
    pub warps: Range<u32>,
    /// Shader cycles: the issue cycles that begin in this range are observed.
    pub cycles: Range<u64>,
    /// Whether to stop the launch at the end of `cycles`. Concurrent kernels stop when all of them
    /// have this set, at the last of the ends.
    pub then_stop: bool,
    /// Whether to report the registers that each instruction writes ([`What::Written`]).
    pub values: bool,
    /// Whether to report what the caches look up and the commands of the DRAM, in `cycles`: the L1
    /// of each of `sms`, and all partitions.
    pub memory: bool,
}

impl Watch {
    /// All warps of a launch, without the values of registers and without the memory system.
    pub const ALL: Self = Self {
        sms: 0..u32::MAX,
        warps: 0..u32::MAX,
        cycles: 0..u64::MAX,
        then_stop: false,
        values: false,
        memory: false,
    };
}

/// Events of an SM that the observer has not received, in order.
#[derive(Clone, Debug, Default)]
struct Stream {
    events: Vec<Event>,
    /// Number of events that the observer has received.
    next: usize,
}

/// Events of concurrent launches that the observer has not received.
#[derive(Debug)]
pub(crate) struct Undelivered {
    /// Numbers of the launches.
    launches: Vec<u32>,
    /// For each SM the events of each launch.
    streams: Vec<Stream>,
    /// Events of the memory system.
    pub memory: Vec<MemoryEvent>,
}

impl Undelivered {
    /// No events of these launches, each of which has `sms` SMs.
    pub fn new(launches: Vec<u32>, sms: usize) -> Self {
        let streams = vec![Stream::default(); sms * launches.len()];
        Self { launches, streams, memory: Vec::new() }
    }

    /// The list for the events of SM number `sm` of launch `launch`, by its place in the list of
    /// launches.
    pub fn of(&mut self, launch: usize, sm: u32) -> &mut Vec<Event> {
        &mut self.streams[sm as usize * self.launches.len() + launch].events
    }

    /// Passes the events to the sink, ordered by cycle, SM and launch, and empties the lists. The
    /// events of the memory system follow.
    pub fn deliver(&mut self, sink: &mut Sink<'_>) -> ControlFlow<()> {
        let Self { launches, streams, memory } = self;
        let mut result = ControlFlow::Continue(());
        let first = |stream: &Stream| stream.events.get(stream.next).map(|event| event.cycle);
        while let Some(cycle) = streams.iter().filter_map(first).min()
            && result.is_continue()
        {
            for (i, stream) in streams.iter_mut().enumerate() {
                let rest = &stream.events[stream.next..];
                let now = rest.iter().take_while(|event| event.cycle == cycle).count();
                stream.next += now;
                if now > 0 && result.is_continue() {
                    result = sink(Told::Warps(launches[i % launches.len()], &rest[..now]));
                }
            }
        }
        for Stream { events, next } in streams {
            events.clear();
            *next = 0;
        }
        if !memory.is_empty() {
            // Events of one part and cycle keep their order.
            memory.sort_by_key(|event| (event.cycle, event.what.place()));
            if result.is_continue() {
                result = sink(Told::Memory(memory));
            }
            memory.clear();
        }
        result
    }
}

/// The next events.
pub(crate) enum Told<'a> {
    /// Of the warps of a launch.
    Warps(u32, &'a [Event]),
    /// Of the memory system.
    Memory(&'a [MemoryEvent]),
}

/// Receives the next events; `Break`: the receiver wants no further events.
pub(crate) type Sink<'a> = dyn FnMut(Told<'_>) -> ControlFlow<()> + 'a;
