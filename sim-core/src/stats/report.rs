//! The report of one launch: versioned, serializable, and without any property of the host (no
//! threads, wall time or window), so that equal runs give equal bytes. `docs/REPORT.md` documents
//! every field.

pub use super::caches::{ConstantReport, L1Report, L2Report, TextureReport, TlbReport};
pub use super::code::{RegistersSource, Spills};
pub use super::mapped::MappedReport;
pub use super::output::OutputReport;
pub use super::races::{Does, HazardReport, PartyReport, RaceReport};
pub use super::relaxed::RelaxedReport;
pub use super::sampled::{SampledReport, WarmupReport};
pub use super::scheduler::{PolicyReport, SchedulerReport};
pub use super::verdict::{TrapReport, Verdict};
pub use super::{checks::CheckReport, limits::LimitReport, stuck::StuckReport};
use crate::config::CoalesceRule;
use crate::counters::breakdown::{SlotBreakdown, WarpState};
use crate::counters::by::{ByClass, ByState};
use crate::counters::{GlobalCounters, LevelCounters, SharedCounters, counters};
use crate::exec::{BarrierRule, MemoryRule, Mode};
use crate::occupancy::Occupancy;
use isa::source::Files;
use isa::types::Dim3;
use serde::Serialize;
use std::collections::BTreeMap;

/// Version of the report's layout. It increases when a field is removed or changes its meaning.
pub const SCHEMA: u32 = 4;

/// All results of one launch.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// Version of the layout, [`SCHEMA`].
    pub schema: u32,
    /// Timed or functional machine.
    pub mode: Mode,
    /// The chip.
    pub chip: ChipReport,
    /// The launch.
    pub launch: LaunchReport,
    /// How it ended.
    pub verdict: Verdict,
    /// Instructions executed.
    pub instructions: InstructionReport,
    /// Control flow.
    pub control: ControlReport,
    /// All timing results; `None` on the functional machine.
    pub timing: Option<TimingReport>,
    /// Basis and error of the estimate; `None` if the whole launch was simulated.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sampled: Option<SampledReport>,
    /// Blocks that ran before the timed part; absent without a warm-up.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub warmup: Option<WarmupReport>,
    /// Output of the kernel; absent if it has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output: Option<OutputReport>,
    /// What the launch did that the strict rules forbid; absent if it did nothing of that kind.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub relaxed: Option<RelaxedReport>,
    /// Results of the race checker; absent if it was off.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub races: Option<RaceReport>,
    /// Findings of the checkers; absent if none was on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub checks: Option<CheckReport>,
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
    /// Peak single precision in GFLOP/s, from multiply-adds at the rate of units and schedulers.
    pub peak_gflops: f64,
    /// Peak DRAM bandwidth in GB/s.
    pub peak_gbps: f64,
    /// Scheduling policy.
    pub policy: PolicyReport,
    /// Coalescing rule.
    pub coalescing: CoalesceRule,
    /// Replacement policies other than `lru`, by the path of the cache in a chip file.
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
    /// The linked files, each with its first line: a line number of the report counts the lines of
    /// all files. Absent for one file.
    #[serde(skip_serializing_if = "Files::is_single")]
    pub files: Files,
    /// Number of blocks.
    pub grid: Dim3,
    /// Number of threads per block.
    pub block: Dim3,
    /// Warps per block.
    pub warps_per_block: u32,
    /// Lanes of each block's last warp without a thread.
    pub padded_lanes: u32,
    /// Registers per thread.
    pub registers: u32,
    /// Source of that number.
    pub registers_source: RegistersSource,
    /// Registers per thread from the live ranges of the lowered code.
    pub registers_by_liveness: u32,
    /// Optimization level: 0 or 3.
    pub opt_level: u32,
    /// Whether multiplications were fused with additions.
    pub fmad: bool,
    /// Whether the instructions of each block were ordered by their latencies.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub schedule: bool,
    /// Values in local memory because of a limit of the registers, if any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub spills: Option<Spills>,
    /// Bytes of static and dynamic shared memory per block, before the launch block and parameters.
    pub shared_bytes: u32,
    /// Bytes of parameters.
    pub param_bytes: u32,
    /// Bytes of local memory per thread.
    pub local_bytes: u32,
    /// Rule for the lanes of a warp at a barrier.
    pub barriers: BarrierRule,
    /// Rule for accesses to global memory outside of allocations; absent if it is
    /// [`MemoryRule::Strict`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memory: Option<MemoryRule>,
    /// Bytes of each SM's L1 in this launch; 0 without one.
    pub l1_bytes: u32,
    /// Bytes of each SM's shared memory in this launch.
    pub sm_shared_bytes: u32,
    /// Number of blocks that an SM holds, and the limiting resources.
    pub occupancy: Occupancy,
}

