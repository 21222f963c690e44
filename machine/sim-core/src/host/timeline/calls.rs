//! The calls of a timeline: copies, kernels, and times that the host spends in calls.

use serde::{Serialize, Serializer};
use std::fmt;

/// One host call that took device time.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Event {
    /// `memcpy HtoD`, `memcpy DtoH` or the name of the kernel.
    pub what: Call,
    /// Copied bytes; 0 for kernels.
    pub bytes: u64,
    /// Start, relative to the first event. Unit: ns.
    pub start_ns: u64,
    /// Duration of a copy over PCI Express, or of the kernel without its launch call. Unit: ns.
    pub duration_ns: u64,
    /// Number of the stream, from 1; 0 for a plain call.
    pub stream: usize,
    /// Device address of the first byte of a copy in a stream.
    #[serde(skip)]
    pub address: Option<u32>,
}

impl Event {
    /// Returns the nanoseconds from the first call to the end of this call.
    pub fn end_ns(&self) -> u64 {
        self.start_ns + self.duration_ns
    }
}

/// Direction of a copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Direction {
    /// From the host to the device.
    In,
    /// From the device to the host.
    Out,
    /// From one device directly to another. Both devices have the copy on their timelines.
    Peer,
}

/// A host call that takes device time. Its text is `memcpy HtoD`, `memcpy DtoH`, `memcpy PtoP` or
/// the kernel's name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Call {
    /// A copy in this direction.
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
            Self::Copy(Direction::Peer) => "memcpy PtoP",
            Self::Kernel(name) => name,
        })
    }
}

impl Serialize for Call {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// A call that takes time of the host.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum HostCall {
    /// The call of a launch.
    Launch,
    /// A copy for which the host waits.
    Copy,
    /// The host waits for streams or for an event.
    Synchronize,
}

impl fmt::Display for HostCall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Launch => "launch",
            Self::Copy => "copy",
            Self::Synchronize => "synchronize",
        })
    }
}

/// A time that the host spends in a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct HostSpan {
    /// `launch`: the call of a launch; `copy`: the host waits for a copy; `synchronize`: it waits
    /// for other work.
    pub what: HostCall,
    /// Start, relative to the first event. Unit: ns.
    pub start_ns: u64,
    /// Duration. Unit: ns.
    pub duration_ns: u64,
}

/// Host memory of a copy.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum HostMemory {
    /// `cudaMallocHost`: page-locked memory, which the copy engine accesses itself.
    #[default]
    Pinned,
    /// `malloc`: the driver copies it through a pinned buffer.
    Pageable,
}

/// A copy, with the time that it takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Copying {
    /// Direction of the copy.
    pub direction: Direction,
    /// Device address of the first byte; `None` if it is not known.
    pub address: Option<u32>,
    /// Size of the copy in bytes.
    pub bytes: u64,
    /// Kind of the host memory.
    pub memory: HostMemory,
    /// Duration in nanoseconds.
    pub duration_ns: u64,
}

impl Copying {
    /// Returns the copy as an event at time 0.
    pub(super) fn event(&self, stream: usize) -> Event {
        let Self { direction, address, bytes, duration_ns, memory: _ } = *self;
        Event { what: Call::Copy(direction), bytes, start_ns: 0, duration_ns, stream, address }
    }
}
