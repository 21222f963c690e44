//! The share of its capacity that each resource used.

use super::super::collect::Totals;
use super::{Measured, unloaded};
use crate::config::{Chip, MapKind, WARP_SIZE};
use crate::counters::{ClusterCounters, GlobalCounters, WarpState};
use crate::mem::partition::PartitionCounters;
use isa::uop::Class;
use serde::Serialize;

/// Share of its capacity that each resource used, over the whole launch. A share is that of the
/// busiest unit if there are several.
#[derive(Clone, Debug, Serialize)]
pub struct Used {
    /// Slots of first ports in which an instruction issued, was held or was replayed. Unit:
    /// fraction.
    pub issue: f64,
    /// For each execution unit its name and the share of its cycles that the instructions need.
    /// Unit: fraction.
    pub units: Vec<(String, f64)>,
    /// Banks of shared memory, with conflicts and further rounds of atomics. Unit: fraction.
    pub banks: f64,
    /// Ports of the SMs' constant caches. Unit: fraction.
    pub constants: f64,
    /// Share of the load/store units' cycles, for transactions. Unit: fraction.
    pub transactions: f64,
    /// The busiest cluster's port to the crossbar. Unit: fraction.
    pub port: f64,
    /// The busiest partition's input arbiter. Unit: fraction.
    pub arbiter: f64,
    /// Look-ups in the L2 of the busiest partition; absent on chips without an L2. Unit: fraction.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub l2: Option<f64>,
    /// The busiest partition's reply port. Unit: fraction.
    pub reply_port: f64,
    /// The busiest cluster's port for replies. Unit: fraction.
    pub cluster_replies: f64,
    /// Time without a free entry in the fullest cluster's buffer for replies. Unit: fraction.
    pub reply_buffer: f64,
    /// Data bus of the busiest DRAM channel, with the sectors that the L2 writes back after the
    /// end. Unit: fraction.
    pub dram: f64,
    /// Row changes in the busiest bank, or in the busiest channel. Unit: fraction.
    pub dram_rows: f64,
    /// Bytes of the busiest DRAM channel divided by the mean of all; 1 is even. 0 without traffic.
    pub dram_imbalance: f64,
    /// Share of the time in which operations on one word keep the atomics of the busiest partition
    /// waiting. Unit: fraction.
    pub atomics: f64,
    /// Share of a load's latency that is address translation; absent on chips without a TLB. Unit:
    /// fraction.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tlb: Option<f64>,
    /// Texture units of the busiest cluster; absent without texture fetches. Unit: fraction.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub texture: Option<f64>,
    /// Share of the time for the launch and the distribution of the blocks. Unit: fraction.
    pub dispatcher: f64,
    /// The busier direction of the link to the host, for mapped host memory; absent if the kernel
    /// does not access such memory. Unit: fraction.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub link: Option<f64>,
    /// Share of the lanes of the executed instructions that divergence left idle. Unit: fraction.
    pub divergence: f64,
    /// Share of the SMs' time in which they had no block while the busiest SM had one. Unit:
    /// fraction.
    pub idle_sms: f64,
}

/// The shares, and the numbers that distinguish causes of the same share.
#[derive(Clone, Debug)]
pub struct Shares {
    /// The shares.
    pub used: Used,
    /// Share of the banks' time that conflicts add, and that further rounds of atomics add.
    pub conflicts: (f64, f64),
    /// Ratio of the busiest partition to the mean of all, for each part of a partition.
    pub uneven: Uneven,
    /// Whether the distribution of addresses over the partitions can be better.
    pub can_camp: bool,
    /// Mean latency of a global load divided by its unloaded latency with as many transactions; 0
    /// without loads.
    pub congestion: f64,
    /// Share of texture fetches in the loads of warps from global and texture memory.
    pub fetches: f64,
    /// Warps that wait for another warp's instruction, for each issued instruction; at most 1.
    pub contention: f64,
    /// Share of atomics in the transactions of global memory.
    pub atomic_transactions: f64,
    /// Share of the time that the start-up of the launch takes.
    pub startup: f64,
    /// Whether the kernel reads `__constant__` variables.
    pub reads_constants: bool,
    /// Whether the numbers of blocks explain the idle SMs, not the work of the blocks.
    pub is_tail: bool,
    /// Factor by which more warps could be resident, if the launch has the blocks for them.
    pub more_warps: f64,
    /// Share of the warps' time for which they wait for lines of constants.
    pub constant_lines: f64,
    /// Share of the barriers' own latency in the time of an SM.
    pub barriers: f64,
}

