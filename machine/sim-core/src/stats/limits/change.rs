//! A chip on which one resource is faster: the experiment that tests a limit.

use super::{LimitReport, Limiter};
use crate::cache::CacheShape;
use crate::config::{Chip, ConstLevelConfig, WARP_SIZE};
use crate::sm::warps::MAX_WARPS;
use isa::uop::Class;

/// Factor by which the resource is faster.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// Twice as fast, or twice as much of it.
    Twice,
    /// So fast that the resource never limits.
    Ideal,
}

impl Change {
    /// Returns a number of cycles after the change; at least `least`.
    fn cycles(self, cycles: u32, least: u32) -> u32 {
        match self {
            Self::Twice => cycles.div_ceil(2).max(least),
            Self::Ideal => least,
        }
    }

    /// Factor of a rate or a capacity.
    fn factor(self) -> u32 {
        match self {
            Self::Twice => 2,
            Self::Ideal => 64,
        }
    }

    /// Returns a rate or a capacity after the change; at most `most`, the maximum of a chip file.
    fn capacity(self, value: u32, most: u32) -> u32 {
        value.saturating_mul(self.factor()).min(most.max(value))
    }

    /// Returns a clock after the change. The factor is at most 16, because a faster clock takes
    /// more host time.
    fn clock(self, khz: u64) -> u64 {
        khz * u64::from(self.factor().min(16))
    }
}

/// Maximum number of messages of a crossbar link, and of the reply buffer.
const MOST_MESSAGES: u32 = 65_536;
/// Maximum number of instructions in the queue of a load/store unit.
const MOST_QUEUED: u32 = 4096;
/// Maximum number of MSHRs of an L2.
const MOST_MISSES: u32 = 4096;
/// Maximum number of pages of a TLB level.
const MOST_PAGES: u32 = 65_536;
/// Maximum number of units of a kind.
const MOST_UNITS: u32 = 8;
/// Maximum number of registers of an SM: 128 for each lane of the maximum number of warps. Also the
/// maximum of its shared memory in bytes.
const MOST_STATE: u32 = 1 << 18;

/// Effect of a faster resource.
pub(super) enum Effect {
    Chip(fn(&mut Chip, Change)),
    /// The chip: its execution unit with this number.
    Unit(fn(&mut Chip, usize, Change)),
    /// No chip changes the work of a program. The share of the time that is lost, and the share in
    /// which the loss costs time.
    Work(fn(&LimitReport) -> (f64, f64)),
}

/// Returns `chip` with the resource of `limiter` changed; `None` if the chip has nothing to change.
/// `unit` is the number of the execution unit, if the limit is one.
pub fn changed(chip: &Chip, limiter: Limiter, unit: Option<usize>, change: Change) -> Option<Chip> {
    let mut new = chip.clone();
    match limiter.row().effect {
        Effect::Chip(apply) => apply(&mut new, change),
        Effect::Unit(apply) => apply(&mut new, unit?, change),
        Effect::Work(_) => return None,
    }
    (new != *chip).then_some(new)
}

/// Returns the gain against a limit that is a property of the program and that no chip changes:
/// half of the loss is avoided, or all of it. `None` for limits that a chip can change, and without
/// a loss.
pub fn computed(limits: &LimitReport, limiter: Limiter, change: Change) -> Option<f64> {
    let Effect::Work(loss) = limiter.row().effect else { return None };
    let (lost, exposed) = loss(limits);
    let avoided = match change {
        Change::Twice => lost * exposed / 2.0,
        Change::Ideal => lost * exposed,
    };
    (avoided > 0.0).then(|| 1.0 / (1.0 - avoided).max(1.0 / f64::from(WARP_SIZE)))
}

/// Idle lanes cost time where the time is that of instructions.
pub(super) fn divergence(report: &LimitReport) -> (f64, f64) {
    let slots = &report.slots;
    let instructions =
        [slots.issued, slots.pipe_busy, slots.latency, slots.shared, slots.fetch, slots.bank_conflicts];
    (report.used.divergence, instructions.into_iter().sum())
}

/// SMs without a block.
pub(super) fn idle_sms(report: &LimitReport) -> (f64, f64) {
    let idle = report.used.idle_sms;
    let busiest = (1.0 - report.slots.no_warp) / (1.0 - idle).max(f64::MIN_POSITIVE);
    (idle, busiest.min(1.0))
}

