//! What a host program says when it launches a kernel, and why a launch can be refused.

use super::gpu::ModuleId;
use super::memory::DevicePtr;
use crate::config::CachePreference;
use crate::exec::{BarrierRule, Mode};
use crate::hooks::Hooks;
use crate::occupancy::Refusal;
use crate::words::words;
use isa::types::{Dim3, ScalarType};

/// One kernel argument.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "named after PTX's scalar types")]
pub enum Arg {
    /// A device address, 4 or 8 bytes as the parameter is.
    Ptr(DevicePtr),
    U8(u8),
    S8(i8),
    U16(u16),
    S16(i16),
    U32(u32),
    S32(i32),
    U64(u64),
    S64(i64),
    F32(f32),
    F64(f64),
    /// Raw bytes, for parameters that are arrays.
    Bytes(Vec<u8>),
}

impl Arg {
    /// Its bytes, little-endian, for a parameter of `bytes` bytes; `None` if the sizes differ.
    pub fn to_bytes(&self, bytes: u32) -> Option<Vec<u8>> {
        let out = match self {
            Self::Ptr(p) if bytes == 8 => u64::from(p.address()).to_le_bytes().to_vec(),
            Self::Ptr(p) => p.address().to_le_bytes().to_vec(),
            Self::U8(v) => v.to_le_bytes().to_vec(),
            Self::S8(v) => v.to_le_bytes().to_vec(),
            Self::U16(v) => v.to_le_bytes().to_vec(),
            Self::S16(v) => v.to_le_bytes().to_vec(),
            Self::U32(v) => v.to_le_bytes().to_vec(),
            Self::S32(v) => v.to_le_bytes().to_vec(),
            Self::U64(v) => v.to_le_bytes().to_vec(),
            Self::S64(v) => v.to_le_bytes().to_vec(),
            Self::F32(v) => v.to_le_bytes().to_vec(),
            Self::F64(v) => v.to_le_bytes().to_vec(),
            Self::Bytes(v) => v.clone(),
        };
        (out.len() == bytes as usize).then_some(out)
    }
}

/// How to run, without any influence on what is reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RunOptions {
    /// Most host threads. Fewer run as long as windows hold too little work for more.
    pub threads: usize,
    /// For tests only: threads and their islands change at random every few windows, by this seed.
    pub shuffle: Option<u64>,
    /// Hot cycles that islands run between exchanges of mail; 0 or anything above the crossbar's latency means
    /// the latency.
    pub window: u32,
    /// Jump over cycles in which nothing can happen; off for tests only.
    pub skip_idle: bool,
    /// Stop here: hot cycles, or warp instructions on the functional machine.
    pub max_cycles: u64,
    /// Test switches; nothing in the shipped binary.
    pub hooks: Hooks,
}

impl Default for RunOptions {
    fn default() -> Self {
        Self {
            threads: 1,
            shuffle: None,
            window: 0,
            skip_idle: true,
            max_cycles: u64::MAX,
            hooks: Hooks::default(),
        }
    }
}

/// A kernel launch.
#[derive(Clone, Debug, PartialEq)]
pub struct Launch {
    /// A loaded module.
    pub module: ModuleId,
    /// Name of the entry.
    pub entry: String,
    /// Blocks.
    pub grid: Dim3,
    /// Threads per block.
    pub block: Dim3,
    /// Bytes of dynamic shared memory per block.
    pub dynamic_shared: u32,
    /// Arguments in order.
    pub args: Vec<Arg>,
    /// Registers per thread, instead of what liveness says.
    pub registers: Option<u32>,
    /// What a barrier asks of the lanes of a warp: changes what a kernel means.
    pub barriers: BarrierRule,
    /// How an SM's memory is to be divided between L1 and shared memory.
    pub cache: CachePreference,
    /// Which machine.
    pub mode: Mode,
    /// How to run.
    pub options: RunOptions,
}

impl Launch {
    /// `entry<<<grid, block>>>` without arguments, timed.
    pub fn new(module: ModuleId, entry: &str, grid: impl Into<Dim3>, block: impl Into<Dim3>) -> Self {
        Self {
            module,
            entry: entry.to_owned(),
            grid: grid.into(),
            block: block.into(),
            dynamic_shared: 0,
            args: Vec::new(),
            registers: None,
            barriers: BarrierRule::default(),
            cache: CachePreference::default(),
            mode: Mode::Timed,
            options: RunOptions::default(),
        }
    }

