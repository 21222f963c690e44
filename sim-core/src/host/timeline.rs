//! What the host did and how long each thing took: copies over PCI Express, kernels on the chip, one after the other.

use serde::Serialize;

/// One host call that took device time.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Event {
    /// `memcpy HtoD`, `memcpy DtoH` or the kernel's name.
    pub what: String,
    /// Bytes copied; 0 for kernels.
    pub bytes: u64,
    /// Nanoseconds since the first call.
    pub start_ns: u64,
    /// Nanoseconds that it took.
    pub duration_ns: u64,
}

/// All of them in order.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Timeline {
    /// The events; each begins when the one before has ended.
    pub events: Vec<Event>,
}

impl Timeline {
    /// When the last event ended.
    pub fn now_ns(&self) -> u64 {
        self.events.last().map_or(0, |e| e.start_ns + e.duration_ns)
    }

    /// Appends an event that begins now.
    pub fn push(&mut self, what: impl Into<String>, bytes: u64, duration_ns: u64) {
        let start_ns = self.now_ns();
        self.events.push(Event { what: what.into(), bytes, start_ns, duration_ns });
    }
}
