//! One launch as `exec` sees it: immutable while it runs.

use super::allocations::AllocationTable;
use super::wide::Vectors;
use super::{Row32, Row64};
use crate::config::FirstPath;
use crate::words::words;
use isa::types::Dim3;
use isa::uop::Program;
use serde::Serialize;
use std::sync::Arc;

/// What a barrier asks of the lanes of a warp.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum BarrierRule {
    /// All live lanes reach it together, as the programming model demands; anything else is a
    /// fault.
    #[default]
    Strict,
    /// As in silicon: a barrier counts warps, whatever lanes are active. The lanes that reach it
    /// wait for the other warps; the others of their warp reach a barrier of their own when it is
    /// their turn.
    Hardware,
}

words! {
    /// Which machine runs the kernel.
    #[derive(Default)]
    pub enum Mode {
        /// Cycle by cycle.
        #[default]
        Timed = "timed",
        /// The same results without time.
        Functional = "functional",
    }
}

/// A launched kernel: program, constants, parameters and extents.
#[derive(Clone, Debug)]
pub struct Kernel {
    /// The code.
    pub program: Arc<Program>,
    /// The program's 32-bit constants, one row each, addresses of module variables filled in.
    pub const32: Vec<Row32>,
    /// The same for 64 bits.
    pub const64: Vec<Row64>,
    /// The parameter block as of the launch.
    pub params: Vec<u8>,
    /// Constant memory as of the launch.
    pub constants: Arc<Vec<u8>>,
    /// Blocks in the grid.
    pub grid: Dim3,
    /// Threads in a block.
    pub block: Dim3,
    /// Static and dynamic shared memory of a block in bytes.
    pub shared_bytes: u32,
    /// Which global addresses may be touched.
    pub allocations: Arc<AllocationTable>,
    /// Which side of a divergent branch runs first.
    pub first_path: FirstPath,
    /// What a barrier asks of the lanes of a warp.
    pub barriers: BarrierRule,
    /// `%nsmid`.
    pub nsmid: u32,
    /// `%nwarpid`: warp slots per SM.
    pub nwarpid: u32,
    /// `%gridid`: the launch's number on its GPU, from 0.
    pub grid_id: u32,
    /// Vector instructions of the host that execute the lanes. The results do not depend on them.
    pub vectors: Vectors,
}

impl Kernel {
    /// The launch's number on its GPU, from 1.
    pub fn number(&self) -> u32 {
        self.grid_id + 1
    }

    /// Threads of one block.
    pub fn threads(&self) -> u32 {
        self.block.count() as u32
    }

    /// Warps of one block, the last one perhaps padded.
    pub fn warps_per_block(&self) -> u32 {
        self.threads().div_ceil(32)
    }
}