    /// With these arguments.
    #[must_use]
    pub fn args(mut self, args: impl IntoIterator<Item = Arg>) -> Self {
        self.args = args.into_iter().collect();
        self
    }

    /// With barriers of this rule.
    #[must_use]
    pub fn barriers(mut self, barriers: BarrierRule) -> Self {
        self.barriers = barriers;
        self
    }

    /// With an SM's memory divided like this (`cudaFuncSetCacheConfig`).
    #[must_use]
    pub fn cache(mut self, cache: CachePreference) -> Self {
        self.cache = cache;
        self
    }

    /// On this machine.
    #[must_use]
    pub fn mode(mut self, mode: Mode) -> Self {
        self.mode = mode;
        self
    }

    /// With these options.
    #[must_use]
    pub fn options(mut self, options: RunOptions) -> Self {
        self.options = options;
        self
    }
}

words! {
    /// What a launch can need more of than there is.
    pub enum LaunchLimit {
        /// Threads of a block, by the chip.
        Threads = "threads per block",
        /// Threads of a block, by the kernel's `.maxntid`.
        MaxThreads = "threads per block (.maxntid of the kernel)",
        /// Blocks of the grid along x.
        GridX = "extent x of the grid",
        /// Blocks of the grid along y.
        GridY = "extent y of the grid",
        /// Blocks of the grid along z.
        GridZ = "extent z of the grid",
        /// Threads of a block along x.
        BlockX = "extent x of the block",
        /// Threads of a block along y.
        BlockY = "extent y of the block",
        /// Threads of a block along z.
        BlockZ = "extent z of the block",
        /// Parameters.
        Parameters = "bytes of parameters",
        /// Local memory of a thread.
        Local = "bytes of local memory per thread",
        /// Local memory of all resident threads, which is a part of device memory.
        ResidentLocal = "bytes of local memory for all threads that can be resident",
        /// Static and dynamic shared memory of a block.
        Shared = "bytes of shared memory per block",
    }
}

/// Why a launch was refused before its first cycle.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LaunchError {
    /// The chip is known for its occupancy only.
    #[error("no program runs on {board}: of this chip only the occupancy is known (`simulated: false`)")]
    NotSimulated {
        /// The chip's board.
        board: String,
    },
    /// No such entry.
    #[error("the module has no entry `{name}`; it has: {known}")]
    NoEntry {
        /// What was asked for.
        name: String,
        /// What there is.
        known: String,
    },
    /// Wrong number of arguments.
    #[error("kernel `{kernel}` takes {expected} arguments, {given} were given")]
    ArgumentCount {
        /// Kernel.
        kernel: String,
        /// Parameters.
        expected: usize,
        /// Arguments.
        given: usize,
    },
    /// An argument of the wrong size.
    #[error("argument {index} of kernel `{kernel}` is for parameter `{param}` of {expected} bytes ({ty})")]
    ArgumentSize {
        /// Kernel.
        kernel: String,
        /// Position, from 0.
        index: usize,
        /// Parameter name.
        param: String,
        /// Its size in bytes.
        expected: u32,
        /// Its type.
        ty: ScalarType,
    },
    /// More of a resource than the chip has; the limit, what is needed and what there is.
    #[error("launch of `{kernel}` refused: {limit}: {needed} needed, {available} available")]
    Limit {
        /// Kernel.
        kernel: String,
        /// The limit.
        limit: LaunchLimit,
        /// Needed.
        needed: u64,
        /// Available.
        available: u64,
    },
    /// A block is larger than an SM.
    #[error("launch of `{kernel}` refused: {refusal}")]
    Refused {
        /// Kernel.
        kernel: String,
        /// What, how much is needed and how much there is.
        refusal: Refusal,
    },
    /// An extent of grid or block is zero.
    #[error("launch of `{kernel}` refused: extent {what} is 0")]
    Empty {
        /// Kernel.
        kernel: String,
        /// Which extent.
        what: &'static str,
    },
    /// The kernel's `.reqntid` says otherwise.
    #[error("kernel `{kernel}` requires blocks of {required} (.reqntid), {given} was given")]
    RequiredBlock {
        /// Kernel.
        kernel: String,
        /// What `.reqntid` says.
        required: Dim3,
        /// What was asked for.
        given: Dim3,
    },
    /// The text was compiled for a newer chip.
    #[error("kernel `{kernel}` targets compute capability {target}, the chip has {chip}")]
    Capability {
        /// Kernel.
        kernel: String,
        /// What the text targets.
        target: String,
        /// What the chip has.
        chip: String,
    },
}
