//! Record of a host program and its GPU: the document that `libwarpsim_cuda` writes at the end of a
//! program, and that `warpsim exec` makes a page of.

mod estimate;
pub mod streams;

pub use estimate::{MILLION, Series};

use crate::mangled::plain;
use isa::library;
use isa::source::Files;
use isa::terms::Terms;
use isa::uop::Op;
use serde::{Deserialize, Serialize};
use sim_core::check::{Finding, Kind as FindingKind, Severity};
use sim_core::config::Chip;
use sim_core::host::timeline::{Call, Direction, HostCall, Timeline};
use sim_core::stats::Report;
use sim_core::stats::limits::Limiter;
use sim_core::stats::report::CheckReport;
use std::collections::BTreeSet;
use std::fmt;

/// Version of the document.
pub const VERSION: u32 = 1;

/// Maximum number of launches with a whole report.
pub const MOST_REPORTS: usize = 256;

/// Maximum number of lines of a launch.
const MOST_LINES: usize = 5;

/// Record of a program.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Program {
    /// Version of the document: [`VERSION`].
    pub version: u32,
    /// Whether the program calls functions of OpenCL.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_opencl: bool,
    /// The program as it was started.
    pub command: String,
    /// Name of the chip.
    pub chip: String,
    /// Board of the chip.
    pub board: String,
    /// Copy engines of the chip.
    #[serde(default)]
    pub copy_engines: u32,
    /// Simulated nanoseconds from the first call to the last.
    pub simulated_ns: u64,
    /// Copies and kernels of all devices in the order of the calls.
    pub calls: Vec<Called>,
    /// Times in which the host is in a call.
    pub host: Vec<Span>,
    /// The launches in the order of the calls.
    pub launches: Vec<Launched>,
    /// Number of copies.
    pub copies: u64,
    /// Bytes copied from host to device.
    pub bytes_to_device: u64,
    /// Bytes copied from device to host.
    pub bytes_to_host: u64,
    /// Bytes copied within device memory.
    pub bytes_within: u64,
    /// Pages of pinned and managed memory that moved to the device for a launch.
    pub pages_to_device: u64,
    /// Pages that moved back.
    pub pages_to_host: u64,
    /// Sizes of the allocations of device and managed memory that were never freed.
    pub leaks: Vec<u64>,
    /// The same of pinned host memory.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pinned_leaks: Vec<u64>,
    /// Names of the checkers that ran.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub checks: Vec<String>,
    /// Lines of these allocations, if the lines of the program are known.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub leaked_at: Vec<Leak>,
    /// Findings of the checkers, each once.
    #[serde(default)]
    pub findings: Vec<Found>,
    /// Series of launches that have estimated launches.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub series: Vec<Series>,
    /// The limit for the work of timed launches, if it was reached: later launches are not timed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timed_work: Option<u64>,
    /// Calls that failed.
    pub errors: Vec<CallError>,
    /// Errors of launches that the program has not read.
    #[serde(default)]
    pub unchecked: Vec<Unchecked>,
}

/// An allocation that was never freed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Leak {
    /// File and line of the call, such as `scale.cu:41`.
    pub place: String,
    /// The variable that got the pointer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub variable: Option<String>,
    /// Size in bytes.
    pub bytes: u64,
    /// Whether it is pinned host memory.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_pinned: bool,
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
    /// A kernel occupies the device.
    Kernel,
}

/// A copy or a kernel.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Called {
    /// Copy, kernel or call of the host.
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
    /// Reason why the host waits.
    pub why: Busy,
    /// Start in nanoseconds.
    pub start_ns: u64,
    /// Duration in nanoseconds.
    pub duration_ns: u64,
}

