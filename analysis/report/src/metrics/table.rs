//! The registry of metrics: name, unit, report field, meaning, formula and advice. Counters of a
//! group and warp states come from their lists in sim-core; all other metrics have a row here.
//!
//! `warpsim explain`, the columns of `warpsim sweep` and `docs/METRICS.md` are made from it. Names
//! are nvprof's if nvprof has the metric.

use super::Value::{Launches, Mean, Same, Share, Sum};
use super::groups::counters_of;
use super::{Group, Metric, Value};
use isa::terms::Terms;
use sim_core::stats::{
    ConstCounters, GlobalCounters, L2Counters, LevelCounters, SharedCounters, TextureCounters, WarpState,
};
use std::sync::LazyLock;

const fn metric(name: &'static str, unit: &'static str, value: Value, about: &'static str) -> Metric {
    Metric { name, unit, value, about, group: Group::Time, formula: "", improve: "" }
}

impl Metric {
    /// Adds a formula over other metrics.
    const fn is(self, formula: &'static str) -> Self {
        Self { formula, ..self }
    }

    /// Adds advice.
    const fn try_this(self, improve: &'static str) -> Self {
        Self { improve, ..self }
    }
}

const CYCLES: &str = "timing.cycles";
const SLOTS: &str = "timing.slots.total";
pub(super) const RESIDENT: &str = "timing.warps.resident";

#[rustfmt::skip]
const TIME: &[Metric] = &[
    metric("launches", "", Launches, "kernel launches that the host program makes"),
    metric("cycles", "shader cycles", Sum(CYCLES), "from the launch until all its memory traffic is ordered")
        .try_this("Find what the warps wait for: the largest stall in the warp state breakdown. If they do not wait (`issue_slot_utilization` near 1), execute fewer instructions (`inst_executed`)."),
    metric("microseconds", "us", Sum("timing.microseconds"), "the cycles of the launch at the shader clock").is("cycles / shader_mhz"),
    metric("ipc", "instructions/cycle", Mean("timing.ipc", CYCLES), "warp instructions per shader cycle and SM").is("inst_executed / (cycles * sms)")
        .try_this("Look at the issue slot breakdown: `slots_empty` is the share of slots without an eligible warp, `slots_held` and the replays are slots that earlier instructions take. Then reduce the largest stall."),
    metric("gflops", "GFLOP/s", Mean("timing.gflops", "timing.microseconds"), "rate of floating-point operations, both precisions together").is("(flop_count_sp + flop_count_dp) / (1000 * microseconds)")
        .try_this("Compare with `peak_gflops` and `load_roof_gflops`. Near `load_roof_gflops`, raise the arithmetic intensity (`cgma`); below both, reduce the largest stall."),
    metric("inst_executed", "instructions", Sum("instructions.warp"), "warp instructions executed")
        .try_this("Unroll loops, compute addresses once, let each thread compute several results, and avoid divergence (`warp_execution_efficiency`)."),
    metric("thread_inst_executed", "instructions", Sum("instructions.thread"), "thread instructions executed: the active lanes of all warp instructions"),
    metric("flop_count_sp", "operations", Sum("instructions.flops_sp"), "single-precision (f32) operations; a multiply-add counts as two"),
    metric("flop_count_dp", "operations", Sum("instructions.flops_dp"), "double-precision (f64) operations; a multiply-add counts as two")
        .try_this("Double precision has a lower throughput than single precision on every chip that has it: use f32 where the accuracy suffices."),
];

