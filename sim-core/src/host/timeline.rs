//! What the host did and how long each thing took: copies over PCI Express, kernels on the chip.
//!
//! Plain calls follow each other: each begins when everything before it has ended, and the host waits for its end.
//! A copy in a [`Stream`] lets the host go on at once. It begins when the host has called it, the copy before it in its
//! stream has ended, and the wire is free in its direction: the link is full duplex, so one copy in and one copy out
//! can be under way together, each at the full rate.

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

impl Event {
    /// Nanoseconds from the first call to its end.
    pub fn end_ns(&self) -> u64 {
        self.start_ns + self.duration_ns
    }
}

/// Copies that follow each other, apart from those of other streams.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Stream(usize);

/// Which way a copy goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Direction {
    /// From the host to the device.
    In,
    /// From the device to the host.
    Out,
}

impl Direction {
    /// The name of its copies in the events.
    pub fn what(self) -> &'static str {
        match self {
            Self::In => "memcpy HtoD",
            Self::Out => "memcpy DtoH",
        }
    }
}

/// All of them in the order of the calls.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Timeline {
    /// The events. Without streams each begins when the one before has ended.
    pub events: Vec<Event>,
    /// When the host makes its next call.
    #[serde(skip)]
    host_ns: u64,
    /// When the last event ends.
    #[serde(skip)]
    end_ns: u64,
    /// When the last copy of each stream ends.
    #[serde(skip)]
    streams: Vec<u64>,
    /// When the wire is free in each direction.
    #[serde(skip)]
    wire: [u64; 2],
}

impl Timeline {
    /// When the last event ended.
    pub fn now_ns(&self) -> u64 {
        self.end_ns
    }

    /// Appends a call that begins when everything before it has ended, and that the host waits for.
    pub fn push(&mut self, what: impl Into<String>, bytes: u64, duration_ns: u64) {
        let start_ns = self.end_ns;
        self.add(Event { what: what.into(), bytes, start_ns, duration_ns });
        self.host_ns = self.end_ns;
    }

    /// Another stream.
    pub fn stream(&mut self) -> Stream {
        self.streams.push(0);
        Stream(self.streams.len() - 1)
    }

    /// Appends a copy in a stream, for which the host does not wait. A stream of another timeline counts as a new one.
    pub fn copy(&mut self, stream: Stream, direction: Direction, bytes: u64, duration_ns: u64) {
        if stream.0 >= self.streams.len() {
            self.streams.resize(stream.0 + 1, 0);
        }
        let wire = self.wire[direction as usize];
        let start_ns = self.host_ns.max(self.streams[stream.0]).max(wire);
        let event = Event { what: direction.what().to_owned(), bytes, start_ns, duration_ns };
        self.streams[stream.0] = event.end_ns();
        self.wire[direction as usize] = event.end_ns();
        self.add(event);
    }

    /// The host waits until everything has ended.
    pub fn synchronize(&mut self) {
        self.host_ns = self.end_ns;
    }

    fn add(&mut self, event: Event) {
        self.end_ns = self.end_ns.max(event.end_ns());
        self.events.push(event);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn starts(timeline: &Timeline) -> Vec<u64> {
        timeline.events.iter().map(|e| e.start_ns).collect()
    }

    #[test]
    fn plain_calls_follow_each_other() {
        let mut t = Timeline::default();
        for ns in [10, 20, 30] {
            t.push("kernel", 0, ns);
        }
        assert_eq!((starts(&t), t.now_ns()), (vec![0, 10, 30], 60));
    }

    #[test]
    fn one_copy_each_way_at_once() {
        let mut t = Timeline::default();
        t.push("memcpy HtoD", 1, 5);
        let [a, b] = [t.stream(), t.stream()];
        t.copy(a, Direction::In, 1, 100);
        t.copy(b, Direction::Out, 1, 40);
        // The wire is busy this way; the stream is busy the other way.
        t.copy(b, Direction::In, 1, 10);
        t.copy(a, Direction::Out, 1, 10);
        assert_eq!((starts(&t), t.now_ns()), (vec![0, 5, 5, 105, 105], 115));
        // A plain call waits for all streams, and all that follow wait for it.
        t.push("kernel", 0, 7);
        t.copy(b, Direction::Out, 1, 1);
        assert_eq!((starts(&t)[5..].to_vec(), t.now_ns()), (vec![115, 122], 123));
    }

    #[test]
    fn synchronizing_moves_the_host() {
        let mut t = Timeline::default();
        let [a, b] = [t.stream(), t.stream()];
        t.copy(a, Direction::In, 1, 100);
        t.synchronize();
        t.copy(b, Direction::Out, 1, 1);
        assert_eq!(starts(&t), [0, 100]);
        let foreign = [t.stream(), t.stream()][1];
        let mut other = Timeline::default();
        other.copy(foreign, Direction::In, 1, 3);
        assert_eq!(other.now_ns(), 3);
    }
}
