//! The state of a host thread: its device, its last error, and its configured calls.

use super::error::Error;
use isa::types::Dim3;

/// A configured call: `<<<grid, block, shared, stream>>>`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Configuration {
    /// Number of blocks.
    pub grid: Dim3,
    /// Threads per block.
    pub block: Dim3,
    /// Bytes of dynamic shared memory.
    pub shared: u64,
    /// Handle of the stream.
    pub stream: u64,
    /// Parameters of `cudaSetupArgument`.
    pub parameters: Vec<u8>,
}

/// A host thread.
#[derive(Debug)]
pub struct Thread {
    /// Number of the current device.
    pub device: usize,
    /// Error that `cudaGetLastError` returns.
    pub last: Error,
    /// Configured calls, the innermost last.
    pub calls: Vec<Configuration>,
}

impl Thread {
    /// A thread with device 0.
    pub const fn new() -> Self {
        Self { device: 0, last: Error::SUCCESS, calls: Vec::new() }
    }
}

impl Default for Thread {
    fn default() -> Self {
        Self::new()
    }
}