#[rustfmt::skip]
const OCCUPANCY: &[Metric] = &[
    metric("achieved_occupancy", "fraction", Mean("timing.achieved_occupancy", "timing.sms.*.active_issue_cycles"), "resident warps / warp slots, averaged over the cycles in which an SM has a resident warp")
        .is("resident_warp_cycles / (active issue cycles of the SMs * warp slots of an SM)")
        .try_this("Launch enough blocks to fill all SMs several times. If it is near `occupancy`, raise that; if it is far below, the blocks take different times or the grid is too small (`slots_no_warp`)."),
    metric("occupancy", "fraction", Same("launch.occupancy.occupancy"), "theoretical occupancy: warps that fit on an SM / warp slots of the SM").is("warps_per_sm / warp slots of an SM")
        .try_this("Use less of the resource that limits it: `registers_per_thread`, `shared_bytes`, or another block size. `warpsim occupancy KERNEL` shows the limits. More occupancy helps only while warps wait for latency."),
    metric("blocks_per_sm", "blocks", Same("launch.occupancy.blocks"), "blocks that fit on an SM together")
        .try_this("Use fewer registers (`registers_per_block`), less shared memory (`shared_per_block`) or smaller blocks (`warps_per_block`)."),
    metric("warps_per_sm", "warps", Same("launch.occupancy.warps"), "warps that fit on an SM together").is("blocks_per_sm * warps_per_block"),
    metric("threads_per_sm", "threads", Same("launch.occupancy.threads"), "threads that fit on an SM together").is("blocks_per_sm * threads of a block"),
    metric("warps_per_block", "warps", Same("launch.warps_per_block"), "warps of a block; the last one may be partly filled")
        .try_this("Make the number of threads of a block a multiple of 32, so that no warp is partly filled."),
    metric("registers_per_thread", "registers", Same("launch.registers"), "32-bit registers of a thread")
        .try_this("Shorten the live ranges of values: compute them near their use, unroll less. `warpsim check KERNEL` shows where most registers are live."),
    metric("registers_per_block", "registers", Same("launch.occupancy.registers_per_block"), "registers allocated to a block, rounded up to the allocation unit"),
    metric("local_bytes", "bytes", Same("launch.local_bytes"), "local memory of a thread")
        .try_this("Index local arrays with constants only, or place them in shared memory."),
    metric("shared_bytes", "bytes", Same("launch.shared_bytes"), "static and dynamic shared memory of a block"),
    metric("shared_per_block", "bytes", Same("launch.occupancy.shared_per_block"), "shared memory allocated to a block, rounded up to the allocation unit"),
];

#[rustfmt::skip]
const CONTROL: &[Metric] = &[
    metric("branch", "branches", Sum("control.branches"), "conditional branches executed by warps")
        .try_this("Unroll loops, and replace short branches by predicated instructions or selects."),
    metric("divergent_branch", "branches", Sum("control.divergent_branches"), "conditional branches at which the lanes of a warp took both paths"),
    metric("branch_efficiency", "fraction", Mean("control.branch_efficiency", "control.branches"), "share of the conditional branches that did not diverge; 1 without branches").is("(branch - divergent_branch) / branch")
        .try_this("Let the condition depend on the warp, not on the lane: for example threadIdx / 32 instead of threadIdx % 2."),
    metric("warp_execution_efficiency", "fraction", Mean("control.warp_execution_efficiency", "instructions.warp"), "active lanes of a warp instruction / 32").is("thread_inst_executed / (32 * inst_executed)")
        .try_this("Avoid divergent branches (`branch_efficiency`), and use blocks of a multiple of 32 threads. In a reduction, let neighboring threads work."),
    metric("barriers", "barriers", Sum("control.barriers"), "barrier instructions executed by warps"),
];

const COALESCE: &str = "Let consecutive threads access consecutive words, aligned to the size of the group's \
     segment; transpose through shared memory where the algorithm needs another order; use arrays instead of an \
     array of structures.";

