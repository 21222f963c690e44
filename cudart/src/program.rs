//! The record of a host program: its launches, copies, leaks and unchecked errors, as plain data.

use isa::types::Dim3;
use serde::Serialize;
use sim_core::config::Chip;
use sim_core::stats::Report;

/// Version of the record's layout.
pub const SCHEMA: u32 = 1;

/// Maximum number of launches with a report.
pub const MOST_REPORTS: usize = 256;

/// What a host program did.
#[derive(Clone, Debug, Serialize)]
pub struct Program {
    /// Version of the layout, [`SCHEMA`].
    pub schema: u32,
    /// Name of the chip.
    pub chip: String,
    /// Simulated nanoseconds from the first call to the last.
    pub simulated_ns: u64,
    /// The launches in the order of the calls.
    pub launches: Vec<LaunchRecord>,
    /// The copies and kernels of each device with their times, since its last reset.
    pub timelines: Vec<serde_json::Value>,
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
    /// Sizes of the allocations that were never freed.
    pub leaks: Vec<u64>,
    /// Calls that failed, and errors that the program never asked for.
    pub errors: Vec<CallError>,
}

/// A failed call.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CallError {
    /// Name of the first function that returned the error.
    pub function: String,
    /// Name of the error.
    pub error: String,
    /// Number of calls of the function that returned it.
    pub times: u64,
}

/// A launch.
#[derive(Clone, Debug, Serialize)]
pub struct LaunchRecord {
    /// Number of the device.
    pub device: usize,
    /// Kernel name.
    pub kernel: String,
    /// Number of blocks.
    pub grid: Dim3,
    /// Threads per block.
    pub block: Dim3,
    /// Simulated nanoseconds; 0 on the functional machine.
    pub ns: u64,
    /// Whether the launch was timed.
    pub timed: bool,
    /// The resource that limits the launch; absent without timing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limited_by: Option<String>,
    /// How the launch ended.
    pub verdict: String,
    /// Findings of the checkers.
    pub findings: usize,
    /// The report, for the first launches.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub report: Option<Box<Report>>,
}

impl Program {
    /// A program that has called nothing.
    pub fn new(chip: &Chip) -> Self {
        Self {
            schema: SCHEMA,
            chip: chip.name.clone(),
            simulated_ns: 0,
            launches: Vec::new(),
            timelines: Vec::new(),
            copies: 0,
            bytes_to_device: 0,
            bytes_to_host: 0,
            bytes_within: 0,
            pages_to_device: 0,
            pages_to_host: 0,
            leaks: Vec::new(),
            errors: Vec::new(),
        }
    }

    /// Notes a failed call.
    pub fn failed(&mut self, function: &str, error: &str) {
        let same = |known: &&mut CallError| known.function == function && known.error == error;
        if let Some(known) = self.errors.iter_mut().find(same) {
            known.times += 1;
        } else {
            let (function, error) = (function.to_owned(), error.to_owned());
            self.errors.push(CallError { function, error, times: 1 });
        }
    }

    /// Returns the line at the end of a program.
    pub fn summary(&self) -> String {
        let Self { chip, simulated_ns, launches, .. } = self;
        let launches = report::render::number::plural(launches.len() as u64, "launch");
        let launches = launches.replace("launchs", "launches");
        format!("warpsim: {chip}: {launches}, {:.2} ms of simulated time", *simulated_ns as f64 / 1e6)
    }
}
