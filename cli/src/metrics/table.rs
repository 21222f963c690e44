//! The list of metrics: name, unit, where in the report it is, and how several launches of a point make one number.
//! Counters of a group and warp states come from their own lists; what is written here is computed or stands alone.
//! `docs/SWEEP.md` has the same list for readers; a test compares them. Names are nvprof's where it has one.

use super::Value::{Launches, Mean, Same, Share, Sum};
use super::{Metric, Value};
use sim_core::stats::{
    ConstCounters, Counter, Counters, GlobalCounters, L2Counters, LevelCounters, SharedCounters, WarpState,
};
use std::sync::LazyLock;

const fn metric(name: &'static str, unit: &'static str, value: Value, about: &'static str) -> Metric {
    Metric { name, unit, value, about }
}

const CYCLES: &str = "timing.cycles";
const SLOTS: &str = "timing.slots.total";
const RESIDENT: &str = "timing.warps.resident";

/// Launches, instructions and control flow.
#[rustfmt::skip]
const LAUNCHES: &[Metric] = &[
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
];

/// Computed from accesses to global memory.
#[rustfmt::skip]
const GLOBAL: &[Metric] = &[
    metric("gld_transactions_per_request", "transactions", Mean("timing.global.load_transactions_per_request", "timing.global.load.requests"), "mean of all loads"),
    metric("gld_efficiency", "fraction", Mean("timing.global.load_efficiency", "timing.global.load.bytes_moved"), "bytes asked per byte moved"),
    metric("gld_latency", "hot cycles", Mean("timing.global.mean_load_latency", "timing.global.load.requests"), "from issue of a load until its values can be used"),
    metric("cgma", "operations/word", Mean("timing.global.cgma", "timing.global.load.bytes_asked"), "floating-point operations per 32-bit word that lanes load"),
    metric("load_roof_gflops", "GFLOP/s", Mean("timing.global.load_roof_gflops", "timing.global.load.bytes_asked"), "that this allows where the DRAM at its peak moves each of these words"),
    metric("gst_transactions_per_request", "transactions", Mean("timing.global.store_transactions_per_request", "timing.global.store.requests"), "mean of all stores"),
    metric("gst_efficiency", "fraction", Mean("timing.global.store_efficiency", "timing.global.store.bytes_moved"), "bytes asked per byte moved"),
];

/// Computed from accesses to local memory.
#[rustfmt::skip]
const LOCAL: &[Metric] = &[
    metric("local_load_transactions_per_request", "transactions", Mean("timing.local.load_transactions_per_request", "timing.local.load.requests"), "mean of all local loads"),
    metric("local_store_transactions_per_request", "transactions", Mean("timing.local.store_transactions_per_request", "timing.local.store.requests"), "mean of all local stores"),
];

/// Computed from shared accesses; loads of constants and parameters; the L1.
#[rustfmt::skip]
const SHARED_AND_L1: &[Metric] = &[
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
];

/// Computed from look-ups of the L2 and from accesses to constant memory.
#[rustfmt::skip]
const BEHIND_L1: &[Metric] = &[
    metric("l2_read_hit_rate", "fraction", Mean("timing.l2.read_hit_rate", "timing.l2.read_sector_queries"), "of the sectors of loads"),
    metric("const_line_requests", "lines", Sum("timing.constant.line_requests"), "of constants that partitions were asked for"),
    metric("const_replay_overhead", "replays/instruction", Mean("timing.constant.replay_overhead", "instructions.warp"), "replays for further addresses of constant memory per instruction executed"),
];