#[rustfmt::skip]
const GLOBAL: &[Metric] = &[
    metric("gld_transactions_per_request", "transactions", Mean("timing.global.load_transactions_per_request", "timing.global.load.requests"), "transactions of a global load, averaged").is("gld_transactions / gld_requests").try_this(COALESCE),
    metric("gld_efficiency", "fraction", Mean("timing.global.load_efficiency", "timing.global.load.bytes_moved"), "bytes requested by global loads / bytes that their transactions move; above 1 where lanes load the same word").is("gld_bytes_asked / gld_bytes_moved").try_this(COALESCE),
    metric("gld_latency", "shader cycles", Mean("timing.global.mean_load_latency", "timing.global.load.requests"), "mean time from the issue of a global load until its values can be used").is("sum of the latencies / global loads that have returned")
        .try_this("Make fewer transactions (`gld_transactions_per_request`): a long queue at the DRAM adds to the unloaded latency. On chips with caches, raise the hit rates (`l1_cache_global_hit_rate`, `l2_read_hit_rate`)."),
    metric("gld_congestion", "ratio", Mean("timing.limits.congestion", "timing.global.load.requests"), "mean latency of a global load / its unloaded latency").is("gld_latency / unloaded latency of the chip"),
    metric("gld_in_flight", "loads", Mean("timing.limits.loads_in_flight", CYCLES), "global loads of warps in flight per SM, averaged over the launch").is("sum of the latencies / cycles / sms")
        .try_this("Raise the occupancy, or let each warp issue several independent loads before it uses the first value."),
    metric("gld_in_flight_needed", "loads", Mean("timing.limits.loads_needed", CYCLES), "global loads of warps per SM that keep the DRAM busy at the mean latency (Little's law)").is("gld_latency * peak bytes per cycle / DRAM bytes per load / sms"),
    metric("cgma", "operations/word", Mean("timing.global.cgma", "timing.global.load.bytes_asked"), "arithmetic intensity (the book's CGMA): floating-point operations per 32-bit word that threads load from global memory").is("4 * (flop_count_sp + flop_count_dp) / gld_bytes_asked")
        .try_this("Load each word once and use it often: tile data through shared memory, and compute several results per thread from values in registers."),
    metric("load_roof_gflops", "GFLOP/s", Mean("timing.global.load_roof_gflops", "timing.global.load.bytes_asked"), "peak that the arithmetic intensity allows, if every loaded word came from DRAM at its peak bandwidth").is("peak_gbps / 4 * cgma")
        .try_this("Raise the arithmetic intensity (`cgma`)."),
    metric("gst_transactions_per_request", "transactions", Mean("timing.global.store_transactions_per_request", "timing.global.store.requests"), "transactions of a global store, averaged").is("gst_transactions / gst_requests").try_this(COALESCE),
    metric("gst_efficiency", "fraction", Mean("timing.global.store_efficiency", "timing.global.store.bytes_moved"), "bytes requested by global stores / bytes that their transactions move").is("gst_bytes_asked / gst_bytes_moved").try_this(COALESCE),
];

#[rustfmt::skip]
const LOCAL: &[Metric] = &[
    metric("local_load_transactions_per_request", "transactions", Mean("timing.local.load_transactions_per_request", "timing.local.load.requests"), "transactions of a local load, averaged").is("local_load_transactions / local_load_requests"),
    metric("local_store_transactions_per_request", "transactions", Mean("timing.local.store_transactions_per_request", "timing.local.store.requests"), "transactions of a local store, averaged").is("local_store_transactions / local_store_requests"),
];

#[rustfmt::skip]
const SHARED: &[Metric] = &[
    metric("shared_replay_overhead", "replays/instruction", Mean("timing.shared.replay_overhead", "instructions.warp"), "replays because of bank conflicts, per executed warp instruction").is("slots_replay_bank_conflict * issue_slots / inst_executed")
        .try_this("Let the lanes that access shared memory together use different banks: consecutive words, an odd stride, or a padded row (17 words for 16). Lanes that read the same word do not conflict."),
];

#[rustfmt::skip]
const REQUESTS: &[Metric] = &[
    metric("const_requests", "requests", Sum("timing.constant.const_requests"), "warp loads from constant memory"),
    metric("param_requests", "requests", Sum("timing.constant.param_requests"), "warp loads of kernel parameters"),
];

#[rustfmt::skip]
const L1: &[Metric] = &[
    metric("l1_global_load_hit", "lines", Sum("timing.l1.global_load_hit"), "lines of global loads that hit in the L1"),
    metric("l1_global_load_miss", "lines", Sum("timing.l1.global_load_miss"), "lines of global loads that missed in the L1"),
    metric("uncached_global_load_transaction", "lines", Sum("timing.l1.uncached_global_loads"), "lines of global loads that bypass the L1"),
    metric("l1_cache_global_hit_rate", "fraction", Mean("timing.l1.global_hit_rate", "timing.global.load.requests"), "L1 hit rate of global loads").is("l1_global_load_hit / (l1_global_load_hit + l1_global_load_miss)")
        .try_this("Access all words of a 128-byte line close together in time, run fewer blocks at once, or prefer the L1 over shared memory (--cache prefer-l1)."),
    metric("l1_local_load_hit", "lines", Sum("timing.l1.local_load_hit"), "lines of local loads that hit in the L1"),
    metric("l1_local_load_miss", "lines", Sum("timing.l1.local_load_miss"), "lines of local loads that missed in the L1"),
    metric("l1_local_store_hit", "lines", Sum("timing.l1.local_store_hit"), "lines of local stores that hit in the L1"),
    metric("l1_local_store_miss", "lines", Sum("timing.l1.local_store_miss"), "lines of local stores that missed in the L1"),
    metric("l1_cache_local_hit_rate", "fraction", Mean("timing.l1.local_hit_rate", "timing.local.load.requests"), "L1 hit rate of local loads and stores").is("(l1_local_load_hit + l1_local_store_hit) / (l1_local_load_hit + l1_local_load_miss + l1_local_store_hit + l1_local_store_miss)")
        .try_this("Use less local memory (`local_bytes`), or prefer the L1 over shared memory (--cache prefer-l1)."),
    metric("l1_local_words_dirtied", "words", Sum("timing.l1.local_words_dirtied"), "words that local stores made dirty in the L1").is("l1_local_words_written_back + l1_local_words_left"),
    metric("l1_local_words_written_back", "words", Sum("timing.l1.local_words_written_back"), "dirty words of local memory that the L1 wrote back when it evicted their line"),
    metric("l1_local_words_left", "words", Sum("timing.l1.local_words_left"), "dirty words of local memory in the L1 at the end of the launch"),
];