/// Record of one launch.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Launched {
    /// Number of the device.
    pub device: usize,
    /// Name of the kernel.
    pub kernel: String,
    /// File and line of the host program, if its lines are known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<String>,
    /// Extents of the grid in blocks.
    pub grid: [u32; 3],
    /// Extents of a block in threads.
    pub block: [u32; 3],
    /// Whether the launch was timed.
    pub timed: bool,
    /// Whether its time is estimated: from timed launches of its series, or, if it is timed, from
    /// its first blocks.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub estimated: bool,
    /// Simulated nanoseconds; 0 on the functional machine, unless it is estimated.
    pub ns: u64,
    /// Start in simulated nanoseconds; 0 without time.
    #[serde(default)]
    pub start_ns: u64,
    /// Shader cycles; 0 on the functional machine, unless they are estimated.
    pub cycles: u64,
    /// Warp instructions.
    pub warp_instructions: u64,
    /// The resource that limits the launch; absent without timing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limited_by: Option<String>,
    /// Whether the launch finished; of an estimated launch, its simulated blocks.
    pub finished: bool,
    /// How the launch ended.
    pub verdict: String,
    /// Number of findings of the checkers.
    pub findings: usize,
    /// An argument that may be a number of elements, of which the last ones have no thread.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub uncovered: Option<Uncovered>,
    /// The lines with most warp cycles, first the worst; none without timing.
    pub lines: Vec<Line>,
    /// The report of the launch, for the first launches.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub report: Option<serde_json::Value>,
}

impl Program {
    /// Returns the words for the parts of its launches.
    pub fn terms(&self) -> &'static Terms {
        if self.is_opencl { &Terms::OPENCL } else { &Terms::CUDA }
    }
}

impl Launched {
    /// The limit of the launch, in the words of all reports.
    pub fn limit(&self) -> Option<&str> {
        let word = self.limited_by.as_deref()?;
        let known = Limiter::NAMES.iter().find(|(name, _)| *name == word);
        Some(known.map_or(word, |(_, limiter)| limiter.label()))
    }
}

/// An argument of a launch that is larger than the number of threads, by less than a block: what a
/// division does that rounds down.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Uncovered {
    /// Name of the parameter.
    pub argument: String,
    /// Its value.
    pub elements: u64,
    /// Threads along the axis.
    pub threads: u64,
    /// Threads of a block along the axis.
    pub block: u64,
}

impl Uncovered {
    /// Returns such an argument: `counts` are the numbers of elements among the arguments, with
    /// their names and the axis with whose index the kernel compares them.
    pub fn of(grid: [u32; 3], block: [u32; 3], counts: &[(String, u32, usize)]) -> Option<Self> {
        counts.iter().find_map(|(argument, value, axis)| {
            let (block, threads) = Self::short((grid[*axis], block[*axis]), *value)?;
            Some(Self { argument: argument.clone(), elements: (*value).into(), threads, block })
        })
    }

    /// Returns the threads of a block and all threads along an axis with this many blocks and
    /// threads, if a division that rounds down gives these blocks for `value` elements.
    pub fn short((blocks, block): (u32, u32), value: u32) -> Option<(u64, u64)> {
        let threads = u64::from(blocks) * u64::from(block);
        let is_short = block > 1 && threads < value.into() && u64::from(value) < threads + u64::from(block);
        is_short.then_some((block.into(), threads))
    }
}

/// A line of a source.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Line {
    /// File and line, such as `bfs.cu:18`, or the line of the PTX.
    pub place: String,
    /// Its text, if the file can be read.
    pub text: String,
    /// Share of all resident warp cycles of the launch, 0 to 1.
    pub share: f64,
    /// The state in which warps wait there longest, as a metric is called.
    pub reason: String,
}

/// A failed call.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CallError {
    /// Name of the first function that returned the error.
    pub function: String,
    /// Name of the error.
    pub error: String,
    /// Number of calls of the function that returned it.
    pub times: u64,
    /// File and line of the first of these calls, if the lines of the program are known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<String>,
}

/// An error of a launch that the program has not read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Unchecked {
    /// Name of the kernel.
    pub kernel: String,
    /// Name of the error.
    pub error: String,
    /// Number of launches with it.
    pub times: u64,
    /// File and line of the first of these launches, if the lines of the program are known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<String>,
}

impl fmt::Display for Unchecked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place = self.place.as_ref().map_or_else(String::new, |place| format!(" in {place}"));
        write!(
            f,
            "a launch of {}{place} failed with {}, which the program never reads",
            self.kernel, self.error
        )
    }
}

/// A finding of the checkers at one line of a kernel.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Found {
    /// Name of the kernel; `host program` for mistakes outside of kernels.
    pub kernel: String,
    /// Kind of the finding.
    pub kind: String,
    /// Line of the compiler's source file, such as `scale.cu:18`, or `PTX 93` if the PTX does not
    /// name it; `host program` for a line of the host program that is not known.
    pub place: String,
    /// Name of the buffer that a mistake of the host program is about, if it is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub buffer: Option<String>,
    /// The mistake in one sentence, at its first occurrence.
    #[serde(default)]
    pub message: String,
    /// Number of launches with it, or of calls of the host program.
    pub launches: u64,
    /// Whether it is an error, not a warning.
    #[serde(default)]
    pub is_error: bool,
}