/// DRAM, issue slots and warp cycles.
#[rustfmt::skip]
const DRAM_AND_SLOTS: &[Metric] = &[
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

/// The chip.
#[rustfmt::skip]
const CHIP: &[Metric] = &[
    metric("sms", "SMs", Same("chip.sms"), "of the chip"),
    metric("hot_mhz", "MHz", Same("chip.hot_mhz"), "shader clock"),
    metric("peak_gflops", "GFLOP/s", Same("chip.peak_gflops"), "of the chip"),
    metric("peak_gbps", "GB/s", Same("chip.peak_gbps"), "of the chip"),
];

/// Metrics that do not have the name of their group and counter.
const RENAMED: &[(&str, &str)] = &[
    ("shared_load_requests", "shared_load"),
    ("shared_load_bytes_asked", "shared_load_bytes"),
    ("shared_store_requests", "shared_store"),
    ("shared_store_bytes_asked", "shared_store_bytes"),
    ("shared_atom_requests", "shared_atom"),
    ("shared_atom_bytes_asked", "shared_atom_bytes"),
    ("l2_read_bytes", "l2_dram_read_bytes"),
    ("l2_written_bytes", "l2_dram_write_bytes"),
    ("const_l1_requests", "const_cache_requests"),
    ("const_l1_operands", "const_cache_operands"),
    ("const_l1_accesses", "const_cache_accesses"),
];

/// The counters of a group, which the report has at `path`. Their names begin with `prefix`; `of` says what is counted.
fn group<T: Counters>(prefix: &str, path: &str, of: &str) -> Vec<Metric> {
    let of_counter = |counter: &Counter| {
        let Counter { name, unit, meaning } = *counter;
        let plain = format!("{prefix}_{name}");
        let renamed = RENAMED.iter().find(|(from, _)| *from == plain);
        let (first, rest) = meaning.trim_end_matches('.').split_at(1);
        Metric {
            name: renamed.map_or_else(|| &*plain.leak(), |(_, to)| to),
            unit,
            value: Sum(format!("{path}.{name}").leak()),
            about: format!("{of}: {}{rest}", first.to_lowercase()).leak(),
        }
    };
    T::LIST.iter().filter(|counter| !counter.unit.is_empty()).map(of_counter).collect()
}

/// The share of a warp state in the warp state breakdown.
fn of_state(state: WarpState) -> Metric {
    let name = serde_json::to_value(state).expect("a state is a word");
    let name = name.as_str().expect("a state is a word");
    let prefix = if state == WarpState::Issuing { "warps" } else { "stall" };
    Metric {
        name: format!("{prefix}_{name}").leak(),
        unit: "fraction",
        value: Share(format!("timing.warps.states.{name}").leak(), RESIDENT),
        about: state.explanation(),
    }
}

/// All metrics, in the order of the columns.
pub static ALL: LazyLock<Vec<Metric>> = LazyLock::new(|| {
    [
        LAUNCHES.to_vec(),
        group::<GlobalCounters>("gld", "timing.global.load", "global loads"),
        group::<GlobalCounters>("gst", "timing.global.store", "global stores"),
        group::<GlobalCounters>("atom", "timing.global.atomic", "global atomics"),
        GLOBAL.to_vec(),
        group::<GlobalCounters>("local_load", "timing.local.load", "local loads"),
        group::<GlobalCounters>("local_store", "timing.local.store", "local stores"),
        LOCAL.to_vec(),
        group::<SharedCounters>("shared_load", "timing.shared.load", "shared loads"),
        group::<SharedCounters>("shared_store", "timing.shared.store", "shared stores"),
        group::<SharedCounters>("shared_atom", "timing.shared.atomic", "shared atomics"),
        SHARED_AND_L1.to_vec(),
        group::<L2Counters>("l2", "timing.l2", "L2"),
        group::<ConstCounters>("const_l1", "timing.constant.l1", "constant caches of the SMs"),
        group::<LevelCounters>("const_l2", "timing.constant.l2", "constant caches of the clusters"),
        group::<LevelCounters>("const_l3", "timing.constant.l3", "constant caches of the partitions"),
        BEHIND_L1.to_vec(),
        group::<LevelCounters>("fetch", "timing.fetch", "instruction caches of the SMs"),
        group::<LevelCounters>("tlb_first", "timing.tlb.first", "address translation of the clusters"),
        group::<LevelCounters>("tlb_second", "timing.tlb.second", "second level of address translation"),
        DRAM_AND_SLOTS.to_vec(),
        WarpState::ALL.map(of_state).to_vec(),
        CHIP.to_vec(),
    ]
    .concat()
});
