//! The resource that limits a launch, derived from the share of its capacity that each resource
//! used and from the exact breakdown of the issue slots. [`change`] makes the chip with which the
//! result can be tested.

pub mod change;
mod evidence;
pub mod ideal;
mod rows;
mod rules;
pub mod unloaded;
mod used;

use super::collect::Totals;
use super::report::{DramReport, LaunchReport, SlotReport};
use crate::config::{Chip, MAX_UNITS};
use crate::counters::WarpState;
use crate::words::words;
use evidence::Facts;
use isa::terms::Terms;
use serde::Serialize;

pub use used::Used;

words! {
    /// A resource that can limit a launch.
    pub enum Limiter {
        /// Schedulers and execution units together: instructions issue in most slots.
        IssueRate = "issue_rate",
        /// An execution unit accepts instructions without a pause.
        ExecutionUnit = "execution_unit",
        /// Replays of shared accesses with bank conflicts.
        BankConflicts = "bank_conflicts",
        /// Replays of constant accesses whose lanes have different addresses, and waits for
        /// constants.
        ConstantSerialization = "constant_serialization",
        /// Dependent instructions wait for results of the execution units and of shared memory.
        InstructionLatency = "instruction_latency",
        /// Warps wait for global memory, whose parts are not busy: too few loads are in flight.
        MemoryLatency = "memory_latency",
        /// The path of global accesses: load/store unit, crossbar ports and partition ports.
        MemoryPorts = "memory_ports",
        /// Look-ups in the L2.
        L2Bandwidth = "l2_bandwidth",
        /// The data bus of the DRAM.
        DramBandwidth = "dram_bandwidth",
        /// Rows of the DRAM that are opened and closed.
        DramRows = "dram_rows",
        /// One partition has more work than the others.
        PartitionCamping = "partition_camping",
        /// Atomics on one word, one after the other.
        Atomics = "atomics",
        /// Address translation: messages to pages that miss in the TLBs.
        Translation = "tlb",
        /// Texture units and their caches.
        Textures = "texture",
        /// Warps wait for other warps of their block.
        Barriers = "barrier_waits",
        /// Too few warps are resident to hide latencies.
        ResidentWarps = "resident_warps",
        /// The launch is shorter than its start-up: too few blocks, or too little work in them.
        TooLittleWork = "too_little_work",
        /// Launch overhead and distribution of the blocks.
        BlockScheduling = "block_scheduling",
        /// Some blocks have much more work than others, and SMs wait for them.
        Imbalance = "imbalance",
        /// The last blocks do not fill the SMs.
        Tail = "tail",
        /// Lanes of a warp take different paths, one after the other.
        Divergence = "divergence",
        /// Instructions after branches are fetched.
        InstructionFetch = "fetch_latency",
        /// The link to the host: copies, and accesses of kernels to mapped host memory.
        Pcie = "pcie",
    }
}

/// The limit of a launch, with the numbers from which it was derived. Shares are from 0 to 1.
#[derive(Clone, Debug, Serialize)]
pub struct LimitReport {
    /// The resource, one of the words of docs/LIMITS.md.
    pub limited_by: Limiter,
    /// Name of the execution unit; absent for other resources.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unit: Option<String>,
    /// The numbers that show it, as a sentence.
    pub evidence: String,
    /// Share of its capacity that each resource used.
    pub used: Used,
    /// Shares of the issue slots by the cause of their loss.
    pub slots: SlotShares,
    /// Mean latency of a global load divided by its unloaded latency; 0 without loads.
    pub congestion: f64,
    /// Pending loads of warps, per SM, averaged over the launch.
    pub loads_in_flight: f64,
    /// Number of such loads that would keep the DRAM busy all the time, by Little's law; 0 without
    /// loads that reach it.
    pub loads_needed: f64,
    /// Share of the time that the start-up of the launch takes.
    #[serde(skip)]
    pub startup: f64,
}

/// Shares of the first dispatch ports' slots, which sum to 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct SlotShares {
    /// Issued or held, or lost to another scheduler's instruction.
    pub issued: f64,
    /// Lost because the execution unit was busy.
    pub pipe_busy: f64,
    /// Replayed because of bank conflicts.
    pub bank_conflicts: f64,
    /// Replayed for further addresses of constant memory, or lost waiting for constants.
    pub constant: f64,
    /// Lost waiting for global memory or a fence.
    pub memory: f64,
    /// Lost because the load/store queue was full.
    pub lsu_full: f64,
    /// Lost waiting for results of execution units.
    pub latency: f64,
    /// Lost waiting for results of shared memory.
    pub shared: f64,
    /// Lost waiting for instruction fetch.
    pub fetch: f64,
    /// Lost waiting at barriers.
    pub barriers: f64,
    /// Lost without a resident warp, or with only exited warps.
    pub no_warp: f64,
}

