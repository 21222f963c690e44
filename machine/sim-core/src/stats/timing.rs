//! The timing part of the report of one launch.

use super::caches::{ConstantReport, L1Report, L2Report, TextureReport, TlbReport};
use super::limits::LimitReport;
use super::mapped::MappedReport;
use crate::counters::breakdown::{SlotBreakdown, WarpState};
use crate::counters::by::ByState;
use crate::counters::{GlobalCounters, LevelCounters, SharedCounters, counters};
use serde::Serialize;

/// All timing results.
#[derive(Clone, Debug, Serialize)]
pub struct TimingReport {
    /// Time from the launch until all memory traffic is complete. Unit: shader cycles.
    pub cycles: u64,
    /// The same time at the shader clock. Unit: us.
    pub microseconds: f64,
    /// Warp instructions per shader cycle and SM.
    pub ipc: f64,
    /// Rate of floating-point operations. Unit: GFLOP/s.
    pub gflops: f64,
    /// Resident warps per active cycle, divided by the SM's warp slots, 0 to 1
    /// (`achieved_occupancy`).
    pub achieved_occupancy: f64,
    /// Issue slot breakdown.
    pub slots: SlotReport,
    /// Warp state breakdown.
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
    /// The executed lines of the PTX, in the same order, if `lines` are lines of CUDA C.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub ptx_lines: Vec<PtxLineReport>,
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
    /// The same for stores (`gst_efficiency`). Unit: fraction.
    pub store_efficiency: f64,
    /// Mean number of transactions of a load (`gld_transactions_per_request`).
    pub load_transactions_per_request: f64,
    /// Mean number of transactions of a store (`gst_transactions_per_request`).
    pub store_transactions_per_request: f64,
    /// Mean time from the issue of a load until all its values can be used, over the loads that
    /// returned, without atomics. Unit: shader cycles.
    pub mean_load_latency: f64,
    /// Arithmetic intensity (the book's CGMA): floating-point operations per 32-bit word that lanes
    /// load; stores do not count, as in the book; 0 without loads. Unit: operations/word.
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
    /// Time from the end of the launch until its last write to the DRAM: the L2 writes its dirty
    /// sectors, and no call of the host waits for it. Unit: shader cycles.
    pub write_back_cycles: u64,
    /// Rate of the bus, averaged over the run and the write-back. Unit: GB/s.
    pub gbps: f64,
    /// Share of the peak, 0 to 1.
    pub utilization: f64,
    /// Accesses that found their row open. An access is one message
    /// (docs/decisions/0001-a-request-is-a-chunk.md): under the strict rule the words of a
    /// half-warp in one chunk, otherwise one transaction. Unit: accesses.
    pub row_hits: u64,
    /// Accesses that found no row open. Unit: accesses.
    pub row_misses: u64,
    /// Accesses that found another row open. Unit: accesses.
    pub row_conflicts: u64,
    /// Refreshes of all channels.
    pub refreshes: u64,
    /// Bytes moved by each partition. Unit: bytes.
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
    /// Replays among these: for bank conflicts, or for further addresses of constant memory. Unit:
    /// slots.
    pub replays: u64,
    /// Time of warps at this line, in all states. Unit: issue cycles.
    pub warp_cycles: u64,
    /// The same by state. Unit: issue cycles.
    pub states: ByState,
    /// Share of all resident warp cycles, 0 to 1.
    pub share: f64,
    /// State and issue cycles of the largest state except `issuing` and `not_selected`; or `null`.
    pub top_wait: Option<(WarpState, u64)>,
    /// Transactions of global and local memory.
    pub transactions: u64,
}

/// A line of the PTX of a source line, and its cost.
#[derive(Clone, Debug, Serialize)]
pub struct PtxLineReport {
    /// The line of CUDA C, as in `lines`.
    pub of: u32,
    /// Line number in the PTX, its text, and its cost.
    #[serde(flatten)]
    pub cost: LineReport,
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
