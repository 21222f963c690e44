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
    /// Hot cycles that islands run between exchanges of mail; 0 or anything above the crossbar's
    /// latency means the latency.
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
        Threads = "the number of threads per block",
        /// Threads of a block, by the kernel's `.maxntid`.
        MaxThreads = "the number of threads per block (.maxntid)",
        /// Blocks of the grid along x.
        GridX = "grid x",
        /// Blocks of the grid along y.
        GridY = "grid y",
        /// Blocks of the grid along z.
        GridZ = "grid z",
        /// Threads of a block along x.
        BlockX = "block x",
        /// Threads of a block along y.
        BlockY = "block y",
        /// Threads of a block along z.
        BlockZ = "block z",
        /// Parameters.
        Parameters = "the size of the parameters in bytes",
        /// Local memory of a thread.
        Local = "the local memory per thread in bytes",
        /// Local memory of all resident threads, which is a part of device memory.
        ResidentLocal = "the local memory of all resident threads in bytes",
        /// Static and dynamic shared memory of a block.
        Shared = "the shared memory per block in bytes",
    }
}

impl LaunchLimit {
    /// What a launch needs, and the limit, as a sentence.
    pub fn sentence(self, needed: u64, available: u64) -> String {
        let whose = match self {
            Self::MaxThreads => "the kernel",
            Self::ResidentLocal => "the free device memory",
            Self::Threads
            | Self::GridX
            | Self::GridY
            | Self::GridZ
            | Self::BlockX
            | Self::BlockY
            | Self::BlockZ
            | Self::Parameters
            | Self::Local
            | Self::Shared => "this chip",
        };
        format!("{self} is {needed}; {whose} allows at most {available}")
    }
}

/// Why a launch was refused before its first cycle.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LaunchError {
    /// The chip is known for its occupancy only.
    #[error("{board} cannot run kernels: only its occupancy rules are known (`simulated: false`)")]
    NotSimulated {
        /// The chip's board.
        board: String,
    },
    /// No such entry.
    #[error("the module has no kernel `{name}`; its kernels: {known}")]
    NoEntry {
        /// What was asked for.
        name: String,
        /// What there is.
        known: String,
    },
    /// Wrong number of arguments.
    #[error("kernel `{kernel}` expects {expected} arguments, found {given}")]
    ArgumentCount {
        /// Kernel.
        kernel: String,
        /// Parameters.
        expected: usize,
        /// Arguments.
        given: usize,
    },
    /// An argument of the wrong size.
    #[error(
        "argument {index} of kernel `{kernel}` does not match parameter `{param}` of {expected} bytes ({ty})"
    )]
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
    #[error("launch of `{kernel}` refused: {}", limit.sentence(*needed, *available))]
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
    #[error("kernel `{kernel}` requires blocks of {required} (.reqntid), but the launch has {given}")]
    RequiredBlock {
        /// Kernel.
        kernel: String,
        /// What `.reqntid` says.
        required: Dim3,
        /// What was asked for.
        given: Dim3,
    },
    /// The text was compiled for a newer chip.
    #[error("kernel `{kernel}` requires compute capability {target}, but the chip has {chip}")]
    Capability {
        /// Kernel.
        kernel: String,
        /// What the text targets.
        target: String,
        /// What the chip has.
        chip: String,
    },
}