/// Numbers of a report from which a limit is derived.
#[derive(Clone, Copy, Debug)]
pub struct Measured<'a> {
    /// Launch of the report.
    pub launch: &'a LaunchReport,
    /// Whether the kernel reads `__constant__` variables.
    pub reads_constants: bool,
    /// Shader cycles of the launch.
    pub cycles: u64,
    /// Issue slots.
    pub slots: &'a SlotReport,
    /// Part of the report about the DRAM.
    pub dram: &'a DramReport,
    /// Mean latency of a global load in shader cycles.
    pub load_latency: f64,
}

/// Returns the limit of a launch.
pub fn find(chip: &Chip, totals: &Totals, timing: Measured<'_>) -> LimitReport {
    let shares = used::Shares::of(chip, totals, timing);
    let slots = slot_shares(timing.slots);
    let sms = f64::from(chip.clusters * chip.cluster.sms);
    let cycles = timing.cycles.max(1) as f64;
    let loads_in_flight = totals.accesses.load_cycles as f64 / cycles / sms;
    let loads_needed = loads_needed(chip, totals, timing) / sms;
    let congestion = timing.load_latency / unloaded::latency(chip);
    let (limited_by, unit) = rules::limiter(&shares, &slots);
    let used = shares.used;
    let unit = unit.map(|unit| chip.sm.units[unit].name.clone());
    let mut report = LimitReport {
        limited_by,
        unit,
        evidence: String::new(),
        used,
        slots,
        congestion,
        loads_in_flight,
        loads_needed,
        startup: shares.startup,
    };
    let misses = |hits: u64, misses: u64| misses as f64 / (hits + misses).max(1) as f64;
    let facts = Facts {
        dram: timing.dram.utilization,
        constant_misses: misses(totals.constant.hits, totals.constant.misses),
        code_misses: misses(totals.fetch.hits, totals.fetch.misses),
        warps: (timing.launch.occupancy.warps, chip.sm.max_warps),
        terms: Terms::of(&timing.launch.files),
    };
    report.evidence = (limited_by.row().shown)(&report, &facts);
    report
}

fn slot_shares(slots: &SlotReport) -> SlotShares {
    let by = &slots.outcomes;
    let first = (slots.total / u64::from(slots.ports.max(1))).max(1) as f64;
    let share = |n: u64| n as f64 / first;
    let mut shares = SlotShares {
        issued: share(by.issued - by.paired + by.held + by.shut_by_other),
        bank_conflicts: share(by.replay_bank_conflict),
        constant: share(by.replay_constant),
        no_warp: share(by.no_warp),
        ..SlotShares::default()
    };
    for (state, n) in by.empty.occurring() {
        *match state {
            WarpState::Issuing | WarpState::NotSelected => &mut shares.issued,
            WarpState::PipeBusy => &mut shares.pipe_busy,
            WarpState::LsuFull => &mut shares.lsu_full,
            WarpState::MemoryDependency | WarpState::Membar => &mut shares.memory,
            WarpState::Fetch => &mut shares.fetch,
            WarpState::ExecutionDependency => &mut shares.latency,
            WarpState::SharedDependency => &mut shares.shared,
            WarpState::ConstantDependency => &mut shares.constant,
            WarpState::Barrier => &mut shares.barriers,
            WarpState::Exited => &mut shares.no_warp,
        } += share(n);
    }
    shares
}

/// Returns the number of warp loads in flight on the whole chip that keep its DRAM busy at the mean
/// latency (Little's law).
fn loads_needed(chip: &Chip, totals: &Totals, timing: Measured<'_>) -> f64 {
    let loads = totals.accesses.loads_finished;
    if loads == 0 || timing.dram.read_bytes == 0 {
        return 0.0;
    }
    let peak = super::build::peak_gbps(chip) * 1e9 / (chip.clocks.shader_khz as f64 * 1e3);
    let bytes_per_load = timing.dram.read_bytes as f64 / loads as f64;
    timing.load_latency * peak / bytes_per_load
}

/// Cycles for which each execution unit accepts the executed instructions, by unit.
pub type UnitCycles = [u64; MAX_UNITS];

#[cfg(test)]
mod tests;
