//! The list of metrics: name, unit, where in the report it is, and how several launches of a point make one number.
//! `docs/SWEEP.md` has the same list for readers; a test compares them. Names are nvprof's where it has one.

use super::Value::{Launches, Mean, Same, Share, Sum};
use super::{Metric, Value};
use sim_core::stats::WarpState;
use std::sync::LazyLock;

const fn metric(name: &'static str, unit: &'static str, value: Value, about: &'static str) -> Metric {
    Metric { name, unit, value, about }
}

const CYCLES: &str = "timing.cycles";
const SLOTS: &str = "timing.slots.total";
const RESIDENT: &str = "timing.warps.resident";

/// Launches, instructions, memory and issue slots.
#[rustfmt::skip]
const COUNTS: &[Metric] = &[
    metric("launches", "", Launches, "launches that the point made; counts below are sums over them"),
    metric("cycles", "hot cycles", Sum(CYCLES), "from launch until memory is drained"),
    metric("microseconds", "us", Sum("timing.microseconds"), "the same at the shader clock"),
    metric("ipc", "instructions/cycle", Mean("timing.ipc", CYCLES), "warp instructions per hot cycle and SM"),
    metric("gflops", "GFLOP/s", Mean("timing.gflops", "timing.microseconds"), "arithmetic rate"),
    metric("inst_executed", "instructions", Sum("instructions.warp"), "warp instructions"),
    metric("thread_inst_executed", "instructions", Sum("instructions.thread"), "their lanes summed"),
    metric("flop_count_sp", "operations", Sum("instructions.flops_sp"), "single-precision operations; a multiply-add counts two"),
    metric("flop_count_dp", "operations", Sum("instructions.flops_dp"), "double-precision operations; a multiply-add counts two"),
    metric("achieved_occupancy", "fraction", Mean("timing.achieved_occupancy", "timing.sms.*.active_issue_cycles"), "resident warps of the warp slots, over the cycles with any"),
    metric("occupancy", "fraction", Same("launch.occupancy.occupancy"), "warps that fit, of the warp slots"),
    metric("blocks_per_sm", "blocks", Same("launch.occupancy.blocks"), "that fit on an SM at once"),
    metric("warps_per_sm", "warps", Same("launch.occupancy.warps"), "that fit on an SM at once"),
    metric("threads_per_sm", "threads", Same("launch.occupancy.threads"), "that fit on an SM at once"),
    metric("warps_per_block", "warps", Same("launch.warps_per_block"), "of 32 threads, the last one perhaps padded"),
    metric("registers_per_thread", "registers", Same("launch.registers"), "32-bit registers"),
    metric("registers_per_block", "registers", Same("launch.occupancy.registers_per_block"), "as they are handed out"),
    metric("local_bytes", "bytes", Same("launch.local_bytes"), "local memory of a thread"),
    metric("shared_bytes", "bytes", Same("launch.shared_bytes"), "static and dynamic shared memory of a block"),
    metric("shared_per_block", "bytes", Same("launch.occupancy.shared_per_block"), "as it is handed out"),
    metric("branch", "branches", Sum("control.branches"), "conditional branches executed by warps"),
    metric("divergent_branch", "branches", Sum("control.divergent_branches"), "those whose lanes went both ways"),
    metric("branch_efficiency", "fraction", Mean("control.branch_efficiency", "control.branches"), "branches that did not diverge"),
    metric("warp_execution_efficiency", "fraction", Mean("control.warp_execution_efficiency", "instructions.warp"), "lanes per warp instruction, of 32"),
    metric("barriers", "barriers", Sum("control.barriers"), "executed by warps"),
    metric("gld_requests", "requests", Sum("timing.global.load.requests"), "global loads by warps"),
    metric("gld_transactions", "transactions", Sum("timing.global.load.transactions"), "what coalescing made of them"),
    metric("gld_transactions_per_request", "transactions", Mean("timing.global.load_transactions_per_request", "timing.global.load.requests"), "mean of all loads"),
    metric("gld_bytes_asked", "bytes", Sum("timing.global.load.bytes_asked"), "by the lanes of loads"),
    metric("gld_bytes_moved", "bytes", Sum("timing.global.load.bytes_moved"), "by the transactions of loads"),
    metric("gld_efficiency", "fraction", Mean("timing.global.load_efficiency", "timing.global.load.bytes_moved"), "bytes asked per byte moved"),
    metric("gld_coalesced_groups", "groups", Sum("timing.global.load.coalesced_groups"), "half-warps or warps of loads that coalesced"),
    metric("gld_uncoalesced_groups", "groups", Sum("timing.global.load.uncoalesced_groups"), "those that did not"),
    metric("gld_latency", "hot cycles", Mean("timing.global.mean_load_latency", "timing.global.load.requests"), "from issue of a load until its values can be used"),
    metric("cgma", "operations/word", Mean("timing.global.cgma", "timing.global.load.bytes_asked"), "floating-point operations per 32-bit word that lanes load"),
    metric("load_roof_gflops", "GFLOP/s", Mean("timing.global.load_roof_gflops", "timing.global.load.bytes_asked"), "that this allows where the DRAM at its peak moves each of these words"),
    metric("gst_requests", "requests", Sum("timing.global.store.requests"), "global stores by warps"),
    metric("gst_transactions", "transactions", Sum("timing.global.store.transactions"), "what coalescing made of them"),
    metric("gst_transactions_per_request", "transactions", Mean("timing.global.store_transactions_per_request", "timing.global.store.requests"), "mean of all stores"),
    metric("gst_bytes_asked", "bytes", Sum("timing.global.store.bytes_asked"), "by the lanes of stores"),
    metric("gst_bytes_moved", "bytes", Sum("timing.global.store.bytes_moved"), "by the transactions of stores"),
    metric("gst_efficiency", "fraction", Mean("timing.global.store_efficiency", "timing.global.store.bytes_moved"), "bytes asked per byte moved"),
    metric("gst_coalesced_groups", "groups", Sum("timing.global.store.coalesced_groups"), "half-warps or warps of stores that coalesced"),
    metric("gst_uncoalesced_groups", "groups", Sum("timing.global.store.uncoalesced_groups"), "those that did not"),
    metric("atom_requests", "requests", Sum("timing.global.atomic.requests"), "global atomics and reductions by warps"),
    metric("atom_transactions", "transactions", Sum("timing.global.atomic.transactions"), "what coalescing made of them"),
    metric("atom_bytes_asked", "bytes", Sum("timing.global.atomic.bytes_asked"), "by the lanes of atomics"),
    metric("atom_bytes_moved", "bytes", Sum("timing.global.atomic.bytes_moved"), "by the transactions of atomics"),
    metric("atom_coalesced_groups", "groups", Sum("timing.global.atomic.coalesced_groups"), "half-warps or warps of atomics that coalesced"),
    metric("atom_uncoalesced_groups", "groups", Sum("timing.global.atomic.uncoalesced_groups"), "those that did not"),
    metric("local_load_requests", "requests", Sum("timing.local.load.requests"), "local loads by warps"),
    metric("local_load_transactions", "transactions", Sum("timing.local.load.transactions"), "what coalescing made of them"),
    metric("local_load_transactions_per_request", "transactions", Mean("timing.local.load_transactions_per_request", "timing.local.load.requests"), "mean of all local loads"),
    metric("local_load_bytes_asked", "bytes", Sum("timing.local.load.bytes_asked"), "by the lanes of local loads"),
    metric("local_load_bytes_moved", "bytes", Sum("timing.local.load.bytes_moved"), "by the transactions of local loads"),
    metric("local_load_coalesced_groups", "groups", Sum("timing.local.load.coalesced_groups"), "half-warps or warps of local loads that coalesced, each of their words by itself"),
    metric("local_load_uncoalesced_groups", "groups", Sum("timing.local.load.uncoalesced_groups"), "those that did not"),
    metric("local_store_requests", "requests", Sum("timing.local.store.requests"), "local stores by warps"),
    metric("local_store_transactions", "transactions", Sum("timing.local.store.transactions"), "what coalescing made of them"),
    metric("local_store_transactions_per_request", "transactions", Mean("timing.local.store_transactions_per_request", "timing.local.store.requests"), "mean of all local stores"),
    metric("local_store_bytes_asked", "bytes", Sum("timing.local.store.bytes_asked"), "by the lanes of local stores"),
    metric("local_store_bytes_moved", "bytes", Sum("timing.local.store.bytes_moved"), "by the transactions of local stores"),
    metric("local_store_coalesced_groups", "groups", Sum("timing.local.store.coalesced_groups"), "half-warps or warps of local stores that coalesced, each of their words by itself"),
    metric("local_store_uncoalesced_groups", "groups", Sum("timing.local.store.uncoalesced_groups"), "those that did not"),
    metric("shared_load", "requests", Sum("timing.shared.load.requests"), "shared loads by warps"),
    metric("shared_load_passes", "passes", Sum("timing.shared.load.passes"), "over the banks, of loads"),
    metric("shared_load_conflict_passes", "passes", Sum("timing.shared.load.conflict_passes"), "beyond the least, of loads"),
    metric("shared_load_bytes", "bytes", Sum("timing.shared.load.bytes_asked"), "asked by the lanes of loads"),
    metric("shared_store", "requests", Sum("timing.shared.store.requests"), "shared stores by warps"),
    metric("shared_store_passes", "passes", Sum("timing.shared.store.passes"), "over the banks, of stores"),
    metric("shared_store_conflict_passes", "passes", Sum("timing.shared.store.conflict_passes"), "beyond the least, of stores"),
    metric("shared_store_bytes", "bytes", Sum("timing.shared.store.bytes_asked"), "asked by the lanes of stores"),
    metric("shared_atom", "requests", Sum("timing.shared.atomic.requests"), "shared atomics and reductions by warps"),
    metric("shared_atom_passes", "passes", Sum("timing.shared.atomic.passes"), "over the banks, of atomics"),
    metric("shared_atom_conflict_passes", "passes", Sum("timing.shared.atomic.conflict_passes"), "beyond the least, of atomics"),
    metric("shared_atom_bytes", "bytes", Sum("timing.shared.atomic.bytes_asked"), "asked by the lanes of atomics"),
    metric("shared_replay_overhead", "replays/instruction", Mean("timing.shared.replay_overhead", "instructions.warp"), "replays for bank conflicts per instruction executed"),
    metric("const_requests", "requests", Sum("timing.constant.const_requests"), "warp loads of constant memory"),
    metric("param_requests", "requests", Sum("timing.constant.param_requests"), "warp loads of parameters"),
    metric("l1_global_load_hit", "lines", Sum("timing.l1.global_load_hit"), "lines of global loads that were in the L1"),
    metric("l1_global_load_miss", "lines", Sum("timing.l1.global_load_miss"), "those that were not"),
    metric("uncached_global_load_transaction", "lines", Sum("timing.l1.uncached_global_loads"), "lines of global loads that went past the L1"),
    metric("l1_cache_global_hit_rate", "fraction", Mean("timing.l1.global_hit_rate", "timing.global.load.requests"), "hits of the global loads that the L1 caches"),
    metric("l1_local_load_hit", "lines", Sum("timing.l1.local_load_hit"), "lines of local loads that were in the L1"),
    metric("l1_local_load_miss", "lines", Sum("timing.l1.local_load_miss"), "those that were not"),
    metric("l1_local_store_hit", "lines", Sum("timing.l1.local_store_hit"), "lines of local stores that were in the L1"),
    metric("l1_local_store_miss", "lines", Sum("timing.l1.local_store_miss"), "those that were not"),
    metric("l1_cache_local_hit_rate", "fraction", Mean("timing.l1.local_hit_rate", "timing.local.load.requests"), "hits of local loads and stores"),
    metric("l1_local_words_dirtied", "words", Sum("timing.l1.local_words_dirtied"), "that local stores made dirty in the L1"),
    metric("l1_local_words_written_back", "words", Sum("timing.l1.local_words_written_back"), "of them written out when their line went"),
    metric("l1_local_words_left", "words", Sum("timing.l1.local_words_left"), "of them left in the L1 at the end"),
    metric("l2_read_sector_queries", "sectors", Sum("timing.l2.read_sector_queries"), "of 32 bytes that loads asked the L2 for"),
    metric("l2_read_sector_misses", "sectors", Sum("timing.l2.read_sector_misses"), "those that were not there"),
    metric("l2_read_hit_rate", "fraction", Mean("timing.l2.read_hit_rate", "timing.l2.read_sector_queries"), "of the sectors of loads"),
    metric("l2_write_sector_queries", "sectors", Sum("timing.l2.write_sector_queries"), "that stores wrote to in the L2"),
    metric("l2_atomic_sector_queries", "sectors", Sum("timing.l2.atomic_sector_queries"), "that atomics asked the L2 for"),
    metric("l2_atomic_sector_misses", "sectors", Sum("timing.l2.atomic_sector_misses"), "those that were not there"),
    metric("l2_dram_read_bytes", "bytes", Sum("timing.l2.read_bytes"), "that the DRAM read for the L2"),
    metric("l2_dram_write_bytes", "bytes", Sum("timing.l2.written_bytes"), "that the L2 wrote to the DRAM"),
    metric("const_cache_requests", "requests", Sum("timing.constant.l1.requests"), "warp loads that went through the SMs' constant caches"),
    metric("const_cache_operands", "instructions", Sum("timing.constant.l1.operands"), "with a word of constant memory as an operand"),
    metric("const_cache_accesses", "accesses", Sum("timing.constant.l1.accesses"), "of the SMs' constant caches: different addresses of a group, and operands"),
    metric("const_l1_hits", "lines", Sum("timing.constant.l1.hits"), "looked up in the SMs' constant caches, and there"),
    metric("const_l1_misses", "lines", Sum("timing.constant.l1.misses"), "looked up there, and not there"),
    metric("const_l2_hits", "lines", Sum("timing.constant.l2.hits"), "looked up in the clusters' constant caches, and there"),
    metric("const_l2_misses", "lines", Sum("timing.constant.l2.misses"), "looked up there, and not there"),
    metric("const_l3_hits", "lines", Sum("timing.constant.l3.hits"), "looked up in the partitions' constant caches, and there"),
    metric("const_l3_misses", "lines", Sum("timing.constant.l3.misses"), "looked up there, and not there"),
    metric("const_line_requests", "lines", Sum("timing.constant.line_requests"), "of constants that partitions were asked for"),
    metric("const_replay_overhead", "replays/instruction", Mean("timing.constant.replay_overhead", "instructions.warp"), "replays for further addresses of constant memory per instruction executed"),
    metric("fetch_hits", "lines", Sum("timing.fetch.hits"), "of code, looked up in the SMs' instruction caches, and there"),
    metric("fetch_misses", "lines", Sum("timing.fetch.misses"), "looked up there, and not there"),
    metric("tlb_first_hits", "pages", Sum("timing.tlb.first.hits"), "looked up in the clusters' translation, and known"),
    metric("tlb_first_misses", "pages", Sum("timing.tlb.first.misses"), "looked up there, and not known"),
    metric("tlb_second_hits", "pages", Sum("timing.tlb.second.hits"), "looked up in its second level, and known"),
    metric("tlb_second_misses", "pages", Sum("timing.tlb.second.misses"), "looked up there, and not known"),
    metric("dram_read_bytes", "bytes", Sum("timing.dram.read_bytes"), "over the bus, whole bursts"),
    metric("dram_write_bytes", "bytes", Sum("timing.dram.write_bytes"), "over the bus, whole bursts"),
    metric("dram_gbps", "GB/s", Mean("timing.dram.gbps", CYCLES), "both together, over the run"),
    metric("dram_utilization", "fraction", Mean("timing.dram.utilisation", CYCLES), "of the peak"),
    metric("dram_row_hits", "accesses", Sum("timing.dram.row_hits"), "that found their row open"),
    metric("dram_row_misses", "accesses", Sum("timing.dram.row_misses"), "that found no row open"),
    metric("dram_row_conflicts", "accesses", Sum("timing.dram.row_conflicts"), "that found another row open"),
    metric("dram_refreshes", "refreshes", Sum("timing.dram.refreshes"), "of all channels"),
    metric("issue_slots", "slots", Sum(SLOTS), "all of ledger 1, of which the next are shares"),
    metric("issue_slot_utilization", "fraction", Share("timing.slots.issued", SLOTS), "an instruction went to a unit"),
    metric("issued_second", "instructions", Sum("timing.slots.paired"), "of those, through a second dispatch port"),
    metric("slots_held", "fraction", Share("timing.slots.held", SLOTS), "later slots of an instruction that takes several"),
    metric("slots_replay_bank_conflict", "fraction", Share("timing.slots.replay_bank_conflict", SLOTS), "again, for bank conflicts"),
    metric("slots_replay_constant", "fraction", Share("timing.slots.replay_constant", SLOTS), "again, for further addresses of constant memory"),
    metric("slots_shut_by_other", "fraction", Share("timing.slots.shut_by_other", SLOTS), "kept empty by another scheduler's instruction"),
    metric("slots_as_first_port", "fraction", Share("timing.slots.as_first_port", SLOTS), "of second ports, nothing new through the first"),
    metric("slots_not_pairable", "fraction", Share("timing.slots.not_pairable", SLOTS), "of second ports, nothing could go with the first"),
    metric("slots_no_warp", "fraction", Share("timing.slots.no_warp", SLOTS), "empty, and no warp was resident"),
    metric("slots_empty", "fraction", Share("timing.slots.empty.*", SLOTS), "empty, and no resident warp could issue"),
    metric("resident_warp_cycles", "issue cycles", Sum(RESIDENT), "all of ledger 2, of which the next are shares"),
];

