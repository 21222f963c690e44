//! The report of one launch: versioned, serializable, and without any property of the host (no
//! threads, wall time or window), so that equal runs give equal bytes. A test writes the
//! tables of `docs/REPORT.md` from the comments of the fields; `Unit: bytes.` at their end becomes
//! a column.

pub use super::caches::{ConstantReport, L1Report, L2Report, TextureReport, TlbReport};
pub use super::code::{RegistersSource, Spills};
pub use super::mapped::MappedReport;
pub use super::output::OutputReport;
pub use super::relaxed::RelaxedReport;
pub use super::sampled::{SampledReport, WarmupReport};
pub use super::scheduler::{PolicyReport, SchedulerReport};
pub use super::timing::{
    DramReport, GlobalReport, LineReport, LocalReport, PtxLineReport, SharedReport, SlotReport, SmReport,
    TimingReport, WarpReport,
};
pub use super::verdict::{TrapReport, Verdict};
pub use super::{checks::CheckReport, limits::LimitReport, stuck::StuckReport};
use crate::config::CoalesceRule;
use crate::counters::GlobalCounters;
use crate::counters::by::ByClass;
use crate::exec::{BarrierRule, MemoryRule, Mode};
use crate::occupancy::Occupancy;
use isa::source::Files;
use isa::types::Dim3;
use serde::Serialize;
use std::collections::BTreeMap;

/// Version of the report's layout. It increases when a field is removed or changes its meaning.
pub const SCHEMA: u32 = 6;

/// All results of one launch.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// Version of the layout, [`SCHEMA`].
    pub schema: u32,
    /// `timed` or `functional`.
    pub mode: Mode,
    /// The chip.
    pub chip: ChipReport,
    /// The launch and its occupancy.
    pub launch: LaunchReport,
    /// How the launch ended.
    pub verdict: Verdict,
    /// Instructions executed.
    pub instructions: InstructionReport,
    /// Branches and barriers.
    pub control: ControlReport,
    /// All timing; `null` on the functional machine.
    pub timing: Option<TimingReport>,
    /// How the numbers of a sampled launch were estimated; absent if it was simulated in full.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sampled: Option<SampledReport>,
    /// With `--warmup`: the number of first `blocks` that ran on the functional machine, and their
    /// warp `instructions`. All other fields are about the timed part. Absent without a warm-up.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub warmup: Option<WarmupReport>,
    /// Output of the kernel; absent if it has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output: Option<OutputReport>,
    /// Actions of the launch that the strict rules forbid; absent if there are none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub relaxed: Option<RelaxedReport>,
    /// The findings of `--check`; absent without it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub checks: Option<CheckReport>,
}

impl Report {
    /// The work that a timed launch is for the simulator: each warp instruction is 1, and each
    /// transaction to global or local memory 4. A launch without timing has no transactions.
    pub fn work(&self) -> u64 {
        let kinds = self.timing.as_ref().map(|TimingReport { global, local, .. }| {
            [&global.load, &global.store, &global.atomic, &local.load, &local.store]
        });
        work_of(self.instructions.warp, kinds.into_iter().flatten())
    }
}

/// Returns the work of so many warp instructions with these accesses, as in [`Report::work`].
pub(crate) fn work_of<'a>(instructions: u64, kinds: impl IntoIterator<Item = &'a GlobalCounters>) -> u64 {
    instructions + 4 * kinds.into_iter().map(|kind| kind.transactions).sum::<u64>()
}

/// The properties of the chip that the report needs.
#[derive(Clone, Debug, Serialize)]
pub struct ChipReport {
    /// Short name.
    pub name: String,
    /// Name of the board.
    pub board: String,
    /// Compute capability.
    pub capability: String,
    /// Number of SMs.
    pub sms: u32,
    /// Shader clock in MHz.
    pub shader_mhz: f64,
    /// Peak rate of multiply-adds (2 operations each), limited by their unit and by the issue rate.
    /// Unit: GFLOP/s.
    pub peak_gflops: f64,
    /// Peak rate of the DRAM bus. Unit: GB/s.
    pub peak_gbps: f64,
    /// Scheduling policy, with its seed if it has one; `own: NAME` for your own policy
    /// (docs/extending/scheduler.md).
    pub policy: PolicyReport,
    /// Coalescing rule: `strict`, `segments` or `lines` (docs/CONFIG.md).
    pub coalescing: CoalesceRule,
    /// By cache, the replacement policies that are not `lru`, such as `"sm.l1": "fifo"`; absent if
    /// all are `lru` (docs/CONFIG.md).
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub replacement: BTreeMap<&'static str, String>,
}