/// Returns the nanoseconds in which at least one of the spans, each a start and a length, is.
pub fn elapsed(mut spans: Vec<(u64, u64)>) -> u64 {
    spans.sort_unstable();
    let (mut ns, mut end) = (0, 0);
    for (start, length) in spans {
        let until = start + length;
        ns += until.saturating_sub(start.max(end));
        end = end.max(until);
    }
    ns
}

/// Returns the place of the entry that is `same`, which is added if it is missing.
fn entry<T>(all: &mut Vec<T>, same: impl Fn(&T) -> bool, new: impl FnOnce() -> T) -> usize {
    all.iter().position(same).unwrap_or_else(|| {
        all.push(new());
        all.len() - 1
    })
}

impl Program {
    /// A program that has called nothing.
    pub fn new(chip: &Chip) -> Self {
        let command: Vec<String> =
            std::env::args_os().map(|word| word.to_string_lossy().into_owned()).collect();
        Self {
            version: VERSION,
            command: command.join(" "),
            chip: chip.name.clone(),
            board: chip.board.clone(),
            copy_engines: chip.pcie.copy_engines,
            ..Self::default()
        }
    }

    /// Notes a failed call in a line of the host program.
    pub fn failed(&mut self, function: &str, error: &str, place: Option<String>) {
        let same = |known: &CallError| known.function == function && known.error == error;
        let new = || CallError { function: function.to_owned(), error: error.to_owned(), times: 0, place };
        let at = entry(&mut self.errors, same, new);
        self.errors[at].times += 1;
    }

    /// Notes an error of a launch that the program has not read.
    pub fn unread(&mut self, kernel: &str, error: &str, place: Option<String>) {
        let same = |known: &Unchecked| known.kernel == kernel && known.error == error;
        let new = || Unchecked { kernel: kernel.to_owned(), error: error.to_owned(), times: 0, place };
        let at = entry(&mut self.unchecked, same, new);
        self.unchecked[at].times += 1;
    }

    /// Adds the errors and warnings of a launch. Returns the findings whose kind and place no
    /// earlier launch of the kernel had.
    pub fn add_findings<'a>(&mut self, report: &'a Report) -> Vec<&'a Finding> {
        let kernel = plain(&report.launch.kernel);
        let first = self.findings.len();
        // Several PTX lines can belong to one line of CUDA C: the launch counts once.
        let mut counted = BTreeSet::new();
        let mut new = Vec::new();
        for finding in report.checks.iter().flat_map(CheckReport::mistakes) {
            let (kind, place) = (finding.kind.name(), place(&report.launch.files, finding.line));
            let same = |known: &Found| known.kernel == kernel && known.kind == kind && known.place == place;
            let (kernel, kind) = (kernel.to_owned(), kind.to_owned());
            let is_error = finding.severity == Severity::Error;
            let found = || {
                let message = finding.message.clone();
                Found { kernel, kind, place: place.clone(), buffer: None, message, launches: 0, is_error }
            };
            let at = entry(&mut self.findings, same, found);
            if counted.insert(at) {
                self.findings[at].launches += 1;
            }
            if at >= first {
                new.push(finding);
            }
        }
        new
    }

    /// Adds an error of the host program that a checker has found, in a line and about a buffer.
    /// Returns whether it is the first one of this kind there.
    pub fn add_host_finding(
        &mut self,
        kind: FindingKind,
        line: Option<String>,
        buffer: Option<&str>,
        message: &str,
    ) -> bool {
        let kernel = "host program";
        let place = line.unwrap_or_else(|| kernel.to_owned());
        let same = |known: &Found| {
            known.kernel == kernel
                && known.kind == kind.name()
                && known.place == place
                && known.buffer.as_deref() == buffer
        };
        let found = || Found {
            kernel: kernel.to_owned(),
            kind: kind.name().to_owned(),
            place: place.clone(),
            buffer: buffer.map(ToOwned::to_owned),
            message: message.to_owned(),
            launches: 0,
            is_error: true,
        };
        let at = entry(&mut self.findings, same, found);
        self.findings[at].launches += 1;
        self.findings[at].launches == 1
    }

    /// Adds the calls of a device.
    pub fn add_timeline(&mut self, device: usize, timeline: &Timeline) {
        self.calls.extend(timeline.events.iter().map(|event| {
            let (kind, kernel) = match &event.what {
                Call::Copy(Direction::In) => (Kind::CopyIn, ""),
                Call::Copy(Direction::Out) => (Kind::CopyOut, ""),
                Call::Copy(Direction::Peer) => (Kind::CopyPeer, ""),
                Call::Kernel(name) => (Kind::Kernel, plain(name)),
            };
            let (bytes, stream) = (event.bytes, event.stream);
            let (start_ns, duration_ns) = (event.start_ns, event.duration_ns);
            Called { kind, kernel: kernel.to_owned(), bytes, stream, device, start_ns, duration_ns }
        }));
        self.host.extend(timeline.host.iter().map(|span| {
            let why = match span.what {
                HostCall::Launch => Busy::Launch,
                HostCall::Copy | HostCall::Synchronize => Busy::Wait,
            };
            Span { why, start_ns: span.start_ns, duration_ns: span.duration_ns }
        }));
    }

    /// Returns the line at the end of a program.
    pub fn summary(&self) -> String {
        let (counted, ms) = (self.counted(), self.simulated_ns as f64 / 1e6);
        format!("warpsim: {}: {counted}, {ms:.2} ms of simulated time{}", self.chip, self.error())
    }
}