/// Instructions executed.
#[derive(Clone, Debug, Serialize)]
pub struct InstructionReport {
    /// Warp instructions (`inst_executed`).
    pub warp: u64,
    /// Thread instructions.
    pub thread: u64,
    /// Floating-point operations of both precisions; a multiply-add counts two.
    pub flops: u64,
    /// Single-precision operations.
    pub flops_sp: u64,
    /// Double-precision operations.
    pub flops_dp: u64,
    /// Warp instructions by class.
    pub by_class: ByClass,
}

/// Control flow.
#[derive(Clone, Debug, Serialize)]
pub struct ControlReport {
    /// Branch instructions of warps with a guard (`branch`).
    pub branches: u64,
    /// Branches that diverged (`divergent_branch`).
    pub divergent_branches: u64,
    /// Non-divergent branches per branch, 0 to 1 (`branch_efficiency`); 1 without branches.
    pub branch_efficiency: f64,
    /// Active lanes per warp instruction, of 32, 0 to 1 (`warp_execution_efficiency`); a lane whose
    /// guard is false counts as active.
    pub warp_execution_efficiency: f64,
    /// Barriers executed by warps.
    pub barriers: u64,
    /// Source lines whose branch diverged.
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

/// All timing results.
#[derive(Clone, Debug, Serialize)]
pub struct TimingReport {
    /// Shader cycles from the launch until memory is drained.
    pub cycles: u64,
    /// The same in microseconds at the shader clock.
    pub microseconds: f64,
    /// Warp instructions per shader cycle and SM.
    pub ipc: f64,
    /// Floating-point rate in GFLOP/s.
    pub gflops: f64,
    /// Resident warps per active cycle, divided by the SM's warp slots, 0 to 1
    /// (`achieved_occupancy`).
    pub achieved_occupancy: f64,
    /// Issue slots.
    pub slots: SlotReport,
    /// Warp cycles.
    pub warps: WarpReport,
    /// Global memory.
    pub global: GlobalReport,
    /// Local memory.
    pub local: LocalReport,
    /// Shared memory.
    pub shared: SharedReport,
    /// Constant memory and parameters.
    pub constant: ConstantReport,
    /// Texture fetches; absent for a kernel that uses no texture.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub texture: Option<TextureReport>,
    /// Look-ups of the SMs' instruction caches.
    pub fetch: LevelCounters,
    /// Look-ups of the TLBs.
    pub tlb: TlbReport,
    /// Counters of the L1s of all SMs.
    pub l1: L1Report,
    /// Counters of the L2 slices of all partitions.
    pub l2: L2Report,
    /// DRAM.
    pub dram: DramReport,
    /// Mapped host memory; absent for a kernel that accesses none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mapped: Option<MappedReport>,
    /// The executed source lines, those with the most warp cycles first.
    pub lines: Vec<LineReport>,
    /// The resource that limits the launch.
    pub limits: LimitReport,
    /// Counters of each SM.
    pub sms: Vec<SmReport>,
}

/// Issue slot breakdown, in slots, over all SMs.
#[derive(Clone, Debug, Serialize)]
pub struct SlotReport {
    /// Schedulers per SM.
    pub schedulers: u32,
    /// Dispatch ports per scheduler.
    pub ports: u32,
    /// Shader cycles per issue cycle.
    pub issue_period: u32,
    /// Issue cycles of each scheduler.
    pub issue_cycles: u64,
    /// Number of slots: schedulers × ports × issue cycles × SMs.
    pub total: u64,
    /// Slots by outcome.
    #[serde(flatten)]
    pub outcomes: SlotBreakdown,
}

/// Warp state breakdown, in issue cycles of warps, over all SMs.
#[derive(Clone, Debug, Serialize)]
pub struct WarpReport {
    /// Number of resident warp cycles.
    pub resident: u64,
    /// Cycles by state.
    pub states: ByState,
}

/// Global memory.
#[derive(Clone, Debug, Serialize)]
pub struct GlobalReport {
    /// Loads.
    pub load: GlobalCounters,
    /// Stores.
    pub store: GlobalCounters,
    /// Atomics, with and without a result.
    pub atomic: GlobalCounters,
    /// Bytes requested per byte moved by loads (`gld_efficiency`), 0 to 1, and more if lanes share
    /// words.
    pub load_efficiency: f64,
    /// The same for stores (`gst_efficiency`).
    pub store_efficiency: f64,
    /// `gld_transactions_per_request`.
    pub load_transactions_per_request: f64,
    /// `gst_transactions_per_request`.
    pub store_transactions_per_request: f64,
    /// Mean shader cycles from issue of a load until all its values can be used.
    pub mean_load_latency: f64,
    /// Floating-point operations per 32-bit word that lanes load: arithmetic intensity (the book's
    /// CGMA, compute to global memory access ratio); 0 without loads.
    pub cgma: f64,
    /// Roofline bound in GFLOP/s at this intensity, if the DRAM at its peak moves every word that
    /// lanes load: without caches and without words shared by several lanes. 0 without loads.
    pub load_roof_gflops: f64,
}

/// Traffic of local memory; the values stay in the SM. Lanes are coalesced word by word.
#[derive(Clone, Debug, Serialize)]
pub struct LocalReport {
    /// Loads.
    pub load: GlobalCounters,
    /// Stores.
    pub store: GlobalCounters,
    /// Mean transactions per load.
    pub load_transactions_per_request: f64,
    /// Mean transactions per store.
    pub store_transactions_per_request: f64,
}

/// Shared memory.
#[derive(Clone, Debug, Serialize)]
pub struct SharedReport {
    /// Loads.
    pub load: SharedCounters,
    /// Stores.
    pub store: SharedCounters,
    /// Atomics, with and without a result.
    pub atomic: SharedCounters,
    /// Replays per instruction executed (`shared_replay_overhead`).
    pub replay_overhead: f64,
}

/// DRAM over all partitions.
#[derive(Clone, Debug, Serialize)]
pub struct DramReport {
    /// Bytes read over the bus.
    pub read_bytes: u64,
    /// Bytes written over the bus.
    pub write_bytes: u64,
    /// Shader cycles from the end of the launch until its last write: the L2 writes its dirty
    /// sectors back, and the host does not wait for it.
    pub write_back_cycles: u64,
    /// GB/s over the run and the write-back.
    pub gbps: f64,
    /// Share of the peak, 0 to 1.
    pub utilisation: f64,
    /// Requests that found their row open.
    pub row_hits: u64,
    /// Requests that found their bank closed.
    pub row_misses: u64,
    /// Requests that found another row open.
    pub row_conflicts: u64,
    /// Refreshes.
    pub refreshes: u64,
    /// Bytes moved by each partition.
    pub partition_bytes: Vec<u64>,
}

/// A source line and its cost.
#[derive(Clone, Debug, Serialize)]
pub struct LineReport {
    /// Line number.
    pub line: u32,
    /// Text.
    pub source: String,
    /// Warp instructions executed.
    pub executed: u64,
    /// Issue slots used: issued, held and replayed.
    pub slots: u64,
    /// Replays among these: for bank conflicts, or for further addresses of constant memory.
    pub replays: u64,
    /// Warp issue cycles spent at the line in all states.
    pub warp_cycles: u64,
    /// These cycles by state.
    pub states: ByState,
    /// Share of all resident warp cycles, 0 to 1.
    pub share: f64,
    /// The state with the most cycles, except issuing and not selected, and their number.
    pub top_wait: Option<(WarpState, u64)>,
    /// Transactions to global and local memory.
    pub transactions: u64,
}

counters! {
    /// Counters of one SM.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
    pub struct SmReport {
        /// Number of the SM.
        pub sm: u32,
        /// Blocks that ran on the SM.
        pub blocks: u64,
        /// Warp instructions.
        pub instructions: u64,
        /// Issue cycles with at least one resident warp.
        pub active_issue_cycles: u64,
        /// Resident warp issue cycles.
        pub resident_warp_cycles: u64,
    }
}