/// Ratio of the busiest partition to the mean of all; 0 if none is busy.
#[derive(Clone, Copy, Debug, Default)]
pub struct Uneven {
    /// Use of the arbiters of the partitions.
    pub arbiter: f64,
    /// Use of the L2s.
    pub l2: f64,
    /// Reply ports.
    pub replies: f64,
    /// DRAM channels.
    pub dram: f64,
}

/// Returns the largest value of the partitions, and its ratio to the mean.
fn most(totals: &Totals, of: impl Fn(&PartitionCounters) -> u64) -> (f64, f64) {
    let all = totals.partitions.iter().map(of);
    let (most, sum) = all.fold((0, 0), |(most, sum), n| (n.max(most), sum + n));
    let uneven = if sum == 0 { 0.0 } else { most as f64 * totals.partitions.len() as f64 / sum as f64 };
    (most as f64, uneven)
}

impl Shares {
    /// Computes the shares of a launch.
    pub fn of(chip: &Chip, totals: &Totals, timing: Measured<'_>) -> Self {
        let cycles = timing.cycles.max(1) as f64;
        let (clocks, accesses) = (&chip.clocks, &totals.accesses);
        let sm_cycles = cycles * f64::from(chip.clusters * chip.cluster.sms);
        let core_cycles = cycles * clocks.core_khz as f64 / clocks.shader_khz as f64;
        let command_cycles = cycles * clocks.memory_khz as f64 / clocks.shader_khz as f64;
        let share = |busy: f64, of: f64| (busy / of).min(1.0);
        let all =
            [&accesses.load, &accesses.store, &accesses.atomic, &accesses.local_load, &accesses.local_store];
        let transactions: u64 = all.into_iter().map(|counters: &GlobalCounters| counters.transactions).sum();
        let (banks, conflicts, rounds) = banks(chip, totals);
        let cluster =
            |of: fn(&ClusterCounters) -> u64| totals.clusters.iter().map(of).max().unwrap_or(0) as f64;
        let (arbiter, uneven_arbiter) = most(totals, |p| p.arbiter_busy);
        let (l2, uneven_l2) = most(totals, |p| {
            p.l2.read_sector_queries + p.l2.write_sector_queries + p.l2.atomic_sector_queries
        });
        let (reply_port, uneven_replies) = most(totals, |p| p.reply_busy);
        let (rows, _) = most(totals, |p| p.dram.row_busy);
        // What the L2 still writes back after the end counts as traffic of the run: a longer launch
        // would write it while it runs.
        let demand = timing.dram.utilization * (1.0 + timing.dram.write_back_cycles as f64 / cycles);
        let bytes = &timing.dram.partition_bytes;
        let (busiest, sum) = (bytes.iter().max().copied().unwrap_or(0), bytes.iter().sum::<u64>());
        let imbalance = if sum == 0 { 0.0 } else { busiest as f64 * bytes.len() as f64 / sum as f64 };
        let (idle_sms, is_tail) = idle(totals);
        let loads = accesses.load.requests + totals.texture.fetches;
        let ready = totals.warps[WarpState::NotSelected] + totals.warps[WarpState::PipeBusy];
        let used = Used {
            issue: issue(timing),
            units: units(chip, totals, sm_cycles),
            banks: share(banks, sm_cycles),
            constants: chip.sm.const_cache.map_or(0.0, |cache| {
                share(totals.constant.accesses as f64 * f64::from(cache.pass_cycles), sm_cycles)
            }),
            transactions: share(transactions as f64 * f64::from(chip.sm.lsu.transaction_cycles), sm_cycles),
            port: share(cluster(|c| c.port), cycles),
            arbiter: share(arbiter, core_cycles),
            l2: chip.partition.l2.map(|cache| share(l2 * f64::from(cache.sector_cycles), cycles)),
            reply_port: share(reply_port, cycles),
            cluster_replies: share(cluster(|c| c.replies), cycles),
            reply_buffer: share(cluster(|c| c.buffer), cycles),
            dram: (demand * imbalance).min(1.0),
            dram_rows: share(rows, command_cycles),
            dram_imbalance: imbalance,
            atomics: share(most(totals, |p| p.atomics_serial).0, cycles),
            tlb: chip.cluster.tlb.map(|_| translation(totals, timing)),
            texture: (totals.texture.fetches > 0).then(|| share(cluster(|c| c.textures), cycles)),
            dispatcher: dispatcher(chip, totals, cycles),
            link: link(chip, totals, cycles),
            divergence: divergence(totals, timing),
            idle_sms,
        };
        Self {
            used,
            conflicts: (share(conflicts, sm_cycles), share(rounds, sm_cycles)),
            uneven: Uneven {
                arbiter: uneven_arbiter,
                l2: uneven_l2,
                replies: uneven_replies,
                dram: imbalance,
            },
            can_camp: chip.partition.map != MapKind::Hashed && chip.partitions > 1,
            congestion: timing.load_latency / (unloaded::latency(chip) + further(chip, &accesses.load)),
            fetches: totals.texture.fetches as f64 / loads.max(1) as f64,
            contention: (ready as f64 / totals.inst.warp.max(1) as f64).min(1.0),
            atomic_transactions: accesses.atomic.transactions as f64 / transactions.max(1) as f64,
            startup: startup(chip, cycles),
            reads_constants: timing.reads_constants,
            is_tail,
            more_warps: more_warps(chip, totals, timing),
            constant_lines: constant_lines(chip, totals),
            barriers: barriers(chip, totals, sm_cycles),
        }
    }
}