#[rustfmt::skip]
const BEHIND_L1: &[(Group, &[Metric])] = &[
    (Group::L2, &[
        metric("l2_read_hit_rate", "fraction", Mean("timing.l2.read_hit_rate", "timing.l2.read_sector_queries"), "L2 hit rate of the sectors that loads read").is("(l2_read_sector_queries - l2_read_sector_misses) / l2_read_sector_queries")
            .try_this("Let blocks that run at the same time read the same data, and keep the data in use smaller than the L2."),
    ]),
    (Group::Constant, &[
        metric("const_line_requests", "lines", Sum("timing.constant.line_requests"), "lines of constants and code requested from the memory partitions"),
        metric("const_replay_overhead", "replays/instruction", Mean("timing.constant.replay_overhead", "instructions.warp"), "replays because lanes read different addresses of constant memory, per executed warp instruction").is("slots_replay_constant * issue_slots / inst_executed")
            .try_this("Let all lanes of a warp read the same address of constant memory. Place data that each lane indexes differently in shared or global memory."),
    ]),
];

#[rustfmt::skip]
const TEXTURE: &[Metric] = &[
    metric("tex_cache_hit_rate", "fraction", Mean("timing.texture.cache_hit_rate", "timing.texture.cache_requests"), "hit rate of the texture caches of the clusters (Fermi: of the SMs)").is("tex_cache_hit / tex_cache_requests")
        .try_this("Let the threads of a block fetch texels near each other, in two dimensions if the texture has two, and keep the texels in use smaller than the cache."),
    metric("tex_line_requests", "lines", Sum("timing.texture.line_requests"), "lines of textures requested from the memory partitions"),
];

const COPY_ONCE: &str = "Copy data that is used more than once to device memory, and let consecutive lanes access consecutive words.";

#[rustfmt::skip]
const MAPPED: &[Metric] = &[
    metric("mapped_read_bytes", "bytes", Sum("timing.mapped.read_bytes"), "bytes of mapped host memory read over the link").try_this(COPY_ONCE),
    metric("mapped_write_bytes", "bytes", Sum("timing.mapped.write_bytes"), "bytes of mapped host memory written over the link").try_this(COPY_ONCE),
    metric("mapped_read_utilization", "fraction", Mean("timing.mapped.read_utilization", CYCLES), "bytes of mapped host memory read / bytes that the link can carry in one direction").is("mapped_read_bytes / bytes that the link carries in this time"),
    metric("mapped_write_utilization", "fraction", Mean("timing.mapped.write_utilization", CYCLES), "bytes of mapped host memory written / bytes that the link can carry in one direction during the launch").is("mapped_write_bytes / bytes that the link carries in this time"),
];

const ROWS: &str = "Let warps that run at the same time access addresses near each other, so that they use a row of \
     the DRAM while it is open.";

