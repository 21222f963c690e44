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
    /// Number of the current device, or of the context that is its own device.
    pub device: usize,
    /// Device of `cudaSetDevice`, for calls without a current context.
    pub chosen: usize,
    /// Handles of the contexts of the driver API that are on the thread's stack, the current one
    /// last.
    pub contexts: Vec<u64>,
    /// Whether the call is one of the driver API.
    pub in_driver: bool,
    /// Error that `cudaGetLastError` returns.
    pub last: Error,
    /// Configured calls, the innermost last.
    pub calls: Vec<Configuration>,
}

impl Thread {
    /// A thread with device 0.
    pub const fn new() -> Self {
        Self {
            device: 0,
            chosen: 0,
            contexts: Vec::new(),
            in_driver: false,
            last: Error::SUCCESS,
            calls: Vec::new(),
        }
    }
}

impl Default for Thread {
    fn default() -> Self {
        Self::new()
    }
}