/// Returns the shader cycles by which the mean load is late because its transactions leave one
/// after the other.
fn further(chip: &Chip, loads: &GlobalCounters) -> f64 {
    let port = chip.cluster.port_request_cycles * chip.cluster.sms;
    let spacing = f64::from(chip.sm.lsu.transaction_cycles.max(port));
    spacing * (loads.transactions as f64 / loads.requests.max(1) as f64 - 1.0).max(0.0)
}

/// Returns the share of the first dispatch ports' slots that instructions use.
fn issue(timing: Measured<'_>) -> f64 {
    let by = &timing.slots.outcomes;
    let first = (timing.slots.total / u64::from(timing.slots.ports.max(1))).max(1) as f64;
    ((by.issued - by.paired + by.held + by.replays()) as f64 / first).min(1.0)
}

fn units(chip: &Chip, totals: &Totals, sm_cycles: f64) -> Vec<(String, f64)> {
    let units = chip.sm.units.iter().zip(totals.unit_cycles).map(|(unit, busy)| {
        let pipes = unit.count * if unit.per_scheduler { chip.sm.schedulers } else { 1 };
        (unit.name.clone(), (busy as f64 / (sm_cycles * f64::from(pipes))).min(1.0))
    });
    let mut units: Vec<(String, f64)> = units.collect();
    // A unit also waits for the banks if they serve a warp more slowly than its lanes accept it.
    let (banks, conflicts, rounds) = banks(chip, totals);
    let unit = &mut units[usize::from(chip.sm.classes[Class::LdShared as usize].unit)].1;
    *unit = unit.max(((banks - conflicts - rounds) / sm_cycles).min(1.0));
    units
}

/// Returns the shader cycles in which the banks of all SMs serve passes, the part of them that
/// conflicts add, and the part that further rounds of atomics add.
fn banks(chip: &Chip, totals: &Totals) -> (f64, f64, f64) {
    let (accesses, config) = (&totals.accesses, &chip.sm.shared);
    let (mut all, mut conflicts) = (0, 0);
    for counters in [&accesses.shared_load, &accesses.shared_store] {
        all += counters.passes * u64::from(config.pass_cycles);
        conflicts += counters.conflict_passes * u64::from(config.pass_cycles);
    }
    let atomics = &accesses.shared_atomic;
    all += atomics.passes * u64::from(config.atomic_pass_cycles);
    // An atomic without a conflict makes two passes for each group of lanes.
    let groups = u64::from(WARP_SIZE / config.group.clamp(1, WARP_SIZE));
    let least = (2 * groups * atomics.requests).min(atomics.passes);
    let rounds = (atomics.passes - least) * u64::from(config.atomic_pass_cycles);
    (all as f64, conflicts as f64, rounds as f64)
}

/// Returns the share of the mean latency of a load that its message waits for address translation.
fn translation(totals: &Totals, timing: Measured<'_>) -> f64 {
    let late: u64 = totals.clusters.iter().map(|cluster| cluster.translation).sum();
    let messages: u64 = totals.tlb[0].hits + totals.tlb[0].misses;
    if messages == 0 || timing.load_latency == 0.0 {
        return 0.0;
    }
    (late as f64 / messages as f64 / timing.load_latency).min(1.0)
}

/// Returns the share of the time in which the dispatcher is busy.
fn dispatcher(chip: &Chip, totals: &Totals, cycles: f64) -> f64 {
    let blocks: u64 = totals.sms.iter().map(|sm| sm.blocks).sum();
    let dispatching = first_block(chip) + blocks as f64 * f64::from(chip.dispatch.block_cycles);
    (dispatching / cycles).min(1.0)
}

/// Returns the shader cycles from the launch until the first block may issue, with the message
/// about its end.
fn first_block(chip: &Chip) -> f64 {
    f64::from(chip.dispatch.launch_cycles + 2 * chip.crossbar.latency + chip.sm.block_start_cycles)
}