#[rustfmt::skip]
const DRAM: &[Metric] = &[
    metric("dram_read_bytes", "bytes", Sum("timing.dram.read_bytes"), "bytes read over the DRAM bus, in whole bursts"),
    metric("dram_write_bytes", "bytes", Sum("timing.dram.write_bytes"), "bytes written over the DRAM bus, in whole bursts"),
    metric("dram_write_back_cycles", "shader cycles", Sum("timing.dram.write_back_cycles"), "from the end of a launch until its last write to the DRAM; not part of `cycles`"),
    metric("dram_gbps", "GB/s", Mean("timing.dram.gbps", CYCLES), "achieved DRAM bandwidth, reads and writes together, until the last write").is("(dram_read_bytes + dram_write_bytes) / (1000 * microseconds * (1 + dram_write_back_cycles / cycles))"),
    metric("dram_utilization", "fraction", Mean("timing.dram.utilization", CYCLES), "achieved / peak DRAM bandwidth").is("dram_gbps / peak_gbps")
        .try_this("Near 1 the kernel is limited by the DRAM: move fewer bytes (`gld_efficiency`, `cgma`). If it is low and warps wait for memory (`stall_memory_dependency`), the kernel is limited by latency."),
    metric("dram_row_hits", "accesses", Sum("timing.dram.row_hits"), "DRAM accesses that found their row open").try_this(ROWS),
    metric("dram_row_misses", "accesses", Sum("timing.dram.row_misses"), "DRAM accesses that found no row open").try_this(ROWS),
    metric("dram_row_conflicts", "accesses", Sum("timing.dram.row_conflicts"), "DRAM accesses that found another row of the bank open").try_this(ROWS),
    metric("dram_refreshes", "refreshes", Sum("timing.dram.refreshes"), "DRAM refreshes of all channels"),
];

#[rustfmt::skip]
const ISSUE: &[Metric] = &[
    metric("issue_slots", "slots", Sum(SLOTS), "all issue slots: the sum of the issue slot breakdown").is("SMs * schedulers of an SM * dispatch ports * issue cycles"),
    metric("issue_slot_utilization", "fraction", Share("timing.slots.issued", SLOTS), "issue slots in which a warp instruction issued")
        .try_this("Near 1 the schedulers are the limit: execute fewer instructions (`inst_executed`). Otherwise reduce the largest of the other shares of the issue slots."),
    metric("issued_second", "instructions", Sum("timing.slots.paired"), "warp instructions issued through a second dispatch port (dual issue)"),
    metric("slots_held", "fraction", Share("timing.slots.held", SLOTS), "issue slots after the first one of a multi-slot instruction")
        .try_this("Use instructions with a higher throughput: 24-bit integer multiplies instead of 32-bit ones on compute capability 1.x, shifts instead of divisions, approximate functions."),
    metric("slots_replay_bank_conflict", "fraction", Share("timing.slots.replay_bank_conflict", SLOTS), "issue slots of replays because of bank conflicts in shared memory")
        .try_this("Remove bank conflicts; see `shared_replay_overhead`."),
    metric("slots_replay_constant", "fraction", Share("timing.slots.replay_constant", SLOTS), "issue slots of replays because lanes read different addresses of constant memory")
        .try_this("Let all lanes of a warp read the same address; see `const_replay_overhead`."),
    metric("slots_shut_by_other", "fraction", Share("timing.slots.shut_by_other", SLOTS), "issue slots blocked by an instruction of another scheduler: double precision on Fermi takes the cores of both")
        .try_this("Execute fewer double-precision instructions (`flop_count_dp`)."),
    metric("slots_as_first_port", "fraction", Share("timing.slots.as_first_port", SLOTS), "issue slots of a second dispatch port whose first port issued no new instruction"),
    metric("slots_not_pairable", "fraction", Share("timing.slots.not_pairable", SLOTS), "issue slots of a second dispatch port that found no instruction to issue with the one of the first port")
        .try_this("Place independent instructions for different units next to each other (same warp), or mix such instructions in the kernel (another warp)."),
    metric("slots_no_warp", "fraction", Share("timing.slots.no_warp", SLOTS), "empty issue slots of schedulers without a resident warp")
        .try_this("Launch more blocks, a multiple of the blocks that all SMs hold together (`blocks_per_sm` times `sms`), and give all blocks the same amount of work."),
    metric("slots_empty", "fraction", Share("timing.slots.empty.*", SLOTS), "empty issue slots of schedulers with resident warps, none of them eligible")
        .try_this("Reduce the largest stall of the warp state breakdown, or keep more warps resident (`achieved_occupancy`)."),
];

#[rustfmt::skip]
const WARPS: &[Metric] = &[
    metric("resident_warp_cycles", "issue cycles", Sum(RESIDENT), "issue cycles of all resident warps: the sum of the warp state breakdown"),
];

