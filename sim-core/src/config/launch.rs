//! What a launch may ask for, and how an SM's resources are handed out to its blocks.

use isa::types::Dim3;

/// Limits of one launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Threads per block.
    pub threads_per_block: u32,
    /// Block extents.
    pub block: Dim3,
    /// Grid extents.
    pub grid: Dim3,
    /// Bytes of kernel parameters.
    pub param_bytes: u32,
    /// Bytes of constant memory.
    pub const_bytes: u32,
    /// Bytes of local memory per thread.
    pub local_bytes: u32,
    /// Registers per thread.
    pub registers_per_thread: u32,
}

/// Whether registers are handed out by block (cc 1.x) or by warp (cc 2.x and later).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RegisterScope {
    /// Rounded for the whole block.
    Block,
    /// Rounded for each warp.
    Warp,
}

/// Allocation of an SM's resources, in NVIDIA's occupancy calculator's terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Allocation {
    /// By block or by warp.
    pub register_scope: RegisterScope,
    /// Registers are handed out in multiples of this.
    pub register_unit: u32,
    /// Warps are counted in multiples of this when registers are handed out.
    pub warp_granularity: u32,
    /// Shared memory is handed out in multiples of this many bytes.
    pub shared_unit: u32,
    /// Bytes of shared memory that every block takes for launch state (16 on cc 1.x).
    pub shared_per_block: u32,
    /// Kernel parameters lie in shared memory and count against it (cc 1.x).
    pub params_in_shared: bool,
}
