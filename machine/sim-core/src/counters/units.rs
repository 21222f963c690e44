//! Groups of counters of the SMs.

use super::by::{ByClass, ByState};
use super::group::counters;
use crate::state::Value;
use isa::uop::{Class, Op, Precision};
use serde::Serialize;

counters! {
    /// Instructions executed.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Value)]
    pub struct InstCounters {
        /// Warp instructions (`inst_executed`).
        pub warp: u64,
        /// Thread instructions: active lanes of the current path, summed over the warp
        /// instructions, with true and with false guards.
        pub thread: u64,
        /// Single-precision (f32) operations of active lanes; a multiply-add counts two
        /// (`flop_count_sp`).
        pub flops_sp: u64,
        /// Double-precision (f64) operations of active lanes; a multiply-add counts two
        /// (`flop_count_dp`).
        pub flops_dp: u64,
        /// Conditional branches of warps (`branch`).
        pub branches: u64,
        /// Conditional branches whose lanes took different directions (`divergent_branch`).
        pub divergent_branches: u64 [part of branches],
        /// Barrier instructions executed by warps.
        pub barriers: u64,
        /// Warp instructions by class.
        pub by_class: ByClass,
    }

    /// Loads, stores or atomics of global or of local memory.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Value)]
    pub struct GlobalCounters {
        /// Warp instructions with at least one active lane.
        pub requests: u64 [in "requests"],
        /// Transactions by the generation's coalescing rule.
        pub transactions: u64 [in "transactions"],
        /// Bytes requested by the lanes.
        pub bytes_asked: u64 [in "bytes"],
        /// Bytes of the transactions.
        pub bytes_moved: u64 [in "bytes"],
        /// Half-warps or warps whose access coalesced.
        pub coalesced_groups: u64 [in "groups"],
        /// Half-warps or warps whose access did not coalesce.
        pub uncoalesced_groups: u64 [in "groups"],
    }

    /// Loads, stores or atomics of shared memory.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Value)]
    pub struct SharedCounters {
        /// Warp instructions with at least one active lane.
        pub requests: u64 [in "requests"],
        /// Passes over the banks (transactions in nvprof).
        pub passes: u64 [in "passes"],
        /// Passes beyond the number that an access without conflicts needs.
        pub conflict_passes: u64 [in "passes"],
        /// Bytes requested by the lanes.
        pub bytes_asked: u64 [in "bytes"],
    }

    /// Reads of constant memory by an SM: constants, and parameters on chips that keep them in
    /// constant memory.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Value)]
    pub struct ConstCounters {
        /// Warp loads with at least one active lane.
        pub requests: u64 [in "requests"],
        /// Warp instructions with a word of constant memory as an operand.
        pub operands: u64 [in "instructions"],
        /// Accesses, one per different address of a group of lanes and one per operand.
        pub accesses: u64 [in "accesses"],
        /// Look-ups that hit.
        pub hits: u64 [in "look-ups"],
        /// Look-ups that missed, even if the fill was already pending.
        pub misses: u64 [in "look-ups"],
    }

    /// Texture fetches.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Value)]
    pub struct TextureCounters {
        /// Warp fetches with at least one active lane.
        pub fetches: u64 [in "requests"],
        /// Texels read by the lanes.
        pub texels: u64 [in "texels"],
        /// Look-ups in the texture caches of the clusters, one for each line of a fetch.
        pub cache_requests: u64 [in "look-ups"],
        /// Look-ups that hit.
        pub cache_hits: u64 [part of cache_requests] [in "look-ups"],
        /// Look-ups that missed, even if the line was already pending.
        pub cache_misses: u64 [part of cache_requests] [in "look-ups"],
    }

    /// Look-ups of a cache of constants or code, or of a TLB, where a line is a page.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Value)]
    pub struct LevelCounters {
        /// Look-ups that hit.
        pub hits: u64 [in "look-ups"],
        /// Look-ups that missed, even if the fill was already pending.
        pub misses: u64 [in "look-ups"],
    }

    /// Busy shader cycles of the units that the SMs of a cluster share.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Value)]
    pub struct ClusterCounters {
        /// The port to the crossbar.
        pub port: u64,
        /// The port that accepts replies.
        pub replies: u64,
        /// The buffer for replies: no entry was free.
        pub buffer: u64,
        /// The texture units.
        pub textures: u64,
        /// Cycles by which misses of the TLBs delayed messages, also those behind them on the same
        /// link, summed over the messages.
        pub translation: u64,
    }

    /// Accesses of an SM to global, local and shared memory.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Value)]
    pub struct AccessCounters {
        /// Global loads.
        pub load: GlobalCounters,
        /// Global stores.
        pub store: GlobalCounters,
        /// Atomics on global memory.
        pub atomic: GlobalCounters,
        /// Local loads.
        pub local_load: GlobalCounters,
        /// Local stores.
        pub local_store: GlobalCounters,
        /// Shared loads.
        pub shared_load: SharedCounters,
        /// Shared stores.
        pub shared_store: SharedCounters,
        /// Atomics on shared memory.
        pub shared_atomic: SharedCounters,
        /// Global loads that have returned all values.
        pub loads_finished: u64,
        /// Sum of the latencies of these loads in shader cycles, from issue until the values could
        /// be used.
        pub load_cycles: u64,
    }

    /// Counters of one instruction of the program, over all warps.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Value)]
    pub struct PcCounters {
        /// Number of times that a warp issued it.
        pub executed: u64,
        /// Active lanes of the current path, summed. A lane whose guard is false counts as active
        /// (nvprof's `warp_execution_efficiency`, not its `warp_nonpred_execution_efficiency`): the
        /// branch at a loop's end that no lane takes does not lower the efficiency.
        pub threads: u64,
        /// For a branch: number of times that its lanes took different directions.
        pub divergent: u64,
        /// Slots beyond the first of a multi-slot instruction.
        pub held: u64,
        /// Replay slots.
        pub replay: u64,
        /// Transactions to global and local memory.
        pub transactions: u64,
        /// Threads that read outside of every allocation.
        pub past_reads: u64,
        /// Threads that wrote outside of every allocation.
        pub past_writes: u64,
        /// For a barrier: number of warps that reached it with only some of their live lanes.
        pub partial: u64,
        /// Warp issue cycles spent at this instruction, by state.
        pub warp: ByState,
    }
}

