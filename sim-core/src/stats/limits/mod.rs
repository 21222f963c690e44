//! The resource that limits a launch, derived from the share of its capacity that each resource
//! used and from the exact breakdown of the issue slots. [`change`] makes the chip with which the
//! result can be tested.

mod advice;
pub mod change;
mod evidence;
pub mod ideal;
pub mod unloaded;

use super::collect::Totals;
use super::report::{DramReport, SlotReport};
use crate::config::{Chip, MAX_UNITS};
use crate::counters::{GlobalCounters, WarpState};
use crate::words::words;
use isa::uop::Class;
use serde::Serialize;

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
        /// The data bus of the DRAM.
        DramBandwidth = "dram_bandwidth",
        /// One partition has more work than the others.
        PartitionCamping = "partition_camping",
        /// Atomics on one word, one after the other.
        Atomics = "atomics",
        /// Warps wait for other warps of their block.
        Barriers = "barrier_waits",
        /// Too few warps are resident to hide latencies.
        ResidentWarps = "resident_warps",
        /// SMs without a warp: launch overhead, distribution of the blocks, last blocks.
        BlockScheduling = "block_scheduling",
        /// Instructions after branches are fetched.
        InstructionFetch = "fetch_latency",
        /// The link to the host: copies, and accesses of kernels to mapped host memory.
        Pcie = "pcie",
    }
}

impl Limiter {
    /// Name of the limit in texts.
    pub const fn label(self) -> &'static str {
        match self {
            Self::IssueRate => "issue rate",
            Self::ExecutionUnit => "execution unit",
            Self::BankConflicts => "shared-memory bank conflicts",
            Self::ConstantSerialization => "constant memory",
            Self::InstructionLatency => "instruction latency",
            Self::MemoryLatency => "global-memory latency",
            Self::MemoryPorts => "global-memory transaction rate",
            Self::DramBandwidth => "DRAM bandwidth",
            Self::PartitionCamping => "partition camping",
            Self::Atomics => "atomics",
            Self::Barriers => "barrier waits",
            Self::ResidentWarps => "resident warps",
            Self::BlockScheduling => "block scheduling",
            Self::InstructionFetch => "fetch latency",
            Self::Pcie => "PCI Express",
        }
    }
}

/// The limit of a launch, with the numbers from which it was derived. Shares are from 0 to 1.
#[derive(Clone, Debug, Serialize)]
pub struct LimitReport {
    /// The resource.
    pub limited_by: Limiter,
    /// Name of the execution unit, if the limit is one.
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
    /// Mean number of warp loads of global memory in flight per SM.
    pub loads_in_flight: f64,
    /// Number of such loads that would keep the DRAM busy all the time, by Little's law; 0 without
    /// loads that reach it.
    pub loads_needed: f64,
}

/// Share of its capacity that each resource used, over the whole launch.
#[derive(Clone, Debug, Serialize)]
pub struct Used {
    /// First dispatch ports: slots of issues, multi-slot instructions and replays.
    pub issue: f64,
    /// Each execution unit: name, and the share of its cycles that its instructions need.
    pub units: Vec<(String, f64)>,
    /// The load/store units' transactions.
    pub transactions: f64,
    /// The busiest partition's input arbiter.
    pub arbiter: f64,
    /// The busiest partition's reply port.
    pub reply_port: f64,
    /// The data bus of the busiest DRAM channel.
    pub dram: f64,
    /// Bytes of the busiest DRAM channel divided by the mean of all; 1 is even. 0 without traffic.
    pub dram_imbalance: f64,
    /// The partitions' atomic units, if all atomics of a partition were on one word.
    pub atomics: f64,
    /// The block dispatcher: launch, and distribution of the blocks one after the other.
    pub dispatcher: f64,
    /// The busier direction of the link to the host, for mapped host memory; absent if the kernel
    /// does not access such memory.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub link: Option<f64>,
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

/// A part of the memory system that is busy for this share of the active time is the limit. Row
/// changes, refreshes and uneven arrivals keep it from its peak.
const SATURATED: f64 = 0.8;
/// The same threshold for issue slots and execution units. Below it, latencies are not hidden, and
/// faster units would wait as well.
const ISSUE_BOUND: f64 = 0.7;
/// A dispatcher that is busy for this share of the time is the limit.
const DISPATCHING: f64 = 0.5;
/// A part of the memory system below this share is not the cause of waits.
const BUSY: f64 = 0.3;
/// If this many times more slots are lost to a full load/store queue than to missing values,
/// accesses cannot leave the SM ...
const QUEUED: f64 = 3.0;
/// ... unless a later part of the path is busy for this share of the time.
const NEAR: f64 = 0.6;
/// Factor over the unloaded latency from which loads wait in queues.
const CONGESTED: f64 = 2.5;
/// Share of the slots from which bank conflicts matter.
const CONFLICTS: f64 = 0.05;
/// A unit alone is the limit, not the schedulers, if its share is this much larger than theirs.
const BEYOND_ISSUE: f64 = 0.05;
/// Ratio of the busiest channel to the mean from which there is partition camping.
const CAMPING: f64 = 1.5;

/// Numbers of a report from which a limit is derived.
#[derive(Clone, Copy, Debug)]
pub struct Measured<'a> {
    /// Shader cycles of the launch.
    pub cycles: u64,
    /// Issue slots.
    pub slots: &'a SlotReport,
    /// DRAM.
    pub dram: &'a DramReport,
    /// Mean latency of a global load in shader cycles.
    pub load_latency: f64,
}

