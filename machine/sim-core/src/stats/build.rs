//! From counters to the report: rates, efficiencies and the most expensive lines.

use super::caches::{l1_report, l2_report, texture_report};
use super::collect::Totals;
use super::limits::{self, Measured};
use super::mapped::mapped_report;
use super::report::{
    ChipReport, ConstantReport, ControlReport, DivergentLine, DramReport, GlobalReport, InstructionReport,
    LaunchReport, LineReport, LocalReport, PolicyReport, PtxLineReport, RegistersSource, SharedReport,
    SlotReport, Spills, TimingReport, TlbReport, WarpReport,
};
use crate::cache::Replacement;
use crate::config::{Chip, SecondPort, WARP_SIZE};
use crate::counters::{AccessCounters, Counters, GlobalCounters, InstCounters, LevelCounters, PcCounters};
use crate::exec::{Kernel, MemoryRule};
use crate::mem::dram::DramCounters;
use crate::occupancy::Occupancy;
use isa::uop::program::Source;
use isa::uop::{Class, Program};
use std::collections::BTreeMap;

/// Returns `a / b`; `none` if `b` is 0.
fn ratio(a: u64, b: u64, none: f64) -> f64 {
    if b == 0 { none } else { a as f64 / b as f64 }
}

/// Returns the chip's part of the report.
pub fn chip_report(chip: &Chip) -> ChipReport {
    let sms = chip.clusters * chip.cluster.sms;
    ChipReport {
        name: chip.name.clone(),
        board: chip.board.clone(),
        capability: chip.capability.to_string(),
        sms,
        shader_mhz: chip.clocks.shader_khz as f64 / 1e3,
        peak_gflops: peak_gflops(chip),
        peak_gbps: peak_gbps(chip),
        policy: PolicyReport::Chip(chip.sm.policy),
        coalescing: chip.sm.lsu.rule,
        replacement: chip
            .caches()
            .filter(|(_, shape)| shape.replacement != Replacement::Lru)
            .map(|(path, shape)| (path, shape.replacement.to_string()))
            .collect(),
    }
}

/// Returns the peak from multiply-adds (2 operations), at the lower of two rates: that of the
/// execution unit and that of the schedulers.
fn peak_gflops(chip: &Chip) -> f64 {
    let class = &chip.sm.classes[Class::FMad as usize];
    let unit = &chip.sm.units[class.unit as usize];
    let units = unit.count * if unit.per_scheduler { chip.sm.schedulers } else { 1 };
    let taken = f64::from(WARP_SIZE * units) / f64::from(class.busy(&chip.sm.units));
    let ports = if chip.sm.second_port == SecondPort::SameWarp { 2 } else { 1 };
    let slots = chip.sm.issue_period * u32::from(class.slots);
    let issued = f64::from(WARP_SIZE * chip.sm.schedulers * ports) / f64::from(slots);
    let lanes = taken.min(issued);
    f64::from(chip.clusters * chip.cluster.sms) * lanes * 2.0 * chip.clocks.shader_khz as f64 / 1e6
}

/// Returns the peak of one burst every tCCD command clocks on every channel.
pub fn peak_gbps(chip: &Chip) -> f64 {
    let dram = &chip.partition.dram;
    let bytes = f64::from(chip.partitions * dram.burst_bytes) / f64::from(dram.timing.ccd);
    bytes * chip.clocks.memory_khz as f64 / 1e6
}

/// Returns the width of the memory bus in bits, and its clock in kHz with two transfers in each
/// period, as CUDA's properties have them. The DRAM of capability 2.0 and later is GDDR5, with four
/// transfers in a command clock; the DRAM of earlier chips is GDDR3, with two (HARDWARE 1.1).
/// `None` if the burst does not fill 32 or 64 pins of a channel.
pub fn memory_bus(chip: &Chip) -> Option<(u32, u64)> {
    let dram = &chip.partition.dram;
    let transfers = if chip.capability.major >= 2 { 4 } else { 2 };
    let pins =
        [32, 64].into_iter().find(|pins| pins * transfers * dram.timing.ccd == dram.burst_bytes * 8)?;
    Some((pins * chip.partitions, chip.clocks.memory_khz * u64::from(transfers) / 2))
}

