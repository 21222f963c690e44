//! The parameters of a kernel launch, and the reasons for which a launch is rejected.

use super::gpu::ModuleId;
use super::memory::DevicePtr;
use crate::config::CachePreference;
use crate::exec::{BarrierRule, MemoryRule, Mode};
use crate::hooks::Hooks;
use isa::types::Dim3;
use isa::uop::{Param, Program};

/// One kernel argument.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "named after PTX's scalar types")]
pub enum Arg {
    /// A device address of 4 or 8 bytes, as the parameter requires.
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
    /// Device memory whose bytes are in the constant bank during the launch, behind the module's
    /// variables (`__constant` of OpenCL). The parameter gets their offset in the bank.
    Constant(DevicePtr, u32),
    /// Bytes of shared memory behind the kernel's variables (`__local` of OpenCL). The parameter
    /// gets their offset.
    Local(u32),
}

/// Least alignment of the memory of [`Arg::Constant`] and [`Arg::Local`], for the widest accesses.
const PLACED_ALIGN: u32 = 16;

impl Arg {
    /// Returns the little-endian bytes for a parameter of `bytes` bytes; `None` if the sizes
    /// differ.
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
            // Their values depend on the other arguments.
            Self::Constant(..) | Self::Local(_) => return None,
        };
        (out.len() == bytes as usize).then_some(out)
    }

    /// Bytes in the constant bank.
    pub(super) fn constant(&self) -> Option<u32> {
        if let Self::Constant(_, bytes) = self { Some(*bytes) } else { None }
    }

    /// Bytes in shared memory.
    pub(super) fn local(&self) -> Option<u32> {
        if let Self::Local(bytes) = self { Some(*bytes) } else { None }
    }
}

/// Options of the simulation that do not influence the report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RunOptions {
    /// Maximum number of host threads. Fewer run while windows contain too little work for more.
    pub threads: usize,
    /// For tests only: seed with which the number of threads and the assignment of components
    /// change at random every few windows.
    pub shuffle: Option<u64>,
    /// Shader cycles that components run between exchanges of messages; 0 or a value above the
    /// crossbar's latency selects the latency.
    pub window: u32,
    /// Whether to skip cycles in which nothing can happen; off for tests only.
    pub skip_idle: bool,
    /// Limit at which the launch stops: shader cycles, or warp instructions on the functional
    /// machine.
    pub max_cycles: u64,
    /// Test switches; the shipped binary has none.
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
    /// Handle of the loaded module.
    pub module: ModuleId,
    /// Name of the kernel.
    pub entry: String,
    /// Number of blocks.
    pub grid: Dim3,
    /// Number of threads per block.
    pub block: Dim3,
    /// Bytes of dynamic shared memory per block.
    pub dynamic_shared: u32,
    /// Arguments in the order of the parameters.
    pub args: Vec<Arg>,
    /// Values of `%envreg0` to `%envreg31`; 0 for CUDA. [`isa::sreg::opencl`] has their meaning
    /// for OpenCL.
    pub environment: [u32; 32],
    /// Registers per thread, instead of the number found by liveness analysis.
    pub registers: Option<u32>,
    /// Rule for the lanes of a warp at a barrier. It can change the result of a kernel.
    pub barriers: BarrierRule,
    /// Rule for accesses to global memory outside of allocations. It can change the result of a
    /// kernel.
    pub memory: MemoryRule,
    /// Division of an SM's memory between L1 and shared memory.
    pub cache: CachePreference,
    /// Timed or functional machine.
    pub mode: Mode,
    /// Options of the simulation.
    pub options: RunOptions,
}

/// Settings of the launches of a run. They come before what a host program or a launch file says
/// about a launch.
#[derive(Clone, Copy, Debug, Default)]
pub struct LaunchSettings {
    /// Execution mode.
    pub mode: Mode,
    /// Registers per thread, instead of the needs of the lowered code: changes occupancy, not
    /// results.
    pub registers: Option<u32>,
    /// Rule for the lanes of a warp at a barrier.
    pub barriers: Option<BarrierRule>,
    /// Rule for accesses outside of allocations.
    pub memory: Option<MemoryRule>,
    /// Preferred division of an SM's memory between L1 and shared memory.
    pub cache: Option<CachePreference>,
    /// Options of the simulation.
    pub options: RunOptions,
}

