//! One launch as seen by `exec`. It does not change while it runs.

use super::allocations::AllocationTable;
use super::objects::Objects;
use super::surface::Surface;
use super::texture::Texture;
use super::wide::Vectors;
use super::{Row32, Row64, Rows};
use crate::config::FirstPath;
use crate::words::words;
use isa::types::Dim3;
use isa::uop::Program;
use std::sync::Arc;

words! {
    /// Requirement of a barrier on the lanes of a warp.
    #[derive(Default, Hash)]
    pub enum BarrierRule {
        /// All live lanes must execute it together, as the programming model requires; otherwise it
        /// is a fault.
        #[default]
        Strict = "strict",
        /// As in hardware: a barrier counts warps, independent of their active lanes. The lanes
        /// that execute it wait for the other warps. The other lanes of their warp execute their
        /// barrier later, as a separate arrival.
        Hardware = "hardware",
    }
}

words! {
    /// Requirement of an access to global memory on the allocations.
    #[derive(Default, Hash)]
    pub enum MemoryRule {
        /// One allocation must contain all bytes; otherwise it is a fault.
        #[default]
        Strict = "strict",
        /// As on hardware, which maps whole pages: an allocation must be in the page of the bytes
        /// (64 KiB). Accesses outside of allocations are counted. They read and write the bytes
        /// that device memory has there: zero, until an access writes them.
        Page = "page",
    }
}

words! {
    /// Simulation mode.
    #[derive(Default)]
    pub enum Mode {
        /// Cycle-level simulation.
        #[default]
        Timed = "timed",
        /// The same results without timing.
        Functional = "functional",
    }
}

/// A launched kernel: program, constants, parameters and dimensions.
#[derive(Clone, Debug)]
pub struct Kernel {
    /// The code.
    pub program: Arc<Program>,
    /// The program's 32-bit constants, one row each, with the resolved addresses of module
    /// variables.
    pub const32: Rows<Row32>,
    /// The program's 64-bit constants, likewise.
    pub const64: Rows<Row64>,
    /// The parameter block at the launch.
    pub params: Vec<u8>,
    /// Constant memory at the launch.
    pub constants: Arc<Vec<u8>>,
    /// The textures that the code can read.
    pub textures: Objects<Texture>,
    /// The surfaces that the code can access.
    pub surfaces: Objects<Surface>,
    /// Grid dimensions in blocks.
    pub grid: Dim3,
    /// Block dimensions in threads.
    pub block: Dim3,
    /// Static and dynamic shared memory of a block in bytes.
    pub shared_bytes: u32,
    /// Allocated ranges of global memory.
    pub allocations: Arc<AllocationTable>,
    /// First address of mapped host memory, a multiple of 4096: no lower address is mapped, and no
    /// higher one is device memory. [`NOT_MAPPED`](super::allocations::NOT_MAPPED) without mapped
    /// memory.
    pub mapped_from: u32,
    /// The side of a divergent branch that runs first.
    pub first_path: FirstPath,
    /// Requirement of a barrier on the lanes of a warp.
    pub barriers: BarrierRule,
    /// Requirement of an access to global memory on the allocations.
    pub memory: MemoryRule,
    /// `%nsmid`.
    pub nsmid: u32,
    /// `%nwarpid`: warp slots per SM.
    pub nwarpid: u32,
    /// `%gridid`: number of the launch on its GPU, from 0.
    pub grid_id: u32,
    /// `%envreg0` to `%envreg31`.
    pub environment: [u32; 32],
    /// Vector instructions of the host that execute the lanes. The results do not depend on them.
    pub vectors: Vectors,
}

impl Kernel {
    /// Number of the launch on its GPU, from 1.
    pub fn number(&self) -> u32 {
        self.grid_id + 1
    }

    /// Threads of one block.
    pub fn threads(&self) -> u32 {
        self.block.count() as u32
    }

    /// Warps of one block; the last one may be partial.
    pub fn warps_per_block(&self) -> u32 {
        self.threads().div_ceil(32)
    }
}