/// Returns the launch's part of the report; `chip` has the configuration of the launch.
pub fn launch_report(
    chip: &Chip,
    kernel: &Kernel,
    registers: u32,
    given: bool,
    occupancy: Occupancy,
) -> LaunchReport {
    let warps = kernel.warps_per_block();
    LaunchReport {
        kernel: kernel.program.name.clone(),
        file: kernel.program.source.name.clone(),
        files: kernel.program.source.files().clone(),
        grid: kernel.grid,
        block: kernel.block,
        warps_per_block: warps,
        padded_lanes: warps * WARP_SIZE - kernel.threads(),
        registers,
        registers_source: if given { RegistersSource::Given } else { RegistersSource::Liveness },
        registers_by_liveness: kernel.program.registers,
        opt_level: kernel.program.options.level(),
        fmad: kernel.program.options.fmad,
        schedule: kernel.program.options.schedule,
        spills: Some(kernel.program.spills).filter(|spills| *spills != Spills::default()),
        shared_bytes: kernel.shared_bytes,
        param_bytes: kernel.program.param_bytes,
        local_bytes: kernel.program.local_bytes,
        barriers: kernel.barriers,
        memory: Some(kernel.memory).filter(|rule| *rule != MemoryRule::Strict),
        l1_bytes: chip.sm.l1.map_or(0, |l1| l1.bytes),
        sm_shared_bytes: chip.sm.shared_bytes,
        occupancy,
    }
}

/// Returns the instructions' part of the report.
pub fn instruction_report(inst: &InstCounters) -> InstructionReport {
    InstructionReport {
        warp: inst.warp,
        thread: inst.thread,
        flops: inst.flops(),
        flops_sp: inst.flops_sp,
        flops_dp: inst.flops_dp,
        by_class: inst.by_class,
    }
}

/// Returns the control flow's part of the report.
pub fn control_report(program: &Program, inst: &InstCounters, pcs: &[PcCounters]) -> ControlReport {
    let divergent = pcs.iter().enumerate().filter(|(_, c)| c.divergent > 0);
    ControlReport {
        branches: inst.branches,
        divergent_branches: inst.divergent_branches,
        branch_efficiency: ratio(inst.branches - inst.divergent_branches, inst.branches, 1.0),
        warp_execution_efficiency: ratio(inst.thread, inst.warp * u64::from(WARP_SIZE), 0.0),
        barriers: inst.barriers,
        divergent_lines: divergent
            .map(|(pc, c)| DivergentLine {
                line: program.lines[pc],
                source: program.source.line(program.lines[pc]).to_owned(),
                executed: c.executed,
                divergent: c.divergent,
            })
            .collect(),
    }
}

/// Converts shader cycles to seconds.
fn seconds(chip: &Chip, cycles: u64) -> f64 {
    cycles as f64 / (chip.clocks.shader_khz as f64 * 1e3)
}