#[rustfmt::skip]
const CHIP: &[Metric] = &[
    metric("sms", "SMs", Same("chip.sms"), "streaming multiprocessors of the chip"),
    metric("shader_mhz", "MHz", Same("chip.shader_mhz"), "shader clock of the chip"),
    metric("peak_gflops", "GFLOP/s", Same("chip.peak_gflops"), "peak rate of single-precision operations of the chip"),
    metric("peak_gbps", "GB/s", Same("chip.peak_gbps"), "peak DRAM bandwidth of the chip"),
];

/// Returns the metric for the share of a state in the warp state breakdown.
fn of_state(state: WarpState) -> Metric {
    let name = super::name_of(state);
    let prefix = if state == WarpState::Issuing { "warps" } else { "stall" };
    let value = Share(format!("timing.warps.states.{name}").leak(), RESIDENT);
    metric(
        format!("{prefix}_{name}").leak(),
        "fraction",
        value,
        state.explanation(&Terms::CUDA).into_owned().leak(),
    )
    .try_this(state.advice())
}

/// All metrics, in the order of the columns.
pub static ALL: LazyLock<Vec<Metric>> = LazyLock::new(|| {
    let mut parts = vec![
        (Group::Time, TIME.to_vec()),
        (Group::Occupancy, OCCUPANCY.to_vec()),
        (Group::Control, CONTROL.to_vec()),
        (Group::Global, counters_of::<GlobalCounters>("gld", "timing.global.load", "global loads")),
        (Group::Global, counters_of::<GlobalCounters>("gst", "timing.global.store", "global stores")),
        (Group::Global, counters_of::<GlobalCounters>("atom", "timing.global.atomic", "global atomics")),
        (Group::Global, GLOBAL.to_vec()),
        (Group::Local, counters_of::<GlobalCounters>("local_load", "timing.local.load", "local loads")),
        (Group::Local, counters_of::<GlobalCounters>("local_store", "timing.local.store", "local stores")),
        (Group::Local, LOCAL.to_vec()),
        (Group::Shared, counters_of::<SharedCounters>("shared_load", "timing.shared.load", "shared loads")),
        (
            Group::Shared,
            counters_of::<SharedCounters>("shared_store", "timing.shared.store", "shared stores"),
        ),
        (
            Group::Shared,
            counters_of::<SharedCounters>("shared_atom", "timing.shared.atomic", "shared atomics"),
        ),
        (Group::Shared, SHARED.to_vec()),
        (Group::Constant, REQUESTS.to_vec()),
        (Group::L1, L1.to_vec()),
        (Group::L2, counters_of::<L2Counters>("l2", "timing.l2", "L2")),
        (
            Group::Constant,
            counters_of::<ConstCounters>("const_l1", "timing.constant.l1", "constant caches of the SMs"),
        ),
        (
            Group::Constant,
            counters_of::<LevelCounters>("const_l2", "timing.constant.l2", "constant caches of the clusters"),
        ),
        (
            Group::Constant,
            counters_of::<LevelCounters>(
                "const_l3",
                "timing.constant.l3",
                "constant caches of the partitions",
            ),
        ),
    ];
    parts.extend(BEHIND_L1.iter().map(|(group, metrics)| (*group, metrics.to_vec())));
    parts.extend([
        (Group::Texture, counters_of::<TextureCounters>("tex", "timing.texture", "textures")),
        (Group::Texture, TEXTURE.to_vec()),
        (
            Group::Texture,
            counters_of::<LevelCounters>("tex_l2", "timing.texture.l2", "texture caches of the partitions"),
        ),
        (Group::Mapped, MAPPED.to_vec()),
        (
            Group::Fetch,
            counters_of::<LevelCounters>("fetch", "timing.fetch", "instruction caches of the SMs"),
        ),
        (Group::Tlb, counters_of::<LevelCounters>("tlb_first", "timing.tlb.first", "TLBs of the clusters")),
        (Group::Tlb, counters_of::<LevelCounters>("tlb_second", "timing.tlb.second", "second-level TLB")),
        (Group::Dram, DRAM.to_vec()),
        (Group::Slots, ISSUE.to_vec()),
        (Group::Warps, WARPS.to_vec()),
        (Group::Warps, WarpState::ALL.map(of_state).to_vec()),
        (Group::Chip, CHIP.to_vec()),
    ]);
    let grouped =
        |(group, metrics): (Group, Vec<Metric>)| metrics.into_iter().map(move |m| Metric { group, ..m });
    parts.into_iter().flat_map(grouped).collect()
});