impl Launch {
    /// `entry<<<grid, block>>>` without arguments, on the timed machine.
    pub fn new(module: ModuleId, entry: &str, grid: impl Into<Dim3>, block: impl Into<Dim3>) -> Self {
        Self {
            module,
            entry: entry.to_owned(),
            grid: grid.into(),
            block: block.into(),
            dynamic_shared: 0,
            args: Vec::new(),
            environment: [0; 32],
            registers: None,
            barriers: BarrierRule::default(),
            memory: MemoryRule::default(),
            cache: CachePreference::default(),
            mode: Mode::Timed,
            options: RunOptions::default(),
        }
    }

    /// Sets machine and options, and those of the other fields for which there is a setting.
    #[must_use]
    pub fn with(self, settings: LaunchSettings) -> Self {
        let LaunchSettings { mode, registers, barriers, memory, cache, options } = settings;
        Self {
            mode,
            registers: registers.or(self.registers),
            barriers: barriers.unwrap_or(self.barriers),
            memory: memory.unwrap_or(self.memory),
            cache: cache.unwrap_or(self.cache),
            options,
            ..self
        }
    }

    /// Sets the arguments.
    #[must_use]
    pub fn args(mut self, args: impl IntoIterator<Item = Arg>) -> Self {
        self.args = args.into_iter().collect();
        self
    }

    /// Sets the environment registers, `%envreg0` to `%envreg31`.
    #[must_use]
    pub fn environment(mut self, environment: [u32; 32]) -> Self {
        self.environment = environment;
        self
    }

    /// Sets the barrier rule.
    #[must_use]
    pub fn barriers(mut self, barriers: BarrierRule) -> Self {
        self.barriers = barriers;
        self
    }

    /// Sets the rule for accesses outside of allocations.
    #[must_use]
    pub fn memory(mut self, memory: MemoryRule) -> Self {
        self.memory = memory;
        self
    }

    /// Sets the division of an SM's memory (`cudaFuncSetCacheConfig`).
    #[must_use]
    pub fn cache(mut self, cache: CachePreference) -> Self {
        self.cache = cache;
        self
    }

    /// Sets the machine.
    #[must_use]
    pub fn mode(mut self, mode: Mode) -> Self {
        self.mode = mode;
        self
    }

    /// Sets the options.
    #[must_use]
    pub fn options(mut self, options: RunOptions) -> Self {
        self.options = options;
        self
    }

    /// Returns the bytes of dynamic shared memory with the arguments in shared memory.
    pub fn dynamic_bytes(&self, program: &Program) -> u32 {
        let (_, end) =
            self.placed(program, program.shared_bytes.saturating_add(self.dynamic_shared), Arg::local);
        end.saturating_sub(program.shared_bytes)
    }

    /// Places the arguments of a memory whose bytes from `start` on are free: the offset of each,
    /// and the end of the last.
    pub(super) fn placed(
        &self,
        program: &Program,
        start: u32,
        bytes: fn(&Arg) -> Option<u32>,
    ) -> (Vec<Option<u32>>, u32) {
        let mut end = start;
        let place = |(index, arg): (usize, &Arg)| {
            let bytes = bytes(arg)?;
            let declared = program.params.get(index).and_then(|param| param.pointee);
            let align = declared.map_or(PLACED_ALIGN, |pointee| pointee.align.max(PLACED_ALIGN));
            let at = end.checked_next_multiple_of(align).unwrap_or(u32::MAX);
            end = at.saturating_add(bytes);
            Some(at)
        };
        (self.args.iter().enumerate().map(place).collect(), end)
    }

    /// Returns the arguments that are device pointers: offset in the parameter block, and address.
    pub(super) fn pointers(&self, program: &Program) -> Vec<(u32, u32)> {
        let pointer = |(param, arg): (&Param, &Arg)| match arg {
            Arg::Ptr(ptr) => Some((param.offset, ptr.address())),
            Arg::U8(_)
            | Arg::S8(_)
            | Arg::U16(_)
            | Arg::S16(_)
            | Arg::U32(_)
            | Arg::S32(_)
            | Arg::U64(_)
            | Arg::S64(_)
            | Arg::F32(_)
            | Arg::F64(_)
            | Arg::Bytes(_)
            | Arg::Constant(..)
            | Arg::Local(_) => None,
        };
        program.params.iter().zip(&self.args).filter_map(pointer).collect()
    }
}