/// The share of a warp state in ledger 2.
#[rustfmt::skip]
const fn of_state(state: WarpState) -> Metric {
    let (name, path, about) = match state {
        WarpState::Issuing => ("warps_issuing", "timing.warps.states.issuing", "its instruction issues or holds the scheduler"),
        WarpState::NotSelected => ("stall_not_selected", "timing.warps.states.not_selected", "ready, but another warp was taken"),
        WarpState::PipeBusy => ("stall_pipe_busy", "timing.warps.states.pipe_busy", "its unit still takes in an earlier instruction"),
        WarpState::LsuFull => ("stall_lsu_full", "timing.warps.states.lsu_full", "no room in the load/store unit"),
        WarpState::Fetch => ("stall_fetch", "timing.warps.states.fetch", "its instruction is being fetched"),
        WarpState::ExecutionDependency => ("stall_execution_dependency", "timing.warps.states.execution_dependency", "an operand is being computed"),
        WarpState::ConstantDependency => ("stall_constant_dependency", "timing.warps.states.constant_dependency", "an operand comes from constant memory or parameters"),
        WarpState::SharedDependency => ("stall_shared_dependency", "timing.warps.states.shared_dependency", "an operand comes from shared memory"),
        WarpState::MemoryDependency => ("stall_memory_dependency", "timing.warps.states.memory_dependency", "an operand comes from global or local memory"),
        WarpState::Membar => ("stall_membar", "timing.warps.states.membar", "waits for a fence"),
        WarpState::Barrier => ("stall_barrier", "timing.warps.states.barrier", "waits for other warps of its block"),
        WarpState::Exited => ("stall_exited", "timing.warps.states.exited", "has ended, and its block has not"),
    };
    metric(name, "fraction", Share(path, RESIDENT), about)
}

/// The chip.
#[rustfmt::skip]
const CHIP: &[Metric] = &[
    metric("sms", "SMs", Same("chip.sms"), "of the chip"),
    metric("hot_mhz", "MHz", Same("chip.hot_mhz"), "shader clock"),
    metric("peak_gflops", "GFLOP/s", Same("chip.peak_gflops"), "of the chip"),
    metric("peak_gbps", "GB/s", Same("chip.peak_gbps"), "of the chip"),
];

/// All metrics, in the order of the columns.
pub static ALL: LazyLock<Vec<Metric>> = LazyLock::new(|| {
    let states = WarpState::ALL.map(of_state);
    COUNTS.iter().copied().chain(states).chain(CHIP.iter().copied()).collect()
});