/// Floating-point operations of one lane of an instruction, by precision.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Flops {
    /// In f32.
    pub single: u8,
    /// In f64.
    pub double: u8,
}

impl Flops {
    /// Returns the operations of a micro-op.
    pub const fn of(op: Op) -> Self {
        let flops = op.flops() as u8;
        match op.precision() {
            None => Self { single: 0, double: 0 },
            Some(Precision::Single) => Self { single: flops, double: 0 },
            Some(Precision::Double) => Self { single: 0, double: flops },
        }
    }

    /// Whether there are no operations.
    #[inline]
    pub const fn is_none(self) -> bool {
        self.single | self.double == 0
    }
}

impl PcCounters {
    /// Counts threads that read and that wrote outside of every allocation.
    #[cold]
    pub fn past(&mut self, (reads, writes): (u64, u64)) {
        self.past_reads += reads;
        self.past_writes += writes;
    }
}

impl InstCounters {
    /// Adds the counters of one instruction of `class`.
    pub fn add_instruction(&mut self, class: Class, counters: &PcCounters) {
        self.warp += counters.executed;
        self.thread += counters.threads;
        self.by_class[class] += counters.executed;
    }

    /// Counts the floating-point operations `flops` of an instruction, executed by `lanes` lanes.
    #[inline]
    pub fn operations(&mut self, flops: Flops, lanes: u64) {
        self.flops_sp += lanes * u64::from(flops.single);
        self.flops_dp += lanes * u64::from(flops.double);
    }

    /// Returns the number of floating-point operations of both precisions.
    pub fn flops(&self) -> u64 {
        self.flops_sp + self.flops_dp
    }

    /// Counts a branch with a guard; `divergent`: its lanes take different directions. `at` are the
    /// counters of the instruction.
    #[inline]
    pub fn branch(&mut self, divergent: bool, at: &mut PcCounters) {
        self.branches += 1;
        self.divergent_branches += u64::from(divergent);
        at.divergent += u64::from(divergent);
    }
}