/// Returns all timing results of a run of `cycles` shader cycles.
pub fn timing_report(
    chip: &Chip,
    launch: &LaunchReport,
    program: &Program,
    t: &Totals,
    cycles: u64,
) -> TimingReport {
    let seconds = seconds(chip, cycles);
    let sms = u64::from(chip.clusters * chip.cluster.sms);
    let (period, ports) = (u64::from(chip.sm.issue_period), chip.sm.second_port.ports());
    let per_second = |n: u64| if cycles == 0 { 0.0 } else { n as f64 / seconds };
    let slots = SlotReport {
        schedulers: chip.sm.schedulers,
        ports,
        issue_period: chip.sm.issue_period,
        issue_cycles: cycles.div_ceil(period),
        total: cycles.div_ceil(period) * u64::from(chip.sm.schedulers * ports) * sms,
        outcomes: t.slots,
    };
    let global = global_report(chip, t);
    let dram = dram_report(chip, t, cycles);
    let measured = Measured {
        launch,
        reads_constants: program.reads_constants(),
        cycles,
        slots: &slots,
        dram: &dram,
        load_latency: global.mean_load_latency,
    };
    let limits = limits::find(chip, t, measured);
    TimingReport {
        cycles,
        microseconds: seconds * 1e6,
        ipc: ratio(t.inst.warp, cycles * sms, 0.0),
        gflops: per_second(t.inst.flops()) / 1e9,
        achieved_occupancy: ratio(t.resident, t.active * u64::from(chip.sm.max_warps), 0.0),
        slots,
        warps: WarpReport { resident: t.resident, states: t.warps },
        global,
        local: local_report(&t.accesses.local_load, &t.accesses.local_store),
        shared: SharedReport {
            load: t.accesses.shared_load,
            store: t.accesses.shared_store,
            atomic: t.accesses.shared_atomic,
            replay_overhead: ratio(t.slots.replay_bank_conflict, t.inst.warp, 0.0),
        },
        constant: constant_report(t),
        texture: texture_report(program.uses_textures(), t),
        fetch: t.fetch,
        tlb: TlbReport { first: t.tlb[0], second: t.tlb[1] },
        l1: l1_report(t.l1, t.l1_dirty_words),
        l2: l2_report(&t.partitions),
        dram,
        mapped: mapped_report(chip, t, seconds),
        limits,
        lines: lines((&program.source, &program.lines), &t.pcs, t.resident),
        ptx_lines: ptx_lines(program, t),
        sms: t.sms.clone(),
    }
}

fn constant_report(t: &Totals) -> ConstantReport {
    let mut l3 = LevelCounters::default();
    t.partitions.iter().for_each(|partition| l3.merge(&partition.const_cache));
    ConstantReport {
        const_requests: t.inst.by_class[Class::LdConst],
        param_requests: t.inst.by_class[Class::LdParam],
        l1: t.constant,
        l2: t.lines_l2,
        l3,
        line_requests: t.partitions.iter().map(|partition| partition.lines).sum(),
        replay_overhead: ratio(t.slots.replay_constant, t.inst.warp, 0.0),
    }
}

fn global_report(chip: &Chip, t: &Totals) -> GlobalReport {
    const WORD_BYTES: f64 = 4.0;
    let AccessCounters { load, store, atomic, .. } = &t.accesses;
    let cgma = WORD_BYTES * ratio(t.inst.flops(), load.bytes_asked, 0.0);
    GlobalReport {
        load: *load,
        store: *store,
        atomic: *atomic,
        load_efficiency: ratio(load.bytes_asked, load.bytes_moved, 1.0),
        store_efficiency: ratio(store.bytes_asked, store.bytes_moved, 1.0),
        load_transactions_per_request: ratio(load.transactions, load.requests, 0.0),
        store_transactions_per_request: ratio(store.transactions, store.requests, 0.0),
        mean_load_latency: ratio(t.accesses.load_cycles, t.accesses.loads_finished, 0.0),
        cgma,
        load_roof_gflops: peak_gbps(chip) / WORD_BYTES * cgma,
    }
}

fn local_report(load: &GlobalCounters, store: &GlobalCounters) -> LocalReport {
    LocalReport {
        load: *load,
        store: *store,
        load_transactions_per_request: ratio(load.transactions, load.requests, 0.0),
        store_transactions_per_request: ratio(store.transactions, store.requests, 0.0),
    }
}