/// Parameters and properties of the launch.
#[derive(Clone, Debug, Serialize)]
pub struct LaunchReport {
    /// Kernel name.
    pub kernel: String,
    /// PTX file name; the names of linked files, separated by commas.
    pub file: String,
    /// The linked files, absent for one file: `name`, and `first_line`. A line number of the report
    /// counts the lines of all files.
    #[serde(skip_serializing_if = "Files::is_single")]
    pub files: Files,
    /// Number of blocks.
    pub grid: Dim3,
    /// Number of threads per block.
    pub block: Dim3,
    /// Warps of 32 threads; the last one may be partly filled.
    pub warps_per_block: u32,
    /// Lanes of the last warp without a thread.
    pub padded_lanes: u32,
    /// 32-bit registers per thread.
    pub registers: u32,
    /// `liveness`: computed from the compiled code; `given`: by `--registers`, the launch file, or
    /// the built-in kernel, if its number is published.
    pub registers_source: RegistersSource,
    /// Registers that the compiled code needs, even if another number is given.
    pub registers_by_liveness: u32,
    /// Optimization level as for `ptxas`: 3, or 0 with `-O0`
    /// (docs/decisions/0006-what-is-optimized.md).
    pub opt_level: u32,
    /// Whether products were fused with sums, by `--fmad true`.
    pub fmad: bool,
    /// `true` if blocks were scheduled, by `--schedule true`; otherwise absent.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub schedule: bool,
    /// `stack_bytes`, `store_bytes` and `load_bytes` of values that a limit of the registers moved
    /// to local memory, counted once for each instruction of the code; absent if there are none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub spills: Option<Spills>,
    /// Bytes of static and dynamic shared memory per block, before the launch block and parameters.
    pub shared_bytes: u32,
    /// Bytes of parameters.
    pub param_bytes: u32,
    /// Local memory per thread. Unit: bytes.
    pub local_bytes: u32,
    /// Rule for the lanes of a warp at a barrier: `strict`, or `hardware` by `--barriers` or the
    /// launch file.
    pub barriers: BarrierRule,
    /// Rule for accesses to global memory outside of allocations; absent if it is
    /// [`MemoryRule::Strict`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memory: Option<MemoryRule>,
    /// L1 of each SM in this launch; 0 on a chip without an L1. Unit: bytes.
    pub l1_bytes: u32,
    /// Shared memory of each SM in this launch; on a chip with an L1, `--cache` divides the memory
    /// between them. Unit: bytes.
    pub sm_shared_bytes: u32,
    /// Number of blocks that an SM holds, and the limiting resources.
    pub occupancy: Occupancy,
}

/// Instructions executed.
#[derive(Clone, Debug, Serialize)]
pub struct InstructionReport {
    /// Executed warp instructions (`inst_executed`). Instructions whose guard is false for every
    /// lane count, and so does a trapping instruction; a fused instruction does not count
    /// separately.
    pub warp: u64,
    /// Sum of the lanes of these instructions: the lanes on the running side of a branch, even if
    /// the guard is false for them.
    pub thread: u64,
    /// Floating-point operations of active lanes; a multiply-add counts 2.
    pub flops: u64,
    /// Single-precision operations.
    pub flops_sp: u64,
    /// Double-precision operations.
    pub flops_dp: u64,
    /// Pairs of (class, warp instructions).
    pub by_class: ByClass,
}

/// Control flow.
#[derive(Clone, Debug, Serialize)]
pub struct ControlReport {
    /// Conditional branches executed by warps (`branch`).
    pub branches: u64,
    /// Conditional branches whose lanes took both ways (`divergent_branch`).
    pub divergent_branches: u64,
    /// Share of the branches that did not diverge; 1 without branches. Unit: fraction.
    pub branch_efficiency: f64,
    /// Active lanes per warp instruction, of 32, 0 to 1 (`warp_execution_efficiency`); a lane whose
    /// guard is false counts as active.
    pub warp_execution_efficiency: f64,
    /// Barriers executed by warps.
    pub barriers: u64,
    /// For each source line that diverged: `line`, `source`, how often it was `executed` by a warp,
    /// and how often it was `divergent`.
    pub divergent_lines: Vec<DivergentLine>,
}

/// A branch that diverged.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DivergentLine {
    /// Source line number.
    pub line: u32,
    /// Source line text.
    pub source: String,
    /// Number of times that a warp executed it.
    pub executed: u64,
    /// Number of times that its lanes took different directions.
    pub divergent: u64,
}
