//! Limits of a launch, and the allocation of an SM's resources to blocks.

use super::schema::forms::{Choice, Extents, Flag};
use crate::record;
use crate::words::words;
use isa::types::Dim3;

record! {
    /// The largest launch that the chip accepts.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct Limits {
        /// Largest number of threads in a block.
        pub threads_per_block: u32 = 1..=2048, "threads", meaning;
        /// Largest extents of a block.
        pub block: Dim3 = Extents, "threads", meaning;
        /// Largest extents of a grid.
        pub grid: Dim3 = Extents, "blocks", meaning;
        /// Size of the kernel parameters.
        pub param_bytes: u32 = 4..=65536, "bytes", meaning;
        /// Size of constant memory.
        pub const_bytes: u32 = 0..=1 << 20, "bytes", meaning;
        /// Size of the local memory of a thread.
        pub local_bytes: u32 = 0..=1 << 20, "bytes", meaning;
        /// Largest number of registers of a thread.
        pub registers_per_thread: u32 = 1..=255, "registers", meaning;
    }

    /// Allocation of an SM's registers and shared memory to blocks, in the terms of NVIDIA's
    /// occupancy calculator.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct Allocation {
        /// Whether registers are allocated to blocks or to warps.
        pub register_scope: RegisterScope = Choice, meaning;
        /// Registers are allocated in multiples of this number.
        pub register_unit: u32 = 1..=65536, "registers", meaning;
        /// The number of warps is rounded up to a multiple of this number when registers are
        /// allocated.
        pub warp_granularity: u32 = 1..=64, "warps", meaning;
        /// Shared memory is allocated in multiples of this size.
        pub shared_unit: u32 = 1..=65536, "bytes", meaning;
        /// Shared memory that each block needs for its launch state (16 bytes on capability 1.x).
        pub shared_per_block: u32 = 0..=65536, "bytes", meaning;
        /// Whether kernel parameters are in shared memory and are part of a block's shared memory
        /// (capability 1.x).
        pub params_in_shared: bool = Flag, meaning;
    }
}

impl Limits {
    /// Whether parameters of this size are in constant memory: all of chips that do not keep them
    /// in shared memory, and the parameters of OpenCL that do not fit there.
    pub fn params_in_bank(&self, in_shared: bool, bytes: u32) -> bool {
        !in_shared || bytes > self.param_bytes
    }
}

words! {
    /// Scope of the allocation of registers.
    pub enum RegisterScope {
        /// Capability 1.x: the registers of a whole block are rounded up together.
        Block = "block",
        /// Capability 2.x and later: the registers of each warp are rounded up.
        Warp = "warp",
    }
}