/// Returns the limit of a launch.
pub fn find(chip: &Chip, totals: &Totals, timing: Measured<'_>) -> LimitReport {
    let used = used(chip, totals, timing);
    let slots = slot_shares(timing.slots);
    let sms = f64::from(chip.clusters * chip.cluster.sms);
    let cycles = timing.cycles.max(1) as f64;
    let loads_in_flight = totals.accesses.load_cycles as f64 / cycles / sms;
    let loads_needed = loads_needed(chip, totals, timing) / sms;
    let congestion = timing.load_latency / unloaded::latency(chip);
    let (limited_by, unit) = limiter(&used, &slots, congestion);
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
    };
    report.evidence = evidence::sentence(&report, timing.dram.utilisation);
    report
}

/// Returns the limit that follows from the shares.
fn limiter(used: &Used, slots: &SlotShares, congestion: f64) -> (Limiter, Option<usize>) {
    // Share of the time in which SMs have warps: without warps no part can be busy.
    let active = (1.0 - slots.no_warp).max(f64::MIN_POSITIVE);
    let (unit, unit_share) = busiest(used);
    let (issue, unit_share) = (used.issue / active, unit_share / active);
    let compute = if unit_share > issue + BEYOND_ISSUE { Limiter::ExecutionUnit } else { Limiter::IssueRate };
    // Memory is also busy while the last blocks drain.
    let ports = used.arbiter.max(used.reply_port).max(used.transactions);
    let dram = used.dram;
    let memory = if used.dram_imbalance >= CAMPING && dram.max(ports) >= BUSY {
        Limiter::PartitionCamping
    } else if dram >= ports {
        Limiter::DramBandwidth
    } else {
        Limiter::MemoryPorts
    };
    let waits = slots.memory + slots.lsu_full;
    // With bank conflicts, waits for shared memory are caused by them.
    let conflicts = slots.bank_conflicts >= CONFLICTS;
    let (by_conflicts, by_latency) = if conflicts { (slots.shared, 0.0) } else { (0.0, slots.shared) };
    let lost = [
        (Limiter::BankConflicts, slots.bank_conflicts + by_conflicts),
        (Limiter::ConstantSerialization, slots.constant),
        (Limiter::MemoryLatency, waits),
        (Limiter::InstructionLatency, slots.latency + by_latency),
        (Limiter::InstructionFetch, slots.fetch),
        (Limiter::Barriers, slots.barriers),
    ];
    let (most, share) = lost.into_iter().fold(lost[0], |a, b| if b.1 > a.1 { b } else { a });
    let (link, waiting) = (used.link.unwrap_or(0.0), most == Limiter::MemoryLatency);
    let limiter = if used.dispatcher >= DISPATCHING {
        Limiter::BlockScheduling
    } else if issue.max(unit_share) >= ISSUE_BOUND.max(dram).max(ports) {
        if slots.bank_conflicts > slots.issued { Limiter::BankConflicts } else { compute }
    } else if link > dram.max(ports)
        && (link >= SATURATED || waiting && congestion >= CONGESTED && link >= BUSY)
    {
        Limiter::Pcie
    } else if dram.max(ports) >= SATURATED {
        memory
    } else if share == 0.0 {
        compute
    } else if !waiting {
        most
    } else if used.atomics >= SATURATED {
        Limiter::Atomics
    } else if slots.lsu_full > QUEUED * slots.memory && dram.max(ports) < NEAR {
        Limiter::MemoryPorts
    } else if congestion >= CONGESTED && dram.max(ports) >= BUSY {
        memory
    } else {
        most
    };
    (limiter, (limiter == Limiter::ExecutionUnit).then_some(unit))
}