/// Returns the results of the DRAM. Its bytes are those of the run and of the write-back after it,
/// so its bandwidth is over both.
fn dram_report(chip: &Chip, t: &Totals, cycles: u64) -> DramReport {
    let bytes = |bursts: u64| bursts * u64::from(chip.partition.dram.burst_bytes);
    let mut dram = DramCounters::default();
    for partition in &t.partitions {
        dram.merge(&partition.dram);
    }
    let moved = bytes(dram.reads + dram.writes) as f64;
    let gbps = if cycles == 0 { 0.0 } else { moved / seconds(chip, cycles + t.write_back_cycles) / 1e9 };
    DramReport {
        read_bytes: bytes(dram.reads),
        write_bytes: bytes(dram.writes),
        write_back_cycles: t.write_back_cycles,
        gbps,
        utilization: gbps / peak_gbps(chip),
        row_hits: dram.row_hits,
        row_misses: dram.row_misses,
        row_conflicts: dram.row_conflicts,
        refreshes: dram.refreshes,
        partition_bytes: t.partitions.iter().map(|p| bytes(p.dram.reads + p.dram.writes)).collect(),
    }
}

/// Returns the executed lines of the PTX, if the program has lines of CUDA C.
fn ptx_lines(program: &Program, t: &Totals) -> Vec<PtxLineReport> {
    if !program.has_listing() {
        return Vec::new();
    }
    let numbers = program.ptx_lines();
    let of: BTreeMap<u32, u32> = numbers.iter().copied().zip(program.lines.iter().copied()).collect();
    let costs = lines((&program.ptx, &numbers), &t.pcs, t.resident).into_iter();
    costs.map(|cost| PtxLineReport { of: of.get(&cost.line).copied().unwrap_or(0), cost }).collect()
}

/// Returns the executed lines of a source, whose lines of each instruction are `numbers`: those
/// with the most warp cycles first; among equals, the earlier line.
fn lines((source, numbers): (&Source, &[u32]), pcs: &[PcCounters], resident: u64) -> Vec<LineReport> {
    let mut by_line: BTreeMap<u32, PcCounters> = BTreeMap::new();
    for (pc, counters) in pcs.iter().enumerate().filter(|(_, c)| c.executed > 0) {
        by_line.entry(numbers[pc]).or_default().merge(counters);
    }
    let mut lines: Vec<(u32, PcCounters)> = by_line.into_iter().collect();
    lines.sort_by_key(|(line, c)| (std::cmp::Reverse(c.warp.total()), *line));
    let report = |(line, c): (u32, PcCounters)| {
        let top = c
            .warp
            .occurring()
            .filter(|(state, _)| state.is_wait())
            .max_by_key(|(s, n)| (*n, std::cmp::Reverse(*s)));
        LineReport {
            line,
            source: source.line(line).to_owned(),
            executed: c.executed,
            slots: c.executed + c.held + c.replay,
            replays: c.replay,
            warp_cycles: c.warp.total(),
            states: c.warp,
            share: ratio(c.warp.total(), resident, 0.0),
            top_wait: top,
            transactions: c.transactions,
        }
    };
    lines.into_iter().map(report).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_peak_is_limited_by_units_and_schedulers() {
        let peak = |sets: &[(&str, &str)]| {
            let sets: Vec<(String, String)> = sets.iter().map(|(p, v)| ((*p).into(), (*v).into())).collect();
            let text = include_str!("../../../../configs/g80.ron");
            peak_gflops(&Chip::from_ron("g80.ron", text, &sets).unwrap_or_else(|c| panic!("{c}")).0)
        };
        // 16 SMs x 8 lanes x 2 x 1.35 GHz; one scheduler issues 32 lanes in 4 cycles, which is the
        // same rate.
        for (sets, expected) in [
            (&[][..], 345.6),
            (&[("sm.units.sp.lanes", "16")], 345.6),
            (&[("sm.units.sp.lanes", "4")], 172.8),
            (&[("sm.classes.fp_mad.slots", "2")], 172.8),
            (&[("sm.units.sp.lanes", "16"), ("sm.schedulers", "2")], 691.2),
            (&[("sm.units.sp.per_scheduler", "true"), ("sm.schedulers", "2")], 691.2),
        ] {
            assert!((peak(sets) - expected).abs() < 1e-9, "{sets:?}: {}", peak(sets));
        }
    }
}
