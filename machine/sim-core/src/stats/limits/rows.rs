//! The limits, a row for each: its name in texts, its meaning, the advice against it, the numbers
//! that show it, and what changes it. A new limit is a word of [`Limiter`], a row, and the rule
//! that finds it.

use super::change::{self, Effect, Effect::Chip, Effect::Unit, Effect::Work};
use super::evidence::{self, Facts, busiest, dram, lost, percent};
use super::{LimitReport, Limiter};
use crate::config::MapKind;
use isa::terms::Terms;

/// Texts and functions of a limit.
pub(super) struct LimitRow {
    limiter: Limiter,
    label: &'static str,
    meaning: &'static str,
    advice: &'static str,
    /// The numbers that show it, as a sentence.
    pub(super) shown: fn(&LimitReport, &Facts) -> String,
    /// Effect of a faster resource.
    pub(super) effect: Effect,
}

const ROWS: [LimitRow; Limiter::NAMES.len()] = [
    LimitRow {
        limiter: Limiter::IssueRate,
        label: "issue rate",
        meaning: "the schedulers issue in most of their slots: the SMs do as much as they can",
        advice: "Execute fewer instructions: unroll loops, keep addresses in registers, compute several results per \
                 thread, avoid divergence (`warp_execution_efficiency`) and slow integer division.",
        shown: evidence::issue_rate,
        effect: Chip(change::issue_rate),
    },
    LimitRow {
        limiter: Limiter::ExecutionUnit,
        label: "execution unit",
        meaning: "one kind of execution unit takes in instructions without a pause",
        advice: "Use fewer instructions of this unit: keep operands in registers, replace division by multiplication, \
                 and use the faster approximate functions where the accuracy allows it.",
        shown: evidence::execution_unit,
        effect: Unit(change::execution_unit),
    },
    LimitRow {
        limiter: Limiter::BankConflicts,
        label: "shared-memory bank conflicts",
        meaning: "shared accesses are replayed because lanes access different words of one bank",
        advice: "Let the lanes of a group access different banks: pad rows by one word, or change the stride \
                 (`shared_replay_overhead`).",
        shown: |report, facts| {
            let shared = facts.terms.shared;
            format!(
                "{} of the issue slots replay {} accesses with bank conflicts, {} are lost waiting for {shared}; its banks are busy in {} of all cycles",
                percent(report.slots.bank_conflicts),
                shared.strip_suffix(" memory").unwrap_or(shared),
                percent(report.slots.shared),
                percent(report.used.banks)
            )
        },
        effect: Chip(change::bank_conflicts),
    },
    LimitRow {
        limiter: Limiter::ConstantSerialization,
        label: "constant memory",
        meaning: "constant accesses are replayed because lanes read different addresses, or warps wait for constants",
        advice: "Let all lanes of a warp read the same constant in an instruction; read data that differs by lane from \
                 shared or global memory.",
        shown: evidence::constants,
        effect: Chip(change::constants),
    },
    LimitRow {
        limiter: Limiter::InstructionLatency,
        label: "instruction latency",
        meaning: "warps wait for results of earlier instructions, and too few others are ready",
        advice: "Give each warp independent instructions between a result and its use, or raise the occupancy \
                 (`achieved_occupancy`).",
        shown: |report, _| {
            let share = report.slots.latency + report.slots.shared;
            lost(share, "while all warps wait for results of earlier instructions")
        },
        effect: Chip(change::latencies),
    },
    LimitRow {
        limiter: Limiter::MemoryLatency,
        label: "global-memory latency",
        meaning: "warps wait for global memory whose parts are not busy: too few loads are in flight",
        advice: "Keep more loads in flight (`gld_in_flight`): raise the occupancy (`achieved_occupancy`), issue several \
                 independent loads before the first use, or prefetch.",
        shown: evidence::memory_latency,
        effect: Chip(change::memory_latency),
    },
    LimitRow {
        limiter: Limiter::MemoryPorts,
        label: "global-memory transaction rate",
        meaning: "the path of global accesses is full: load/store units, crossbar ports or partition ports",
        advice: "Make fewer transactions: coalesce accesses (`gld_transactions_per_request`), and reuse data through \
                 shared memory.",
        shown: evidence::ports,
        effect: Chip(change::ports),
    },
    LimitRow {
        limiter: Limiter::L2Bandwidth,
        label: "L2 bandwidth",
        meaning: "the L2 looks up as many sectors as it can",
        advice: "Read fewer sectors from the L2: coalesce (`gld_transactions_per_request`), and reuse data through \
                 shared memory, registers and the L1.",
        shown: |report, facts| {
            let share = report.used.l2.unwrap_or(0.0);
            format!("{}; {}", busiest(&[("L2 of the busiest partition", share)]), dram(facts))
        },
        effect: Chip(change::l2),
    },
    LimitRow {
        limiter: Limiter::DramBandwidth,
        label: "DRAM bandwidth",
        meaning: "the DRAM moves as many bytes as it can",
        advice: "Move fewer bytes: coalesce (`gld_efficiency`), reuse data through shared memory, registers and caches \
                 (`cgma`).",
        shown: |report, facts| match report.congestion {
            0.0 => dram(facts),
            times => format!("{}, and loads take {times:.1} times their unloaded latency", dram(facts)),
        },
        effect: Chip(change::bus),
    },
    LimitRow {
        limiter: Limiter::DramRows,
        label: "DRAM row changes",
        meaning: "the DRAM opens and closes rows most of the time: few bytes of each open row are used",
        advice: "Let warps that run at the same time access neighboring addresses: consecutive blocks on consecutive \
                 data, no power-of-two strides between threads or rows.",
        shown: |report, facts| {
            format!(
                "rows of the busiest bank or channel are opened and closed in {} of the time, and {}",
                percent(report.used.dram_rows),
                dram(facts)
            )
        },
        effect: Chip(change::rows),
    },
    LimitRow {
        limiter: Limiter::PartitionCamping,
        label: "partition camping",
        meaning: "one memory partition has more work than the others",
        advice: "Spread the addresses that SMs access at one time: pad rows of matrices, or assign blocks to tiles \
                 diagonally.",
        shown: evidence::camping,
        effect: Chip(|chip, _| chip.partition.map = MapKind::Hashed),
    },
    LimitRow {
        limiter: Limiter::Atomics,
        label: "atomics",
        meaning: "atomics on one word execute one after the other",
        advice: "Update fewer times: accumulate in registers or shared memory first, and keep one copy of the result for \
                 each block.",
        shown: evidence::atomics,
        effect: Chip(change::atomics),
    },
    LimitRow {
        limiter: Limiter::Translation,
        label: "address translation",
        meaning: "messages wait for the translation of their addresses: their pages miss in the TLBs",
        advice: "Access fewer pages at the same time: keep the data that warps use together in neighboring addresses.",
        shown: |report, _| {
            let share = percent(report.used.tlb.unwrap_or(0.0));
            format!("{share} of the latency of a load is the translation of its address")
        },
        effect: Chip(change::translation),
    },
    LimitRow {
        limiter: Limiter::Textures,
        label: "texture units",
        meaning: "the texture units serve fetches without a pause",
        advice: "Make fewer fetches, and let the lanes of a warp read neighboring texels: each line is looked up once.",
        shown: |report, _| {
            busiest(&[("texture unit of the busiest cluster", report.used.texture.unwrap_or(0.0))])
        },
        effect: Chip(change::textures),
    },
    LimitRow {
        limiter: Limiter::Barriers,
        label: "barrier waits",
        meaning: "warps wait for other warps of their block",
        advice: "Use smaller blocks so that more of them are resident, balance the work of the warps of a block, and \
                 remove barriers that a warp does not need.",
        shown: |report, _| lost(report.slots.barriers, "while all warps wait at barriers"),
        effect: Chip(change::barriers),
    },
    LimitRow {
        limiter: Limiter::ResidentWarps,
        label: "resident warps",
        meaning: "too few warps are resident to hide latencies",
        advice: "Use fewer registers and less shared memory per block, or another block size (`warpsim occupancy`).",
        shown: |report, facts| {
            let slots = &report.slots;
            format!(
                "{} of the issue slots are lost waiting, and {} of {} warps can be resident on {}",
                percent(slots.memory + slots.lsu_full + slots.latency + slots.shared),
                facts.warps.0,
                facts.warps.1,
                facts.terms.an_sm
            )
        },
        effect: Chip(change::resident_warps),
    },
    LimitRow {
        limiter: Limiter::TooLittleWork,
        label: "too little work",
        meaning: "the launch ends sooner than its start-up takes: its time says little about the kernel",
        advice: "Launch more blocks at once: enough for several on each SM, with many elements in all. Join small launches.",
        shown: |report, facts| {
            let Terms { block, sm, .. } = facts.terms;
            format!(
                "the start-up of the launch takes {} of its time: the way of the first {block} to its {sm}, its first instructions and parameters",
                percent(report.startup)
            )
        },
        effect: Work(|report| (report.startup, 1.0)),
    },
    LimitRow {
        limiter: Limiter::BlockScheduling,
        label: "block scheduling",
        meaning: "the launch and the distribution of its blocks take most of the time",
        advice: "Give each launch more work, and each block more than a few instructions.",
        shown: |report, facts| {
            let (share, block) = (percent(report.used.dispatcher), facts.terms.block);
            format!("the launch and the distribution of its {block}s take {share} of the time")
        },
        effect: Chip(change::block_scheduling),
    },
    LimitRow {
        limiter: Limiter::Imbalance,
        label: "uneven work of the blocks",
        meaning: "some blocks have much more work than others, and the other SMs wait for them",
        advice: "Divide the work evenly: split large blocks, or let each block take the next piece of work from a counter.",
        shown: |report, facts| {
            let share = percent(report.used.idle_sms);
            let Terms { block, sm, .. } = facts.terms;
            format!(
                "{sm}s have no {block} in {share} of the time of the busiest {sm}: some {block}s take much longer than others"
            )
        },
        effect: Work(change::idle_sms),
    },
    LimitRow {
        limiter: Limiter::Tail,
        label: "the last blocks",
        meaning: "the grid does not divide evenly: most SMs have no block while the last blocks run",
        advice: "Choose a grid that is a multiple of the number of resident blocks, or use smaller blocks so that the \
                 last ones take less time.",
        shown: |report, facts| {
            let share = percent(report.used.idle_sms);
            let Terms { block, sm, .. } = facts.terms;
            format!(
                "{sm}s have no {block} in {share} of the time of the busiest {sm}: the number of {block}s is no multiple of the {block}s that run at the same time"
            )
        },
        effect: Work(change::idle_sms),
    },
    LimitRow {
        limiter: Limiter::Divergence,
        label: "divergence",
        meaning: "lanes of a warp take different paths: the warp executes the paths one after the other",
        advice: "Let all lanes of a warp take the same path: branch on the number of the warp or the block, and sort \
                 data by path (`warp_execution_efficiency`).",
        shown: |report, _| {
            format!(
                "divergence leaves {} of the lanes idle; {} of the issue slots are used",
                percent(report.used.divergence),
                percent(report.used.issue)
            )
        },
        effect: Work(change::divergence),
    },
    LimitRow {
        limiter: Limiter::InstructionFetch,
        label: "fetch latency",
        meaning: "warps wait for the next instruction, after branches or for the instruction cache",
        advice: "Unroll short loops: they have a branch for few instructions. Keep a loop smaller than the instruction cache.",
        shown: evidence::fetch,
        effect: Chip(change::fetch),
    },
    LimitRow {
        limiter: Limiter::Pcie,
        label: "PCI Express",
        meaning: "copies between host and device take more than half of the time of the program, or a kernel waits for mapped host memory",
        advice: "Keep data on the device between kernels, copy less, or overlap copies and kernels in streams. Copy mapped data that a kernel uses more than once.",
        shown: |report, _| match report.used.link {
            Some(link) => format!("accesses to mapped host memory use {} of its bandwidth", percent(link)),
            None => "copies between host and device take most of the time".to_owned(),
        },
        effect: Chip(change::link),
    },
];

// The rows are in the order of the words.
const _: () = {
    let mut at = 0;
    while at < ROWS.len() {
        assert!(ROWS[at].limiter as usize == at);
        at += 1;
    }
};

impl Limiter {
    pub(super) const fn row(self) -> &'static LimitRow {
        &ROWS[self as usize]
    }

    /// Name of the limit in texts.
    pub const fn label(self) -> &'static str {
        self.row().label
    }

    /// Meaning of the limit for a launch.
    pub const fn explanation(self) -> &'static str {
        self.row().meaning
    }

    /// Changes that usually help against the limit. Names in backquotes are metrics.
    pub const fn advice(self) -> &'static str {
        self.row().advice
    }
}