/// Shortens the passes over the banks. Passes that take no time have no conflicts.
pub(super) fn bank_conflicts(chip: &mut Chip, change: Change) {
    let shared = &mut chip.sm.shared;
    let least = match change {
        Change::Twice => 1,
        Change::Ideal => 0,
    };
    shared.pass_cycles = change.cycles(shared.pass_cycles, least);
    shared.conflict_latency = change.cycles(shared.conflict_latency, 0);
}

/// Shortens the times of the L2, and lets more misses wait.
pub(super) fn l2(chip: &mut Chip, change: Change) {
    if let Some(l2) = &mut chip.partition.l2 {
        l2.sector_cycles = change.cycles(l2.sector_cycles, 1);
        l2.misses = change.capacity(l2.misses, MOST_MISSES);
    }
}

/// Shortens the way of a load. Queues and throughputs stay.
pub(super) fn memory_latency(chip: &mut Chip, change: Change) {
    if let Some(l1) = &mut chip.sm.l1 {
        l1.hit_cycles = change.cycles(l1.hit_cycles, 1);
    }
    if let Some(l2) = &mut chip.partition.l2 {
        l2.hit_cycles = change.cycles(l2.hit_cycles, 1);
    }
    for cycles in [&mut chip.crossbar.latency, &mut chip.partition.pipeline_cycles, &mut chip.sm.lsu.latency]
    {
        *cycles = change.cycles(*cycles, 1);
    }
    for class in [Class::LdGlobal, Class::LdLocal, Class::AtomGlobal] {
        shorten(chip, class, change);
    }
}

/// Enlarges the levels of the TLB, and shortens their misses.
pub(super) fn translation(chip: &mut Chip, change: Change) {
    let Some(tlb) = &mut chip.cluster.tlb else { return };
    for level in [Some(&mut tlb.first), tlb.second.as_mut()].into_iter().flatten() {
        level.miss_cycles = change.cycles(level.miss_cycles, 0);
        level.entries = change.capacity(level.entries, MOST_PAGES);
    }
}

/// Shortens the times of the texture units and their caches, and enlarges the caches.
pub(super) fn textures(chip: &mut Chip, change: Change) {
    let chunk_bytes = chip.partition.chunk_bytes;
    let Some(units) = &mut chip.cluster.texture_cache else { return };
    let times =
        [&mut units.fetch_cycles, &mut units.line_cycles, &mut units.hit_cycles, &mut units.fill_cycles];
    for cycles in times {
        *cycles = change.cycles(*cycles, 1);
    }
    larger(&mut units.shape, chunk_bytes);
    units.misses = change.capacity(units.misses, MOST_MESSAGES - 1);
    if let Some(level) = &mut chip.partition.texture_cache {
        faster_level(level, change, chunk_bytes);
    }
}

/// Shortens operations on one word, in global and in shared memory.
pub(super) fn atomics(chip: &mut Chip, change: Change) {
    chip.partition.atomic_cycles = change.cycles(chip.partition.atomic_cycles, 1);
    let shared = &mut chip.sm.shared;
    shared.atomic_pass_cycles = change.cycles(shared.atomic_pass_cycles, 1);
    shared.retry_slots = change.cycles(shared.retry_slots, 1);
    shorten(chip, Class::AtomShared, change);
}

/// Shortens a barrier.
pub(super) fn barriers(chip: &mut Chip, change: Change) {
    chip.sm.barrier_cycles = change.cycles(chip.sm.barrier_cycles, 1);
}

/// Enlarges what limits the resident warps of an SM.
pub(super) fn resident_warps(chip: &mut Chip, change: Change) {
    let (sm, warps) = (&mut chip.sm, MAX_WARPS as u32);
    sm.max_warps = change.capacity(sm.max_warps, warps);
    sm.max_threads = change.capacity(sm.max_threads, warps * WARP_SIZE);
    sm.max_blocks = change.capacity(sm.max_blocks, warps);
    sm.registers = change.capacity(sm.registers, MOST_STATE);
    sm.shared_bytes = change.capacity(sm.shared_bytes, MOST_STATE);
}

/// Shortens the start of a launch and of a block.
pub(super) fn block_scheduling(chip: &mut Chip, change: Change) {
    let dispatch = &mut chip.dispatch;
    dispatch.launch_cycles = change.cycles(dispatch.launch_cycles, 1);
    dispatch.block_cycles = change.cycles(dispatch.block_cycles, 1);
    chip.sm.block_start_cycles = change.cycles(chip.sm.block_start_cycles, 1);
}