/// Returns the place of a line of the PTX in the compiler's source file, or in the PTX itself.
pub fn place(files: &Files, line: u32) -> String {
    match files.origin(line) {
        Some(origin) => origin.to_string(),
        // Mistakes of the host program have no line.
        None if line == 0 => "host program".to_owned(),
        None if files.is_listing() => files.full_place(line),
        None => format!("PTX {}", files.place(line)),
    }
}

/// Returns the lines that call the function of the device library at a line: its code has the line
/// of its declaration in the PTX. Empty for a line of the program.
fn callers(program: &isa::uop::Program, line: u32) -> Vec<u32> {
    let line_of = |pc: u32| program.lines.get(pc as usize).copied();
    let mut of_library =
        program.functions.iter().filter(|function| library::cuda_name(&function.name).is_some());
    let Some(function) = of_library.find(|function| line_of(function.start) == Some(line)) else {
        return Vec::new();
    };
    let calls =
        (0..).zip(&program.code).filter(|(_, inst)| inst.op == Op::Call && inst.imm == function.start);
    let mut lines: Vec<u32> =
        calls.filter_map(|(pc, _)| line_of(pc)).filter(|caller| *caller != line).collect();
    lines.sort_unstable();
    lines.dedup();
    lines
}

/// Returns the worst lines of a launch: of the compiler's source file where the PTX names it.
pub fn lines(program: &isa::uop::Program, report: &Report) -> Vec<Line> {
    let Some(timing) = &report.timing else { return Vec::new() };
    let source = &program.source;
    let mut all: Vec<Line> = Vec::new();
    for line in &timing.lines {
        let files = source.files();
        let callers = callers(program, line.line);
        let (place, text) = match callers.first() {
            Some(first) => {
                let places: Vec<String> = callers.iter().map(|caller| place(files, *caller)).collect();
                (places.join(", "), source.line(*first))
            }
            None if files.origin(line.line).is_some() => (place(files, line.line), ""),
            None => (place(files, line.line), &*line.source),
        };
        if let Some(known) = all.iter_mut().find(|known| known.place == place) {
            known.share += line.share;
            continue;
        }
        // The lines are in order: the first one of a place has the most cycles.
        let reason = line.top_wait.map_or("issuing", |(state, _)| state.label()).to_owned();
        let text = text.trim().to_owned();
        all.push(Line { place, text, share: line.share, reason });
    }
    all.sort_by(|a, b| b.share.total_cmp(&a.share));
    all.truncate(MOST_LINES);
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_errors_are_counted() {
        let mut program = Program::default();
        for error in ["cudaErrorInvalidValue", "cudaErrorInvalidValue", "cudaErrorUnknown"] {
            program.failed("cudaMalloc", error, None);
        }
        assert_eq!(program.errors.iter().map(|error| error.times).collect::<Vec<_>>(), [2, 1]);
        let text = serde_json::to_string(&program).expect("it is data");
        assert_eq!(serde_json::from_str::<Program>(&text).expect("it is read back"), program);
    }
}
