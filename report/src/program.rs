//! What a host program did with its GPU: the document that `libwarpsim_cuda` writes at the end of a
//! program, and that `warpsim exec` makes a page of.

use serde::{Deserialize, Serialize};

/// Version of the document.
pub const VERSION: u32 = 1;

/// A program that has ended.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Program {
    /// Version of the document: [`VERSION`].
    pub version: u32,
    /// The program as it was started.
    pub command: String,
    /// Name of the chip.
    pub chip: String,
    /// Board of the chip.
    pub board: String,
    /// Overrides of the chip, as `PATH=VALUE`.
    pub sets: Vec<String>,
    /// Nanoseconds of simulated time.
    pub nanoseconds: u64,
    /// Copies and kernels in the order of the calls.
    pub calls: Vec<Called>,
    /// Times in which the host is in a call.
    pub host: Vec<Span>,
    /// Launches in the order of the calls.
    pub launches: Vec<Launched>,
    /// Findings of the checkers, each with its place.
    pub findings: Vec<String>,
    /// Device memory that was not freed: where it was allocated if that is known, and its bytes.
    pub leaks: Vec<Leak>,
    /// Errors of calls: the name of the error, the call, and whether the program looked at it.
    pub errors: Vec<Failed>,
}

/// Kind of a call on the timeline.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// A copy to the device.
    CopyIn,
    /// A copy to the host.
    CopyOut,
    /// A copy between devices.
    CopyPeer,
    /// A kernel.
    Kernel,
}

/// A copy or a kernel.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Called {
    /// Kind.
    pub kind: Kind,
    /// Name of the kernel; empty for copies.
    pub kernel: String,
    /// Bytes of a copy.
    pub bytes: u64,
    /// Number of the stream, from 1; 0 for the default stream.
    pub stream: usize,
    /// Number of the device.
    pub device: usize,
    /// Start in nanoseconds.
    pub start_ns: u64,
    /// Duration in nanoseconds.
    pub duration_ns: u64,
}

/// Why the host is in a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Busy {
    /// It launches a kernel.
    Launch,
    /// It waits for a copy or for other work.
    Wait,
}

/// A time of the host in a call.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Span {
    /// Why.
    pub why: Busy,
    /// Start in nanoseconds.
    pub start_ns: u64,
    /// Duration in nanoseconds.
    pub duration_ns: u64,
}

/// A launch.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Launched {
    /// Name of the kernel.
    pub kernel: String,
    /// Extents of the grid in blocks.
    pub grid: [u32; 3],
    /// Extents of a block in threads.
    pub block: [u32; 3],
    /// Warp instructions.
    pub warp_instructions: u64,
    /// Shader cycles; `None` on the functional machine.
    pub cycles: Option<u64>,
    /// Microseconds; `None` on the functional machine.
    pub microseconds: Option<f64>,
    /// What limits the launch, as in the report of `run`.
    pub limited_by: Option<String>,
    /// `finished`, or the first line of the reason why not.
    pub verdict: String,
    /// The lines that took most issue slots, first the worst.
    pub lines: Vec<Line>,
}

/// A line of a source.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Line {
    /// File and line, such as `bfs.cu:18`, or the line of the PTX.
    pub place: String,
    /// Its text, if the file can be read.
    pub text: String,
    /// Cycles in which warps waited at the line, divided by those at all lines.
    pub share: f64,
    /// The commonest reason to wait there.
    pub reason: String,
}

/// Memory that was not freed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Leak {
    /// The call, such as `cudaMalloc`, with its number.
    pub call: String,
    /// Bytes.
    pub bytes: u64,
}

/// A call that failed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Failed {
    /// Name of the call.
    pub call: String,
    /// Name of the error, such as `cudaErrorInvalidValue`.
    pub error: String,
    /// Whether the program used the returned error or asked for it later.
    pub checked: bool,
}