/// Shortens branches, and enlarges the instruction cache and the levels behind it.
pub(super) fn fetch(chip: &mut Chip, change: Change) {
    shorten(chip, Class::Branch, change);
    if change == Change::Ideal {
        chip.sm.instr_cache = None;
    } else if let Some(cache) = &mut chip.sm.instr_cache {
        larger(&mut cache.shape, chip.partition.chunk_bytes);
        // Code and constants share these levels.
        faster_levels(chip, change);
    }
}

/// Makes the link to the host faster.
pub(super) fn link(chip: &mut Chip, change: Change) {
    let (link, factor) = (&mut chip.pcie, u64::from(change.factor()));
    link.bytes_per_second = link.bytes_per_second.saturating_mul(factor);
    link.pageable_bytes_per_second = link.pageable_bytes_per_second.saturating_mul(factor);
    link.latency_ns /= factor;
}

/// Shortens the latency of `class`.
fn shorten(chip: &mut Chip, class: Class, change: Change) {
    let cost = &mut chip.sm.classes[class as usize];
    cost.latency = change.cycles(cost.latency.into(), 1) as u16;
}

/// Makes the schedulers faster, and the execution units that must keep up with them. Banks and
/// constant caches keep the time of their passes.
pub(super) fn issue_rate(chip: &mut Chip, change: Change) {
    chip.sm.issue_period = change.cycles(chip.sm.issue_period, 1);
    (0..chip.sm.units.len()).for_each(|unit| faster_unit(chip, unit, change));
}

/// Doubles the data rate of the DRAM. Its row times stay, in seconds.
pub(super) fn bus(chip: &mut Chip, change: Change) {
    let khz = chip.clocks.memory_khz;
    chip.clocks.memory_khz = change.clock(khz);
    let factor = (chip.clocks.memory_khz / khz.max(1)) as u32;
    let t = &mut chip.partition.dram.timing;
    for cycles in [&mut t.rrd, &mut t.rcd, &mut t.ras, &mut t.rp, &mut t.rc, &mut t.cl, &mut t.wl] {
        *cycles = cycles.saturating_mul(factor);
    }
    for cycles in [&mut t.wr, &mut t.rtp, &mut t.refi, &mut t.rfc, &mut t.faw] {
        *cycles = cycles.saturating_mul(factor);
    }
}

/// Shortens the times of row changes.
pub(super) fn rows(chip: &mut Chip, change: Change) {
    let t = &mut chip.partition.dram.timing;
    for cycles in [&mut t.rrd, &mut t.rcd, &mut t.ras, &mut t.rp, &mut t.wr, &mut t.rtp] {
        *cycles = change.cycles(*cycles, 1);
    }
    t.rc = change.cycles(t.rc, 2);
    t.faw = change.cycles(t.faw, 0);
}

/// Enlarges a cache of constants, code or textures: twice as many lines in each set, each twice as
/// long, for which a line still is in one partition. So half of the misses of any kind are avoided:
/// those of straight-line code, of conflicts, and of a working set that is too large.
fn larger(shape: &mut CacheShape, chunk_bytes: u32) {
    let line_bytes = (2 * shape.line_bytes).min(chunk_bytes.max(shape.line_bytes));
    shape.ways *= 2;
    shape.bytes = shape.bytes * 2 * (line_bytes / shape.line_bytes);
    shape.line_bytes = line_bytes;
}

/// Shortens the times of a level of constants, code or textures, and enlarges it.
fn faster_level(level: &mut ConstLevelConfig, change: Change, chunk_bytes: u32) {
    level.hit_cycles = change.cycles(level.hit_cycles, 1);
    level.miss_cycles = change.cycles(level.miss_cycles, 1);
    larger(&mut level.shape, chunk_bytes);
}

/// Shortens the times of the levels that constants and code share, and enlarges them.
fn faster_levels(chip: &mut Chip, change: Change) {
    let chunk_bytes = chip.partition.chunk_bytes;
    for level in [&mut chip.cluster.const_cache, &mut chip.partition.const_cache].into_iter().flatten() {
        faster_level(level, change, chunk_bytes);
    }
}

/// Adds lanes, or units if each unit already accepts a whole warp per cycle. The banks keep up with
/// the unit that accesses them.
pub(super) fn execution_unit(chip: &mut Chip, unit: usize, change: Change) {
    if usize::from(chip.sm.classes[Class::LdShared as usize].unit) == unit {
        chip.sm.shared.pass_cycles = change.cycles(chip.sm.shared.pass_cycles, 1);
    }
    let config = &mut chip.sm.units[unit];
    if config.lanes == WARP_SIZE {
        config.count = change.capacity(config.count, MOST_UNITS);
    }
    faster_unit(chip, unit, change);
}