/// Returns the share of the time that the start-up takes: until the first block may issue, and
/// until the caches of code and constants have its first lines from memory.
fn startup(chip: &Chip, cycles: f64) -> f64 {
    let caches = usize::from(chip.sm.instr_cache.is_some()) + usize::from(chip.sm.const_cache.is_some());
    ((first_block(chip) + caches as f64 * unloaded::latency(chip)) / cycles).min(1.0)
}

/// Returns the share of the link to the host that a kernel of `cycles` shader cycles used in the
/// busier direction; `None` if it accessed no mapped host memory.
fn link(chip: &Chip, totals: &Totals, cycles: f64) -> Option<f64> {
    let sum = |of: fn(&PartitionCounters) -> u64| totals.partitions.iter().map(of).sum();
    let bytes: u64 = u64::max(sum(|p| p.mapped_read), sum(|p| p.mapped_written));
    let seconds = cycles / (1000.0 * chip.clocks.shader_khz as f64);
    (bytes > 0).then(|| (bytes as f64 / (chip.pcie.bytes_per_second as f64 * seconds)).min(1.0))
}

/// Returns the share of the lanes that divergence left idle: beyond those that the last warp of
/// each block lacks.
fn divergence(totals: &Totals, timing: Measured<'_>) -> f64 {
    let launch = timing.launch;
    let warps = f64::from(launch.warps_per_block * WARP_SIZE).max(1.0);
    let present = 1.0 - f64::from(launch.padded_lanes) / warps;
    if totals.inst.divergent_branches == 0 || totals.inst.warp == 0 {
        return 0.0;
    }
    let active = totals.inst.thread as f64 / (totals.inst.warp as f64 * f64::from(WARP_SIZE));
    (1.0 - active / present).max(0.0)
}

/// Returns the share of the SMs' time without a block while the busiest SM has one, and whether the
/// numbers of their blocks explain it. SMs that cannot have a block, since the grid has fewer
/// blocks than the chip has SMs, do not count.
fn idle(totals: &Totals) -> (f64, bool) {
    let blocks: u64 = totals.sms.iter().map(|sm| sm.blocks).sum();
    let sms = (totals.sms.len() as u64).min(blocks).max(1) as f64;
    let without = |of: fn(&super::super::report::SmReport) -> u64| {
        let all = totals.sms.iter().map(of);
        let (most, sum) = all.fold((0, 0), |(most, sum), n| (n.max(most), sum + n));
        if most == 0 { 0.0 } else { (1.0 - sum as f64 / sms / most as f64).max(0.0) }
    };
    let idle = without(|sm| sm.active_issue_cycles);
    (idle, without(|sm| sm.blocks) >= idle / 2.0)
}

/// Returns the factor by which more warps could be resident on an SM if registers, shared memory
/// and slots allowed it: at most by the warp slots, and by the blocks of the grid.
fn more_warps(chip: &Chip, totals: &Totals, timing: Measured<'_>) -> f64 {
    let launch = timing.launch;
    let resident = f64::from(launch.occupancy.warps.max(1));
    let blocks: u64 = totals.sms.iter().map(|sm| sm.blocks).sum();
    let sms = f64::from(chip.clusters * chip.cluster.sms);
    let waiting = blocks as f64 * f64::from(launch.warps_per_block) / sms;
    (f64::from(chip.sm.max_warps).min(waiting) / resident).max(1.0)
}

/// Returns the share of the resident warps' time for which they wait for lines of constants: the
/// level that the SMs of a cluster share has them, or a partition.
fn constant_lines(chip: &Chip, totals: &Totals) -> f64 {
    let hit = chip.cluster.const_cache.map_or(0, |level| level.hit_cycles);
    let looked_up = (totals.lines_l2.hits + totals.lines_l2.misses).max(1) as f64;
    let farther = totals.lines_l2.misses as f64 / looked_up;
    let wait = f64::from(hit) + farther * unloaded::latency(chip);
    let time = totals.resident as f64 * f64::from(chip.sm.issue_period);
    (totals.constant.misses as f64 * wait / time.max(1.0)).min(1.0)
}

/// Returns the share of an SM's time that the latency of its barriers takes, if they do not
/// overlap.
fn barriers(chip: &Chip, totals: &Totals, sm_cycles: f64) -> f64 {
    // A barrier for each block, of all resident blocks at the same time.
    let resident = totals.resident as f64 / totals.active.max(1) as f64;
    let barriers = totals.inst.barriers as f64 / resident.max(1.0);
    let latency = chip.sm.barrier_cycles + u32::from(chip.sm.classes[Class::Barrier as usize].latency);
    (barriers * f64::from(latency) / sm_cycles).min(1.0)
}