/// Returns the busiest unit and its share.
fn busiest(used: &Used) -> (usize, f64) {
    let shares = used.units.iter().map(|unit| unit.1).enumerate();
    shares.fold((0, 0.0), |most, unit| if unit.1 > most.1 { unit } else { most })
}

fn used(chip: &Chip, totals: &Totals, timing: Measured<'_>) -> Used {
    let cycles = timing.cycles.max(1) as f64;
    let sm_cycles = cycles * f64::from(chip.clusters * chip.cluster.sms);
    let slots = timing.slots;
    let first = (slots.total / u64::from(slots.ports.max(1))).max(1) as f64;
    let by = &slots.outcomes;
    let issue = (by.issued - by.paired + by.held + by.replays()) as f64 / first;
    let units = chip.sm.units.iter().zip(totals.unit_cycles).map(|(unit, busy)| {
        let pipes = unit.count * if unit.per_scheduler { chip.sm.schedulers } else { 1 };
        (unit.name.clone(), (busy as f64 / (sm_cycles * f64::from(pipes))).min(1.0))
    });
    let mut units: Vec<(String, f64)> = units.collect();
    let accesses = &totals.accesses;
    // A unit also waits for the banks if they serve a warp more slowly than its lanes accept it.
    let shared = [&accesses.shared_load, &accesses.shared_store];
    let passes: u64 = shared.into_iter().map(|counters| counters.passes - counters.conflict_passes).sum();
    let banks = passes as f64 * f64::from(chip.sm.shared.pass_cycles) / sm_cycles;
    let unit = &mut units[usize::from(chip.sm.classes[Class::LdShared as usize].unit)].1;
    *unit = unit.max(banks.min(1.0));
    let transactions = |counters: &GlobalCounters| counters.transactions;
    let all =
        [&accesses.load, &accesses.store, &accesses.atomic, &accesses.local_load, &accesses.local_store];
    let transactions: u64 = all.into_iter().map(transactions).sum();
    let core_cycles = cycles * chip.clocks.core_khz as f64 / chip.clocks.shader_khz as f64;
    let most = |of: fn(&crate::mem::partition::PartitionCounters) -> u64| {
        totals.partitions.iter().map(of).max().unwrap_or(0) as f64
    };
    let blocks: u64 = totals.sms.iter().map(|sm| sm.blocks).sum();
    let dispatch = chip.dispatch;
    let path = dispatch.launch_cycles + 2 * chip.crossbar.latency + chip.sm.block_start_cycles;
    let dispatching = f64::from(path) + blocks as f64 * f64::from(dispatch.block_cycles);
    // What the L2 still writes back after the end counts as traffic of the run: a longer launch
    // would write it while it runs.
    let demand = timing.dram.utilisation * (1.0 + timing.dram.write_back_cycles as f64 / cycles);
    let bytes = &timing.dram.partition_bytes;
    let (busiest, sum) = (bytes.iter().max().copied().unwrap_or(0), bytes.iter().sum::<u64>());
    let imbalance = if sum == 0 { 0.0 } else { busiest as f64 * bytes.len() as f64 / sum as f64 };
    Used {
        issue: issue.min(1.0),
        units,
        transactions: (transactions as f64 * f64::from(chip.sm.lsu.transaction_cycles) / sm_cycles).min(1.0),
        arbiter: (most(|p| p.arbiter_busy) / core_cycles).min(1.0),
        reply_port: (most(|p| p.reply_busy) / cycles).min(1.0),
        dram: (demand * imbalance).min(1.0),
        dram_imbalance: imbalance,
        dispatcher: (dispatching / cycles).min(1.0),
        atomics: (most(|p| p.atomics) * f64::from(chip.partition.atomic_cycles) / cycles).min(1.0),
        link: link(chip, totals, cycles),
    }
}

/// Returns the share of the link to the host that a kernel of `cycles` shader cycles used in the
/// busier direction; `None` if it accessed no mapped host memory.
fn link(chip: &Chip, totals: &Totals, cycles: f64) -> Option<f64> {
    let sum =
        |of: fn(&crate::mem::partition::PartitionCounters) -> u64| totals.partitions.iter().map(of).sum();
    let bytes: u64 = u64::max(sum(|p| p.mapped_read), sum(|p| p.mapped_written));
    let seconds = cycles / (1000.0 * chip.clocks.shader_khz as f64);
    (bytes > 0).then(|| (bytes as f64 / (chip.pcie.bytes_per_second as f64 * seconds)).min(1.0))
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