/// Adds lanes, up to a warp, and shortens the cycles per warp of classes that define them
/// separately.
pub(super) fn faster_unit(chip: &mut Chip, unit: usize, change: Change) {
    let sm = &mut chip.sm;
    let config = &mut sm.units[unit];
    config.lanes = change.capacity(config.lanes, WARP_SIZE);
    let faster = |busy: u16| change.cycles(busy.into(), 1) as u16;
    for class in &mut sm.classes {
        if usize::from(class.unit) == unit {
            class.busy = class.busy.map(faster);
        }
        if let Some(second) = class.second.as_mut().filter(|second| usize::from(second.unit) == unit) {
            second.busy = faster(second.busy);
        }
    }
    if usize::from(sm.classes[Class::FMad as usize].unit) == unit {
        for operand in [&mut sm.operands.shared, &mut sm.operands.constant, &mut sm.operands.param] {
            operand.cycles = change.cycles(operand.cycles, 1);
        }
    }
}

/// Shortens latencies, passes and the hit and miss times of the levels, and enlarges them; without
/// a cache, every constant is read in the time of a hit.
pub(super) fn constants(chip: &mut Chip, change: Change) {
    for class in [Class::LdConst, Class::LdParam] {
        shorten(chip, class, change);
    }
    for operand in [&mut chip.sm.operands.constant, &mut chip.sm.operands.param] {
        operand.latency = change.cycles(operand.latency, 0);
    }
    if change == Change::Ideal {
        chip.sm.const_cache = None;
        return;
    }
    if let Some(cache) = &mut chip.sm.const_cache {
        cache.pass_cycles = change.cycles(cache.pass_cycles, 1);
        cache.hit_cycles = change.cycles(cache.hit_cycles, 1);
        larger(&mut cache.shape, chip.partition.chunk_bytes);
    }
    faster_levels(chip, change);
}

/// Classes whose latency belongs to another resource: constant and global memory, atomics, branches
/// and barriers.
const OTHERS: [Class; 12] = [
    Class::LdConst,
    Class::LdParam,
    Class::LdGlobal,
    Class::LdLocal,
    Class::AtomGlobal,
    Class::AtomShared,
    Class::StGlobal,
    Class::StLocal,
    Class::Branch,
    Class::Barrier,
    Class::Membar,
    Class::Exit,
];

/// Shortens the latencies of execution units, operands and shared memory.
pub(super) fn latencies(chip: &mut Chip, change: Change) {
    for class in Class::ALL.into_iter().filter(|class| !OTHERS.contains(class)) {
        shorten(chip, class, change);
    }
    let sm = &mut chip.sm;
    sm.operands.shared.latency = change.cycles(sm.operands.shared.latency, 0);
}

/// Speeds up all parts between an SM and the DRAM that a global access passes through.
pub(super) fn ports(chip: &mut Chip, change: Change) {
    let rate = |bytes| change.capacity(bytes, u32::MAX);
    let lsu = &mut chip.sm.lsu;
    lsu.transaction_cycles = change.cycles(lsu.transaction_cycles, 1);
    lsu.queue = change.capacity(lsu.queue, MOST_QUEUED);
    let cluster = &mut chip.cluster;
    cluster.port_request_cycles = change.cycles(cluster.port_request_cycles, 1);
    cluster.port_bytes_per_cycle = rate(cluster.port_bytes_per_cycle);
    cluster.reply_bytes_per_cycle = rate(cluster.reply_bytes_per_cycle);
    cluster.reply_room = change.capacity(cluster.reply_room, MOST_MESSAGES);
    chip.crossbar.depth = change.capacity(chip.crossbar.depth, MOST_MESSAGES);
    // The arbiter accepts a request per core clock.
    chip.clocks.core_khz = change.clock(chip.clocks.core_khz);
    let partition = &mut chip.partition;
    partition.arbiter_cycles = change.cycles(partition.arbiter_cycles, 1);
    partition.input_bytes_per_cycle = rate(partition.input_bytes_per_cycle);
    partition.reply_bytes_per_cycle = rate(partition.reply_bytes_per_cycle);
    partition.reply_header_cycles = change.cycles(partition.reply_header_cycles, 0);
}
